"""Several web and clock processes share the tables, and any of them may be killed."""

import time
from pathlib import Path
from uuid import uuid4

from core.threads import in_thread
from tables.live.clock import list_due_tables
from tables.models import Change, ChangeKind, ClockBeat, Match, Table
from tests.separate_processes import kill
from tests.tables.driving import game_view, run_out_of_time, seat_all, start_match
from tests.tables.socket_client import TableSocket

ROOT = Path(__file__).resolve().parents[3]


async def play_turn(sockets):
    """Whoever is at turn draws and discards; everybody sees it."""
    turn = sockets[0].state["game"]["turn"]
    await sockets[turn].act(kind="draw", source="closed")
    answer = await sockets[turn].act(kind="discard", card=sockets[turn].state["you"]["drawn"])
    for one in sockets:
        await one.receive_until_version(answer["v"])


async def test_any_web_process_serves_any_table_and_may_be_killed(processes, table_and_sessions):
    table, sessions = table_and_sessions
    (first, doomed), (second, _process) = processes.web(), processes.web()
    async with TableSocket(second, table.pk, sessions[1]) as other:
        async with TableSocket(first, table.pk, sessions[0]) as player:
            await player.hello()
            await other.hello()
            for _ in range(3):
                await play_turn([player, other])
            while player.state["game"]["turn"] != 0:
                await play_turn([player, other])
            # The move goes out and its process dies: nobody knows whether it was played.
            move_id, move = str(uuid4()), {"kind": "draw", "source": "closed"}
            await player.send(type="act", id=move_id, v=player.version, move=move)
            kill(doomed)
            epoch, version, state = player.epoch, player.version, player.state
        async with TableSocket(second, table.pk, sessions[0]) as returned:
            returned.epoch, returned.version, returned.state = epoch, version, state
            await returned.hello()
            answer = await returned.act(move_id, **move)
            assert answer["type"] == "ack"
            assert len(returned.state["you"]["hand"]) == 14
            card = returned.state["you"]["drawn"]
            answer = await returned.act(kind="discard", card=card)
            await other.receive_until_version(answer["v"])
            assert other.state["game"] == returned.state["game"]
            await play_turn([returned, other])
    played = await in_thread(Change.objects.filter(table=table, move_id=move_id).count)
    assert played == 1


def wait_until(reached, *, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if reached():
            return time.monotonic()
        time.sleep(0.02)
    raise AssertionError("it did not come to that")


def test_two_clocks_share_the_deadlines_and_one_is_killed(processes, make_player, make_table):
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
    ended = wait_until(
        lambda: Change.objects.filter(kind=ChangeKind.EXPIRY).count() >= len(tables), seconds=60
    )
    assert ended - began < 2
    for table in tables:
        assert game_view(table)["turn"] == 1 - turns[table.pk]
        starts = Change.objects.filter(table=table, kind=ChangeKind.STARTED)
        assert starts.count() == 1
        assert Change.objects.filter(table=table, kind=ChangeKind.EXPIRY).count() == 1
    assert list_due_tables(10) == []


def test_after_all_clocks_were_away_nobody_has_lost_time(processes, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    first = processes.clock()
    wait_until(ClockBeat.objects.exists, seconds=60)
    kill(first)
    due = game_view(table)["due_at"]
    time.sleep(5.5)
    processes.clock()
    wait_until(lambda: game_view(table)["due_at"] > due, seconds=60)
    assert game_view(table)["due_at"] - due > 5_000
    assert Table.objects.get(pk=table.pk).status == "PLAYING"
