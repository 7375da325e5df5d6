"""Players' questions to the staff, some of them about a deal, and the answers."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Deal

LONGEST_MESSAGE = 2_000


class CaseTopic(models.TextChoices):
    DEAL = "DEAL", _("Something was wrong with a deal")
    MONEY = "MONEY", _("Deposits, withdrawals, bonuses")
    ACCOUNT = "ACCOUNT", _("My account")
    OTHER = "OTHER", _("Something else")


class CaseState(models.TextChoices):
    OPEN = "OPEN", _("waiting for our answer")
    ANSWERED = "ANSWERED", _("answered")
    CLOSED = "CLOSED", _("closed")


class SupportCase(models.Model):
    """A player's question with all messages about it.

    `evidence` of a case about a deal holds the deal's record, with all cards and moves, and the hand tool's verdict on
    every declaration and shown hand (`Game.review`).
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="support_cases",
        verbose_name=_("player"),
    )
    topic = models.CharField(_("about"), max_length=10, choices=CaseTopic)
    deal = models.ForeignKey(
        Deal,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("deal"),
        db_constraint=False,
    )
    evidence = models.JSONField(_("evidence"), null=True)
    state = models.CharField(_("state"), max_length=10, choices=CaseState, default=CaseState.OPEN)
    opened_at = models.DateTimeField(_("opened"), db_default=Now())
    # Time of the last message.
    changed_at = models.DateTimeField(_("last message"), db_default=Now())

    class Meta:
        verbose_name = _("support case")
        verbose_name_plural = _("support cases")
        permissions = [("answer_supportcase", _("Can answer and close support cases"))]
        indexes = [
            models.Index(fields=["state", "changed_at"], name="support_cases_by_state"),
            models.Index(fields=["user", "-id"], name="support_cases_of_a_player"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(topic="DEAL", deal__isnull=False, evidence__isnull=False)
                | (~models.Q(topic="DEAL") & models.Q(deal__isnull=True, evidence__isnull=True)),
                name="a_case_about_a_deal_has_it_and_its_evidence",
            )
        ]

    def __str__(self) -> str:
        return f"support case #{self.pk}"


class SupportMessage(models.Model):
    """A message in a case, from its player or from staff."""

    case = models.ForeignKey(SupportCase, models.PROTECT, related_name="messages")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    is_answer = models.BooleanField()
    text = models.CharField(max_length=LONGEST_MESSAGE)
    written_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("message to the staff")
        verbose_name_plural = _("messages to the staff")

    def __str__(self) -> str:
        return f"message {self.pk} of support case #{self.case_id}"
