"""Chips to begin with, and more when they are gone."""

from datetime import date

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models.origins import NOWHERE, Origin
from wallet.chips.bounds import count_free_chips
from wallet.ledger.balances import player_balances
from wallet.ledger.chart import Line, mint, player
from wallet.ledger.posting import post_transfers
from wallet.models import FreeChips, Journal, Reason
from wallet.money import Currency
from wallet.refusals import IdempotencyConflict, PracticeChipsNotYet


@transaction.atomic
def grant_welcome_chips(
    *, user_id: int, origin: Origin = NOWHERE, is_confirmed: bool = False
) -> bool:
    """True if they were granted now: each account gets them once, also if the setting changes.

    Raises ChipsOfDeviceGiven, or ChipsOfAddressGiven for who has not confirmed their address of
    email, where `origin` has had them often enough; then they are granted later or never.
    """
    if Journal.objects.filter(key=f"welcome:{user_id}").exists():
        return False
    count_free_chips(
        FreeChips.Kind.WELCOME, origin, now=timezone.now(), of_address=not is_confirmed
    )
    line = Line(
        mint(Currency.CHIPS),
        player(user_id, Currency.CHIPS),
        settings.WELCOME_CHIPS,
        Reason.WELCOME,
    )
    try:
        return not post_transfers(key=f"welcome:{user_id}", lines=[line]).replayed
    except IdempotencyConflict:  # granted when the setting was another
        return False


def may_reload_chips(*, user_id: int, today: date) -> bool:
    """For players with less than PRACTICE_CHIPS_BELOW, once a day."""
    return (
        player_balances(user_id).chips < settings.PRACTICE_CHIPS_BELOW
        and not Journal.objects.filter(key=_reload_key(user_id, today)).exists()
    )


@transaction.atomic
def reload_chips(*, user_id: int, today: date, origin: Origin = NOWHERE) -> int:
    """PRACTICE_CHIPS more; returns how many. Raises PracticeChipsNotYet, ChipsOfDeviceGiven or
    ChipsOfAddressGiven.

    Two calls at one moment bring them once: the second finds the day's key.
    """
    line = Line(
        mint(Currency.CHIPS),
        player(user_id, Currency.CHIPS),
        settings.PRACTICE_CHIPS,
        Reason.PRACTICE_CHIPS,
    )
    if not may_reload_chips(user_id=user_id, today=today):
        raise PracticeChipsNotYet
    count_free_chips(FreeChips.Kind.PRACTICE, origin, now=timezone.now())
    posting = post_transfers(key=_reload_key(user_id, today), lines=[line], actor_id=user_id)
    if posting.replayed:
        raise PracticeChipsNotYet
    return line.amount


def _reload_key(user_id: int, today: date) -> str:
    return f"practice:{user_id}:{today:%Y-%m-%d}"
