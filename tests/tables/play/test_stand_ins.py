"""Bots that replace absent players at free private tables."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.urls import reverse

from games.registry import get_game
from history.analysing import NOTHING_TO_ANALYSE, ask_for_analysis, can_be_analysed
from history.records import deal_record
from tables.models import Change, ChangeKind, Match, MatchStatus, Seat, SeatStatus, Table
from tables.play import bots
from tables.play.bots import come_back
from tables.play.move import MoveRequest, play_move
from tables.play.reading import snapshot
from tables.refusals import REMOVED_FROM_TABLE, NotSeated
from tables.seating.closing import remove_player
from tables.seating.selectors import TurnState, list_own_tables
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    act,
    end_match,
    expire_turn,
    game_view,
    get_match,
    hand_of,
    leave,
    list_seated,
    play_a_turn,
    player_at,
    seat_a_bot,
    start_match,
    state_of,
)
from tests.tables.records import verify
from tests.tables.replaying import replay

pytestmark = pytest.mark.django_db
PRESETS = {
    "indian": "pool101",
    "gin": "game100",
    "basic": "race100",
    "contract": "contract",
    "rummikub": "session4",
    "five_hundred": "race250",
}


@pytest.fixture
def make_stood_in(make_free):
    """Make free tables at which bots play for absent players."""
    return partial(make_free, bots_take_over=True)


@pytest.fixture
def of_two(make_stood_in, players):
    """A match of two players in its first turn."""
    return start_match(make_stood_in(), *players[:2])


@pytest.fixture
def table(make_stood_in, players):
    """A match of three players in its first turn."""
    return start_match(make_stood_in(max_seats=3), *players[:3])


def let_bots_play(table: Table, *, at_most: int = 400) -> None:
    """Let the clock make all moves of bots that are due."""
    for _ in range(at_most):
        if reload(table).bot_due_at is None or table.status != "PLAYING":
            return
        seat_a_bot(table)
    raise AssertionError("the bots play for ever")


def leave_next(table: Table) -> tuple[int, Any]:
    """Let the player after the current one leave. Return the seat and the player."""
    seat = find_next_seat(table)
    player = player_at(table, seat)
    leave(table, player)
    return seat, player


def is_playing(table: Table) -> bool:
    return reload(table).status == "PLAYING"


def read_sitting(table: Table, seat: int) -> tuple[str, bool]:
    sitting = Seat.objects.get(table=table, number=seat, left_at=None)
    return sitting.status, sitting.bot_since is not None


def find_next_seat(table: Table) -> int:
    """Return the seat after the current player's."""
    view = game_view(table)
    order: list[int] = view["order"]
    return order[(order.index(view["turn"]) + 1) % len(order)]


def kinds_of(table: Table, seat: int) -> set[str]:
    return set(Change.objects.filter(table=table, seat=seat).values_list("kind", flat=True))


def view_state(table: Table, player: Any = None) -> Any:
    user_id = None if player is None else player.pk
    return require(snapshot(table_id=table.pk, user_id=user_id)).state


def miss_turns(table: Table, seat: int) -> None:
    """Let the turns of this seat time out while the others play."""
    for _ in range(60):
        if read_sitting(table, seat)[1]:
            return
        if game_view(table)["turn"] == seat:
            expire_turn(table)
        else:
            play_a_turn(table)
    raise AssertionError("nobody has taken over")


def test_a_bot_plays_on_for_a_player_who_leaves(table):
    seat, leaver = leave_next(table)
    assert read_sitting(table, seat) == (SeatStatus.LEAVING, True)
    # The player's own tables list the way back.
    assert [one.state for one in list_own_tables(leaver.pk)] == [TurnState.STAND_IN]
    assert game_view(table)["players"][str(seat)]["status"] == "playing"
    play_a_turn(table)
    assert game_view(table)["turn"] == seat
    let_bots_play(table)
    assert game_view(table)["turn"] != seat
    assert kinds_of(table, seat) == {ChangeKind.STAND_IN}
    chair = view_state(table)["seats"][seat]
    assert (chair["stand_in"], chair["player"]["name"]) == (True, leaver.player_name)
    assert view_state(table)["table"]["stand_ins"] == [seat]


def test_missed_turns_bring_a_bot_and_the_player_is_stood_up_after_the_match(table):
    seat = find_next_seat(table)
    miss_turns(table, seat)
    assert read_sitting(table, seat) == (SeatStatus.PLAYING, True)
    player = game_view(table)["players"][str(seat)]
    assert (player["status"], player["missed"]) == ("playing", table.rules["max_missed_turns"] - 1)
    let_bots_play(table)
    assert game_view(table)["players"][str(seat)]["missed"] == 0
    absent = player_at(table, seat)
    assert [own.id for own in list_own_tables(absent.pk)] == [table.pk]
    while is_playing(table):
        let_bots_play(table)
        if is_playing(table):
            act(table, game_view(table)["turn"], kind="drop")
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert absent.pk not in list_seated(table)
    assert table.bot_seats == []
    assert match.players[str(seat)]["stand_in"] is True
    assert match.is_rated is False
    told = view_state(table)["table"]
    assert (told["stand_ins"], told["names"][str(seat)]) == ([seat], absent.player_name)


def test_a_bot_replaces_a_disconnected_player_after_one_missed_turn(table):
    seat = game_view(table)["turn"]
    sittings = Seat.objects.filter(table=table, number=seat)
    sittings.update(away_since=Now() - timedelta(seconds=30))
    expire_turn(table)
    assert read_sitting(table, seat) == (SeatStatus.PLAYING, False)
    play_a_turn(table)
    play_a_turn(table)
    sittings.update(away_since=Now() - timedelta(minutes=3))
    expire_turn(table)
    assert read_sitting(table, seat) == (SeatStatus.PLAYING, True)


def test_a_returning_player_takes_the_seat_and_sees_the_bots_moves(table, client):
    seat, player = leave_next(table)
    play_a_turn(table)
    let_bots_play(table)
    other = player_at(table, game_view(table)["turn"])
    while game_view(table)["turn"] != seat:
        play_a_turn(table)
    refused = play_move(MoveRequest(table.pk, player.pk, {"kind": "draw", "source": "closed"}))
    assert require(refused.refusal).code == "bot_plays_for_you"
    # The drawn card is shown to nobody else.
    for viewer, kinds in ((player, ["drawn", "discarded"]), (other, [])):
        client.force_login(viewer)
        told = client.get(reverse("table_moves", args=[table.pk]), {"for_me": ""}).json()
        assert [event["kind"] for event in told["events"]] == kinds
    change = come_back(table_id=table.pk, user_id=player.pk)
    assert [event["kind"] for event in change.events] == ["came_back"]
    assert read_sitting(table, seat) == (SeatStatus.PLAYING, False)
    assert (reload(table).bot_seats, table.bot_due_at) == ([], None)
    assert act(table, seat, kind="draw", source="closed").refusal is None
    with pytest.raises(NotSeated):
        come_back(table_id=table.pk, user_id=player.pk)


def test_a_removed_player_cannot_take_the_seat_back(table):
    seat = find_next_seat(table)
    player = player_at(table, seat)
    remove_player(table_id=table.pk, user_id=player.pk)
    with refused(REMOVED_FROM_TABLE):
        come_back(table_id=table.pk, user_id=player.pk)
    assert read_sitting(table, seat) == (SeatStatus.LEAVING, True)


def test_the_bot_sees_only_its_own_seat(table, monkeypatch):
    seat, _leaver = leave_next(table)
    play_a_turn(table)
    game, views = get_game(table.game), []

    class Watched:
        def __getattr__(self, name: str) -> Any:
            return getattr(game, name)

        def bots(self, view: Any, seat: int, **how: Any) -> Any:
            views.append((seat, view))
            return game.bots(view, seat, **how)

    monkeypatch.setattr(bots, "get_game", lambda _code: Watched())
    own = hand_of(table, seat)["hand"]
    seat_a_bot(table)
    asked, view = views[0]
    assert (asked, view["you"]["hand"]) == (seat, own)
    others = {card for other in range(3) if other != seat for card in hand_of(table, other)["hand"]}
    assert not others & set(view["you"]["hand"])
    assert set(view) == {"public", "you", "rules"}


@pytest.mark.parametrize("game", PRESETS)
def test_moves_of_a_stand_in_replay_in_every_game(game, make_stood_in, players):
    table = make_stood_in(game=game, preset=PRESETS[game])
    start_match(table, *players[:2])
    seat = game_view(table)["turn"]
    player = player_at(table, seat)
    leave(table, player)
    let_bots_play(table)
    assert kinds_of(table, seat) == {ChangeKind.STAND_IN}
    match = Match.objects.get(table=table)
    assert replay(match) == state_of(table)
    come_back(table_id=table.pk, user_id=player.pk)
    assert replay(match) == state_of(reload(table))


def test_the_record_marks_a_stand_ins_moves_and_verifies(of_two):
    seat, player = leave_next(of_two)
    play_a_turn(of_two)
    let_bots_play(of_two)
    come_back(table_id=of_two.pk, user_id=player.pk)
    match = end_match(of_two)
    assert replay(match) == state_of(reload(of_two))
    record = require(deal_record(match_id=match.pk, number=1))
    steps: Any = record["steps"]
    assert {step["seat"] for step in steps if step.get("stand_in")} == {seat}
    # Decisions of the bot do not count as the player's.
    may_ask = [can_be_analysed(match, player_at(of_two, number).pk) for number in range(2)]
    assert may_ask == [number != seat for number in range(2)]
    with refused(NOTHING_TO_ANALYSE):
        ask_for_analysis(user_id=player.pk, match=match, number=1)
    assert verify(record)[0] == 0


def test_bots_do_not_play_on_when_the_last_player_leaves(of_two, players):
    leave(of_two, players[0])
    assert get_match(of_two).status == MatchStatus.RUNNING
    leave(of_two, players[1])
    assert get_match(of_two).status == MatchStatus.FINISHED
    assert list_seated(of_two) == []


def test_the_last_player_who_misses_turns_is_dropped(of_two, players):
    leave(of_two, players[0])
    for _ in range(30):
        let_bots_play(of_two)
        if not is_playing(of_two):
            break
        expire_turn(of_two)
    assert get_match(of_two).status == MatchStatus.FINISHED
    assert kinds_of(of_two, 1) & {ChangeKind.STAND_IN} == set()


@pytest.mark.parametrize(
    "terms",
    [
        {"point_value": 1},
        {"point_value": 0, "entry_fee": 100, "preset": "pool101"},
        {"point_value": 1, "invite_code": ""},
    ],
)
def test_no_bots_take_over_where_something_is_at_stake(make_stood_in, terms):
    with pytest.raises(IntegrityError), transaction.atomic():
        make_stood_in(**terms)
    assert not Table.objects.filter(bots_take_over=True).exists()
