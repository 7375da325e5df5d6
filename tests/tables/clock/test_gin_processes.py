"""A knock of gin is answered once, whatever process is killed meanwhile."""

from uuid import uuid4

from core.threads import in_thread
from tables.models import Change, ChangeKind, ClockBeat, Match
from tests.separate_processes import kill
from tests.tables.driving import game_view, hand_of, player_at, run_out_of_time, start_match
from tests.tables.gin_deals import play_to_knock
from tests.tables.socket_client import TableSocket, session_of
from tests.workers import wait_until


async def test_an_answer_to_a_knock_counts_once_when_its_process_is_killed(
    processes, make_player, make_table
):
    opened = await in_thread(lambda: make_table(game="gin", max_seats=2))
    table = await in_thread(lambda: start_match(opened, make_player(), make_player()))
    _knocker, other = await in_thread(lambda: play_to_knock(table))
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
    _knocker, other = play_to_knock(table)
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
