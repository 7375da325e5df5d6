"""The solver of gin is exact, and its melds and lay-offs are legal (G6, G7, G9, G10)."""

import random
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import CARDS
from games.gin.rules.defence import check_lay_offs, count_least_defended, find_best_defence
from games.gin.rules.melding import (
    arrange,
    arrange_eleven,
    cards_of,
    count,
    count_least,
    count_least_after_discard,
    find_best_discard,
    find_big_gin,
    list_discards_within,
    mask_of,
)
from games.gin.rules.melds import deadwood, meld_kind
from tests.games.gin import exhaustive
from tests.games.scenes import faces, groups

KINDS = [*exhaustive.KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_the_least_deadwood_is_that_of_an_exhaustive_search(kind):
    rng = random.Random(kind)
    for _ in range(800):
        ten = exhaustive.KINDS[kind](rng, 10)
        assert (
            arrange(ten).deadwood
            == count_least(mask_of(ten))
            == exhaustive.search_least_deadwood(ten)
        )
    for _ in range(250):
        eleven = exhaustive.KINDS[kind](rng, 11)
        least_of = exhaustive.search_least_after_discard(eleven)
        assert arrange_eleven(eleven).deadwood == least_of
        assert count_least_after_discard(mask_of(eleven)) == least_of
        kept = rng.choice(eleven)
        least_with = exhaustive.search_least_after_discard(eleven, kept)
        assert arrange_eleven(eleven, kept=kept).deadwood == least_with


@pytest.mark.parametrize("kind", KINDS)
def test_g10_the_best_defence_is_that_of_an_exhaustive_search(kind):
    rng = random.Random(kind)
    for _ in range(150):
        hand, melds = exhaustive.deal_knocked_hands(kind, rng)
        found = find_best_defence(hand, melds)
        assert found.deadwood == exhaustive.search_least_defended(hand, melds)
        assert count_least_defended(mask_of(hand), melds) == found.deadwood


hands = st.lists(st.sampled_from(CARDS[:52]), min_size=11, max_size=11, unique=True)


@given(hand=hands)
@settings(deadline=None)
def test_an_arrangement_holds_every_card_of_the_hand(hand):
    for best in (arrange(hand[:10]), arrange_eleven(hand), arrange_eleven(hand, kept=hand[0])):
        cards = [*chain.from_iterable(best.groups), *best.loose]
        if best.discard is not None:
            cards.append(best.discard)
        assert sorted(cards) == sorted(hand[: len(cards)])
        assert all(map(meld_kind, best.groups))
        assert deadwood(best.loose) == best.deadwood
    assert arrange_eleven(hand, kept=hand[0]).discard != hand[0]
    assert count_least_after_discard(mask_of(hand)) == count_least(
        mask_of(hand) ^ find_best_discard(mask_of(hand))
    )


@given(hand=hands)
@settings(deadline=None)
def test_the_best_defence_is_legal(hand):
    melds = groups("5H 6H 7H|KS KD KC|AC 2C 3C")
    held = [card for card in hand if card not in chain.from_iterable(melds)]
    found = find_best_defence(held, melds)
    assert check_lay_offs(melds, found.lay_offs)
    laid_off = [card for card, _ in found.lay_offs]
    assert sorted([*chain.from_iterable(found.groups), *found.loose, *laid_off]) == sorted(held)
    assert found.deadwood == deadwood(found.loose)


@given(hand=hands)
@settings(deadline=None)
def test_g7_a_knock_discards_any_card_that_leaves_few_enough_points(hand):
    found = dict(list_discards_within(hand, 10))
    for card in hand:
        rest = [other for other in hand if other != card]
        assert (card in found) is (exhaustive.search_least_deadwood(rest) <= 10)
        if card in found:
            assert found[card].deadwood == exhaustive.search_least_deadwood(rest)
            assert found[card].discard == card


def test_g7_the_discard_is_a_part_of_the_search():
    """open_spiel answers four, because it melds all eleven cards before it discards."""
    best = arrange_eleven(faces("2S 2C 3C 4C 5C 3D 4D 5D 2H 3H 5H"))
    assert (best.deadwood, str(best.discard)) == (3, "5H.0")


def test_g9_eleven_melded_cards_have_a_spare_one():
    hand = faces("5H 6H 7H 8H KS KD KC KH 9D TD JD")
    found = find_big_gin(hand)
    assert found is not None
    assert (found.deadwood, found.loose, found.discard) == (0, (), None)
    assert arrange_eleven(hand).deadwood == 0
    assert find_big_gin(faces("5H 6H 7H 8H KS KD KC 2C 9D TD JD")) is None


def test_masks_are_cards():
    cards = faces("AS KC 7H")
    assert cards_of(mask_of(cards)) == tuple(sorted(cards))
    assert count(mask_of(cards)) == 18


def test_g10_a_card_that_fits_twice_is_laid_off_on_the_better_meld():
    """The six of spades fits both melds, but only on the sequence can the seven follow it."""
    melds = groups("3S 4S 5S|6H 6D 6C")
    found = find_best_defence(faces("6S 7S KH KD QC QD 9H 9C 2D 2C"), melds)
    assert [(str(card), meld) for card, meld in found.lay_offs] == [("6S.0", 0), ("7S.0", 0)]
    assert found.deadwood == 62


def test_g10_laying_off_is_optional():
    """Six, seven and eight are kept as a meld, which leaves only the ace."""
    melds = groups("3S 4S 5S|KS KD KC")
    found = find_best_defence(faces("6S 7S 8S QH QD QC 9H 9C 9D AD"), melds)
    assert (found.deadwood, found.lay_offs) == (1, ())
