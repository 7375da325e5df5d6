"""The rule sets of each game: contradictory rules, names, bounds, and the largest loss in a deal."""

from typing import Any

import pytest

from games.engine.base import InvalidRules
from games.engine.rules import RuleBook
from games.engine.state import Value
from games.indian.rules.ruleset import PRESETS
from tests.games.driving import GAMES, NOW, SEED
from tests.games.values import replace

REFUSED: dict[str, list[tuple[dict[str, Any], str]]] = {
    "indian": [
        ({"packs": 1}, "."),
        ({"packs": 5}, "too large"),
        ({"packs_for_two": 0}, "."),
        ({"max_set_size": 2}, "too small"),
        ({"first_drop": -1}, "too small"),
        ({"joker_only_melds": "run"}, "no value for joker_only_melds"),
        ({"wrong_declaration_counts": 80}, "no value for wrong_declaration_counts"),
        ({"split_began": True}, "no value for split_began"),
        ({"split_rest": -1}, "too small"),
        ({"equal_split": None}, "no value for equal_split"),
        ({"deals": None, "name": "deals2"}, "."),
        ({"deals": 2, "elimination_score": 101}, "."),
        # R5.2, R8.2: a pool ends, and whoever rejoins is in it.
        *[({"name": "pool101", drop: 0}, "never end") for drop in ("first_drop", "middle_drop")],
        ({"name": "pool101", "rejoin_score": 100}, "out at once"),
        ({"name": "pool101", "elimination_score": 80}, "out at once"),
        ({"name": "pool101", "rejoin_score": 101, "elimination_inclusive": False}, "out at once"),
        ({"name": "deals2", "qualifiers": 0}, "too small"),
        ({"name": "points", "qualifiers": 1}, "."),
        # R9.1: otherwise all are level for ever.
        ({"name": "points", "deals": 2}, "Chips decide"),
        ({"name": "deals2", "chips_per_deal": 0}, "Chips decide"),
        # R10.11: stakes in chips.
        ({"name": "deals2", "point_chips": 0}, "too small"),
        *[({"name": "deals2", "stacks": s}, ".") for s in ([1], [1, -1], ["1", 2], 80, [1] * 7)],
        *[({"name": name, "point_chips": 2}, ".") for name in ("points", "pool101")],
        *[({"name": name, "stacks": [80, 80]}, ".") for name in ("points", "pool101")],
    ],
    "gin": [
        ({"target": 0}, "too small"),
        ({"wall": 31}, "too large"),
        ({"deals": 2}, "one scored deal"),
        ({"deals": None}, "one scored deal"),
        ({"qualifiers": 1}, "one scored deal"),
        ({"name": "game100", "qualifiers": 2}, "too large"),
    ],
    "basic": [
        ({"rummy_factor": 0}, "too small"),
        ({"melds_a_turn": 0}, "too small"),
        *[({"hand_sizes": s}, "no value for hand_sizes") for s in (7, [7, 7], [11, 7, 7, 6, 6])],
        ({"hand_sizes": [10, 7, 7, 6, "6"]}, "no value for hand_sizes"),
        ({"hand_sizes": [10, 7, 7, 6, 8]}, "too few for 6 players"),
        ({"deals": None}, "one deal"),
        ({"qualifiers": 1}, "one deal"),
    ],
    "contract": [
        *[
            ({"contracts": c}, "no value for contracts")
            for c in [7, [["set", "luck"]], [[]], list[str]()]
        ],
        ({"hand_sizes": [10]}, "a number of cards for each contract"),
        *[({"hand_sizes": sizes}, "no value for hand_sizes") for sizes in (["10"] * 7, 10)],
        ({"packs": [2, 2]}, "no value for packs"),
        (
            {
                "deals": 7,
                "contracts": [["set"]] * 6,
                "hand_sizes": [10] * 6,
                "whole_hand_last": False,
            },
            "a contract for each deal",
        ),
        ({"min_set": 2}, "too small"),
        ({"min_naturals_run": 5}, "No meld has so many"),
        ({"hand_sizes": [5, 10, 10, 10, 12, 12, 12]}, "too few for the contract of deal 1"),
        ({"contracts": [["set", "set"]], "hand_sizes": [10], "deals": 1}, "of runs alone"),
        ({"per_point": True}, "paid by points"),
    ],
    "five_hundred": [
        # F13: scores may fall for ever, so that a target alone ends no match.
        ({"name": "race500", "deals": None}, "no value for deals"),
        ({"name": "race500", "deals": 51}, "too large"),
    ],
    "rummikub": [
        ({"deals": 0}, "too small"),
        ({"max_points": 0}, "too small"),
        ({"overtime_tiles": 11}, "too large"),
        ({"rack_size": 21}, "too large"),
        ({"name": "session4", "qualifiers": 4}, "Not all of a table"),
    ],
}


@pytest.mark.parametrize(
    ("code", "data", "words"),
    [(code, data, words) for code, cases in REFUSED.items() for data, words in cases],
)
def test_invalid_rule_sets_are_refused(code, data, words):
    with pytest.raises(InvalidRules, match=words):
        GAMES[code].rules.parse(data)


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("gin", {"wall": 30}),
        ("gin", {"wall": 0}),
        ("indian", {"name": "pool101", "rejoin_score": 99}),
        ("indian", {"name": "pool101", "rejoin_score": 100, "elimination_inclusive": False}),
        ("rummikub", {"rack_size": 20}),
    ],
)
def test_extreme_rule_sets_are_valid(code, data):
    rules = GAMES[code].rules
    assert rules.json(rules.parse(data)).items() >= data.items()


# --- Bounds.


@pytest.mark.parametrize("code", GAMES)
def test_each_number_has_bounds_that_hold(code):
    rules = GAMES[code].rules
    bounded = {name: kind for name, kind in rules.field_types().items() if kind.kind == "number"}
    assert bounded
    for name, kind in bounded.items():
        for value in (kind.least - 1, kind.most + 1):
            with pytest.raises(InvalidRules, match="too small or too large"):
                rules.change(rules.usual, **{name: value})
        # Only times may be large, for slow games.
        assert kind.most <= 1_000 or name.endswith(("_seconds", "_minutes"))


def test_a_rule_without_bounds_is_refused_when_its_game_is_put_together():
    class Boundless(Value, kw_only=True):
        name: str = "usual"
        tiles: int = 1

    class Endless(Value, kw_only=True):
        name: str = "usual"
        sizes: tuple[int, ...] = ()

    for kind in (Boundless, Endless):
        with pytest.raises(TypeError):
            RuleBook(kind(), check=lambda _rules: None)


def test_a_number_stored_beyond_its_bounds_is_read_as_the_nearest():
    rules = GAMES["rummikub"].rules
    stored = {"name": "sabra30", "overtime_tiles": 10_000, "turn_seconds": 1}
    with pytest.raises(InvalidRules):
        rules.parse(stored)
    read = rules.load(stored)
    assert (read.overtime_tiles, read.turn_seconds, read.initial_meld) == (10, 5, 30)
    wrong: tuple[Any, ...] = ({"overtime_tiles": "1"}, {"luck": 1}, [])
    for unreadable in wrong:
        with pytest.raises(InvalidRules):
            rules.load(unreadable)


@pytest.mark.parametrize(
    ("code", "preset", "title", "values"),
    [
        ("indian", "points", "Points", {}),
        ("indian", "lesson", "Points", {}),
        ("indian", "pool101", "Pool %(score)s", {"score": 101}),
        ("indian", "deals3", "Best of %(deals)s", {"deals": 3}),
        ("indian", "junglee-pool61", "Pool %(score)s, rules of %(site)s",
         {"score": 61, "site": "Junglee Rummy"}),
        ("indian", "totalrummy-deals3", "Best of %(deals)s, rules of %(site)s",
         {"deals": 3, "site": "Total Rummy"}),
        ("indian", "rummycircle-points", "Points, rules of %(site)s", {"site": "RummyCircle"}),
        ("gin", "points", "Points gin", {}),
        ("gin", "oklahoma", "Oklahoma gin", {}),
        ("gin", "game100", "Gin to %(target)s", {"target": 100}),
        ("gin", "classic", "Classic points gin", {}),
        ("gin", "classic100", "Classic gin to %(target)s", {"target": 100}),
        ("rummikub", "points", "Points Rummikub", {}),
        ("rummikub", "sabra30", "Rummikub, %(points)s points to begin", {"points": 30}),
        ("rummikub", "modern", "Modern Rummikub", {}),
        ("rummikub", "session4", "Rummikub, %(deals)s deals", {"deals": 4}),
        ("rummikub", "tournament", "Tournament Rummikub, %(deals)s deals", {"deals": 4}),
    ],
)  # fmt: skip
def test_the_title_of_a_preset(code, preset, title, values):
    found = GAMES[code].money.format_title(GAMES[code].rules.preset(preset))
    assert (found.message, found.values) == (title, values)


@pytest.mark.parametrize("code", ["basic", "contract"])
def test_titles_distinguish_presets(code):
    rules = [preset for name, preset in GAMES[code].rules.presets.items() if name != "lesson"]
    assert len({GAMES[code].money.format_title(one).message for one in rules}) >= len(rules) - 1


@pytest.mark.parametrize(
    ("code", "changes", "most"),
    [
        ("indian", {"name": "points"}, 80),
        ("indian", {"name": "pool61"}, 60),
        ("indian", {"first_drop": 100}, 100),
        ("indian", {"second_valid_points": 90}, 90),
        ("five_hundred", {"max_points": None}, 2 * 4 * (44 + 40 + 15)),
        ("five_hundred", {"max_points": None, "low_ace_points": 100}, 2 * 4 * (44 + 40 + 100)),
        (
            "five_hundred",
            {
                "max_points": None,
                "packs": [2, 1, 1, 2, 2, 2, 1],
                "hand_sizes": [13, 7, 7, 7, 7, 7, 5],
            },
            2 * 4 * (44 + 40 + 15),
        ),
        ("gin", {"name": "points"}, 129),
        ("gin", {"name": "classic"}, 118),
        ("gin", {"name": "oklahoma"}, 258),
        ("basic", {"max_points": 150}, 150),
        ("basic", {"rummy_factor": 1, "leave_points": 120}, 120),
        ("contract", {"name": "single"}, 150),
        ("contract", {"name": "contract"}, 19 * 25),
        ("contract", {"name": "no_buying"}, 13 * 25),
        ("rummikub", {"name": "points"}, 200),
        ("rummikub", {"max_points": None}, 8 * 91 + 60),
    ],
)
def test_the_largest_loss_of_a_deal(code, changes, most):
    assert GAMES[code].money.largest_loss(GAMES[code].rules.parse(changes)) == most


@pytest.mark.parametrize(
    ("code", "preset", "deals", "qualifiers"),
    [("indian", "points", 0, 2), ("indian", "pool101", 3, 0), ("indian", "deals2", 0, 2),
     ("gin", "points", 1, 1), ("gin", "game100", 2, 2), ("gin", "game100", 0, 1),
     ("basic", "points", 3, 2), ("contract", "single", 1, 1), ("rummikub", "points", 2, 1)],
)  # fmt: skip
def test_invalid_terms_of_an_event_are_refused(code, preset, deals, qualifiers):
    rules = GAMES[code].rules.preset(preset)
    with pytest.raises(InvalidRules):
        GAMES[code].money.adapt_to_event(rules, deals=deals, qualifiers=qualifiers)


@pytest.mark.parametrize(
    ("code", "preset", "deals", "start"),
    [("indian", "deals2", 3, 240), ("indian", "points", None, 0),
     ("rummikub", "session4", 1, 200), ("rummikub", "points", None, 0)],
)  # fmt: skip
def test_chips_at_the_start_of_an_event(code, preset, deals, start):
    money, rules = GAMES[code].money, GAMES[code].rules.preset(preset)
    event = rules if deals is None else money.adapt_to_event(rules, deals=deals, qualifiers=1)
    assert money.event_start(event) == start


def test_an_event_of_contract_rummy_has_seven_contracts_at_most():
    money, rules = GAMES["contract"].money, GAMES["contract"].rules.usual
    assert money.adapt_to_event(rules, deals=9, qualifiers=1).deals == 7


# --- Indian rummy.


def test_presets_follow_the_deviations_of_their_sites():
    junglee, total = PRESETS["junglee-pool101"], PRESETS["totalrummy-pool101"]
    assert junglee.wrong_declaration_counts == "hand"  # R3.4
    assert total.joker_only_melds == "none"  # R2.6
    assert (total.split_began, total.equal_split) == ("any", "agreed")  # R8.4, R8.6
    assert PRESETS["totalrummy-points"].equal_split == "forced"  # there is nothing to split


def test_r1_2_packs_by_table_size():
    assert [PRESETS["points"].packs_at(seats) for seats in range(2, 7)] == [2] * 5
    assert [PRESETS["junglee-points"].packs_at(seats) for seats in range(2, 7)] == [1, 2, 2, 2, 2]
    rules = replace(PRESETS["points"], packs=1)
    with pytest.raises(InvalidRules):
        GAMES["indian"].core.start(
            rules=rules, seats=tuple(range(6)), toss=False, seed=SEED, now=NOW
        )
