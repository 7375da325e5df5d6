"""Chips that friends win of each other in tournaments of their own have the bound of tables."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tables.models import ChipsPassed, Seat
from tests.tournaments.driving import bring_start, chips_of, enter, play_to_the_end
from tests.tournaments.running.test_private import join, open_cup
from tournaments.refusals import PairIsDone
from tournaments.running.private import start_now
from tournaments.running.tick import tick
from wallet import api as wallet

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fees(db):
    wallet.set_starting_fees(valid_from=timezone.now() - timedelta(days=1))


def play_cup(host, *friends, **terms):
    cup = open_cup(host, **terms)
    for friend in friends:
        join(cup, friend, cup.invite_code)
    start_now(tournament_id=cup.pk, user_id=host.pk, now=timezone.now())
    tick()
    cup.refresh_from_db()
    return play_to_the_end(cup)


def test_what_one_has_of_the_other_is_counted_at_the_end(make_player):
    one, other = make_player(), make_player()
    before = {user.pk: chips_of(user) for user in (one, other)}
    play_cup(one, other, format="heads-up", entry_fee=1_000)
    pair = ChipsPassed.objects.get()
    assert (pair.low_id, pair.high_id, pair.day) == (one.pk, other.pk, timezone.localdate())
    won = chips_of(one) - before[one.pk], chips_of(other) - before[other.pk]
    # The house's part of what was lost is nobody's.
    assert abs(pair.chips) == max(won) > 0
    assert (pair.chips > 0) == (won[0] > 0)
    assert not pair.one_origin


def test_accounts_of_one_place_are_one_player_there_too(make_player):
    one, other = make_player(), make_player()
    play_cup(one, other, format="heads-up")
    Seat.objects.filter(user__in=[one, other]).update(address_mark="home")
    ChipsPassed.objects.all().delete()
    play_cup(one, other, format="heads-up")
    assert ChipsPassed.objects.get().one_origin


def test_two_at_the_bound_do_not_enter_the_same_one(make_player, settings):
    settings.CHIPS_BETWEEN_TWO_A_DAY = 50
    one, other, third = make_player(), make_player(), make_player()
    play_cup(one, other, format="heads-up", entry_fee=1_000)
    cup = open_cup(one)
    chips = chips_of(other)
    with pytest.raises(PairIsDone, match=one.player_name):
        join(cup, other, cup.invite_code)
    assert (chips_of(other), cup.entrants.count()) == (chips, 1)
    join(cup, third, cup.invite_code)
    ChipsPassed.objects.update(day=timezone.localdate() - timedelta(days=1))
    join(cup, other, cup.invite_code)


def test_a_public_tournament_has_no_bound_between_two(make_player, make_tournament_of):
    cup, one, other = make_tournament_of(entry_fee=1_000), make_player(), make_player()
    enter(cup, one, other)
    bring_start(cup)
    tick()
    cup.refresh_from_db()
    assert not ChipsPassed.objects.exists()
