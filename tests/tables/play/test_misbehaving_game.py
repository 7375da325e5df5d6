"""Games that fail or hang, which put only their own table out of order."""

import asyncio
import dataclasses
import time
from contextlib import AsyncExitStack
from copy import deepcopy
from datetime import timedelta
from functools import partial

import pytest
from django.db.models import F
from django.db.models.functions import Now
from django.urls import reverse

from accounts.desk.staff_roles import Role
from core.threads import in_thread
from games.engine.core import Outcome
from games.engine.game import GameFault, guard_game
from games.indian.game import GAME
from games.indian.rules.match import Indian
from games.registry import GAMES
from tables.live import clock
from tables.live.clock import act_on_table, list_due_tables
from tables.models import Change, ChangeKind, ClockBeat, Doing, Match, Table, TableFault
from tables.play.bots import PreAction, set_pre_action
from tables.play.faults import report_fault, store_heartbeat
from tables.refusals import TABLE_OUT_OF_ORDER
from tables.seating.supply import keep_supplied, play_now
from tests.accounts.staff import member, office
from tests.games.values import replace
from tests.given import reload, require
from tests.refusals import refused
from tests.tables import socket_client
from tests.tables.clock.running import run_clocks, wait_for_clocks
from tests.tables.driving import (
    BUY_IN,
    WELCOME,
    act,
    chips_of,
    game_view,
    get_match,
    leave,
    let_time_pass,
    make_kind,
    player_at,
    run_out_of_time,
    seat_all,
    start_match,
)
from tests.tables.socket_client import SCHEMA, TableSocket, compile_frames, session_of

CODE = "misbehaving"


class Misbehaving(Indian):
    """Rummy that fails at every step, in the way that `fails` names."""

    fails = "not"

    def play(self, match, seat, move, *, now, seed):
        return self._fail(super().play(match, seat, move, now=now, seed=seed), now)

    def expire(self, match, *, now, seed):
        return self._fail(super().expire(match, now=now, seed=seed), now)

    def postpone(self, match, *, by_ms):
        if self.fails == "postpone":
            raise ZeroDivisionError
        return super().postpone(match, by_ms=by_ms)

    def _fail(self, outcome, now):
        state = outcome.state
        if self.fails == "past":
            state = replace(state, deal=replace(state.deal, due_at=now - 500_000))
            return Outcome(state, outcome.events, self.status(state))
        while self.fails == "spins":
            pass
        while self.fails == "waits":
            time.sleep(0.01)
        if self.fails in ERRORS:
            raise ERRORS[self.fails]
        return outcome


ERRORS = {
    "StopIteration": StopIteration(),
    "ValueError": ValueError("a bug"),
    "SystemExit": SystemExit(3),
    "CancelledError": asyncio.CancelledError(),
    "GeneratorExit": GeneratorExit(),
}
WAYS = (*ERRORS, "past")


@pytest.fixture(autouse=True)
def schema_of_other_games(monkeypatch):
    """Let the schema of frames accept any game, because it lists only the registered ones."""
    schema = deepcopy(SCHEMA)
    schema["$defs"]["tablePart"]["properties"]["game"] = {"type": "string"}
    monkeypatch.setattr(socket_client, "FROM_SERVER", compile_frames("fromServer", schema))


@pytest.fixture
def game(monkeypatch):
    core = Misbehaving()
    monkeypatch.setitem(GAMES, CODE, guard_game(dataclasses.replace(GAME, code=CODE, core=core)))
    return core


@pytest.fixture
def bad(game, good, make_player, make_table):
    """A table whose game can be made to fail. A good table is open beside it."""
    table = start_match(make_table(), make_player(), make_player())
    Table.objects.filter(pk=table.pk).update(game=CODE)
    return reload(table)


@pytest.fixture
def failing(monkeypatch, transactional_db, make_player, make_table):
    """Tables and their game cores, by the way in which they are going to fail."""
    found = {}
    for number, way in enumerate(WAYS):
        core, code = Misbehaving(), f"{CODE}{number}"
        misbehaving = guard_game(dataclasses.replace(GAME, code=code, core=core))
        monkeypatch.setitem(GAMES, code, misbehaving)
        table = start_match(make_table(), make_player(), make_player())
        Table.objects.filter(pk=table.pk).update(game=code)
        found[way] = table, core
    return found


@pytest.fixture
def good(transactional_db, make_player, make_table):
    return start_match(make_table(), make_player(), make_player())


async def clock_until(reached):
    async with run_clocks():
        await wait_for_clocks(reached, seconds=20)


def count_expiries(table):
    return Change.objects.filter(table=table, kind=ChangeKind.EXPIRY).count()


async def let_turns_pass(table, turns):
    """Let this many turns time out."""

    def has_passed(turn):
        return count_expiries(table) > turn

    for turn in range(turns):
        await in_thread(run_out_of_time, table)
        await wait_for_clocks(partial(has_passed, turn), seconds=10)


async def test_a_game_failing_at_a_deadline_breaks_only_its_table(failing, good):
    def fail():
        for way, (table, core) in failing.items():
            run_out_of_time(table)
            core.fails = way

    await in_thread(fail)

    def are_all_done():
        return TableFault.objects.count() == len(failing) and count_expiries(good) >= 3

    await asyncio.gather(clock_until(are_all_done), let_turns_pass(good, 3))
    for way, (bad, _core) in failing.items():
        before = bad.state  # as run_out_of_time left it
        fault = await in_thread(TableFault.objects.select_related("table").get, table=bad)
        assert (fault.doing, fault.match_id) == (Doing.DEADLINE, bad.match_id), way
        assert fault.table.broken_at is not None
        assert fault.resolved_at is None
        assert "Traceback" in fault.traceback
        assert "misbehaving" in fault.error
        # No change of the failing game was stored.
        assert await in_thread(count_expiries, bad) == 0
        assert len(require(fault.table.state)) == len(require(before))


async def play_half_a_turn(players):
    """Let the current player draw, or discard the card just drawn."""
    mover = players[players[0].state["game"]["turn"]]
    if mover.state["game"]["step"] == "draw":
        answer = await mover.act(kind="draw", source="closed")
    else:
        answer = await mover.act(kind="discard", card=mover.state["you"]["drawn"])
    for player in players:
        await player.receive_until_version(answer["v"])
    return answer


async def test_a_game_failing_at_a_move_refuses_it_and_keeps_the_socket(live_site, failing, good):
    def session_at_turn(table):
        return session_of(player_at(table, game_view(table)["turn"]))

    async with AsyncExitStack() as stack:
        players = []
        for seat in (0, 1):
            session = await in_thread(session_of, await in_thread(player_at, good, seat))
            players.append(
                await stack.enter_async_context(TableSocket(live_site, good.pk, session))
            )
            await players[-1].hello()
        for way, (bad, core) in failing.items():
            session = await in_thread(session_at_turn, bad)
            core.fails = way
            async with TableSocket(live_site, bad.pk, session) as here:
                await here.hello()
                answers = await asyncio.gather(
                    here.act(kind="draw", source="closed"), play_half_a_turn(players)
                )
                assert answers[0]["code"] == "table_out_of_order", way
                assert answers[1]["type"] == "ack", way
                while not here.state["table"]["out_of_order"]:
                    await here.receive()
                core.fails = "not"
                again = await here.act(kind="draw", source="closed")
                assert again["code"] == "table_out_of_order"
            fault = await in_thread(TableFault.objects.get, table=bad)
            assert fault.doing == Doing.MOVE
            moves = Change.objects.filter(table=bad, kind=ChangeKind.MOVE)
            assert await in_thread(moves.count) == 0


async def test_a_game_that_never_returns_is_found_by_its_processor_time(game, bad, monkeypatch):
    monkeypatch.setattr(clock, "SECONDS_BETWEEN_CHECKS", 1)
    monkeypatch.setattr(clock, "LEAST_WORK_SECONDS", 0)
    monkeypatch.setattr(clock, "MOST_PROCESSOR_SECONDS", 0.5)
    await in_thread(run_out_of_time, bad)
    game.fails = "spins"
    try:
        await clock_until(TableFault.objects.exists)
    finally:
        game.fails = "not"
    fault = await in_thread(TableFault.objects.get)
    assert (fault.table_id, fault.doing) == (bad.pk, Doing.DEADLINE)
    assert "seconds of processor" in fault.error


async def test_a_game_that_waits_on_a_slow_host_breaks_no_table(game, bad, monkeypatch):
    monkeypatch.setattr(clock, "SECONDS_BETWEEN_CHECKS", 0.05)
    monkeypatch.setattr(clock, "MOST_PROCESSOR_SECONDS", 0.5)
    await in_thread(run_out_of_time, bad)
    game.fails = "waits"

    async def many_checks_later():
        await asyncio.sleep(1.5)
        game.fails = "not"

    await asyncio.gather(clock_until(lambda: count_expiries(bad) == 1), many_checks_later())
    assert not await in_thread(TableFault.objects.exists)


async def test_a_failing_postponement_does_not_stop_the_other_tables(game, bad, good):
    def outage():
        store_heartbeat()
        Change.objects.update(at_ms=F("at_ms") - 40_000)
        ClockBeat.objects.update(beat_at=F("beat_at") - timedelta(seconds=30))

    await in_thread(outage)
    game.fails = "postpone"
    postponed = Change.objects.filter(kind=ChangeKind.POSTPONED)
    await clock_until(lambda: postponed.exists() and TableFault.objects.exists())
    assert await in_thread(lambda: list(postponed.values_list("table_id", flat=True))) == [good.pk]
    fault = await in_thread(TableFault.objects.get)
    assert (fault.table_id, fault.doing) == (bad.pk, Doing.OUTAGE)


@pytest.fixture
def fault(bad, game):
    """The stored fault of a table whose game has failed at a deadline."""
    game.fails = "ValueError"
    run_out_of_time(bad)
    with pytest.raises(GameFault) as failed:
        act_on_table(bad.pk)
    report_fault(table_id=bad.pk, doing=Doing.DEADLINE, error=failed.value)
    game.fails = "not"
    return TableFault.objects.get()


def decide(fault, decision):
    """Press a decision as a staff member. Return the page that follows."""
    address = reverse("admin:tables_tablefault_decide", args=[fault.pk])
    form = {"decision": decision, "reason": "The game has failed."}
    return office(member(Role.GAMES, "decides")).post(address, form, follow=True).text


@pytest.mark.usefixtures("fault")
def test_a_broken_table_takes_no_deadlines_moves_or_players(bad, make_player):
    assert bad.pk not in list_due_tables(100)
    assert act_on_table(bad.pk) is None
    assert require(act(bad, 0, kind="draw", source="closed").refusal).code == "table_out_of_order"
    with refused(TABLE_OUT_OF_ORDER):
        seat_all(bad, make_player())
    drop_later = PreAction(move={"kind": "drop"})
    with refused(TABLE_OUT_OF_ORDER):
        set_pre_action(table_id=bad.pk, user_id=player_at(bad, 0).pk, wanted=drop_later)


def test_staff_read_the_traceback_and_let_the_game_go_on(bad, fault):
    TableFault.objects.update(happened_at=F("happened_at") - timedelta(seconds=20))
    due = game_view(bad)["due_at"]
    desk = office(member(Role.GAMES))
    page = desk.get(f"/admin/tables/tablefault/{fault.pk}/change/").text
    assert "ValueError: a bug" in page
    assert "Traceback" in page
    assert "Tables out of order" in desk.get("/admin/").text
    decide(fault, "again")
    assert reload(bad).broken_at is None
    assert reload(fault).resolved_at is not None
    # The lost time is given back.
    assert 20_000 <= game_view(bad)["due_at"] - due < 25_000
    assert require(act_on_table(bad.pk)).kind == ChangeKind.EXPIRY


def test_a_game_that_fails_again_stays_out_of_order(game, bad, fault):
    game.fails = "postpone"
    assert "ZeroDivisionError" in decide(fault, "again")
    assert reload(bad).broken_at is not None
    assert TableFault.objects.get().resolved_at is None


def test_staff_cancel_a_broken_match_and_the_leaver_gets_the_stack_back(game, bad):
    leaver = player_at(bad, 0)
    game.fails = "ValueError"
    leave(bad, leaver)
    assert reload(bad).broken_at is not None
    assert bad.sittings.get(user=leaver).left_at is None
    before = chips_of(leaver)
    decide(TableFault.objects.get(), "cancel")
    assert (reload(bad).broken_at, bad.state) == (None, None)
    assert (bad.match.status, bad.match.cancelled_for) == ("CANCELLED", "The game has failed.")
    assert TableFault.objects.get().resolved_by is not None
    assert bad.sittings.get(user=leaver).left_at is not None
    assert chips_of(leaver) == before + BUY_IN


def test_staff_close_a_table_whose_match_cannot_begin(transactional_db, players, make_table):
    table = make_table()
    seat_all(table, *players[:2])
    rules = {"name": "points", "packs": "many"}
    Table.objects.filter(pk=table.pk).update(rules=rules, deadline_at=Now())
    with pytest.raises(Exception, match="packs") as error:
        act_on_table(table.pk)
    report_fault(table_id=table.pk, doing=Doing.DEADLINE, error=error.value)
    decide(TableFault.objects.get(), "close")
    assert (reload(table).status, table.broken_at, table.due_at) == ("CLOSED", None, None)
    assert [chips_of(player) for player in players] == [WELCOME] * 4


def test_staff_let_a_broken_match_of_an_event_be_played_anew(bad, fault):
    Table.objects.filter(pk=bad.pk).update(event_url="/tournaments/1/")
    decide(fault, "anew")
    first = Match.objects.get(table=bad)
    assert first.status == "CANCELLED"
    let_time_pass(bad)
    second = get_match(bad)
    assert (second.status, second.players.keys()) == ("RUNNING", first.players.keys())


def test_a_broken_table_is_followed_by_another(transactional_db, make_player, fees):
    template = make_kind(name="Banyan", max_seats=6)
    keep_supplied()
    first = Table.objects.get(template=template)
    TableFault.objects.create(table=first, doing=Doing.MOVE, error="x", traceback="x")
    Table.objects.filter(pk=first.pk).update(broken_at=Now())
    keep_supplied()
    player = make_player()
    play_now(template_id=template.pk, user_id=player.pk)
    assert Table.objects.filter(template=template).count() == 2
    assert player.sittings.get(left_at=None).table_id != first.pk
