import pytest

from games.indian.rules.melds import IndianMeldKind, judge
from games.indian.rules.ruleset import POINTS
from games.indian.words import TEXTS
from tests.games.vectors import groups, wild

PURE, SEQUENCE, SET = IndianMeldKind


@pytest.mark.parametrize(
    ("laid", "reason", "failed_group"),
    [
        # R3.1
        (["2H 3H 4H 5H", "5C 6C PJ", "KS KD KC", "9S 9D 9H"], None, None),
        (["2H 3H 4H", "5C 6C PJ", "KS KD KC", "9S 9D 9H"], "wrong_card_count", None),
        (["2H 3H 4H 5H 6H", "5C 6C PJ", "KS KD KC", "9S 9D 9H"], "wrong_card_count", None),
        (["2H 3H PJ 5H", "5C 6C PJ", "KS KD KC", "9S 9D 9H"], "no_pure_sequence", None),
        (["2H 3H 4H 5H", "5C 5D PJ", "KS KD KC", "9S 9D 9H"], "no_second_sequence", None),
        (["2H 3H 4H 5H", "5C 6C 7C", "KS KD KC", "9S 9D 8H"], "cards_do_not_match", 3),
        (["2H 3H 4H 5H", "5C 6C 7C", "KS KS KD", "9S 9D 9H"], "two_of_a_suit_in_set", 2),
        (["2H 3H 4H 6H", "5C 6C 7C", "KS KC KD", "9S 9D 9H"], "gap_in_sequence", 0),
        (["2H 3H 4H 5H", "5C 6C 7C", "KS KC KD 9S 9D 9H"], "cards_do_not_match", 2),
        (["2H 3H 4H 5H", "5C 6C 7C 8C 9C", "KS KC KD", "9S"], "too_few_cards", 3),
    ],
)
def test_r3_1_a_declaration_is_judged_by_its_groups(laid, reason, failed_group):
    judgement = judge(groups(*laid), None, POINTS)
    assert (judgement.reason, judgement.failed_group) == (reason, failed_group)
    assert reason is None or f"reason_{reason}" in TEXTS


@pytest.mark.parametrize(
    ("laid", "reason", "failed_group", "kinds"),
    [
        (["2H 3H 4H 5H", "5C 6C 7C", "KS KD KC", "9S 9D 9H"], None, None, (PURE, PURE, SET, SET)),
        # One natural card and two jokers form the second sequence.
        (
            ["2H 3H 4H 5H", "5C PJ QH", "KS KD KC", "9S 9D 9H"],
            None,
            None,
            (PURE, SEQUENCE, SET, SET),
        ),
        (["2H 3H 4H", "5C 6C QD"], "wrong_card_count", None, (PURE, SEQUENCE)),
        (
            ["2H 3H 4H", "5C 9C QD", "KS KD KC", "9S 9D 9H 9C"],
            "gap_in_sequence",
            1,
            (PURE, None, SET, SET),
        ),
        (
            ["2H 3H QD 5H", "5C 6C PJ", "KS KD KC", "9S 9D 9H"],
            "no_pure_sequence",
            None,
            (SEQUENCE, SEQUENCE, SET, SET),
        ),
        (
            ["2H 3H 4H 5H", "5C 5D QD", "KS KD KC", "9S 9D 9H"],
            "no_second_sequence",
            None,
            (PURE, SET, SET, SET),
        ),
    ],
)
def test_r3_1_a_judgement_names_every_group(laid, reason, failed_group, kinds):
    judgement = judge(groups(*laid), wild("QS"), POINTS)
    assert (judgement.reason, judgement.failed_group) == (reason, failed_group)
    assert judgement.kinds == kinds
    assert judgement.valid is (reason is None)


def test_r3_3_a_declaration_is_never_regrouped():
    # KS KC KD + PJ with 6H 7H 8H would be valid; as declared there is no pure sequence.
    laid = groups("6H 7H 8H PJ", "2S 3S PJ", "KS KC KD", "9S 9D 9H")
    assert judge(laid, None, POINTS).reason == "no_pure_sequence"
