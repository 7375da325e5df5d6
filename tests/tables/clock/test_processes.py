"""Web and clock processes that share the tables and may be killed at any time."""

import time
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models import F

from core.threads import in_thread
from tables.live.clock import list_due_tables
from tables.models import Change, ChangeKind, ClockBeat, Match
from tests.given import reload
from tests.separate_processes import kill
from tests.tables.driving import game_view, run_out_of_time, seat_all
from tests.tables.live.scene import play_turn
from tests.tables.socket_client import TableSocket
from tests.workers import wait_until


async def test_a_move_counts_once_when_its_web_process_is_killed(processes, table_and_sessions):
    table, sessions = table_and_sessions
    (first, doomed), (second, _process) = processes.web(), processes.web()
    async with TableSocket(second, table.pk, sessions[1]) as other:
        async with TableSocket(first, table.pk, sessions[0]) as player:
            await player.hello()
            await other.hello()
            moves = 0
            while moves < 3 or player.state["game"]["turn"] != 0:
                turn = player.state["game"]["turn"]
                await play_turn(*([player, other] if turn == 0 else [other, player]))
                moves += 1
            # The process dies after the move was sent, so the client cannot know if it was played.
            move_id, move = str(uuid4()), {"kind": "draw", "source": "closed"}
            await player.send(type="act", id=move_id, v=player.version, move=move)
            kill(doomed)
        async with TableSocket(second, table.pk, sessions[0]) as returned:
            returned.resume(player)
            await returned.hello()
            answer = await returned.act(move_id, **move)
            assert answer["type"] == "ack"
            assert len(returned.state["you"]["hand"]) == 14
            card = returned.state["you"]["drawn"]
            answer = await returned.act(kind="discard", card=card)
            await other.receive_until_version(answer["v"])
            assert other.state["game"] == returned.state["game"]
            await play_turn(other, returned)
    played = await in_thread(Change.objects.filter(table=table, move_id=move_id).count)
    assert played == 1


def test_a_clock_meets_all_deadlines_after_the_other_one_is_killed(
    processes, make_player, make_table
):
    tables = [make_table() for _ in range(8)]
    for table in tables:
        seat_all(table, make_player(), make_player())
    doomed, _survivor = processes.clock(), processes.clock()
    wait_until(lambda: Match.objects.count() == len(tables), seconds=60)
    kill(doomed)
    turns = {table.pk: game_view(table)["turn"] for table in tables}
    for table in tables:
        run_out_of_time(table)
    began = time.monotonic()
    wait_until(
        lambda: Change.objects.filter(kind=ChangeKind.EXPIRY).count() >= len(tables), seconds=60
    )
    assert time.monotonic() - began < 2
    for table in tables:
        assert game_view(table)["turn"] == 1 - turns[table.pk]
        assert Change.objects.filter(table=table, kind=ChangeKind.STARTED).count() == 1
        assert Change.objects.filter(table=table, kind=ChangeKind.EXPIRY).count() == 1
    assert list_due_tables(10) == []


@pytest.mark.django_db(transaction=True)
def test_nobody_loses_time_while_no_clock_runs(processes, table):
    first = processes.clock()
    wait_until(ClockBeat.objects.exists, seconds=60)
    kill(first)
    due = game_view(table)["due_at"]
    Change.objects.update(at_ms=F("at_ms") - 6_000)
    ClockBeat.objects.update(beat_at=F("beat_at") - timedelta(seconds=6))
    processes.clock()
    wait_until(lambda: game_view(table)["due_at"] > due, seconds=60)
    assert game_view(table)["due_at"] - due > 5_000
    assert reload(table).status == "PLAYING"
