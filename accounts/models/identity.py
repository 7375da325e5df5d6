"""Records of what players state or accept: identity, residence, legal pages."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.models.site import PageVersion, Region

DOCUMENT_IS_UNIQUE = "accounts_identity_check_document_is_of_one_person"


class IdentityCheck(models.Model):
    """A player's statement of identity, and the decision of staff."""

    class State(models.TextChoices):
        SUBMITTED = "SUBMITTED", _("being checked")
        APPROVED = "APPROVED", _("approved")
        REFUSED = "REFUSED", _("refused")

    class DocumentKind(models.TextChoices):
        PAN = "PAN", _("PAN card")
        PASSPORT = "PASSPORT", _("passport")
        DRIVING_LICENCE = "DRIVING_LICENCE", _("driving licence")
        VOTER_ID = "VOTER_ID", _("voter identity card")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="identity_checks",
        verbose_name=_("player"),
    )
    full_name = models.CharField(_("full name"), max_length=100)
    born_on = models.DateField(_("date of birth"))
    document_kind = models.TextField(_("document"), choices=DocumentKind.choices)
    document_number = models.TextField(_("document number"))
    state = models.TextField(_("state"), choices=State.choices, default=State.SUBMITTED)
    reason = models.TextField(_("reason"), blank=True, help_text=_("Shown to the player."))
    submitted_at = models.DateTimeField(_("submitted"), default=timezone.now)
    decided_at = models.DateTimeField(_("decided"), null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("decided by"),
    )

    class Meta:
        verbose_name = _("identity check")
        verbose_name_plural = _("identity checks")
        db_table = "accounts_identity_check"
        permissions = [
            ("decide_identitycheck", "Can see identity documents and decide identity checks")
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=~models.Q(state="REFUSED"),
                name="accounts_identity_check_one_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["document_kind", "document_number"],
                condition=models.Q(state="APPROVED"),
                name=DOCUMENT_IS_UNIQUE,
            ),
            models.CheckConstraint(
                condition=models.Q(state="SUBMITTED", decided_at=None, decided_by=None)
                | models.Q(
                    state__in=["APPROVED", "REFUSED"],
                    decided_at__isnull=False,
                    decided_by__isnull=False,
                ),
                name="accounts_identity_check_says_who_decided",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="REFUSED", reason=""),
                name="accounts_identity_check_refusal_has_a_reason",
            ),
            models.CheckConstraint(
                condition=~models.Q(decided_by=models.F("user")),
                name="accounts_identity_check_is_decided_by_somebody_else",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.state}"


class IdentityDocument(models.Model):
    """An image of a document. Its bytes are in the private storage (accounts/identity/services.py)."""

    class Side(models.TextChoices):
        FRONT = "FRONT", _("front")
        BACK = "BACK", _("back")

    identity_check = models.ForeignKey(
        IdentityCheck, models.PROTECT, related_name="documents", db_index=False
    )
    side = models.TextField(choices=Side.choices)
    stored_as = models.TextField(unique=True)
    content_type = models.TextField()

    class Meta:
        db_table = "accounts_identity_document"
        constraints = [
            models.UniqueConstraint(
                fields=["identity_check", "side"], name="accounts_identity_document_one_of_a_side"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.identity_check_id} {self.side}"


class Residence(models.Model):
    """A player's residence as stated by them or by staff. The newest row is the current one."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="residences",
        verbose_name=_("player"),
    )
    region = models.ForeignKey(Region, models.PROTECT, related_name="+", verbose_name=_("region"))
    stated_at = models.DateTimeField(_("stated"), db_default=Now())
    # None if the player stated it.
    stated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        editable=False,
        verbose_name=_("stated by"),
    )

    class Meta:
        verbose_name = _("residence")
        verbose_name_plural = _("residences")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.region_id}"


class PageAcceptance(models.Model):
    """A player's acceptance of a version of a legal page."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )
    version = models.ForeignKey(PageVersion, models.PROTECT, related_name="acceptances")
    accepted_at = models.DateTimeField(_("accepted"))

    class Meta:
        verbose_name = _("accepted page")
        verbose_name_plural = _("accepted pages")
        db_table = "accounts_page_acceptance"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "version"], name="accounts_page_acceptance_comes_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.version_id}"
