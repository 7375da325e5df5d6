"""Forms for the administration of fees, and functions that describe a fee in words."""

import hashlib
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminSplitDateTime
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.refusals import Refusal
from wallet.desk.pages import amount_in, rate_in
from wallet.desk.units import AmountField, InCurrency, PercentField
from wallet.fees.at_stake import FeeGap, StakeFee
from wallet.fees.formats import find_charged_format, format_choices, format_code, split_format_code
from wallet.fees.services import NextFee
from wallet.models import FeeSchedule
from wallet.money import MAX_AMOUNT, Currency
from wallet.refusals import FEE_TOO_EARLY


def format_title(fee: FeeSchedule | FeeGap) -> str:
    """Return the title of a fee's game and format, or their codes if they are no longer offered."""
    played = find_charged_format(fee.game, fee.format)
    return f"{played.game_title} · {played.title}" if played else f"{fee.game} {fee.format}"


def stakes_in_words(fee: FeeSchedule | FeeGap) -> str:
    low, high = amount_in(fee, "stake_from"), amount_in(fee, "stake_to")
    if fee.stake_to is None:
        return _("from %(low)s") % {"low": low}
    return low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high}


def fee_in_words(fee: FeeSchedule) -> str:
    rate = rate_in(fee, "rake_bps")
    if fee.rake_cap is None:
        return rate
    most = amount_in(fee, "rake_cap")
    return _("%(rate)s, at most %(most)s") % {"rate": rate, "most": most}


class FeePreviewForm(InCurrency, forms.Form):
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=format_choices)
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=[(c, c) for c in Currency])
    stake = AmountField(
        label=gettext_lazy("Stake"),
        least=1,
        most=MAX_AMOUNT // 10**6,
        help_text=gettext_lazy("In rupees or chips: value of a point, or entry fee."),
    )
    at = forms.DateTimeField(
        label=gettext_lazy("When"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        help_text=gettext_lazy("Empty: now."),
    )
    players = forms.IntegerField(
        label=gettext_lazy("Players"), min_value=2, max_value=1_000, initial=6
    )


class FeeForm(InCurrency, forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    """A form in which one field stands for the columns `game` and `format`.

    The form lacks this field once the fee has taken effect.
    """

    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=format_choices)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field, fee = self.fields.get("format"), self.instance
        if isinstance(field, forms.ChoiceField) and fee.game:
            code = self.initial["format"] = format_code(fee.game, fee.format)
            if not field.valid_value(code):  # the site no longer offers this game
                field.choices = [*format_choices(), (code, format_title(fee))]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("format"):
            self.instance.game, cleaned["format"] = split_format_code(cleaned["format"])
        return cleaned

    def clean_valid_until(self) -> Any:
        """Refuse an end in the past. The service refuses it too; here the message appears beside the field."""
        end = self.cleaned_data["valid_until"]
        is_moved = self.instance.pk and end != self.initial["valid_until"]
        if is_moved and end is not None and self.instance.has_counted and end < timezone.now():
            raise ValidationError(str(Refusal(FEE_TOO_EARLY)))
        return end


class _NextFee(InCurrency, forms.Form):
    """A form for a fee and the moment at which it takes effect."""

    rake_bps = PercentField(
        label=gettext_lazy("Service fee"), help_text=gettext_lazy("In per cent.")
    )
    rake_cap = AmountField(
        label=gettext_lazy("Highest fee"),
        required=False,
        help_text=gettext_lazy("In rupees or chips. Empty: none."),
    )
    valid_from = forms.SplitDateTimeField(
        label=gettext_lazy("Valid from"),
        required=False,
        widget=AdminSplitDateTime,
        help_text=gettext_lazy("Empty: from now on."),
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)

    def next_fee(self) -> NextFee:
        values = self.cleaned_data
        return NextFee(values["rake_bps"], values["rake_cap"], values["valid_from"])


class NextFeeForm(_NextFee):
    """The next fee of one schedule, in its currency."""

    def __init__(self, *args: Any, currency: Currency, **options: Any) -> None:
        self.currency_of_schedule = currency
        super().__init__(*args, **options)

    @property
    def amounts_in(self) -> Currency:
        return self.currency_of_schedule


class StakeFeeForm(_NextFee):
    """One stake of a format, its fee and the moment at which it takes effect.

    `seen` is the digest of the preview that was last shown.
    """

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=format_choices)
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=[(c, c) for c in Currency])
    stake = AmountField(
        label=gettext_lazy("Stake"),
        least=1,
        most=MAX_AMOUNT,
        help_text=gettext_lazy("In rupees or chips: value of a point, or entry fee."),
    )
    field_order = ("seen", "format", "currency", "stake")

    def get_requested_fee(self) -> StakeFee:
        values = self.cleaned_data
        game, format = split_format_code(values["format"])
        return StakeFee(
            game, format, Currency(values["currency"]), values["stake"], self.next_fee()
        )

    def digest(self) -> str:
        """Return a hash of the requested fee. If it differs from `seen`, this fee has not been previewed yet."""
        return hashlib.sha256(repr(self.get_requested_fee()).encode()).hexdigest()
