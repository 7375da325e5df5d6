"""Whom staff keep apart sits at no table together: seats, waiting lists, the lobby's choice."""

import pytest
from django.utils import timezone

from tables.models import PairEvidence, QueuePlace, Seat
from tables.play.seats import filter_kept_apart
from tables.refusals import KeptApart
from tables.seating.queue import join_queue, tend_queue
from tables.seating.supply import keep_supplied, play_now
from tests.tables.driving import chips_of, leave, make_kind, seat_all
from wallet import api as wallet

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(make_player):
    one, other = make_player(), make_player()
    PairEvidence.objects.create(low=one, high=other, kept_apart_since=timezone.now())
    return one, other


def test_the_second_of_a_pair_kept_apart_gets_no_seat(pair, make_table):
    one, other = pair
    table = make_table(max_seats=4)
    seat_all(table, other)
    before = chips_of(one)
    with pytest.raises(KeptApart, match="Help and contact"):
        seat_all(table, one)
    assert list(Seat.objects.values_list("user", flat=True)) == [other.pk]
    assert chips_of(one) == before
    leave(table, other)
    seat_all(table, one)
    assert Seat.objects.get(left_at=None).user == one


def test_a_pair_no_longer_kept_apart_sits_together(pair, make_table):
    PairEvidence.objects.update(kept_apart_since=None)
    table = make_table(max_seats=4)
    for user in pair:
        seat_all(table, user)
    assert Seat.objects.count() == 2


def test_a_player_kept_apart_cannot_queue_beside_the_other(pair, make_table, make_player):
    one, other = pair
    table = make_table()
    seat_all(table, other, make_player())
    with pytest.raises(KeptApart):
        join_queue(table_id=table.pk, user_id=one.pk)
    assert not QueuePlace.objects.exists()


def test_a_chair_is_kept_for_the_next_player_who_may_sit_there(pair, make_table, make_player):
    one, _other = pair
    table = make_table()
    first, second, third = make_player(), make_player(), make_player()
    seat_all(table, first, second)
    join_queue(table_id=table.pk, user_id=one.pk)
    join_queue(table_id=table.pk, user_id=third.pk)
    leave(table, first)
    PairEvidence.objects.update(low=min(one.pk, second.pk), high=max(one.pk, second.pk))
    assert [chair.user_id for chair in tend_queue(table.pk)] == [third.pk]
    assert QueuePlace.objects.get(user=one).offered_until is None


def test_the_queries_of_a_tick_do_not_grow_with_the_queue(
    pair, make_table, make_player, django_assert_max_num_queries
):
    one, _other = pair
    table = make_table()
    seat_all(table, make_player(), make_player())
    counts = []
    for newcomers in ([one], [make_player() for _ in range(5)]):
        for player in newcomers:
            join_queue(table_id=table.pk, user_id=player.pk)
        with django_assert_max_num_queries(50) as captured:
            assert tend_queue(table.pk) == []
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_players_kept_apart_from_anybody_there_are_filtered(pair, make_player):
    one, other = pair
    third = make_player()
    everybody = {one.pk, other.pk, third.pk}
    assert filter_kept_apart({one.pk, third.pk}, others=[other.pk]) == {one.pk}
    assert filter_kept_apart({other.pk, third.pk}, others=[one.pk]) == {other.pk}
    assert filter_kept_apart(everybody, others=[third.pk]) == set()
    assert filter_kept_apart(everybody, others=[]) == set()
    assert filter_kept_apart([], others=everybody) == set()


def test_the_lobby_seats_a_pair_kept_apart_at_two_tables(pair):
    wallet.set_starting_fees(valid_from=timezone.now())
    template = make_kind(name="Tamarind Room", max_seats=4)
    keep_supplied()
    for user in pair:
        play_now(template_id=template.pk, user_id=user.pk)
    tables = set(Seat.objects.values_list("table", flat=True))
    assert len(tables) == 2
