"""Whom staff keep apart sits at no table together: seats, waiting lists, the lobby's choice."""

import pytest
from django.utils import timezone

from tables.models import PairEvidence, QueuePlace, Seat
from tables.play.seats import filter_kept_apart
from tables.refusals import KeptApart
from tables.seating.queue import join_queue, tend_queue
from tables.seating.sitting import leave_table, take_seat
from tables.seating.supply import keep_supplied, play_now
from tests.tables.driving import BUY_IN, make_kind, seat_all
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(make_player):
    one, other = make_player(), make_player()
    PairEvidence.objects.create(low=one, high=other, kept_apart_since=timezone.now())
    return one, other


def sit(table, user):
    return take_seat(table_id=table.pk, user_id=user.pk, amount=BUY_IN)


def test_the_second_of_them_gets_no_seat_and_keeps_the_chips(pair, make_table):
    one, other = pair
    table = make_table(max_seats=4)
    sit(table, other)
    before = get_player_balances(one.pk).chips
    with pytest.raises(KeptApart, match="Help and contact"):
        sit(table, one)
    assert list(Seat.objects.values_list("user", flat=True)) == [other.pk]
    assert get_player_balances(one.pk).chips == before
    leave_table(table_id=table.pk, user_id=other.pk)
    sit(table, one)
    assert Seat.objects.get(left_at=None).user == one


def test_who_is_let_together_again_sits(pair, make_table):
    PairEvidence.objects.update(kept_apart_since=None)
    table = make_table(max_seats=4)
    for user in pair:
        sit(table, user)
    assert Seat.objects.count() == 2


def test_nobody_waits_for_a_chair_beside_the_other(pair, make_table, make_player):
    one, other = pair
    table = make_table(max_seats=2)
    seat_all(table, other, make_player())
    with pytest.raises(KeptApart):
        join_queue(table_id=table.pk, user_id=one.pk)
    assert not QueuePlace.objects.exists()


def test_a_chair_is_kept_for_the_next_one_who_may_sit_there(pair, make_table, make_player):
    one, _other = pair
    table = make_table(max_seats=2)
    first, second, third = make_player(), make_player(), make_player()
    seat_all(table, first, second)
    join_queue(table_id=table.pk, user_id=one.pk)
    join_queue(table_id=table.pk, user_id=third.pk)
    leave_table(table_id=table.pk, user_id=first.pk)
    PairEvidence.objects.update(low=min(one.pk, second.pk), high=max(one.pk, second.pk))
    assert [chair.user_id for chair in tend_queue(table.pk)] == [third.pk]
    assert QueuePlace.objects.get(user=one).offered_until is None


def test_those_who_wait_are_looked_up_together(
    pair, make_table, make_player, django_assert_max_num_queries
):
    """However many wait, the tick asks as much as for one."""
    one, _other = pair
    table = make_table(max_seats=2)
    seat_all(table, make_player(), make_player())

    def count_queries():
        with django_assert_max_num_queries(50) as captured:
            assert tend_queue(table.pk) == []
        return len(captured)

    join_queue(table_id=table.pk, user_id=one.pk)
    for_one = count_queries()
    for _number in range(5):
        join_queue(table_id=table.pk, user_id=make_player().pk)
    assert count_queries() == for_one


def test_who_is_apart_from_somebody_there(pair, make_player):
    one, other = pair
    third = make_player()
    everybody = {one.pk, other.pk, third.pk}
    assert filter_kept_apart({one.pk, third.pk}, others=[other.pk]) == {one.pk}
    assert filter_kept_apart({other.pk, third.pk}, others=[one.pk]) == {other.pk}
    assert filter_kept_apart(everybody, others=[third.pk]) == set()
    assert filter_kept_apart(everybody, others=[]) == set()
    assert filter_kept_apart([], others=everybody) == set()


def test_the_lobby_finds_them_tables_apart(pair):
    wallet.set_starting_fees(valid_from=timezone.now())
    template = make_kind(name="Tamarind Room", max_seats=4)
    keep_supplied()
    for user in pair:
        play_now(template_id=template.pk, user_id=user.pk)
    tables = set(Seat.objects.values_list("table", flat=True))
    assert len(tables) == 2
