"""Cards missing from a declaration, compared with the solver and with trying every exchange."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import FACES, PRINTED_JOKER, Card, full_deck, read_cards
from games.indian.bots.distance import get_distances, shape_of, with_face
from games.indian.rules.ruleset import POINTS
from games.indian.rules.solver.arrangement import arrange, arrange_fourteen

DECK = full_deck(2)
# The number of a pack that is never dealt, for hypothetical cards.
IMAGINED = 13


def count_missing(hand: Iterable[Card], wild: int | None) -> int:
    """Return how many of thirteen cards have to be exchanged for a valid declaration."""
    return get_distances(wild).count_missing(shape_of(hand, wild))


def deal_near_hands(count: int, *, name: str) -> list[tuple[tuple[Card, ...], int]]:
    """Deal hands as at all stages of a deal: after up to eleven draws, each followed by the best discard."""
    rng = random.Random(name)
    hands = []
    for number in range(count):
        deck = rng.sample(DECK, 27)
        wild = deck.pop().rank or 1
        hand = deck[:13]
        for card in deck[13 : 13 + number % 12]:
            hand.append(card)
            best = arrange_fourteen(hand, wild, POINTS).discard
            assert best is not None
            hand.remove(best)
        hands.append((tuple(hand), wild))
    return hands


def lacks_one(hand: tuple[Card, ...], wild: int) -> bool:
    return any(
        arrange_fourteen((*hand, Card.of(face, IMAGINED)), wild, POINTS).declarable
        for face in range(FACES)
    )


@pytest.mark.parametrize(
    ("hand", "missing"),
    [
        ("2H 3H 4H 5H 2C 3C 4C KS KD KC 8S 8D 8H", 0),
        # A printed joker may be anywhere except in the pure sequence.
        ("2H 3H 4H 5H 2C 3C PJ KS KD KC 8S 8D 8H", 0),
        # No joker stands in for the four of a pure sequence.
        ("2H 3H PJ 5H 2C 4C 9C KS KD KC 8S 8D 8H", 1),
        # Seven cards form two sets; both sequences are still missing.
        ("KS KD KC 8S 8D 8H 8C AH 4S 6D JC TD 2C", 4),
        # Six jokers complete everything except the five of a pure sequence.
        ("PJ PJ 9S 9H 9D 9C JS JH 4S 6D 4H 6H AD", 1),
        # Wild cards stand for themselves in a pure sequence (R2.2).
        ("8S 9S TS 2C 3C 4C KS KD KC QS QD QH QC", 0),
    ],
)
def test_cards_missing_to_a_declaration(hand, missing):
    assert count_missing(read_cards(hand.split()), 9) == missing


def test_distances_of_zero_and_one_agree_with_the_search():
    found = set()
    for hand, wild in deal_near_hands(500, name="exact"):
        missing = count_missing(hand, wild)
        assert (missing == 0) is arrange(hand, wild, POINTS).declarable
        assert (missing <= 1) is lacks_one(hand, wild)
        found.add(missing)
    assert {0, 1, 2, 3, 4} <= found


def test_a_distance_is_one_more_than_the_least_after_any_exchange():
    """Checked by trying every possible exchange of one card."""
    compared = 0
    for hand, wild in deal_near_hands(21, name="exchanges"):
        missing = count_missing(hand, wild)
        if missing:
            after = [
                count_missing((*hand[:place], *hand[place + 1 :], Card.of(face, IMAGINED)), wild)
                for place in range(13)
                for face in range(FACES)
            ]
            assert min(after) == missing - 1
            compared += 1
    assert compared > 10


hands = st.lists(st.sampled_from(DECK), min_size=14, max_size=14, unique=True)


@given(hands, st.integers(1, 13))
def test_a_card_more_brings_a_hand_nearer_by_one_at_most(cards, wild):
    known = get_distances(wild)
    thirteen, fourteen = (shape_of(cards[:size], wild) for size in (13, 14))
    before, after = known.count_missing(thirteen), known.count_missing(fourteen)
    assert before - 1 <= after <= before
    for wanted in range(before + 2):
        assert known.reaches(thirteen, wanted) is (before <= wanted)


@given(hands, st.integers(1, 13))
def test_helpful_are_the_faces_that_bring_a_hand_nearer(cards, wild):
    known = get_distances(wild)
    shape = shape_of(cards[:13], wild)
    missing = known.count_missing(shape)
    helpful = known.find_helpful(shape, dict.fromkeys(range(FACES), 2))
    for face in range(FACES):
        is_joker = face == PRINTED_JOKER or face % 13 + 1 == wild
        nearer = (
            known.count_missing(with_face(shape, PRINTED_JOKER if is_joker else face, wild))
            < missing
        )
        named = PRINTED_JOKER if is_joker else face
        assert (named in helpful) is nearer
    if PRINTED_JOKER in helpful:
        assert helpful[PRINTED_JOKER] == 2 * 5
