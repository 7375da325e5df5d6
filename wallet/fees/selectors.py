from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from wallet.models import (
    FeeSchedule,
)
from wallet.money import Currency
from wallet.refusals import NoFeeSchedule


@dataclass(frozen=True, slots=True)
class FeeTerms:
    schedule_id: int
    rake_bps: int
    rake_cap: int | None


def fee_for(*, game: str, format: str, currency: Currency, stake: int, at: datetime) -> FeeTerms:
    """The house's share for a stake. Raises NoFeeSchedule where the operator has set none."""
    terms = (
        FeeSchedule.objects.filter(
            Q(stake_to=None) | Q(stake_to__gte=stake),
            Q(valid_until=None) | Q(valid_until__gt=at),
            game=game,
            format=format,
            currency=currency,
            stake_from__lte=stake,
            valid_from__lte=at,
        )
        .values_list("id", "rake_bps", "rake_cap")
        .first()
    )
    if terms is None:
        raise NoFeeSchedule(f"{game} {format} {currency} {stake}")
    return FeeTerms(*terms)
