"""Random hands of kinds that are difficult for a solver of arrangements."""

import random
from collections.abc import Callable, Iterator, Mapping

from games.cards import FACES, PRINTED_JOKER, Card

Hand = tuple[list[Card], int | None]

# The most jokers for which an exhaustive search takes a reasonable time.
MOST_JOKERS = 6


def deal_any_cards(deck: list[Card], _rng: random.Random, _wild: int | None) -> list[Card]:
    return deck


def deal_two_suits(deck: list[Card], rng: random.Random, _wild: int | None) -> list[Card]:
    suits = rng.sample(range(4), rng.choice([1, 2]))
    return [card for card in deck if card.suit in suits]


def deal_few_ranks(deck: list[Card], rng: random.Random, _wild: int | None) -> list[Card]:
    ranks = rng.sample(range(1, 14), rng.choice([4, 5, 6]))
    return [card for card in deck if card.rank in ranks]


def deal_neighbouring_ranks(deck: list[Card], rng: random.Random, _wild: int | None) -> list[Card]:
    lowest = rng.randrange(1, 10)
    return [card for card in deck if lowest <= card.rank < lowest + 5]


def deal_many_jokers(deck: list[Card], rng: random.Random, wild: int | None) -> list[Card]:
    jokers = [card for card in deck if card.face == PRINTED_JOKER or card.rank == wild]
    return rng.sample(jokers, min(len(jokers), rng.randrange(2, MOST_JOKERS + 1)))


def deal_one_pure_sequence(deck: list[Card], rng: random.Random, _wild: int | None) -> list[Card]:
    lowest, suit = rng.randrange(1, 12), rng.randrange(4)
    return [card for card in deck if card.suit == suit and lowest <= card.rank < lowest + 3][:3]


def deal_nearly_all_melds(deck: list[Card], rng: random.Random, _wild: int | None) -> list[Card]:
    """Choose two runs and two sets without up to two of their cards, for which jokers may stand in."""
    chosen = set()
    for _ in range(2):
        lowest, suit = rng.randrange(1, 11), rng.randrange(4)
        chosen |= {Card.of(suit * 13 + rank - 1) for rank in range(lowest, lowest + 4)}
    for _ in range(2):
        rank = rng.randrange(1, 14)
        chosen |= {Card.of(suit * 13 + rank - 1, 1) for suit in range(3)}
    jokers = [card for card in deck if card.face == PRINTED_JOKER]
    missing = rng.sample(sorted(chosen), rng.randrange(3))
    return [*(chosen - set(missing)), *jokers[: len(missing)]]


def deal_copies(deck: list[Card], rng: random.Random, _wild: int | None) -> list[Card]:
    """Choose all copies of a few neighbouring cards."""
    lowest, suits = rng.randrange(1, 10), rng.sample(range(4), 2)
    faces = {suit * 13 + rank - 1 for suit in suits for rank in range(lowest, lowest + 4)}
    chosen = rng.sample(sorted(faces), 5)
    return [card for card in deck if card.face in chosen]


def deal_wild_in_its_place(deck: list[Card], rng: random.Random, wild: int | None) -> list[Card]:
    """Choose neighbours of a wild card in its suit, so that it may be in its own place in a pure sequence."""
    middle, suit = wild or 7, rng.randrange(4)
    return [card for card in deck if card.suit == suit and abs(card.rank - middle) <= 3]


KINDS: Mapping[str, Callable[[list[Card], random.Random, int | None], list[Card]]] = {
    "any_cards": deal_any_cards,
    "two_suits": deal_two_suits,
    "few_ranks": deal_few_ranks,
    "neighbouring_ranks": deal_neighbouring_ranks,
    "many_jokers": deal_many_jokers,
    "one_pure_sequence": deal_one_pure_sequence,
    "nearly_all_melds": deal_nearly_all_melds,
    "copies": deal_copies,
    "wild_in_its_place": deal_wild_in_its_place,
}


def deal_hand(kind: str, rng: random.Random, size: int) -> Hand:
    """Deal a hand of this kind from two or three packs. Return it and the wild rank, which may be None."""
    while True:
        deck = [Card(number) for number in range(FACES * rng.choice([2, 2, 3]))]
        wild = rng.choice([None, *range(1, 14)])
        chosen = KINDS[kind](deck, rng, wild)
        hand = rng.sample(chosen, min(len(chosen), size))
        others = [card for card in deck if card not in hand]
        hand += rng.sample(others, size - len(hand))
        if sum(card.face == PRINTED_JOKER or card.rank == wild for card in hand) <= MOST_JOKERS:
            return hand, wild


def list_one_suit_hands() -> Iterator[Hand]:
    """Yield hands of fourteen cards with very many arrangements: one suit, with many jokers or with wild cards
    that could be in their own place.
    """
    for jokers in range(7):
        for ranks in (range(1, 14), range(1, 7), range(1, 9), range(6, 14)):
            for wild in (None, ranks[2]):
                faces = [rank - 1 for rank in ranks] * 3
                hand = [Card.of(face, place // len(ranks)) for place, face in enumerate(faces)]
                printed = [Card.of(PRINTED_JOKER, pack) for pack in range(jokers)]
                yield hand[: 14 - jokers] + printed, wild
