"""The queue for a seat, and the free seat reserved for the first player in it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tables.models import QueuePlace, Table, TableStatus
from tables.refusals import ALREADY_SEATED, SEAT_IS_FREE, SEAT_KEPT, TABLE_CLOSED
from tables.seating.queue import join_queue, leave_queue, list_due_queues, maintain_queue
from tables.seating.selectors import compute_purse, get_waiting
from tests.refusals import refused
from tests.tables.driving import BUY_IN, WELCOME, chips_of, leave, player_at, seat_all
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def full(make_table, make_player):
    table = make_table()
    seat_all(table, make_player(), make_player())
    return table


def wait(table, user):
    return join_queue(table_id=table.pk, user_id=user.pk)


def get_place(table, user):
    return get_waiting(table_id=table.pk, user_id=user.pk).place


def leave_chair(table, seat):
    leave(table, player_at(table, seat))


def let_offers_expire(table):
    QueuePlace.objects.filter(table=table, offered_until__isnull=False).update(
        offered_until=timezone.now() - timedelta(hours=1)
    )


def test_the_chair_is_kept_for_the_longest_waiting_player(full, make_player):
    first, second, stranger = make_player(), make_player(), make_player()
    assert [wait(full, first), wait(full, second), wait(full, first)] == [1, 2, 1]
    assert maintain_queue(full.pk) == []
    leave_chair(full, 0)
    assert list_due_queues() == [full.pk]
    chairs = maintain_queue(full.pk)
    assert [(chair.table_id, chair.user_id) for chair in chairs] == [(full.pk, first.pk)]
    assert maintain_queue(full.pk) == []
    assert chips_of(first) == WELCOME - full.min_buy_in
    for other in (stranger, second):
        with refused(SEAT_KEPT):
            seat_all(full, other)
        assert chips_of(other) == WELCOME
    seat_all(full, first)
    assert chips_of(first) == WELCOME - BUY_IN
    assert get_place(full, first) is None
    assert get_place(full, second) == 1
    assert maintain_queue(full.pk) == []


def test_an_absent_player_loses_the_chair_to_the_next_and_gets_the_stack_back(full, make_player):
    first, second = make_player(), make_player()
    wait(full, first)
    wait(full, second)
    leave_chair(full, 0)
    maintain_queue(full.pk)
    let_offers_expire(full)
    assert [chair.user_id for chair in maintain_queue(full.pk)] == [second.pk]
    assert (chips_of(first), chips_of(second)) == (WELCOME, WELCOME - full.min_buy_in)
    assert get_place(full, first) is None


def test_a_player_without_the_money_is_passed_over(full, make_player):
    poor, rich = make_player(chips=False), make_player()
    wait(full, poor)
    wait(full, rich)
    leave_chair(full, 0)
    assert [chair.user_id for chair in maintain_queue(full.pk)] == [rich.pk]
    assert get_place(full, poor) is None


def test_only_strangers_queue_and_only_at_full_tables(full, make_table, make_player):
    with refused(ALREADY_SEATED):
        wait(full, player_at(full, 0))
    with refused(SEAT_IS_FREE):
        wait(make_table(), make_player())
    closed = make_table()
    Table.objects.filter(pk=closed.pk).update(status=TableStatus.CLOSED)
    with refused(TABLE_CLOSED):
        wait(closed, make_player())
    assert not QueuePlace.objects.exists()


def test_a_closed_table_drops_its_queue(full, make_player):
    wait(full, make_player())
    Table.objects.filter(pk=full.pk).update(status=TableStatus.CLOSED)
    assert maintain_queue(full.pk) == []
    assert not QueuePlace.objects.exists()


def test_chips_put_aside_can_be_brought_and_are_freed_with_the_chair(full, make_player, make_table):
    waiting, other = make_player(), make_table()
    least = full.min_buy_in
    wait(full, waiting)
    leave_chair(full, 0)
    assert len(maintain_queue(full.pk)) == 1
    assert chips_of(waiting) == WELCOME - least

    def purse(table):
        place = get_waiting(table_id=table.pk, user_id=waiting.pk)
        return compute_purse(waiting.pk, Currency.CHIPS, place)

    assert (purse(full), purse(other)) == (WELCOME, WELCOME - least)
    for _ in range(2):
        leave_queue(table_id=full.pk, user_id=waiting.pk)
    assert (purse(full), purse(other), chips_of(waiting)) == (WELCOME, WELCOME, WELCOME)
    seat_all(full, make_player())


def test_waiting_asks_for_the_account_once(full, make_player):
    """A single locked read of the account shows both whether it is barred and whether it is a BOT."""
    player = make_player()
    with CaptureQueriesContext(connection) as asked:
        assert wait(full, player) == 1
    own = [one["sql"] for one in asked if f'"accounts_user"."id" = {player.pk}' in one["sql"]]
    assert len(own) == 1
    assert own[0].endswith("FOR NO KEY UPDATE")
