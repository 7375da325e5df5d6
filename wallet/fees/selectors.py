"""Finding the fees in effect at a given time."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from wallet.models import FeeSchedule
from wallet.money import Currency
from wallet.refusals import NoFeeSchedule


@dataclass(frozen=True, slots=True)
class FeeTerms:
    """The house's share in basis points. `rake_cap` is its upper limit in chips or paise, or None."""

    schedule_id: int
    rake_bps: int
    rake_cap: int | None


def get_fee(*, game: str, format: str, currency: Currency, stake: int, at: datetime) -> FeeTerms:
    """Return the house's share for a stake (chips or paise). Raises NoFeeSchedule if the operator has set none."""
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
        raise NoFeeSchedule(detail=f"{game} {format} {currency} {stake}")
    return FeeTerms(*terms)


def read_fees(at: datetime) -> Callable[[str, str, Currency, int], FeeTerms | None]:
    """Read all schedules in effect at this moment in one query.

    Return a function that finds the terms for a game, a format, a currency and a stake (chips or paise), or
    None if the operator has set none.
    """
    by_stakes = defaultdict(list)
    rows = FeeSchedule.objects.filter(
        Q(valid_until=None) | Q(valid_until__gt=at), valid_from__lte=at
    ).values_list(
        "game", "format", "currency", "stake_from", "stake_to", "id", "rake_bps", "rake_cap"
    )
    for game, format, currency, stake_from, stake_to, id_, bps, cap in rows:
        by_stakes[game, format, currency].append((stake_from, stake_to, FeeTerms(id_, bps, cap)))

    def fee(game: str, format: str, currency: Currency, stake: int) -> FeeTerms | None:
        for stake_from, stake_to, terms in by_stakes.get((game, format, currency), ()):
            if stake_from <= stake and (stake_to is None or stake <= stake_to):
                return terms
        return None

    return fee
