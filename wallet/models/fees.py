from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from wallet.models.ledger import CURRENCIES
from wallet.money import BPS, Currency, format_amount


def _format_local(moment: datetime) -> str:
    """Return a moment in the site's time and format."""
    return formats.date_format(timezone.localtime(moment), "DATETIME_FORMAT")


class FeeSchedule(models.Model):
    """The house's share for a range of stakes, both ends included, while it is valid.

    The stake is the value of a point, or the entry fee of a format without points. `game` and `format` are
    codes of wallet/fees/formats.py. The database refuses overlapping rows, so that at most one is in effect
    for a stake at any time. It refuses every change of a row that is or was in effect, except of its end.
    """

    game = models.TextField(_("game"))
    format = models.TextField(_("format"))
    currency = models.TextField(_("currency"), choices=CURRENCIES, default="CHIPS")
    stake_from = models.BigIntegerField(
        _("lowest stake"), help_text=_("In chips or paise: value of a point, or entry fee.")
    )
    stake_to = models.BigIntegerField(
        _("highest stake"),
        null=True,
        blank=True,
        help_text=_("Up to and including this stake. If empty, there is no highest stake."),
    )
    rake_bps = models.IntegerField(
        _("service fee"), help_text=_("In hundredths of a percent: 1000 is 10 %.")
    )
    rake_cap = models.BigIntegerField(
        _("highest fee"), null=True, blank=True, help_text=_("In chips or paise. Empty: none.")
    )
    valid_from = models.DateTimeField(_("valid from"), default=timezone.now)
    valid_until = models.DateTimeField(
        _("valid until"),
        null=True,
        blank=True,
        help_text=_("The fee ends at this time. If empty, it applies until it is changed."),
    )

    class Meta:
        verbose_name = _("fee schedule")
        verbose_name_plural = _("fee schedules")
        db_table = "wallet_fee_schedule"
        constraints = [
            models.CheckConstraint(
                condition=Q(stake_from__gte=0)
                & (Q(stake_to=None) | Q(stake_to__gte=F("stake_from"))),
                name="wallet_fee_schedule_stakes_are_a_range",
                violation_error_message=_("The stakes must go from a lower to a higher amount."),
            ),
            models.CheckConstraint(
                condition=Q(rake_bps__gte=0, rake_bps__lte=BPS),
                name="wallet_fee_schedule_rake_is_a_share",
                violation_error_message=_("The fee must be 0 to 10000 hundredths of a percent."),
            ),
            models.CheckConstraint(
                condition=Q(rake_cap=None) | Q(rake_cap__gte=0),
                name="wallet_fee_schedule_cap_is_not_negative",
                violation_error_message=_("The highest fee must not be negative."),
            ),
            models.CheckConstraint(
                condition=Q(valid_until=None) | Q(valid_until__gt=F("valid_from")),
                name="wallet_fee_schedule_ends_after_it_begins",
                violation_error_message=_("The end must be later than the beginning."),
            ),
        ]

    def __str__(self) -> str:
        currency = Currency(self.currency)
        upper = "" if self.stake_to is None else format_amount(self.stake_to, currency)
        stakes = f"{format_amount(self.stake_from, currency)}-{upper}"
        return f"{self.game} {self.format} {currency} {stakes}: {self.rake_bps / 100:g} %"

    @property
    def has_counted(self) -> bool:
        """Return whether the fee has taken effect, so that only its end may still be changed."""
        return self.valid_from <= timezone.now()

    @property
    def has_ended(self) -> bool:
        return self.valid_until is not None and self.valid_until <= timezone.now()

    def clean(self) -> None:
        """Refuse an overlap, as the database does, but name the other row."""
        if None in (self.stake_from, self.valid_from):
            return  # the fields' own errors are enough
        others = FeeSchedule.objects.exclude(pk=self.pk).filter(
            Q(stake_to=None) | Q(stake_to__gte=self.stake_from),
            Q(valid_until=None) | Q(valid_until__gt=self.valid_from),
            game=self.game,
            format=self.format,
            currency=self.currency,
        )
        if self.stake_to is not None:
            others = others.filter(stake_from__lte=self.stake_to)
        if self.valid_until is not None:
            others = others.filter(valid_from__lt=self.valid_until)
        other = others.first()
        if other is not None:
            raise ValidationError(
                _("This overlaps with “%(other)s”, valid from %(since)s."),
                code="fee_schedule_overlap",
                params={"other": other, "since": _format_local(other.valid_from)},
            )
