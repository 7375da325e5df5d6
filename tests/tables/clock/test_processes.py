"""Several web and clock processes share the tables, and any of them may be killed."""

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tables.clock.deadlines import due_tables
from tables.models import Change, ChangeKind, ClockBeat, Match, Table
from tables.play.threads import in_thread
from tests.separate_processes import Processes, separate_processes
from tests.tables.driving import (
    act,
    game_view,
    hand_of,
    player_at,
    run_out_of_time,
    seat_all,
    start_match,
)
from tests.tables.gin_deals import FIRST_HAND, OTHER_HAND, lay
from tests.tables.socket_client import TableSocket, session_of

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def processes(transactional_db: None) -> Iterator[Processes]:
    with separate_processes() as started:
        yield started


def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(10)


async def play_turn(sockets):
    """Whoever is at turn draws and discards; everybody sees it."""
    turn = sockets[0].state["game"]["turn"]
    await sockets[turn].act(kind="draw", source="closed")
    answer = await sockets[turn].act(kind="discard", card=sockets[turn].state["you"]["drawn"])
    for one in sockets:
        await one.until_version(answer["v"])


@pytest.fixture
def table_and_sessions(transactional_db, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    return table, [session_of(player_at(table, seat)) for seat in (0, 1)]


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
            await other.until_version(answer["v"])
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
    tables = [make_table() for _ in range(20)]
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
    assert due_tables(10) == []


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


def knocked_at(table: Table) -> tuple[int, int]:
    """Gin, one knock later: who has knocked, and who has to answer."""
    first, other = lay(table, FIRST_HAND, OTHER_HAND)
    for seat in (first, other):
        assert act(table, seat, kind="pass").refusal is None
    assert act(table, first, kind="draw", source="closed").refusal is None
    melds = hand_of(table, first)["best_groups"]
    assert act(table, first, kind="knock", card="3S.0", groups=melds).refusal is None
    return first, other


async def test_an_answer_to_a_knock_counts_once_when_its_process_is_killed(
    processes, make_player, make_table
):
    opened = await in_thread(lambda: make_table(game="gin", max_seats=2))
    table = await in_thread(lambda: start_match(opened, make_player(), make_player()))
    _knocker, other = await in_thread(lambda: knocked_at(table))
    session = await in_thread(lambda: session_of(player_at(table, other)))
    (first, doomed), (second, _process) = processes.web(), processes.web()
    async with TableSocket(first, table.pk, session) as player:
        await player.hello()
        defence = player.state["you"]["defence"]
        move = {key: defence[key] for key in ("groups", "lay_offs")} | {"kind": "defend"}
        move_id = str(uuid4())
        await player.send(type="act", id=move_id, v=player.version, move=move)
        kill(doomed)
        epoch, version, state = player.epoch, player.version, player.state
    async with TableSocket(second, table.pk, session) as returned:
        returned.epoch, returned.version, returned.state = epoch, version, state
        await returned.hello()
        answer = await returned.act(move_id, **move)
        assert answer["type"] == "ack"
        assert returned.state["game"]["result"]["lay_offs"] == defence["lay_offs"]
    played = await in_thread(Change.objects.filter(table=table, move_id=move_id).count)
    assert played == 1
    assert await in_thread(Match.objects.filter(table=table, ended_at__isnull=False).count) == 1


def test_a_knock_is_answered_by_the_clock_that_comes_after_one_that_was_killed(
    processes, make_player, make_table
):
    table = start_match(make_table(game="gin", max_seats=2), make_player(), make_player())
    _knocker, other = knocked_at(table)
    defence = hand_of(table, other)["defence"]
    first = processes.clock()
    wait_until(ClockBeat.objects.exists, seconds=60)
    kill(first)
    run_out_of_time(table)
    processes.clock()
    wait_until(lambda: game_view(table)["result"] is not None, seconds=60)
    result = game_view(table)["result"]
    assert result["lay_offs"] == defence["lay_offs"]  # G10: the best answer
    assert Change.objects.filter(table=table, kind=ChangeKind.EXPIRY).count() == 1
