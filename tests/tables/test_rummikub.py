"""Rummikub at real tables: played for points and for a pot, on record, and nobody sees too much."""

import json
import re
from typing import Any

import pytest

from games.registry import get_game
from tables.history.records import deal_record, verdict_on, verdicts_on
from tables.history.replay import replay_of
from tables.live.clock import act_on_table
from tables.models import Change, Match, MatchStatus, Table
from tables.play.move import DraftMove, MoveRequest, play_move
from tables.play.reading import snapshot
from tables.ranking.ratings import count_matches
from tests.effort import share_of
from tests.given import the
from tests.tables.driving import (
    act,
    game_view,
    hand_of,
    hurry_to_the_end,
    let_time_pass,
    play_to_the_end,
    player_at,
    run_out_of_time,
    seat_all,
    start_match,
)
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db
TILE = re.compile(r"\b(?:[A23456789TJQK][SHDC]|PJ)\.[01]\b")
SECRET_MATCHES = share_of(5)


@pytest.fixture(autouse=True)
def _offered(settings):
    settings.GAMES_OFFERED = ["indian", "rummikub"]


@pytest.fixture
def table(make_table, make_player):
    opened = make_table(game="rummikub", point_value=2, max_seats=3)
    return start_match(opened, make_player(), make_player(), make_player())


def session(make_table: Any, make_player: Any, **terms: Any) -> Table:
    table: Table = make_table(
        game="rummikub", preset="session4", entry_fee=100, max_seats=3, **terms
    )
    seat_all(table, make_player(), make_player(), make_player(), amount=100)
    let_time_pass(table)
    return table


def test_points_are_paid_and_the_deal_is_dealt_again(table):
    assert table.min_buy_in == 200 * 2  # K16: the largest loss
    match = play_to_the_end(table)
    result, settlement = the(match.result), the(match.settlement)
    assert reconcile().findings == ()
    assert settlement["gross"] == 2 * sum(result["points"].values())
    losers = set(result["points"]) - {str(seat) for seat in result["winners"]}
    for seat in losers:
        assert settlement["amounts"][seat] == -2 * result["points"][seat]
    record: Any = deal_record(match_id=match.pk, number=1)
    verdict = verdict_on(record)
    assert verdict.is_honest, verdict.words
    assert all(claim["agree"] for claim in verdicts_on(record))
    assert the(replay_of(match, number=1))["steps"]


def test_k16_a_pot_goes_to_the_highest_total(make_table, make_player):
    match = play_to_the_end(session(make_table, make_player))
    result, settlement = the(match.result), the(match.settlement)
    totals = result["facts"]["totals"]
    best = max(totals.values())
    assert {str(seat) for seat in result["winners"]} == {
        seat for seat, total in totals.items() if total == best
    }
    assert sum(totals.values()) == 0
    assert settlement["gross"] == 300
    assert match.deals.count() == 4
    record: Any = None
    for number in range(1, 5):
        record = deal_record(match_id=match.pk, number=number)
        assert verdict_on(record).is_honest
    tampered = {**record, "dealer": None, "hands": {**record["hands"], "0": record["hands"]["1"]}}
    assert not verdict_on(tampered).is_honest
    assert reconcile().findings == ()


def test_ratings_of_rummikub_are_its_own(make_table, make_player):
    match = hurry_to_the_end(session(make_table, make_player, is_rated=True))
    Match.objects.update(ended_at="2026-01-01T00:00Z")
    assert count_matches() == 1
    assert set(match.rating_changes.values_list("game", "format")) == {("rummikub", "DEALS")}


def test_k13_the_last_one_left_takes_the_pot(make_table, make_player):
    table = session(make_table, make_player)
    first = game_view(table)["turn"]
    assert act(table, first, kind="leave").refusal is None
    second = game_view(table)["turn"]
    assert act(table, second, kind="leave").refusal is None
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert the(match.result)["winners"] == list({0, 1, 2} - {first, second})
    assert reconcile().findings == ()


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"kind": "lay", "table": "all"}, "malformed_move"),
        ({"kind": "lay", "table": [{"cards": ["5H.0"], "as": ["PJ"]}]}, "malformed_move"),
        ({"kind": "lay", "table": []}, None),
        ({"kind": "pass"}, None),
        ({"kind": "draw", "source": "closed"}, "malformed_move"),
        ({"kind": "drop"}, "malformed_move"),
    ],
)
def test_a_wrong_move_changes_nothing(table, move, code):
    for who in (0, 1, 2):
        table.refresh_from_db()
        before = (bytes(the(table.state)), table.version, Change.objects.count())
        refused = the(act(table, who, **move).refusal)
        assert code in {None, refused.code}
        table.refresh_from_db()
        assert (bytes(the(table.state)), table.version, Change.objects.count()) == before


def drafted(table: Table, seat: int, rev: int, draft: Any) -> Any:
    user = player_at(table, seat)
    return play_move(MoveRequest(table.pk, user.pk, DraftMove(rev=rev, draft=draft)))


def test_k12_a_draft_is_seen_by_its_player_alone(table):
    seat = game_view(table)["turn"]
    tiles = hand_of(table, seat)["hand"][:3]
    version = game_view(table)
    played = drafted(table, seat, 1, [{"cards": tiles, "as": None}])
    assert played.refusal is None
    [step] = played.changes
    assert (step.version, step.events, step.patch) == (None, [], {})
    assert set(step.private) == {str(seat)}
    assert step.private[str(seat)]["draft"]["table"][0]["cards"]
    assert game_view(table) == version
    for other in {0, 1, 2} - {seat}:
        seen = the(snapshot(table_id=table.pk, user_id=player_at(table, other).pk))
        assert not set(tiles) & set(TILE.findall(json.dumps(seen.state)))


def test_k12_a_table_that_is_not_valid_when_time_runs_out_costs_three_tiles(table):
    seat = game_view(table)["turn"]
    tiles = hand_of(table, seat)["hand"][:2]
    drafted(table, seat, 1, [{"cards": tiles, "as": None}])
    run_out_of_time(table)
    act_on_table(table.pk)
    view = game_view(table)
    assert view["players"][str(seat)]["tiles"] == 17
    assert view["table"] == []
    assert view["turn"] != seat


def test_no_frame_shows_a_foreign_tile(make_table, make_player):
    """Every stored change is what the frames carry: to each seat its own part, to a watcher none."""
    frames = 0
    for _number in range(SECRET_MATCHES):
        table = make_table(game="rummikub", preset="sabra30", max_seats=2)
        match = play_to_the_end(start_match(table, make_player(), make_player()), strength="medium")
        frames += _searched(match)
    assert frames > SECRET_MATCHES * 60


def _searched(match: Match) -> int:
    """What may be seen is read from events and true racks, not from what the game shows."""
    public: set[str] = set()
    held: dict[int, set[str]] = {0: set(), 1: set()}
    frames = 0
    for change in Change.objects.filter(match=match).order_by("pk"):
        for seat in held:
            held[seat] |= set(change.private.get(str(seat), {}).get("hand", ()))
        for event in change.events:
            if event["kind"] == "toss":
                public |= {toss["card"] for toss in event["cards"]}
            if event["kind"] == "laid":
                public |= {tile for meld in event["table"] for tile in meld["cards"]}
            if event["kind"] == "deal_over":
                public |= held[0] | held[1]
        for viewer in (0, 1, None):
            own = {} if viewer is None else change.private.get(str(viewer), {})
            seen = set(TILE.findall(json.dumps([change.events, change.patch, own])))
            may_see = public | (set() if viewer is None else held[viewer])
            assert seen <= may_see, (viewer, change.events)
            frames += 1
    return frames


def test_a_question_for_the_best_lay_is_answered_where_help_is_offered(table):
    seat = game_view(table)["turn"]
    game = get_game("rummikub")
    table.refresh_from_db()
    told = the(game.hand_help).answer(
        game.stored.load(bytes(the(table.state))), seat, {"kind": "lay"}
    )
    assert told.keys() == {"tiles", "points", "table"}
