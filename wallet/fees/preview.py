"""The fee of a table by the fee schedules, for the administration."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from wallet.desk.units import AmountField, InCurrency
from wallet.fees.formats import charged_format, format_choices, split_format_code
from wallet.fees.selectors import FeeTerms, fee_for
from wallet.money import MAX_AMOUNT, Currency, rake
from wallet.refusals import NoFeeSchedule


class FeePreviewForm(InCurrency, forms.Form):
    format = forms.ChoiceField(label=_("Format"), choices=format_choices)
    currency = forms.ChoiceField(label=_("Currency"), choices=[(c, c) for c in Currency])
    stake = AmountField(
        label=_("Stake"),
        least=1,
        most=MAX_AMOUNT // 10**6,
        help_text=_("In rupees or chips: value of a point, or entry fee."),
    )
    at = forms.DateTimeField(
        label=_("When"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        help_text=_("Empty: now."),
    )
    players = forms.IntegerField(label=_("Players"), min_value=2, max_value=1_000, initial=6)


@dataclass(frozen=True, slots=True)
class FeePreview:
    """`gross` is the most that the winner can get: all entries, or the largest loss of every loser."""

    terms: FeeTerms
    gross: int
    fee: int

    @property
    def net(self) -> int:
        return self.gross - self.fee


def preview(asked: dict[str, Any], *, at: datetime) -> FeePreview | None:
    """None where no schedule answers."""
    game, format = split_format_code(asked["format"])
    try:
        terms = fee_for(
            game=game,
            format=format,
            currency=Currency(asked["currency"]),
            stake=asked["stake"],
            at=at,
        )
    except NoFeeSchedule:
        return None
    charged = charged_format(game, format)
    points = charged.points_of_a_deal if charged else None
    payers = asked["players"] if points is None else (asked["players"] - 1) * points
    gross = payers * asked["stake"]
    return FeePreview(terms, gross, rake(gross, bps=terms.rake_bps, cap=terms.rake_cap))
