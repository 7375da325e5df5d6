"""Bonuses by code, and for friends who were invited."""

from django.conf import settings
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallet.models.bonuses import Bonus

_CODE = RegexValidator(r"^[A-Z0-9]{4,20}\Z", _("4 to 20 capital letters and digits."))


class Campaign(models.Model):
    """A code that gives a bonus to each player once.

    With `inviter_amount` it is for friends: the code carries the inviter, who gets a bonus too
    when the friend has paid in.
    """

    code = models.CharField(_("code"), max_length=20, unique=True, validators=[_CODE])
    name = models.CharField(
        _("name"), max_length=100, help_text=_("Players read it as the reason of the bonus.")
    )
    amount = models.BigIntegerField(_("amount"), validators=[MinValueValidator(1)])
    chunks = models.PositiveSmallIntegerField(
        _("chunks"), default=10, validators=[MinValueValidator(1)]
    )
    play_multiple = models.PositiveSmallIntegerField(
        _("times to be played"), default=10, validators=[MinValueValidator(1)]
    )
    bonus_days = models.PositiveSmallIntegerField(
        _("days until a bonus expires"), default=30, validators=[MinValueValidator(1)]
    )
    valid_from = models.DateTimeField(_("valid from"), default=timezone.now)
    valid_until = models.DateTimeField(_("valid until"))
    most_uses = models.PositiveIntegerField(
        _("most uses"),
        validators=[MinValueValidator(1)],
        help_text=_("Of all players together: what the campaign costs at most."),
    )
    new_within_days = models.PositiveSmallIntegerField(
        _("only for accounts of so many days"),
        null=True,
        blank=True,
        help_text=_("Empty: for everybody. A campaign for friends needs it."),
    )
    # 0: not a campaign for friends.
    inviter_amount = models.BigIntegerField(_("bonus of who invites"), default=0)
    most_invited = models.PositiveSmallIntegerField(
        _("friends of one player at most"), default=10, validators=[MinValueValidator(1)]
    )
    least_deposit = models.BigIntegerField(_("the friend has paid in"), default=0)
    is_open = models.BooleanField(_("open"), default=False)

    class Meta:
        verbose_name = _("campaign")
        verbose_name_plural = _("campaigns")
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0, inviter_amount__gte=0, least_deposit__gte=0),
                name="wallet_campaign_amounts_make_sense",
            ),
            models.CheckConstraint(
                condition=Q(chunks__gt=0, chunks__lte=F("amount"), play_multiple__gt=0),
                name="wallet_campaign_terms_make_sense",
                violation_error_message=_("A bonus has no more chunks than paise."),
            ),
            models.CheckConstraint(
                condition=Q(valid_until__gt=F("valid_from")),
                name="wallet_campaign_ends_after_it_begins",
                violation_error_message=_("It must end after it begins."),
            ),
            models.CheckConstraint(
                condition=Q(inviter_amount=0)
                | Q(inviter_amount__gte=F("chunks"), least_deposit__gt=0)
                & Q(new_within_days__isnull=False),
                name="wallet_campaign_for_friends_has_bounds",
                violation_error_message=_(
                    "A campaign for friends needs days of new accounts and what the friend pays in."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def is_for_friends(self) -> bool:
        return self.inviter_amount > 0


class CampaignUse(models.Model):
    """A player has used a code; `inviter` of a campaign for friends, and what became of their part."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="uses")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )
    bonus = models.OneToOneField(Bonus, models.PROTECT, related_name="+")
    used_at = models.DateTimeField(_("used"), default=timezone.now)
    inviter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("invited by"),
    )
    inviter_bonus = models.OneToOneField(Bonus, models.PROTECT, related_name="+", null=True)
    # When it was decided whether who invited is paid; None while it may still come.
    settled_at = models.DateTimeField(_("settled"), null=True)

    class Meta:
        verbose_name = _("use of a campaign")
        verbose_name_plural = _("uses of campaigns")
        db_table = "wallet_campaign_use"
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user"], name="wallet_campaign_use_comes_once"
            ),
            models.UniqueConstraint(
                fields=["user"],
                condition=Q(inviter__isnull=False),
                name="wallet_campaign_use_is_invited_once",
            ),
            models.CheckConstraint(
                condition=Q(inviter=None) | ~Q(inviter=F("user")),
                name="wallet_campaign_use_is_invited_by_another",
            ),
            models.CheckConstraint(
                condition=Q(inviter_bonus=None)
                | Q(inviter__isnull=False, settled_at__isnull=False),
                name="wallet_campaign_use_pays_inviters_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["used_at"],
                condition=Q(inviter__isnull=False, settled_at=None),
                name="wallet_campaign_use_unsettled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.user_id}"
