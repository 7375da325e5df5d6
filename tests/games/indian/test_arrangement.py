"""The solver compared with published counts and with an exhaustive search."""

import random
import sys
from collections.abc import Callable
from functools import partial

import pytest

from games.cards import Card
from games.indian.rules.melds import judge
from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.scoring import hand_points
from games.indian.rules.solver import setplans, suitplans
from games.indian.rules.solver.arrangement import arrange, arrange_fourteen
from tests.effort import sample_of, share_of
from tests.games.indian.exhaustive import (
    can_declare,
    can_finish,
    search_least,
    search_least_of_fourteen,
)
from tests.games.indian.hands import KINDS, deal_hand, list_one_suit_hands
from tests.games.values import replace
from tests.games.vectors import cards, wild

STRICT = replace(POINTS, wild_twins=False)
# About 5 ms, at 20 lines in a microsecond. bench/solver.py measures the time itself.
MOST_LINES = 100_000


def solve(hand, wild_rank, rules=POINTS):
    """Arrange the hand. Check that the groups hold exactly the hand and that their count is right."""
    found = (arrange if len(hand) == 13 else arrange_fourteen)(hand, wild_rank, rules)
    laid = [card for group in found.all_groups for card in group]
    given_away = [] if found.discard is None else [found.discard]
    assert sorted(laid + given_away) == sorted(hand)
    assert hand_points(found.all_groups, wild_rank, rules) == found.points
    assert judge(found.all_groups, wild_rank, rules).valid is found.declarable
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("size", "least", "hands"),
    [(13, search_least, sample_of(140)), (14, search_least_of_fourteen, sample_of(50))],
)
def test_a_hand_counts_as_little_as_an_exhaustive_search_finds(kind, size, least, hands):
    rng = random.Random(f"{size} {kind}")
    for _ in range(hands):
        hand, wild_rank = deal_hand(kind, rng, size)
        assert solve(hand, wild_rank).points == least(hand, wild_rank, POINTS), (hand, wild_rank)


@pytest.mark.parametrize(
    "rules",
    [
        replace(POINTS, max_set_size=3),
        replace(POINTS, max_set_size=4, max_points=500),
        PRESETS["junglee-points"],
        PRESETS["pool61"],
        replace(POINTS, joker_only_melds="set", max_points=500),
        replace(POINTS, joker_only_melds="none", max_points=500),
        replace(PRESETS["junglee-points"], joker_only_melds="set"),
        replace(PRESETS["junglee-points"], joker_only_melds="none"),
        replace(STRICT, joker_only_melds="none", lone_pure_sequence="counted"),
    ],
    ids=lambda rules: f"{rules.name} {rules.max_set_size} {rules.joker_only_melds}",
)
def test_other_rules_give_other_arrangements(rules):
    rng = random.Random(f"rules {rules.name} {rules.max_set_size} {rules.max_points}")
    for kind in KINDS:
        for size, least in ((13, search_least), (14, search_least_of_fourteen)):
            for _ in range(sample_of(5)):
                hand, wild_rank = deal_hand(kind, rng, size)
                expected = least(hand, wild_rank, rules)
                assert solve(hand, wild_rank, rules).points == expected, (hand, wild_rank)


@pytest.mark.parametrize("name", ["points", "junglee-points"])
@pytest.mark.parametrize("jokers_are", ["sequence", "set", "none"])
def test_r2_6_a_pure_sequence_beside_jokers_alone(name, jokers_are):
    """Beside one pure sequence, only a group of jokers could be the second sequence."""
    rules = replace(PRESETS[name], joker_only_melds=jokers_are, max_set_size=None)
    texts = (
        "2H 3H 4H KD 9S 9D 9C 9H 9S PJ PJ PJ PJ",
        "2H 3H 4H PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ",
        "8H 9H TH 9S 9D 9C 9H 9S PJ PJ PJ PJ PJ",
        "2H 3H 4H 9S 9D 9C 9H 9S PJ PJ PJ PJ PJ",
    )
    for text in texts[: share_of(len(texts))]:
        hand, wild_rank = cards(text), wild("9D")
        found = solve(hand, wild_rank, rules)
        assert found.points == search_least(hand, wild_rank, rules)
        assert found.declarable is can_declare(hand, wild_rank, rules)


@pytest.mark.parametrize(
    ("hand", "indicator", "points", "declarable"),
    [
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", None, 0, True),
        ("2H 3H 4H PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ", None, 0, False),
        ("2H 3H 4H 5H PJ PJ PJ PJ PJ PJ PJ PJ PJ", None, 0, True),
        ("2H 3H 4H 9S 9D 9C 9H 9S PJ PJ PJ PJ PJ", "9D", 0, True),
        ("PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ", None, 0, False),
        ("2H 4H 6H 8H TH QH AS 3S 5S 7S 9S JS KS", None, 80, False),
        # The only pure sequence has the wild nine in its own place.
        ("8H 9H TH 2S 3S PJ 4C 4D 4S 6C 6D 6S 9C", "9D", 0, True),
        ("8H 9H TH 2S KS QC 4C 3D 7S 6C 5D JS 9C", "9D", 37, False),
    ],
)
def test_a_hand_at_the_edge_of_a_declaration(hand, indicator, points, declarable):
    found = solve(cards(hand), wild(indicator))
    assert (found.points, found.declarable) == (points, declarable)


@pytest.mark.parametrize(
    ("hand", "indicator", "points"),
    [
        # R2.6: jokers alone are the second sequence.
        ("2H 3H 4H 9S 9D 9C 9H 9S PJ PJ PJ PJ PJ", "9D", 0),
        ("2H 3H 4H PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ", None, 9),
        # R6.3: a lone pure sequence is not worth laying.
        ("2H 3H 4H KS QD JC 9S 8D 7C 6S 5D TC 2C", None, 86),
    ],
)
def test_hands_are_arranged_by_rules_that_count_a_lone_pure_sequence(hand, indicator, points):
    rules = replace(PRESETS["junglee-points"], max_points=500)
    found = solve(cards(hand), wild(indicator), rules)
    assert (found.points, found.declarable) == (points, points == 0)


@pytest.mark.parametrize(
    ("hand", "discard"),
    [
        ("2H 3H 4H 5H 5C 6C 7C KS KD KC 9S 9D 9H QS", "QS.0"),
        ("2H 3H 4H 5H 5C 6C 7C KS KD KC 9S 9D 9H PJ", "PJ.0"),
        ("2H 3H 4H 5H 5C 6C 7C 8C KS KD KC 9S 9D 9H", None),
        # Discarding a four, to keep only the picture sequence, would count more.
        ("JH QH KH 2S 3S 4S PJ PJ PJ PJ PJ PJ PJ PJ", None),
    ],
)
def test_r3_2_a_card_is_given_away_without_spoiling_the_declaration(hand, discard):
    found = solve(cards(hand), None)
    assert found.declarable
    assert discard is None or str(found.discard) == discard


@pytest.mark.parametrize("rules", [POINTS, STRICT], ids=["usual", "no twins"])
def test_r3_1_a_hand_is_declarable_exactly_if_some_laying_is_valid(rules):
    rng = random.Random("declarable")
    declarable = 0
    for _ in range(12):
        hand, wild_rank = deal_hand("nearly_all_melds", rng, 13)
        found = solve(hand, wild_rank, rules)
        assert found.declarable is can_declare(hand, wild_rank, rules), (hand, wild_rank)
        declarable += found.declarable
    assert 2 <= declarable <= 10


def test_r3_2_fourteen_cards_can_finish_exactly_if_some_laying_is_valid():
    rng = random.Random("finish")
    hand, wild_rank = deal_hand("nearly_all_melds", rng, 14)
    assert solve(hand, wild_rank).declarable is can_finish(hand, wild_rank, POINTS)


@pytest.mark.parametrize(
    ("hand", "points", "declarable"),
    [
        # Both queens of hearts are needed, each in a group of its own.
        ("2S 3S 4S 6H 7H QH 9D TD QH KS KD KC KH", 0, True),
        # The two jokers that the five of clubs needs have the same face.
        ("2S 3S 4S 6S 7S 8S 9S 5C QH QH KS KD KC", 5, False),
        ("2S 3S 4S 6S 7S 8S 9S 5C QH QD KS KD KC", 0, True),
        # Nothing counts, although not every queen fits into a group.
        ("2S 3S 4S 5S 6S 7S 8S 9S TS QH QH QH QH", 0, False),
    ],
)
def test_r2_5_equal_wild_cards_may_be_kept_apart(hand, points, declarable):
    found = solve(cards(hand), wild("QC"), STRICT)
    assert (found.points, found.declarable) == (points, declarable)
    assert found.points == search_least(cards(hand), wild("QC"), STRICT)
    assert found.declarable is can_declare(cards(hand), wild("QC"), STRICT)


@pytest.mark.parametrize("lone", ["free", "counted"])
def test_r2_5_hands_without_wild_twins_count_as_an_exhaustive_search_finds(lone):
    rng = random.Random(f"twins {lone}")
    rules = replace(STRICT, lone_pure_sequence=lone)
    for size, least in ((13, search_least), (13, search_least), (14, search_least_of_fourteen)):
        hand = deal_twins(rng, size)
        expected = least(hand, wild("QC"), rules)
        assert solve(hand, wild("QC"), rules).points == expected, hand


def deal_twins(rng, size):
    """Deal two or three equal wild queens and other cards without jokers."""
    queens = [Card.of(cards("QH")[0].face, pack) for pack in range(rng.choice([2, 3]))]
    others = [
        Card.of(suit * 13 + rank - 1) for suit in range(2) for rank in range(1, 14) if rank != 12
    ]
    return queens + rng.sample(others, size - len(queens))


def test_full_lookup_tables_are_cleared(monkeypatch):
    monkeypatch.setattr(suitplans, "_MOST_SUITS", 5)
    monkeypatch.setattr(setplans, "_MOST_RANKS", 1)
    rng = random.Random("full")
    forget_everything()
    for kind in KINDS:
        hand, wild_rank = deal_hand(kind, rng, 13)
        assert solve(hand, wild_rank).points == search_least(hand, wild_rank, POINTS), hand
        tables = [suitplans.get_suit_table(jokers, False) for jokers in range(7)]
        assert all(len(table) <= 5 for table in tables)
    forget_everything()


@pytest.mark.skipif(sys.gettrace() is not None, reason="counting needs the tracer for itself")
def test_no_hand_takes_long_even_with_empty_tables():
    counts = []
    for hand, wild_rank in list_one_suit_hands():
        forget_everything()
        counts.append(count_lines(partial(arrange_fourteen, hand, wild_rank, POINTS)))
    assert len(counts) == 56
    assert max(counts) < MOST_LINES


def forget_everything():
    suitplans.get_suit_table.cache_clear()
    setplans.get_rank_table.cache_clear()


def count_lines(work: Callable[[], object]) -> int:
    """Return the number of lines that the work executes. Unlike its time, it is the same in every run."""
    count = 0

    def trace(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count
