"""Shared steps of the tests of bonuses."""

from datetime import timedelta

from django.utils import timezone

from tests.wallet.seats import INR, buy_in
from wallet import api as wallet
from wallet.bonuses.selectors import sum_entry_fees_played
from wallet.bonuses.services import BonusGift, grant_bonus, maintain_bonuses
from wallet.models import Bonus
from wallet.rules import ReleaseTerms

State = Bonus.State


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
    """Charge the player's entry fee of a pool match, which another player wins. Return the match id."""
    seat, match = 100 + number, 200 + number
    buy_in(user.pk, amount, seat, currency=INR)
    wallet.take_entry_fees(
        match_id=match, seat_ids=[seat], amount=amount, currency=INR, key=f"match:{match}:entries"
    )
    return match


def finish(match, amount):
    facts = {"match_id": match, "table_id": 1, "currency": INR, "key": f"match:{match}:settle"}
    wallet.settle_pot(**facts, shares={999: amount}, house_share=0)


def play_and_finish(user, amount, number=1):
    finish(play(user, amount, number), amount)


def tend(ahead=timedelta(0)):
    return maintain_bonuses(now=timezone.now() + ahead)


def sum_played(user):
    return sum_entry_fees_played(user.pk, since=Bonus.objects.latest("pk").granted_at)
