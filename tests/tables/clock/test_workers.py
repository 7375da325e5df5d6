"""Periodic jobs of tables in real workers, which are killed or lose their queue."""

import os
import signal
from datetime import timedelta

import pytest
from celery import current_app
from django.db.models.functions import Now

from tables.models import Change, ChangeKind, QueuePlace, Table
from tables.seating.queue import join_queue
from tests.tables.driving import WELCOME, act, chips_of, game_view, leave, player_at, seat_all
from tests.tables.pools import bring_offer_forward, end_rejoin, play_to_two
from tests.workers import empty_redis, wait_until
from wallet.models import Journal


@pytest.fixture
def table(transactional_db, make_table, make_player):
    return play_to_two(make_table, make_player)


def send_task(task, times=1):
    for _ in range(times):
        current_app.send_task(task)


def count_offers(table):
    return Change.objects.filter(table=table, kind=ChangeKind.SPLIT_OFFERED).count()


def test_a_split_is_offered_once_whatever_happens_to_the_jobs(workers, table):
    end_rejoin(table)
    bring_offer_forward(table)
    # The break has to last until a busy machine has started two workers.
    Table.objects.filter(pk=table.pk).update(deadline_at=Now() + timedelta(minutes=10))
    send_task("tables.open_split_offers")
    empty_redis()  # the job is lost
    assert (game_view(table)["phase"], count_offers(table)) == ("between", 0)
    doomed = workers.start()
    send_task("tables.open_split_offers", times=5)
    os.kill(doomed.pid, signal.SIGKILL)
    doomed.wait(15)
    workers.start()
    wait_until(lambda: game_view(table)["phase"] == "split")
    empty_redis()
    assert count_offers(table) == 1
    waiting = list(game_view(table)["match"]["waiting"])
    for seat in waiting:
        assert act(table, seat, kind="answer_split", accept=True).refusal is None
    assert game_view(table)["phase"] == "over"
    assert count_offers(table) == 1


def test_two_workers_keep_a_chair_once(workers, transactional_db, make_table, make_player):
    table = make_table()
    seat_all(table, make_player(), make_player())
    waiting = make_player()
    join_queue(table_id=table.pk, user_id=waiting.pk)
    leave(table, player_at(table, 0))
    journals = Journal.objects.count()
    for _ in range(2):
        workers.start()
    send_task("tables.maintain_queues", times=8)
    wait_until(lambda: QueuePlace.objects.filter(offered_until__isnull=False).exists())
    assert chips_of(waiting) == WELCOME - table.min_buy_in
    assert Journal.objects.count() <= journals + 1
