"""All further games at tables: payment, records, ratings and hidden cards."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from games.engine.base import Strength
from history.records import verdict_on
from players.ranking.ratings import count_matches
from tables.models import Change, Match, MatchStatus
from tables.play.reading import snapshot
from tests.effort import share_of
from tests.given import reload, require
from tests.tables.driving import (
    act,
    game_view,
    hand_of,
    hurry_to_the_end,
    play_to_the_end,
    player_at,
    start_match,
)
from tests.tables.records import check_records
from tests.tables.shown_cards import list_cards, search_frames
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Points:
    """Test case of a game for points. `searched_matches` whole matches are searched for hidden cards."""

    game: str
    preset: str
    seats: int
    largest_loss: int
    searched_preset: str
    searched_seats: int
    searched_matches: int
    strength: Strength


POINTS = [
    Points("basic", "points", 3, 200, "points", 3, share_of(25), "medium"),
    Points("contract", "single", 3, 150, "single", 3, share_of(12), "medium"),
    Points("five_hundred", "points", 3, 200, "points", 3, share_of(12), "medium"),
    Points("gin", "points", 2, 129, "points", 2, share_of(25), "easy"),
    Points("rummikub", "points", 3, 200, "sabra30", 2, share_of(5), "medium"),
]
EIGHT = Points("contract", "single", 8, 150, "single", 8, 0, "medium")  # C1


@dataclass(frozen=True)
class Pot:
    """Test case of a game for a pot: its rated format, and a function that finds the winners in a result."""

    game: str
    preset: str
    seats: int
    rated_as: str
    deals: int | None
    find_winners: Callable[[Any], list[str]]


def find_highest_score(result: Any) -> list[str]:
    scores = result["scores"]
    assert max(scores.values()) >= 100
    return [seat for seat in scores if scores[seat] == max(scores.values())]


def find_lowest(result: Any) -> list[str]:
    points = result["points"]
    return [seat for seat in points if points[seat] == min(points.values())]


def find_highest_total(result: Any) -> list[str]:
    totals = result["facts"]["totals"]
    assert sum(totals.values()) == 0
    return [seat for seat in totals if totals[seat] == max(totals.values())]


POTS = [
    Pot("basic", "race100", 3, "RACE", None, find_highest_score),
    Pot("contract", "contract", 2, "CONTRACTS", 7, find_lowest),
    Pot("five_hundred", "race250", 3, "RACE", None, find_highest_score),
    Pot("gin", "game100", 2, "GAME", None, find_highest_score),
    Pot("rummikub", "session4", 3, "DEALS", 4, find_highest_total),  # K16
]
WRONG_MOVES: dict[str, list[tuple[dict[str, Any], str | None]]] = {
    "basic": [
        ({"kind": "meld", "groups": [["7H"]]}, "malformed_move"),
        ({"kind": "meld", "groups": [["7H.0", "7S.0", "7D.0"]]}, None),
        ({"kind": "lay_off", "meld": 0, "cards": ["7H.0"]}, None),
        ({"kind": "lay_off", "meld": None, "cards": []}, "malformed_move"),
        ({"kind": "discard", "card": "7H.0"}, None),
        ({"kind": "knock"}, "malformed_move"),
    ],
    "contract": [
        ({"kind": "buy"}, None),
        ({"kind": "pass"}, None),
        ({"kind": "contract", "melds": []}, None),
        ({"kind": "contract", "melds": [{"cards": ["7H.0"], "as": []}]}, None),
        ({"kind": "lay_off", "meld": 0, "laid": {"cards": ["7H.0"], "as": ["7H"]}}, None),
        ({"kind": "swap_joker", "meld": 0, "card": "7H.0", "to": "hand"}, None),
        ({"kind": "never_buy", "on": 1}, None),
        ({"kind": "drop"}, None),
    ],
    "five_hundred": [
        ({"kind": "take", "card": 7}, "malformed_move"),
        ({"kind": "take", "card": "PJ.0"}, None),
        ({"kind": "draw", "source": "open"}, "malformed_move"),
        ({"kind": "meld", "groups": [[]]}, "malformed_move"),
        ({"kind": "lay_off", "meld": 0, "cards": ["7H.0"]}, None),
        ({"kind": "discard", "card": "7H.0"}, None),
        ({"kind": "drop"}, "malformed_move"),
    ],
    "gin": [
        ({"kind": "knock", "card": 7, "groups": []}, "malformed_move"),
        ({"kind": "knock", "card": "7H.0", "groups": "all"}, "malformed_move"),
        ({"kind": "knock", "card": "PJ.0", "groups": []}, None),
        ({"kind": "defend", "groups": [], "lay_offs": [["7H.0", "0"]]}, "malformed_move"),
        ({"kind": "defend", "groups": [], "lay_offs": []}, None),
        ({"kind": "discard", "card": "7H.0"}, None),
        ({"kind": "pass", "card": "7H.0"}, "malformed_move"),
        ({"kind": "drop"}, "malformed_move"),
    ],
    "rummikub": [
        ({"kind": "lay", "table": "all"}, "malformed_move"),
        ({"kind": "lay", "table": [{"cards": ["5H.0"], "as": ["PJ"]}]}, "malformed_move"),
        ({"kind": "lay", "table": []}, None),
        ({"kind": "pass"}, None),
        ({"kind": "draw", "source": "closed"}, "malformed_move"),
        ({"kind": "drop"}, "malformed_move"),
    ],
}


@pytest.fixture
def start_points(make_table, make_player):
    def start(kind):
        opened = make_table(game=kind.game, preset=kind.preset, point_value=2, max_seats=kind.seats)
        return start_match(opened, *(make_player() for _ in range(kind.seats)))

    return start


@pytest.fixture
def start_pot(make_table, make_player):
    def start(kind):
        table = make_table(
            game=kind.game,
            preset=kind.preset,
            entry_fee=100,
            max_seats=kind.seats,
            is_rated=True,
        )
        return start_match(table, *(make_player() for _ in range(kind.seats)))

    return start


@pytest.mark.parametrize("kind", [*POINTS, EIGHT], ids=lambda kind: f"{kind.game} of {kind.seats}")
def test_points_are_paid_and_every_deal_is_on_record(start_points, kind):
    table = start_points(kind)
    assert table.min_buy_in == kind.largest_loss * 2  # B12, C17, F12, G14, K16
    match = play_to_the_end(table)
    result, settlement = require(match.result), require(match.settlement)
    assert reconcile().findings == ()
    assert len(result["points"]) == kind.seats
    assert settlement["gross"] == 2 * sum(result["points"].values()) > 0
    for seat, points in result["points"].items():
        if int(seat) not in result["winners"]:
            assert settlement["amounts"][seat] == -2 * points
    if len(result["winners"]) == 1:
        assert settlement["amounts"][str(result["winners"][0])] == settlement["net"]
    check_records(match)


@pytest.mark.parametrize("kind", POTS, ids=lambda kind: kind.game)
def test_a_pot_goes_to_the_winner_and_counts_for_ratings_of_the_format(start_pot, kind):
    match = hurry_to_the_end(start_pot(kind), whole_deals=2, strength="hard")
    result, settlement = require(match.result), require(match.settlement)
    assert kind.deals in {None, match.deals.count()}
    [winner] = kind.find_winners(result)
    assert result["winners"] == settlement["winners"] == [int(winner)]
    assert settlement["gross"] == 100 * kind.seats
    won = settlement["net"] - 100
    amounts = {str(seat): -100 for seat in range(kind.seats)} | {winner: won}
    assert settlement["amounts"] == amounts
    assert reconcile().findings == ()
    record = check_records(match, first=2)
    hands = record["hands"]
    tampered = {**record, "dealer": None, "hands": {**hands, "0": hands["1"]}}
    assert not verdict_on(tampered).is_honest
    Match.objects.update(ended_at="2026-01-01T00:00Z")
    assert count_matches() == 1
    rated = match.rating_changes.values_list("game", "format")
    assert set(rated) == {(kind.game, kind.rated_as)}


@pytest.mark.parametrize("kind", POTS, ids=lambda kind: kind.game)
def test_players_who_leave_lose_the_fee_and_the_last_one_takes_the_pot(start_pot, kind):
    table = start_pot(kind)
    left = set(range(kind.seats))
    while len(left) > 1:
        leaver = game_view(table)["turn"]
        assert act(table, leaver, kind="leave").refusal is None
        left.remove(leaver)
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert require(match.result)["winners"] == list(left)
    assert reconcile().findings == ()


@pytest.mark.parametrize("kind", POINTS, ids=lambda kind: kind.game)
def test_a_wrong_move_changes_nothing(start_points, kind):
    table = start_points(kind)
    before = (bytes(require(table.state)), table.version, Change.objects.count())
    for move, code in WRONG_MOVES[kind.game]:
        for seat in range(kind.seats):
            refused = require(act(table, seat, **move).refusal)
            assert code in {None, refused.code}, move
            after = (bytes(require(reload(table).state)), table.version, Change.objects.count())
            assert after == before, move


@pytest.mark.parametrize("kind", POINTS, ids=lambda kind: kind.game)
def test_no_frame_shows_a_foreign_card(make_table, make_player, kind):
    """Frames carry the stored changes. Each seat also gets its own private part, and watchers get none."""
    frames = 0
    for _ in range(kind.searched_matches):
        table = make_table(
            game=kind.game, preset=kind.searched_preset, max_seats=kind.searched_seats
        )
        start_match(table, *(make_player() for _ in range(kind.searched_seats)))
        frames += search_frames(play_to_the_end(table, strength=kind.strength))
    assert frames > kind.searched_matches * 60


@pytest.mark.parametrize("kind", POINTS, ids=lambda kind: kind.game)
def test_a_snapshot_shows_one_hand(start_points, kind):
    table = start_points(kind)
    hands = {seat: set(hand_of(table, seat)["hand"]) for seat in range(kind.seats)}
    for seat, hand in hands.items():
        seen = require(snapshot(table_id=table.pk, user_id=player_at(table, seat).pk))
        cards = list_cards(seen.state)
        assert hand <= cards
        toss = {drawn["card"] for drawn in seen.state["game"]["toss"]}
        assert not (cards - toss) & set().union(*hands.values()) - hand
