"""Chips that friends win from each other in their own tournaments, limited as at tables."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tables.models import ChipsPassed, Seat
from tests.tournaments.driving import bring_start, chips_of, enter, play_to_the_end, tick_and_reload
from tests.tournaments.friends import join_cup, open_cup, start_cup
from tournaments.refusals import PrivatePairIsDone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starting_fees")]


def play_cup(*people, **terms):
    return play_to_the_end(start_cup(open_cup(*people, **terms)))


def test_chips_won_from_a_friend_are_counted_at_the_end(make_player):
    one, other = make_player(), make_player()
    before = {user.pk: chips_of(user) for user in (one, other)}
    play_cup(one, other, format="heads-up", entry_fee=1_000)
    pair = ChipsPassed.objects.get()
    assert (pair.low_id, pair.high_id, pair.day) == (one.pk, other.pk, timezone.localdate())
    won = chips_of(one) - before[one.pk], chips_of(other) - before[other.pk]
    # The house's share of the loss counts as nobody's win.
    assert abs(pair.chips) == max(won) > 0
    assert (pair.chips > 0) == (won[0] > 0)
    assert not pair.one_origin


def test_accounts_of_one_place_count_as_one_player(make_player):
    one, other = make_player(), make_player()
    play_cup(one, other, format="heads-up")
    Seat.objects.filter(user__in=[one, other]).update(address_mark="home")
    ChipsPassed.objects.all().delete()
    play_cup(one, other, format="heads-up")
    assert ChipsPassed.objects.get().one_origin


def test_a_pair_at_the_daily_limit_cannot_enter_the_same_tournament(make_player, settings):
    settings.CHIPS_BETWEEN_TWO_A_DAY = 50
    one, other, third = make_player(), make_player(), make_player()
    play_cup(one, other, format="heads-up", entry_fee=1_000)
    cup = open_cup(one)
    chips = chips_of(other)
    with pytest.raises(PrivatePairIsDone, match=one.player_name):
        join_cup(cup, other, cup.invite_code)
    assert (chips_of(other), cup.entrants.count()) == (chips, 1)
    join_cup(cup, third, cup.invite_code)
    ChipsPassed.objects.update(day=timezone.localdate() - timedelta(days=1))
    join_cup(cup, other, cup.invite_code)


def test_public_tournaments_have_no_limit_between_two_players(make_player, make_tournament_of):
    cup, one, other = make_tournament_of(entry_fee=1_000), make_player(), make_player()
    enter(cup, one, other)
    bring_start(cup)
    tick_and_reload(cup)
    assert not ChipsPassed.objects.exists()
