"""The base of plain games, by the highest card: whole matches, time, leaving, and what is refused."""

import json
import random

import pytest

from games.engine.base import STRENGTHS, IllegalMove, InvalidRules
from games.plain import TURN_MS, PlainGame
from tests.games.highest_card import HighestCard

GAME = HighestCard()
POINTS = {"name": "points"}
NOW = 1_700_000_000_000
SEED = bytes(range(32))
UP = {"kind": "turn_up"}
LEAVE = {"kind": "leave"}
# What seats 2, 0 and 1 are dealt from SEED.
DEALT = {2: "JC.0", 0: "4S.0", 1: "5D.0"}


def started(seats=(2, 0, 1)):
    return GAME.start(rules=POINTS, seats=seats, toss=True, seed=SEED, now=NOW)[0]


def play(state, seat, move=UP, *, after=1_000):
    """The match after the move, and what happened, as written on the wire."""
    kept = GAME.dump(state)
    now = state["due"] - TURN_MS + after
    changed, happened = GAME.play(state, seat, GAME.parse_move(move), now=now, seed=SEED)
    assert GAME.dump(state) == kept  # a state is never changed
    assert GAME.load(GAME.dump(changed)) == changed
    return changed, [event.json() for event in happened]


def refused(state, seat, move):
    kept = GAME.dump(state)
    with pytest.raises(IllegalMove) as refusal:
        GAME.play(state, seat, move, now=NOW, seed=SEED)
    assert GAME.dump(state) == kept
    return refusal.value.code


def test_the_seats_are_the_order_of_play_and_nobody_tosses():
    state, happened = GAME.start(rules=POINTS, seats=(2, 0, 1), toss=True, seed=SEED, now=NOW)
    assert [event.json() for event in happened] == [
        {"kind": "dealt", "order": [2, 0, 1], "dealer": 1}
    ]
    assert (GAME.acting(state), GAME.members(state), GAME.deals(state)) == ((2,), (2, 0, 1), 1)
    assert {seat: GAME.private_view(state, seat)["hand"] for seat in (2, 0, 1)} == {
        seat: [card] for seat, card in DEALT.items()
    }
    assert GAME.private_view(state, 5) == {"hand": []}


def test_one_after_another_and_the_highest_wins():
    state, _ = play(started(), 2)
    assert GAME.public_view(state)["players"] == {
        "2": {"card": DEALT[2]},
        "0": {"card": None},
        "1": {"card": None},
    }
    state, happened = play(state, 0)
    assert happened == [{"kind": "turned_up", "seat": 0, "card": DEALT[0]}]
    assert GAME.result(state) is None
    state, happened = play(state, 1)
    assert happened == [
        {"kind": "turned_up", "seat": 1, "card": DEALT[1]},
        {"kind": "deal_over", "winners": [2], "points": {"2": 0, "1": 10, "0": 10}},
    ]
    result = GAME.result(state)
    assert result is not None
    assert (result.winners, result.shares) == ((2,), {2: 1})
    assert (result.ranks, result.scores) == ({2: 1, 1: 2, 0: 3}, {2: 11, 1: 5, 0: 4})
    assert result.next_order == (2, 0, 1)
    shown = GAME.public_view(state)
    assert (shown["phase"], shown["turn"], shown["due_at"]) == ("over", None, None)
    assert shown["result"] == {"winners": [2]}


def test_what_may_be_played():
    state = started()
    assert GAME.legal(state, 2) == (UP, LEAVE)
    assert GAME.legal(state, 0) == (LEAVE,)
    assert GAME.legal_view(state, 2) == [UP, LEAVE]
    assert refused(state, 0, UP) == "not_your_turn"
    gone, _ = play(state, 0, LEAVE)
    assert GAME.legal(gone, 0) == ()
    assert refused(gone, 0, LEAVE) == "not_your_turn"
    over = gone
    for seat in (2, 1):
        over, _ = play(over, seat)
    assert [GAME.legal(over, seat) for seat in (2, 0, 1)] == [(), (), ()]


def test_who_leaves_is_passed_over_and_loses():
    state, happened = play(started(), 2, LEAVE)
    assert happened == [{"kind": "left", "seat": 2}]
    assert GAME.acting(state) == (0,)
    state, _ = play(state, 0)
    state, _ = play(state, 1)
    result = GAME.result(state)
    assert result is not None
    assert (result.ranks[2], result.scores[2], result.points[2]) == (3, 0, 10)


def test_the_last_one_may_leave_and_ends_the_match():
    state, _ = play(started((4, 3)), 4)
    state, happened = play(state, 3, LEAVE)
    assert [event["kind"] for event in happened] == ["left", "deal_over"]
    assert happened[1]["points"] == {"4": 0, "3": 10}


def test_every_turn_has_its_time_and_silence_plays_the_first_move():
    state = started()
    assert GAME.deadline(state) == NOW + TURN_MS
    state, _ = play(state, 2, after=7_000)
    assert GAME.deadline(state) == NOW + 7_000 + TURN_MS
    later = GAME.postpone(state, by_ms=500)
    assert GAME.deadline(later) == NOW + 7_500 + TURN_MS
    state, happened = GAME.expire(later, now=NOW + 7_500 + TURN_MS, seed=SEED)
    assert [event.json() for event in happened] == [
        {"kind": "turned_up", "seat": 0, "card": DEALT[0]}
    ]
    state, _ = play(state, 1)
    assert GAME.deadline(state) is None


@pytest.mark.parametrize("data", [None, [], "turn_up", {}, {"kind": "draw"}, {**UP, "card": "7H"}])
def test_what_is_no_move(data):
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse_move(data)
    assert refusal.value.code == "malformed_move"


def test_a_move_survives_the_wire():
    for move in (UP, LEAVE):
        assert GAME.move_json(GAME.parse_move(json.loads(json.dumps(move)))) == move


def test_rules_are_the_names_of_the_formats():
    assert GAME.presets() == ("points", "pot")
    assert GAME.preset("pot") == {"name": "pot"}
    assert GAME.rules_json(GAME.parse_rules({"name": "pot"})) == {"name": "pot"}
    assert [GAME.format_of({"name": name}) for name in ("pot", "points", "house")] == [
        *("POT", "POINTS", "POINTS"),
    ]
    assert GAME.title_of(POINTS) == HighestCard.title
    assert GAME.for_event({"name": "pot"}, deals=1, qualifiers=2) == {
        "name": "pot",
        "qualifiers": 2,
    }
    with pytest.raises(InvalidRules, match="no rule set 'whist'"):
        GAME.preset("whist")
    with pytest.raises(InvalidRules, match="an object"):
        GAME.parse_rules(["points"])


def test_bots_play_what_silence_plays():
    view = {"public": GAME.public_view(started()), "you": GAME.private_view(started(), 2)}
    for strength in STRENGTHS:
        assert GAME.choose(view, 2, strength=strength, rng=random.Random(0)) == UP


@pytest.mark.parametrize(
    "asked",
    [
        lambda game: game.dealt((0, 1), SEED),
        lambda game: game.waits_for({}),
        lambda game: game.moved({}, 0, UP),
        lambda game: game.ended({}),
        lambda game: game.shown({}),
    ],
    ids=["dealt", "waits_for", "moved", "ended", "shown"],
)
def test_what_makes_the_game_has_to_be_said(asked):
    with pytest.raises(NotImplementedError):
        asked(PlainGame())
