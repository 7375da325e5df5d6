"""Gifts of the house: bonuses, campaigns and free chips."""

from django.conf import settings
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.sessions import WithOrigin
from wallet.rules import ReleaseTerms


class Bonus(models.Model):
    """Cash from the house that has to be played before it can be withdrawn.

    A player's oldest bonus is released first. Play from `counts_from` on goes towards this bonus. `released`
    paise have gone to the winnings. Paise neither released nor spent by `expires_at` go back to the house.
    """

    class State(models.TextChoices):
        RUNNING = "RUNNING", _("running")
        RELEASED = "RELEASED", _("released")
        EXPIRED = "EXPIRED", _("expired")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="bonuses", verbose_name=_("player")
    )
    reference = models.TextField(_("reference"), unique=True)
    amount = models.BigIntegerField(_("amount"), help_text=_("In paise."))
    chunks = models.IntegerField(_("chunks"))
    play_multiple = models.IntegerField(_("entry-fee multiple"))
    reason = models.TextField(_("reason"))
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("granted by"),
    )
    granted_at = models.DateTimeField(_("granted"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    counts_from = models.DateTimeField(_("entry fees count from"), null=True)
    released = models.BigIntegerField(_("released"), default=0, help_text=_("In paise."))
    state = models.TextField(_("state"), choices=State.choices, default=State.RUNNING)
    ended_at = models.DateTimeField(_("ended"), null=True)
    looked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("bonus")
        verbose_name_plural = _("bonuses")
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0, chunks__gt=0, chunks__lte=F("amount"))
                & Q(play_multiple__gt=0, expires_at__gt=F("granted_at")),
                name="wallet_bonus_terms_make_sense",
            ),
            models.CheckConstraint(
                condition=Q(released__gte=0, released__lte=F("amount")),
                name="wallet_bonus_releases_no_more_than_it_is",
            ),
            models.CheckConstraint(
                condition=Q(state="RUNNING", ended_at=None)
                | Q(~Q(state="RUNNING"), ended_at__isnull=False),
                name="wallet_bonus_ends_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["looked_at"],
                condition=Q(state="RUNNING"),
                name="wallet_bonus_to_be_looked_at",
            ),
        ]
        permissions = [("grant_bonus", "Can give players a bonus")]

    def __str__(self) -> str:
        return f"{self.reference} {self.state}"

    @property
    def terms(self) -> ReleaseTerms:
        return ReleaseTerms(self.amount, self.chunks, self.play_multiple)


_CODE = RegexValidator(r"^[A-Z0-9]{4,20}\Z", _("4 to 20 capital letters and digits."))


class Campaign(models.Model):
    """A code that gives each player one bonus.

    With `inviter_amount` it is a campaign for friends: each player has a code of their own, and also gets a
    bonus when a friend whom they invited has deposited.
    """

    code = models.CharField(_("code"), max_length=20, unique=True, validators=[_CODE])
    name = models.CharField(
        _("name"), max_length=100, help_text=_("Players see it as the reason for the bonus.")
    )
    amount = models.BigIntegerField(_("amount"), validators=[MinValueValidator(1)])
    chunks = models.PositiveSmallIntegerField(
        _("chunks"), default=10, validators=[MinValueValidator(1)]
    )
    play_multiple = models.PositiveSmallIntegerField(
        _("entry-fee multiple"), default=10, validators=[MinValueValidator(1)]
    )
    bonus_days = models.PositiveSmallIntegerField(
        _("days until a bonus expires"), default=30, validators=[MinValueValidator(1)]
    )
    valid_from = models.DateTimeField(_("valid from"), default=timezone.now)
    valid_until = models.DateTimeField(_("valid until"))
    most_uses = models.PositiveIntegerField(
        _("most uses"),
        validators=[MinValueValidator(1)],
        help_text=_("For all players together. It limits what the campaign can cost."),
    )
    new_within_days = models.PositiveSmallIntegerField(
        _("only for accounts up to this age in days"),
        null=True,
        blank=True,
        help_text=_(
            "If empty, the campaign is for accounts of any age. A campaign for "
            "friends needs this limit."
        ),
    )
    # 0 if the campaign has no bonus for inviters.
    inviter_amount = models.BigIntegerField(_("bonus for the inviting player"), default=0)
    most_invited = models.PositiveSmallIntegerField(
        _("most friends per inviting player"), default=10, validators=[MinValueValidator(1)]
    )
    least_deposit = models.BigIntegerField(_("amount that the friend must deposit"), default=0)
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
                violation_error_message=_("A bonus cannot have more chunks than paise."),
            ),
            models.CheckConstraint(
                condition=Q(valid_until__gt=F("valid_from")),
                name="wallet_campaign_ends_after_it_begins",
                violation_error_message=_("The end must be later than the beginning."),
            ),
            models.CheckConstraint(
                condition=Q(inviter_amount=0)
                | Q(inviter_amount__gte=F("chunks"), least_deposit__gt=0)
                & Q(new_within_days__isnull=False),
                name="wallet_campaign_for_friends_has_bounds",
                violation_error_message=_(
                    "A campaign for friends needs a largest account age and the amount "
                    "that the friend must deposit."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def is_for_friends(self) -> bool:
        return self.inviter_amount > 0


class CampaignUse(models.Model):
    """A player's use of a code. In a campaign for friends it also names the inviter and their bonus."""

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
    # When the inviter's bonus was decided; None while the friend may still deposit.
    settled_at = models.DateTimeField(_("settled"), null=True)

    class Meta:
        verbose_name = _("campaign use")
        verbose_name_plural = _("campaign uses")
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


class FreeChips(WithOrigin):
    """Free chips given to an account of this browser and address. The account is not stored.

    Rows too old to count towards a limit are deleted (wallet/chips/services.py).
    """

    class Kind(models.TextChoices):
        WELCOME = "welcome", _("Welcome chips")
        PRACTICE = "practice", _("Practice chips")

    kind = models.CharField(max_length=10, choices=Kind)
    given_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("chips given")
        verbose_name_plural = _("chips given")
        permissions = [("adjust_chips", "Can give chips to players and take them")]
        indexes = [
            models.Index(fields=["device_mark", "kind", "given_at"], name="chips_of_a_device"),
            models.Index(fields=["address_mark", "kind", "given_at"], name="chips_of_an_address"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} chips at {self.given_at}"
