"""The fees that a new installation begins with."""

from datetime import datetime

from wallet.models import FeeSchedule
from wallet.money import Currency

_STARTING_BPS = 1_000


def set_starting_fees(*, valid_from: datetime, currency: Currency = Currency.CHIPS) -> None:
    """Ten percent for every variant played for this currency that has no fee at all yet."""
    for variant in FeeSchedule.Variant.values:
        if not FeeSchedule.objects.filter(variant=variant, currency=currency).exists():
            FeeSchedule.objects.create(
                variant=variant,
                currency=currency,
                stake_from=0,
                rake_bps=_STARTING_BPS,
                valid_from=valid_from,
            )
