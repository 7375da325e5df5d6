"""Shared steps of the tests of bonuses."""

from datetime import timedelta

from django.utils import timezone

from tests.wallet.rawsql import expect_unchanged
from wallet import api as wallet
from wallet.bonuses.selectors import sum_entry_fees_played
from wallet.bonuses.services import BonusGift, grant_bonus, tend_bonuses
from wallet.ledger.balances import get_player_balances
from wallet.models import Bonus
from wallet.money import Currency
from wallet.rules import ReleaseTerms

State = Bonus.State


INR = Currency.INR


def gift(amount=10_000, chunks=2, times=2, days=30, reference="g1", reason="For patience."):
    return BonusGift(
        reference,
        ReleaseTerms(amount, chunks, times),
        timezone.now() + timedelta(days=days),
        reason,
    )


def give(user, **terms):
    return grant_bonus(user_id=user.pk, gift=gift(**terms))


def play(user, amount, number=1):
    """A pool match for an entry fee, which another player wins."""
    seat, match = 100 + number, 200 + number
    wallet.buy_in(user_id=user.pk, seat_id=seat, amount=amount, currency=INR, key=f"seat:{seat}:in")
    wallet.take_entry_fees(
        match_id=match, seat_ids=[seat], amount=amount, currency=INR, key=f"match:{match}:entries"
    )
    return match


def finish(match, amount):
    wallet.settle_pot(
        match_id=match,
        table_id=1,
        currency=INR,
        shares={999: amount},
        house_share=0,
        key=f"match:{match}:settle",
    )


def tend(ahead=timedelta(0)):
    return tend_bonuses(now=timezone.now() + ahead)


def cash(user):
    return get_player_balances(user.pk).cash


def sum_played(user):
    return sum_entry_fees_played(user.pk, since=Bonus.objects.latest("pk").granted_at)


def expect_refusal(refusal, grant):
    with expect_unchanged(refusal):
        grant()
