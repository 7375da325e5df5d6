"""Chips to begin with, and more when they are gone."""

from datetime import date

from django.conf import settings

from wallet.ledger.balances import player_balances
from wallet.ledger.chart import Line, Reason, mint, player
from wallet.ledger.posting import post_transfers
from wallet.models import Journal
from wallet.money import Currency
from wallet.refusals import IdempotencyConflict, PracticeChipsNotYet


def grant_welcome_chips(*, user_id: int) -> bool:
    """True if they were granted now: each account gets them once, also if the setting changes."""
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


def reload_chips(*, user_id: int, today: date) -> int:
    """PRACTICE_CHIPS more; returns how many. Raises PracticeChipsNotYet.

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
    posting = post_transfers(key=_reload_key(user_id, today), lines=[line], actor_id=user_id)
    if posting.replayed:
        raise PracticeChipsNotYet
    return line.amount


def _reload_key(user_id: int, today: date) -> str:
    return f"practice:{user_id}:{today:%Y-%m-%d}"
