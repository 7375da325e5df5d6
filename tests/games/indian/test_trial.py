"""The solver that tries every way to lay a hand, compared with the exhaustive search of the tests."""

import random

import pytest

from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.scoring import hand_points
from games.indian.rules.solver.trial import find_best_laying
from tests.games.indian.exhaustive import can_declare, search_least, search_least_of_fourteen
from tests.games.indian.hands import deal_hand
from tests.games.values import replace
from tests.given import require

RULES = {
    "free": replace(POINTS, max_points=500),
    "counted": replace(PRESETS["junglee-points"], max_points=500),
    "strict": replace(POINTS, wild_twins=False),
}


@pytest.mark.parametrize("name", RULES)
def test_thirteen_cards_are_laid_at_their_least_count(name):
    rng = random.Random(f"trial {name}")
    for kind in ("one_pure_sequence", "nearly_all_melds"):
        hand, wild_rank = deal_hand(kind, rng, 13)
        laying = find_best_laying(hand, wild_rank, RULES[name], discards=False)
        groups = (*laying.groups, laying.loose)
        assert laying.discard is None
        assert sorted(card for group in groups for card in group) == sorted(hand)
        expected = search_least(hand, wild_rank, RULES[name])
        assert hand_points(groups, wild_rank, RULES[name]) == expected, hand
        assert can_declare(hand, wild_rank, RULES[name]) is (not laying.loose and expected == 0)


@pytest.mark.parametrize("name", ["free", "counted"])
def test_fourteen_cards_are_laid_after_the_best_discard(name):
    hand, wild_rank = deal_hand("one_pure_sequence", random.Random(f"discard {name}"), 14)
    laying = find_best_laying(hand, wild_rank, RULES[name], discards=True)
    groups = (*laying.groups, laying.loose)
    assert sorted(
        [require(laying.discard), *(card for group in groups for card in group)]
    ) == sorted(hand)
    expected = search_least_of_fourteen(hand, wild_rank, RULES[name])
    assert hand_points(groups, wild_rank, RULES[name]) == expected, hand
