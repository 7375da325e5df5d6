import pytest

from games.indian.rules.declaration import judge
from games.indian.rules.melds import Flaw, MeldKind, meld_kind, read_group
from games.indian.rules.ruleset import POINTS, PRESETS
from tests.games.values import replace
from tests.games.vectors import cards, load_json, wild

PURE, SEQUENCE, SET = MeldKind


@pytest.mark.parametrize("vector", load_json("groups.json"), ids=lambda v: v["source"])
def test_published_groups(vector):
    group = cards(" ".join(vector["cards"]))
    assert meld_kind(group, wild(vector["wild"]), POINTS) == vector["kind"]
    assert meld_kind(group[::-1], wild(vector["wild"]), POINTS) == vector["kind"]


@pytest.mark.parametrize(
    ("text", "indicator", "expected"),
    [
        # R1.3, R2.1
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", None, PURE),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS PJ", None, Flaw.TOO_MANY_CARDS),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS PJ", None, SEQUENCE),
        ("AS QS KS 2S", None, Flaw.GAP_IN_SEQUENCE),
        ("AH AH 2H 3H", "9S", Flaw.EQUAL_CARDS),
        ("AH AH KH QH", "9S", Flaw.EQUAL_CARDS),
        ("5H 6H 7S", None, Flaw.CARDS_DO_NOT_MATCH),
        ("5H 6H", None, Flaw.TOO_FEW_CARDS),
        ("PJ PJ", None, Flaw.TOO_FEW_CARDS),
        # R2.2
        ("9H TH PJ", "TS", SEQUENCE),
        ("8H 9H TS", "TS", SEQUENCE),
        ("8H TH 9H", "TH", PURE),
        # R2.3
        ("3H 9H PJ PJ PJ PJ PJ", None, SEQUENCE),
        ("3H 9H PJ PJ PJ PJ", None, Flaw.GAP_IN_SEQUENCE),
        ("AH JH PJ PJ", None, SEQUENCE),
        # R2.4
        ("5H 5D", None, Flaw.TOO_FEW_CARDS),
        ("5H 5D 5S 5C PJ PJ", None, SET),
        ("5H 5H 5S PJ", None, Flaw.TWO_OF_A_SUIT_IN_SET),
        ("KH KH PJ", None, Flaw.TWO_OF_A_SUIT_IN_SET),
        # R2.5, R2.7
        ("QH QH QD", "QS", SEQUENCE),
        ("QH QH QD", "5S", Flaw.TWO_OF_A_SUIT_IN_SET),
        ("TH TH JH QH", "TS", SEQUENCE),
        ("5H 6H 7H 5S", "5C", SEQUENCE),
        ("QS QH QD", "QC", SEQUENCE),
        # R2.6
        ("PJ PJ PJ", "9S", SET),
        ("PJ PJ PJ", None, SET),
        ("PJ PJ PJ PJ PJ", None, SET),
        ("9H PJ PJ", "9S", SEQUENCE),
        ("9H 9D 9C", "9S", SEQUENCE),
        ("9H PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ", "9S", SEQUENCE),
        ("9H PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ PJ", "9S", SET),
        ("9H 9H 9H", "9S", SEQUENCE),
        # The jokers are the aces when a printed joker is turned up (R1.4).
        ("KH QH AH", "PJ", PURE),
        ("KH QH AD", "PJ", SEQUENCE),
    ],
)
def test_r2_readings(text, indicator, expected):
    assert read_group(cards(text), wild(indicator), POINTS) == expected


def reading(text, indicator=None):
    return read_group(cards(text), wild(indicator), POINTS)


def test_r1_3_the_ace_is_low_or_high_but_never_between():
    assert [reading(text) for text in ("AS 2S 3S", "QS KS AS")] == [PURE, PURE]
    assert reading("KS AS 2S") is Flaw.GAP_IN_SEQUENCE


def test_r1_4_the_rank_of_the_indicator_is_wild_in_every_suit():
    assert wild("7H") == 7
    assert [reading(f"2H 3H {card}", "7H") for card in ("7S", "7H", "7D", "7C", "PJ")] == [
        SEQUENCE
    ] * 5
    assert reading("2H 3H 7S", "8H") is Flaw.CARDS_DO_NOT_MATCH


def test_r1_4_a_printed_joker_turned_up_makes_the_aces_wild():
    assert wild("PJ") == 1
    assert reading("5H 6H AS", "PJ") is SEQUENCE
    assert reading("5H 6H AS") is Flaw.CARDS_DO_NOT_MATCH


def test_r2_1_a_sequence_is_three_or_more_of_one_suit_in_order():
    assert [reading(text) for text in ("5H 6H 7H", "5H 6H 7H 8H 9H TH")] == [PURE, PURE]
    assert reading("5H 6H") is Flaw.TOO_FEW_CARDS
    assert reading("5H 6H 7S") is Flaw.CARDS_DO_NOT_MATCH
    assert reading("5H 5H 6H 7H") is Flaw.EQUAL_CARDS


def test_r2_2_a_wild_card_in_its_own_place_leaves_a_sequence_pure():
    assert reading("8H 9H TH", "TS") is PURE
    assert reading("8H 9H TS", "TH") is SEQUENCE
    assert reading("8H 9H PJ", "TH") is SEQUENCE


def test_r2_3_several_jokers_stand_for_missing_cards():
    assert reading("5H PJ PJ 8H") is SEQUENCE
    assert reading("5H PJ 2S 9H 7H", "2D") is SEQUENCE
    assert reading("5H PJ 8H") is Flaw.GAP_IN_SEQUENCE


def test_r2_6_jokers_alone_are_a_sequence_with_a_wild_card_and_a_set_without():
    assert reading("PJ PJ 9H", "9S") is SEQUENCE
    assert reading("PJ PJ PJ", "9S") is SET


def test_r2_6_what_jokers_alone_are_is_a_rule():
    as_set = replace(POINTS, joker_only_melds="set")
    as_nothing = replace(POINTS, joker_only_melds="none")
    for text in ("PJ PJ 9H", "9H 9H 9D", "PJ PJ PJ"):
        assert read_group(cards(text), wild("9S"), as_set) is SET
        assert read_group(cards(text), wild("9S"), as_nothing) is Flaw.JOKERS_ALONE
    four_at_most = replace(as_set, max_set_size=4)
    assert read_group(cards("PJ PJ PJ 9H 9H"), wild("9S"), four_at_most) is Flaw.SET_TOO_LARGE
    # A card that is no joker makes a meld of them, and a wild one may be in its own place.
    assert read_group(cards("PJ PJ 8H"), wild("9S"), as_nothing) is SEQUENCE
    assert read_group(cards("8H 9H TH"), wild("9S"), as_nothing) is PURE


def test_r2_6_the_published_examples_of_jokers_alone_are_invalid_by_total_rummys_rules():
    rules = PRESETS["totalrummy-points"]
    assert meld_kind(cards("QH QH QD"), wild("QC"), rules) is None
    groups = [cards(text) for text in ("QH QS QD", "6H 7H 8H 9H", "5S 5H 5D", "TS TH TD")]
    assert not judge(groups, wild("QC"), rules).valid
    assert judge(groups, wild("QC"), POINTS).valid


def test_r2_7_a_group_is_read_as_the_best_that_it_can_be():
    assert reading("TH JH QH", "JS") is PURE
    assert reading("TH TS JD", "JS") is SET
    assert reading("9H JD PJ", "JS") is SEQUENCE


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
