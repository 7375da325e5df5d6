"""Changing fee schedules: the first ones of a new site, ending a schedule, and replacing it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from core.refusals import Refusal
from wallet.fees.formats import list_charged_formats
from wallet.models import FeeSchedule
from wallet.money import BPS, Currency
from wallet.refusals import FEE_HAS_ENDED, FEE_TERMS_WRONG, FEE_TOO_EARLY

_STARTING_BPS = 1_000


@dataclass(frozen=True, slots=True)
class NextFee:
    """The fee that follows another. With `valid_from` None it begins at once."""

    rake_bps: int
    rake_cap: int | None = None
    valid_from: datetime | None = None


def set_starting_fees(*, valid_from: datetime, currency: Currency = Currency.CHIPS) -> None:
    """Set a fee of ten per cent for every charged format that has no schedule in this currency yet."""
    schedules = FeeSchedule.objects.filter(currency=currency)
    with_schedule = set(schedules.values_list("game", "format"))
    FeeSchedule.objects.bulk_create(
        FeeSchedule(
            game=charged.game,
            format=charged.format,
            currency=currency,
            stake_from=0,
            rake_bps=_STARTING_BPS,
            valid_from=valid_from,
        )
        for charged in list_charged_formats()
        if (charged.game, charged.format) not in with_schedule
    )


@transaction.atomic
def follow_fee(*, schedule_id: int, fee: NextFee) -> FeeSchedule:
    """End a schedule and begin the next one for the same stakes at the same moment.

    The new schedule is valid until the end that the old one had. Raises FEE_TERMS_WRONG, FEE_TOO_EARLY or
    FEE_HAS_ENDED.
    """
    refuse_wrong_terms(fee)
    old, now = _lock(schedule_id)
    begins = fee.valid_from or now
    if begins < now or begins <= old.valid_from:
        raise Refusal(FEE_TOO_EARLY)
    if old.valid_until is not None and old.valid_until <= begins:
        raise Refusal(FEE_HAS_ENDED)
    FeeSchedule.objects.filter(pk=old.pk).update(valid_until=begins)
    return FeeSchedule.objects.create(
        game=old.game,
        format=old.format,
        currency=old.currency,
        stake_from=old.stake_from,
        stake_to=old.stake_to,
        rake_bps=fee.rake_bps,
        rake_cap=fee.rake_cap,
        valid_from=begins,
        valid_until=old.valid_until,
    )


@transaction.atomic
def end_fee(*, schedule_id: int, valid_until: datetime | None) -> None:
    """Set the end of a schedule; None means no end. Raises FEE_TOO_EARLY or FEE_HAS_ENDED."""
    old, now = _lock(schedule_id)
    if old.valid_until is not None and old.valid_until <= now:
        raise Refusal(FEE_HAS_ENDED)
    if valid_until is not None and (valid_until < now or valid_until <= old.valid_from):
        raise Refusal(FEE_TOO_EARLY)
    FeeSchedule.objects.filter(pk=old.pk).update(valid_until=valid_until)


def _lock(schedule_id: int) -> tuple[FeeSchedule, datetime]:
    """Lock a schedule; return it and the database's time after the lock."""
    row = FeeSchedule.objects.select_for_update(no_key=True).get(pk=schedule_id)
    return row, database_time()


def database_time() -> datetime:
    """Return the database's current time, not the time at which the transaction began."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    moment: datetime = now
    return moment


def refuse_wrong_terms(fee: NextFee) -> None:
    """Raise FEE_TERMS_WRONG for a share below 0 or above 100 per cent, or for a negative cap."""
    if not 0 <= fee.rake_bps <= BPS or (fee.rake_cap is not None and fee.rake_cap < 0):
        raise Refusal(FEE_TERMS_WRONG)
