import pytest

from games.indian.rules.melds import Flaw, IndianMeldKind, judge, meld_kind, read_group
from games.indian.rules.ruleset import POINTS, PRESETS
from tests.games.values import replace
from tests.games.vectors import cards, wild

PURE, SEQUENCE, SET = IndianMeldKind


# By rule number: the cards, the indicator of the wild rank, and the expected kind of meld.
READINGS: dict[str, list[tuple[str, str | None, IndianMeldKind | Flaw]]] = {
    "r1_3 the ace is low or high but never between": [
        ("AS 2S 3S", None, PURE),
        ("QS KS AS", None, PURE),
        ("KS AS 2S", None, Flaw.GAP_IN_SEQUENCE),
        ("AS QS KS 2S", None, Flaw.GAP_IN_SEQUENCE),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", None, PURE),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS PJ", None, Flaw.TOO_MANY_CARDS),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS PJ", None, SEQUENCE),
    ],
    "r1_4 the rank of the indicator is wild in every suit": [
        *((f"2H 3H {card}", "7H", SEQUENCE) for card in ("7S", "7H", "7D", "7C", "PJ")),
        ("2H 3H 7S", "8H", Flaw.CARDS_DO_NOT_MATCH),
    ],
    "r1_4 a printed joker turned up makes the aces wild": [
        ("5H 6H AS", "PJ", SEQUENCE),
        ("5H 6H AS", None, Flaw.CARDS_DO_NOT_MATCH),
        ("KH QH AH", "PJ", PURE),
        ("KH QH AD", "PJ", SEQUENCE),
    ],
    "r2_1 a sequence is three or more of one suit in order": [
        ("5H 6H 7H", None, PURE),
        ("5H 6H 7H 8H 9H TH", None, PURE),
        ("5H 6H", None, Flaw.TOO_FEW_CARDS),
        ("PJ PJ", None, Flaw.TOO_FEW_CARDS),
        ("5H 6H 7S", None, Flaw.CARDS_DO_NOT_MATCH),
        ("5H 5H 6H 7H", None, Flaw.EQUAL_CARDS),
        ("AH AH 2H 3H", "9S", Flaw.EQUAL_CARDS),
        ("AH AH KH QH", "9S", Flaw.EQUAL_CARDS),
    ],
    "r2_2 a wild card in its own place leaves a sequence pure": [
        ("8H 9H TH", "TS", PURE),
        ("8H TH 9H", "TH", PURE),
        ("8H 9H TS", "TH", SEQUENCE),
        ("8H 9H TS", "TS", SEQUENCE),
        ("8H 9H PJ", "TH", SEQUENCE),
        ("9H TH PJ", "TS", SEQUENCE),
    ],
    "r2_3 several jokers stand for missing cards": [
        ("5H PJ PJ 8H", None, SEQUENCE),
        ("5H PJ 2S 9H 7H", "2D", SEQUENCE),
        ("5H PJ 8H", None, Flaw.GAP_IN_SEQUENCE),
        ("3H 9H PJ PJ PJ PJ PJ", None, SEQUENCE),
        ("3H 9H PJ PJ PJ PJ", None, Flaw.GAP_IN_SEQUENCE),
        ("AH JH PJ PJ", None, SEQUENCE),
    ],
    "r2_4 a set is of one rank and of different suits": [
        ("5H 5D", None, Flaw.TOO_FEW_CARDS),
        ("5H 5D 5S 5C PJ PJ", None, SET),
        ("5H 5H 5S PJ", None, Flaw.TWO_OF_A_SUIT_IN_SET),
        ("KH KH PJ", None, Flaw.TWO_OF_A_SUIT_IN_SET),
    ],
    "r2_5 equal wild cards may stand for other ones": [
        ("QH QH QD", "QS", SEQUENCE),
        ("QH QH QD", "5S", Flaw.TWO_OF_A_SUIT_IN_SET),
        ("TH TH JH QH", "TS", SEQUENCE),
        ("5H 6H 7H 5S", "5C", SEQUENCE),
        ("QS QH QD", "QC", SEQUENCE),
    ],
    "r2_6 jokers alone are a sequence with a wild card and a set without": [
        ("PJ PJ 9H", "9S", SEQUENCE),
        ("9H PJ PJ", "9S", SEQUENCE),
        ("9H 9D 9C", "9S", SEQUENCE),
        ("9H 9H 9H", "9S", SEQUENCE),
        ("PJ PJ PJ", "9S", SET),
        ("PJ PJ PJ", None, SET),
        ("PJ PJ PJ PJ PJ", None, SET),
        ("9H" + 11 * " PJ", "9S", SEQUENCE),
        ("9H" + 12 * " PJ", "9S", SEQUENCE),
        ("9H" + 13 * " PJ", "9S", SET),
    ],
    "r2_7 a group is read as the best that it can be": [
        ("TH JH QH", "JS", PURE),
        ("TH TS JD", "JS", SET),
        ("9H JD PJ", "JS", SEQUENCE),
    ],
}


@pytest.mark.parametrize("rule", READINGS)
def test_a_group_is_read_by_the_rule(rule):
    for text, indicator, expected in READINGS[rule]:
        assert read_group(cards(text), wild(indicator), POINTS) == expected, text


def test_r1_4_the_wild_rank_is_that_of_the_indicator():
    assert [wild("7H"), wild("PJ")] == [7, 1]


def test_r2_6_the_rules_decide_the_kind_of_a_meld_of_jokers():
    as_set = replace(POINTS, joker_only_melds="set")
    as_nothing = replace(POINTS, joker_only_melds="none")
    for text in ("PJ PJ 9H", "9H 9H 9D", "PJ PJ PJ"):
        assert read_group(cards(text), wild("9S"), as_set) is SET
        assert read_group(cards(text), wild("9S"), as_nothing) is Flaw.JOKERS_ALONE
    four_at_most = replace(as_set, max_set_size=4)
    assert read_group(cards("PJ PJ PJ 9H 9H"), wild("9S"), four_at_most) is Flaw.SET_TOO_LARGE
    # With a card that is not a joker they are a meld. A wild card may also be in its own place.
    assert read_group(cards("PJ PJ 8H"), wild("9S"), as_nothing) is SEQUENCE
    assert read_group(cards("8H 9H TH"), wild("9S"), as_nothing) is PURE


def test_r2_6_the_published_examples_of_jokers_alone_are_invalid_by_total_rummys_rules():
    rules = PRESETS["totalrummy-points"]
    assert meld_kind(cards("QH QH QD"), wild("QC"), rules) is None
    groups = [cards(text) for text in ("QH QS QD", "6H 7H 8H 9H", "5S 5H 5D", "TS TH TD")]
    assert not judge(groups, wild("QC"), rules).valid
    assert judge(groups, wild("QC"), POINTS).valid


def test_r2_4_the_largest_set_is_a_rule():
    junglee = PRESETS["junglee-points"]
    assert meld_kind(cards("5H 5D 5S PJ"), None, junglee) is SET
    assert read_group(cards("5H 5D 5S 5C PJ"), None, junglee) is Flaw.SET_TOO_LARGE
    assert read_group(cards("PJ PJ PJ PJ PJ"), None, junglee) is Flaw.SET_TOO_LARGE
    assert meld_kind(cards("5H PJ PJ PJ PJ"), None, junglee) is SEQUENCE


def test_r2_5_equal_wild_cards_in_one_group_can_be_ruled_out():
    strict = replace(POINTS, wild_twins=False)
    assert read_group(cards("QH QH QD"), wild("QS"), strict) is Flaw.EQUAL_CARDS
    assert meld_kind(cards("QH QC QD"), wild("QS"), strict) is SEQUENCE
    assert meld_kind(cards("5H PJ PJ"), wild("QS"), strict) is SEQUENCE
