"""The best lay: compared with the exhaustive search, and in positions that are easy to get wrong."""

import random

import pytest

from games.rummikub.game import GAME
from games.rummikub.rules import laying
from games.rummikub.rules.laying import (
    STEPS,
    Stand,
    find_best_lay,
    judge_table,
    lay_without_moving,
)
from games.rummikub.rules.melds import DECK, JOKER
from games.rummikub.rules.ruleset import POINTS, PRESETS, RULES
from games.rummikub.rules.solver import StepBudget
from tests.effort import share_of
from tests.games.driving import NOW, SEED
from tests.games.rummikub.exhaustive import find_difference, position
from tests.games.rummikub.scenes import Tiles, act, rack, refuse, scene, with_rules

POSITIONS = share_of(60)


def stand(table, rack, *, opened=True, rules=POINTS):
    tiles = Tiles()
    return Stand(tiles.melds(table), tuple(sorted(tiles.cards(rack))), opened, rules)


def worth(table, rack, **fields):
    best = find_best_lay(stand(table, rack, **fields))
    return (0, 0) if best is None else best.worth


@pytest.mark.parametrize("tenth", range(10))
def test_nothing_better_is_found_by_trying_everything(tenth):
    compared = 0
    for number in range(tenth, POSITIONS, 10):
        assert find_difference(position(random.Random(f"7/{number}"))) is None, number
        compared += 1
    assert compared == POSITIONS // 10


@pytest.mark.parametrize(
    ("table", "rack", "expected"),
    [
        ("", "5H 6H 7H", (3, 18)),
        ("", "5H 6H", (0, 0)),
        ("5H 6H 7H", "8H 9H 2C", (2, 17)),
        ("5S 5H 5D 5C|7D 8D 9D TD", "4D 6D 2C", (2, 10)),
        ("3H 4H 5H 6H 7H", "5H", (1, 5)),
        ("4S 4H 4D|4S 4H 4C", "4D 4C", (2, 8)),
        # Eight tiles of one number and a joker form three groups.
        ("", "4S 4H 4D 4C 4S 4H 4D 4C PJ", (9, 36)),
        # The joker counts most if the two runs are split.
        ("", "9H TH JH QH KH 9H TH JH QH KH PJ", (11, 121)),
        # Melds with a joker can grow at both ends, even by tiles that form no meld of their own.
        ("4H PJ=5H 6H", "3H 7H 2H 2C", (3, 12)),
        ("4H PJ=5H 6H|7H 8H 9H TH", "JH", (1, 11)),
        ("4H PJ=4D 4S", "4C 4D", (1, 4)),
        # A freed joker needs two more tiles, one of which may come from another meld.
        ("5H PJ=6H 7H|9C TC JC QC", "6H KC KS 2C", (3, 32)),
        ("PJ=2D 3D 4D|7S 8S 9S", "2D 5S AC", (0, 0)),
        ("PJ=2D 3D 4D|6S 7S 8S 9S", "2D 5S AS", (1, 5)),
        # Of a meld's two jokers, one is freed; or both, into separate melds or into the same one.
        ("4H PJ=5H PJ=6H 7H", "5H KS KH 2C", (3, 31)),
        ("4H PJ=5H PJ=6H 7H", "5H 6H KS KH QD QC 2C", (6, 61)),
        ("4H PJ=5H PJ=6H 7H", "5H 6H KS KH 2C", (4, 37)),
        # Two new melds cannot have the same tile.
        ("4H PJ=5H PJ=6H 7H", "5H 6H KS KH KD 2C", (4, 45)),
    ],
)
def test_most_tiles_and_then_most_points(table, rack, expected):
    assert worth(table, rack) == expected


def test_a_joker_that_has_to_stay_is_worth_nothing():
    assert worth("4H 5H PJ=6H", "6H 2C", rules=PRESETS["modern"]) == (1, 6)
    assert worth("4S 4D 4C PJ=4H", "4H 9D", rules=PRESETS["modern"]) == (0, 0)


def test_a_joker_that_may_move_lies_on_the_table_at_the_end():
    modern = PRESETS["modern"]
    assert worth("4S 4D 4C PJ=4H|5S 6S 7S", "4H 9D", rules=modern) == (1, 4)
    assert worth("4S 4D 4C PJ=4H|7S 8S PJ=9S", "4H 9S", rules=modern) == (2, 13)


def test_k10_by_the_anywhere_rule_a_tile_of_the_table_frees_a_joker():
    table, rack = "4H PJ=5H 6H|5S 5H 5D 5C", "KS KD 2C"
    assert worth(table, rack) == (0, 0)
    assert worth(table, rack, rules=RULES.parse({"swap_from": "anywhere"})) == (2, 26)


def test_k7_the_initial_meld():
    assert worth("", "KS KH KD", opened=False) == (0, 0)
    assert worth("", "KS KH KD 4S 4H 4D", opened=False) == (6, 51)
    assert worth("5H 6H 7H", "KS KH KD 4S 4H 4D 8H", opened=False) == (7, 59)
    untouched = RULES.parse({"open_then_play": False})
    assert worth("5H 6H 7H", "KS KH KD 4S 4H 4D 8H", opened=False, rules=untouched) == (6, 51)
    # Laying the most tiles would not reach the initial meld.
    few = RULES.parse({"initial_meld": 30})
    assert worth("TD JD QD", "KD KS KH KC", opened=False, rules=few) == (4, 52)


def test_a_lay_moves_no_tile_without_need():
    lying = stand("3H 4H 5H|6H 7H 8H", "9H")
    best = find_best_lay(lying)
    assert best is not None
    assert [len(meld.cards) for meld in best.table] == [3, 4]
    still = lay_without_moving(lying)
    assert still is not None
    assert still.table == best.table


def test_a_rack_of_many_tiles_is_answered_soon():
    rack = " ".join(f"{rank}{suit}" for rank in "A3579JK" for suit in "SHDC") + " PJ PJ"
    best = find_best_lay(stand("5H 6H 7H", rack, opened=False))
    assert best is not None
    assert best.tiles >= 28


# --- The budget of a question.


@pytest.fixture
def steps(monkeypatch):
    """The step budgets of the questions asked in the test, in order."""
    budgets = []

    class Noted(StepBudget):
        def __init__(self, steps: int) -> None:
            super().__init__(steps)
            budgets.append(self)

    monkeypatch.setattr(laying, "StepBudget", Noted)
    find_best_lay.cache_clear()
    yield budgets
    find_best_lay.cache_clear()


def deal_large_rack(size, name):
    jokers = [card for card in DECK if card.face == JOKER]
    others = random.Random(name).sample([card for card in DECK if card.face != JOKER], size - 2)
    return tuple(sorted((*jokers, *others)))


@pytest.mark.parametrize("preset", ["points", "modern"])
@pytest.mark.parametrize("opened", [True, False])
@pytest.mark.parametrize("size", [30, 60, 92])
def test_no_rack_takes_more_than_its_steps(steps, size, opened, preset):
    whole = Stand((), deal_large_rack(size, preset), opened, PRESETS[preset])
    best = find_best_lay(whole)
    [budget] = steps
    # The solver's last call may exceed the budget a little, with only the most promising states.
    assert STEPS - budget.left <= 1.2 * STEPS
    assert best is not None
    assert judge_table(whole, best.table).refusal is None
    # Little is missed: nearly all tiles of a large rack are laid.
    assert best.tiles >= {30: 10, 60: 55, 92: 91}[size]


def test_the_same_question_has_the_same_answer_when_its_steps_run_out(steps):
    whole = Stand((), deal_large_rack(74, "same"), True, POINTS)
    first = find_best_lay(whole)
    find_best_lay.cache_clear()
    assert find_best_lay(whole) == first
    assert [budget.left for budget in steps] == [steps[0].left] * 2


@pytest.mark.parametrize("open_then_play", [False, True])
def test_k7_without_an_initial_meld_the_offered_lay_uses_the_rack(open_then_play):
    """K5: a player without a lay may draw, even where one must play."""
    rules = {"initial_meld": 0, "must_play": True, "open_then_play": open_then_play}
    for tiles, can_lay in (("KC KS 2C", False), ("8H KS 2C", open_then_play), ("KC KS KH", True)):
        match = with_rules(scene(tiles, table="5H 6H 7H", opened=False), **rules)
        legal = GAME.core.list_legal(match, 0)
        assert ({"lay", "draw"} & {move.kind for move in legal}) == {"lay" if can_lay else "draw"}
        for move in legal:
            GAME.core.play(match, 0, move, now=NOW, seed=SEED)


def test_k5_a_player_whose_lay_is_not_found_within_the_steps_may_draw(monkeypatch):
    # The only lay frees a joker, which is looked for last.
    match = with_rules(scene("6H KC KS 2C", table="5H PJ=6H 7H"), must_play=True)
    find_best_lay.cache_clear()
    assert refuse(match, 0, "draw") == "must_play"
    monkeypatch.setattr(laying, "STEPS", 1)
    find_best_lay.cache_clear()
    assert rack(act(match, 0, "draw"), 0) != rack(match, 0)
    find_best_lay.cache_clear()
