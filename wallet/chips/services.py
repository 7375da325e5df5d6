"""Chips from the house: welcome chips, daily practice chips, and adjustments by staff.

Settings limit the free chips for all accounts of one browser, and for all accounts of one network address. So
a person gets no more chips by opening more accounts. Moving chips to another account is limited in
tables/seating/companions.py.
"""

from datetime import date, datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.utils import timezone

from accounts.models.sessions import NOWHERE, Origin
from core.database.advisory_locks import AdvisoryLock
from core.refusals import Refusal
from core.site.numbers import number
from wallet.ledger.balances import get_player_balances
from wallet.ledger.chart import PostingLine, mint, player
from wallet.ledger.posting import Posting, post_transfers
from wallet.limits.services import lock_player
from wallet.models import FreeChips, Journal, Reason
from wallet.money import Currency
from wallet.refusals import (
    CHIPS_NOT_FOR_ONESELF,
    CHIPS_OF_ADDRESS_GIVEN,
    CHIPS_OF_DEVICE_GIVEN,
    MALFORMED_POSTING,
    PRACTICE_CHIPS_NOT_YET,
    WALLET_CLOSED,
    IdempotencyConflict,
    InsufficientFunds,
    TooFewChipsToTake,
)

Kind = FreeChips.Kind

WELCOMES_COUNT: Final = timedelta(days=30)
_DAY: Final = timedelta(days=1)


@transaction.atomic
def count_free_chips(
    kind: FreeChips.Kind, origin: Origin, *, now: datetime, of_address: bool = True
) -> None:
    """Record a gift of free chips for this browser and address, in the caller's transaction.

    Without `of_address` the address's limit is not checked. Raises CHIPS_OF_DEVICE_GIVEN or CHIPS_OF_ADDRESS_GIVEN if a
    limit is reached, and then records nothing.
    """
    if not origin.marks():
        return
    of_device, of_an_address = _get_bounds(kind)
    _lock(origin)
    rows = FreeChips.objects.filter(kind=kind)
    if origin.device:
        since = now - (WELCOMES_COUNT if kind == Kind.WELCOME else _DAY)
        given = rows.filter(device_mark=origin.device, given_at__gt=since).count()
        if given >= of_device:
            raise Refusal(CHIPS_OF_DEVICE_GIVEN)
    if origin.address and of_address:
        given = rows.filter(address_mark=origin.address, given_at__gt=now - _DAY).count()
        if given >= of_an_address:
            raise Refusal(CHIPS_OF_ADDRESS_GIVEN)
    FreeChips.objects.create(
        kind=kind, device_mark=origin.device, address_mark=origin.address, given_at=now
    )


def forget_free_chips(*, now: datetime) -> int:
    """Delete rows that are too old to count towards a limit. Return how many."""
    return FreeChips.objects.filter(given_at__lte=now - WELCOMES_COUNT).delete()[0]


def _get_bounds(kind: FreeChips.Kind) -> tuple[int, int]:
    if kind == Kind.WELCOME:
        return number("WELCOMES_OF_A_DEVICE"), number("WELCOMES_OF_AN_ADDRESS")
    return number("RELOADS_OF_A_DEVICE"), number("RELOADS_OF_AN_ADDRESS")


def _lock(origin: Origin) -> None:
    """Lock this browser and address, so that concurrent gifts to their accounts are counted one after another."""
    with connection.cursor() as cursor:
        for mark in origin.marks():
            cursor.execute(
                "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [AdvisoryLock.GIVING_CHIPS, mark]
            )


@transaction.atomic
def grant_welcome_chips(
    *, user_id: int, origin: Origin = NOWHERE, is_confirmed: bool = False
) -> bool:
    """Grant the welcome chips, once for each account. Return whether they were granted now.

    `origin` is the browser and address of the request. Raises CHIPS_OF_DEVICE_GIVEN if the browser has
    reached its limit, or CHIPS_OF_ADDRESS_GIVEN if the address has. Accounts with a confirmed e-mail address
    (`is_confirmed`) are exempt from the address's limit. After a refusal the chips may still be granted
    later.
    """
    if Journal.objects.filter(key=f"welcome:{user_id}").exists():
        return False
    count_free_chips(
        FreeChips.Kind.WELCOME, origin, now=timezone.now(), of_address=not is_confirmed
    )
    line = PostingLine(
        mint(Currency.CHIPS, user_id),
        player(user_id, Currency.CHIPS),
        number("WELCOME_CHIPS"),
        Reason.WELCOME,
    )
    try:
        return not post_transfers(key=f"welcome:{user_id}", lines=[line]).replayed
    except IdempotencyConflict:  # granted while WELCOME_CHIPS had another value
        return False


def may_reload_chips(*, user_id: int, today: date) -> bool:
    """Return whether a player has fewer chips than PRACTICE_CHIPS_BELOW and has had no practice chips today."""
    return (
        get_player_balances(user_id).chips < number("PRACTICE_CHIPS_BELOW")
        and not Journal.objects.filter(key=_reload_key(user_id, today)).exists()
    )


@transaction.atomic
def reload_chips(*, user_id: int, today: date, origin: Origin = NOWHERE) -> int:
    """Give a player the day's PRACTICE_CHIPS and return their number. Concurrent calls give them once.

    Raises PRACTICE_CHIPS_NOT_YET, CHIPS_OF_DEVICE_GIVEN or CHIPS_OF_ADDRESS_GIVEN.
    """
    line = PostingLine(
        mint(Currency.CHIPS, user_id),
        player(user_id, Currency.CHIPS),
        number("PRACTICE_CHIPS"),
        Reason.PRACTICE_CHIPS,
    )
    if not may_reload_chips(user_id=user_id, today=today):
        raise Refusal(PRACTICE_CHIPS_NOT_YET)
    count_free_chips(FreeChips.Kind.PRACTICE, origin, now=timezone.now())
    posting = post_transfers(key=_reload_key(user_id, today), lines=[line], actor_id=user_id)
    if posting.replayed:
        raise Refusal(PRACTICE_CHIPS_NOT_YET)
    return line.amount


def _reload_key(user_id: int, today: date) -> str:
    return f"practice:{user_id}:{today:%Y-%m-%d}"


# Guards against a number with a digit too many.
MOST_CHIPS: Final = 10_000_000


@transaction.atomic
def adjust_chips(*, user_id: int, amount: int, reference: str, staff_id: int) -> Posting:
    """Give a player `amount` chips, or take chips if `amount` is negative. A repeated `reference` moves nothing.

    `staff_id` is the staff member who decided this. Raises CHIPS_NOT_FOR_ONESELF, WALLET_CLOSED,
    TooFewChipsToTake or MALFORMED_POSTING.
    """
    if user_id == staff_id:
        raise Refusal(CHIPS_NOT_FOR_ONESELF)
    user = lock_player(user_id)
    if user.closed_at is not None:
        raise Refusal(WALLET_CLOSED)
    if user.is_bot or not 0 < abs(amount) <= MOST_CHIPS:
        raise Refusal(MALFORMED_POSTING, detail=f"{amount} chips")
    purse, source = player(user_id, Currency.CHIPS), mint(Currency.CHIPS, user_id)
    ends = (source, purse) if amount > 0 else (purse, source)
    line = PostingLine(*ends, abs(amount), Reason.ADJUSTMENT)
    try:
        return post_transfers(
            key=f"adjustment:{user_id}:{reference}",
            lines=[line],
            actor_id=staff_id,
            subject=f"player:{user_id}",
        )
    except InsufficientFunds as refused:
        raise TooFewChipsToTake(free=get_player_balances(user_id).chips) from refused
