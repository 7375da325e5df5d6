"""A bot plays on for who has gone from a free private table, until the match ends or they are back."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.urls import reverse

from games.registry import get_game
from tables.history.analysing import NothingToAnalyse, ask_for_analysis, can_be_analysed
from tables.history.records import deal_record
from tables.live.clock import act_on_table
from tables.models import Change, ChangeKind, Match, MatchStatus, Seat, SeatStatus, Table
from tables.play import bots
from tables.play.move import MoveRequest, play_move
from tables.play.reading import snapshot
from tables.play.stand_ins import come_back
from tables.refusals import NotSeated, RemovedFromTable
from tables.seating.closing import remove_player
from tables.seating.selectors import TurnState, list_own_tables
from tests.given import reload, require
from tests.tables.driving import (
    act,
    drop,
    end_match,
    expire_turn,
    game_view,
    hand_of,
    leave,
    play_a_turn,
    player_at,
    seat_a_bot,
    seat_all,
    state_of,
)
from tests.tables.records import verify
from tests.tables.replaying import replay

pytestmark = pytest.mark.django_db
CODE = "abcdefghijkl"
PRESETS = {
    "indian": "pool101",
    "gin": "game100",
    "basic": "race100",
    "contract": "contract",
    "rummikub": "session4",
    "five_hundred": "race250",
}


@pytest.fixture
def make_free(make_table):
    def make(**terms: Any) -> Table:
        usual = {"point_value": 0, "entry_fee": 0, "invite_code": CODE, "bots_take_over": True}
        opened: Table = make_table(**usual | terms)
        return opened

    return make


@pytest.fixture
def table(make_free, make_player):
    """A match of three in its first turn."""
    return begin(make_free(max_seats=3), [make_player() for _ in range(3)])


def begin(table: Table, players: list[Any]) -> Table:
    seat_all(table, *players, amount=0)
    Table.objects.filter(pk=table.pk).update(deadline_at=Now(), status="STARTING")
    act_on_table(table.pk)
    return reload(table)


def let_bots_play(table: Table, *, at_most: int = 400) -> None:
    """Let the clock make every move that is a bot's now."""
    for _ in range(at_most):
        table.refresh_from_db()
        if table.bot_due_at is None or table.status != "PLAYING":
            return
        seat_a_bot(table)
    raise AssertionError("the bots play for ever")


def read_sitting(table: Table, seat: int) -> tuple[str, bool]:
    sitting = Seat.objects.get(table=table, number=seat, left_at=None)
    return sitting.status, sitting.bot_since is not None


def find_next_seat(table: Table) -> int:
    """Return the seat after the one at turn."""
    view = game_view(table)
    order: list[int] = view["order"]
    return order[(order.index(view["turn"]) + 1) % len(order)]


def kinds_of(table: Table, seat: int) -> set[str]:
    return set(Change.objects.filter(table=table, seat=seat).values_list("kind", flat=True))


def view_state(table: Table, player: Any = None) -> Any:
    user_id = None if player is None else player.pk
    return require(snapshot(table_id=table.pk, user_id=user_id)).state


def misses_turns(table: Table, seat: int) -> None:
    """Let the turns of this seat run out, and the others play theirs."""
    for _ in range(60):
        if read_sitting(table, seat)[1]:
            return
        if game_view(table)["turn"] == seat:
            expire_turn(table)
        else:
            play_a_turn(table)
    raise AssertionError("nobody has taken over")


def test_who_leaves_is_played_for_and_the_match_goes_on(table):
    seat = find_next_seat(table)
    leaver = player_at(table, seat)
    leave(table, leaver)
    assert read_sitting(table, seat) == (SeatStatus.LEAVING, True)
    # The way back is where all tables of a player are.
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


def test_in_the_own_turn_the_bot_goes_on_at_once(table):
    seat = game_view(table)["turn"]
    leave(table, player_at(table, seat))
    let_bots_play(table)
    assert game_view(table)["turn"] != seat


def test_missed_turns_bring_a_bot_and_no_drop(table):
    seat = find_next_seat(table)
    misses_turns(table, seat)
    assert read_sitting(table, seat) == (SeatStatus.PLAYING, True)
    player = game_view(table)["players"][str(seat)]
    assert (player["status"], player["missed"]) == ("playing", table.rules["max_missed_turns"] - 1)
    let_bots_play(table)
    assert game_view(table)["players"][str(seat)]["missed"] == 0
    assert [own.id for own in list_own_tables(player_at(table, seat).pk)] == [table.pk]


def test_a_lost_connection_brings_a_bot_with_the_first_missed_turn(table):
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


def test_i_am_back_takes_the_seat_and_shows_what_was_played(table, client):
    seat = find_next_seat(table)
    player = player_at(table, seat)
    leave(table, player)
    play_a_turn(table)
    let_bots_play(table)
    while game_view(table)["turn"] != seat:
        play_a_turn(table)
    refused = play_move(MoveRequest(table.pk, player.pk, {"kind": "draw", "source": "closed"}))
    assert require(refused.refusal).code == "bot_plays_for_you"
    client.force_login(player)
    path = reverse("tables:moves", args=[table.pk])
    told = client.get(path, {"for_me": ""}).json()["events"]
    assert [event["kind"] for event in told] == ["drawn", "discarded"]
    change = come_back(table_id=table.pk, user_id=player.pk)
    assert [event["kind"] for event in change.events] == ["came_back"]
    assert read_sitting(table, seat) == (SeatStatus.PLAYING, False)
    assert (reload(table).bot_seats, table.bot_due_at) == ([], None)
    assert act(table, seat, kind="draw", source="closed").refusal is None
    with pytest.raises(NotSeated):
        come_back(table_id=table.pk, user_id=player.pk)


def test_others_hear_nothing_of_what_was_drawn_for_somebody(table, client):
    seat = find_next_seat(table)
    leave(table, player_at(table, seat))
    play_a_turn(table)
    let_bots_play(table)
    other = player_at(table, game_view(table)["turn"])
    client.force_login(other)
    path = reverse("tables:moves", args=[table.pk])
    assert client.get(path, {"for_me": ""}).json() == {"events": []}


def test_who_was_sent_away_does_not_come_back(table):
    seat = find_next_seat(table)
    player = player_at(table, seat)
    remove_player(table_id=table.pk, user_id=player.pk)
    with pytest.raises(RemovedFromTable):
        come_back(table_id=table.pk, user_id=player.pk)
    assert read_sitting(table, seat) == (SeatStatus.LEAVING, True)


def test_the_bot_sees_its_seat_alone(table, monkeypatch):
    seat = find_next_seat(table)
    leave(table, player_at(table, seat))
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
def test_seeds_and_moves_stay_the_record_in_every_game(game, make_free, make_player):
    table = begin(
        make_free(game=game, preset=PRESETS[game], max_seats=2),
        [make_player() for _ in range(2)],
    )
    seat = game_view(table)["turn"]
    leave(table, player_at(table, seat))
    let_bots_play(table)
    assert kinds_of(table, seat) == {ChangeKind.STAND_IN}
    match = Match.objects.get(table=table)
    assert replay(match) == state_of(table)
    come_back(table_id=table.pk, user_id=player_at(table, seat).pk)
    assert replay(match) == state_of(reload(table))


def test_a_finished_deal_is_proved_by_its_record(make_free, make_player):
    table = begin(make_free(max_seats=2), [make_player() for _ in range(2)])
    seat = find_next_seat(table)
    leave(table, player_at(table, seat))
    play_a_turn(table)
    let_bots_play(table)
    come_back(table_id=table.pk, user_id=player_at(table, seat).pk)
    match = end_match(table)
    assert replay(match) == state_of(reload(table))
    record = require(deal_record(match_id=match.pk, number=1))
    steps: Any = record["steps"]
    marked = [step["seat"] for step in steps if step.get("stand_in")]
    assert marked
    assert set(marked) == {seat}
    # The decisions of the bot are not laid to its player.
    people = [player_at(table, number) for number in range(2)]
    may_ask = [can_be_analysed(match, person.pk) for person in people]
    assert may_ask == [number != seat for number in range(2)]
    with pytest.raises(NothingToAnalyse):
        ask_for_analysis(user_id=people[seat].pk, match=match, number=1)
    assert verify(record)[0] == 0


def test_after_the_match_who_has_gone_is_stood_up_and_the_result_says_so(table):
    seat = find_next_seat(table)
    misses_turns(table, seat)
    player = player_at(table, seat)
    for _ in range(400):
        let_bots_play(table)
        table.refresh_from_db()
        if table.status != "PLAYING":
            break
        drop(table)
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert not Seat.objects.filter(user=player, left_at=None).exists()
    assert reload(table).bot_seats == []
    assert match.players[str(seat)]["stand_in"] is True
    assert match.is_rated is False
    told = view_state(table)["table"]
    assert (told["stand_ins"], told["names"][str(seat)]) == ([seat], player.player_name)


def test_somebody_always_plays_on(make_free, make_player):
    """The last player who goes leaves as at any table, and no bots play with each other."""
    table = begin(make_free(max_seats=2), [make_player() for _ in range(2)])
    first, last = (player_at(table, seat) for seat in range(2))
    leave(table, first)
    assert Match.objects.get(table=table).status == MatchStatus.RUNNING
    leave(table, last)
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED
    assert not Seat.objects.filter(table=table, left_at=None).exists()


def test_the_last_player_who_misses_turns_is_dropped(make_free, make_player):
    table = begin(make_free(max_seats=2), [make_player() for _ in range(2)])
    leave(table, player_at(table, 0))
    for _ in range(30):
        let_bots_play(table)
        table.refresh_from_db()
        if table.status != "PLAYING":
            break
        expire_turn(table)
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED
    assert not Change.objects.filter(table=table, kind=ChangeKind.STAND_IN, seat=1).exists()


def test_without_the_hosts_wish_who_leaves_gives_up(make_free, make_player):
    table = begin(make_free(max_seats=3, bots_take_over=False), [make_player() for _ in range(3)])
    seat = find_next_seat(table)
    leave(table, player_at(table, seat))
    assert read_sitting(table, seat) == (SeatStatus.LEAVING, False)
    assert game_view(table)["players"][str(seat)]["status"] != "playing"


@pytest.mark.parametrize(
    "terms",
    [
        {"point_value": 1},
        {"point_value": 0, "entry_fee": 100, "preset": "pool101"},
        {"point_value": 1, "invite_code": ""},
    ],
)
def test_where_something_is_at_stake_nobody_is_played_for(make_free, terms):
    with pytest.raises(IntegrityError), transaction.atomic():
        make_free(**terms)
    assert not Table.objects.filter(bots_take_over=True).exists()
