"""The contract solver compared with the exhaustive search, and its melds judged by the rules."""

import random

import pytest

from games.cards import FACE_TEXT
from games.contract.rules.melds import as_meld, contract_refusal
from games.contract.rules.missing import (
    find_missing,
    find_missing_of_whole,
    may_be_whole,
    may_meet,
)
from games.contract.rules.ruleset import PRESETS, SEVEN, USUAL
from tests.effort import share_of
from tests.games.contract import exhaustive
from tests.games.contract.scenes import Packs

DEUCES = PRESETS["deuces_wild"]


def hands(rng, rules, size):
    """Deal a hand from few ranks or few suits, sometimes with jokers."""
    deck = rules.deck(4)
    ranks = rng.sample(range(1, 14), 5)
    suits = rng.sample(range(4), 2)
    low = rng.choice([1, 4, 8, 11])
    near = [c for c in deck if c.suit in suits and (low <= c.rank < low + 6 or c.rank == 1)]
    same = [c for c in deck if c.rank in ranks]
    wild = [c for c in deck if rules.is_wild(c)]
    while True:
        jokers = rng.sample(wild, rng.choice([0, 0, 1, 2, 3]))
        pool = [*rng.choice([near, same, [*near, *same], deck])]
        hand = {*jokers, *rng.sample(pool, min(size, len(pool)))}
        if len(hand) >= size:
            return rng.sample(sorted(hand), size)


def deal_contract(rng, contract):
    """Deal the melds of this contract, with a joker in place of one card."""
    ranks = rng.sample("56789TJQK", len(contract))
    suits = rng.sample("SHDC", len(contract))
    words = []
    for kind, rank, suit in zip(contract, ranks, suits, strict=True):
        start = rng.randrange(11)
        run = [("A23456789TJQKA")[start + step] + suit for step in range(4)]
        words += [rank + other for other in rng.sample("SHDC", 3)] if kind == "set" else run
    words[rng.randrange(len(words))] = "PJ"
    return Packs().cards(" ".join(words))


def texts(cards):
    return [FACE_TEXT[card.face] for card in cards]


@pytest.mark.parametrize("rules", [USUAL, DEUCES], ids=lambda rules: rules.name)
@pytest.mark.parametrize(
    ("contract", "count"),
    [(SEVEN[0], 40), (SEVEN[1], 40), (SEVEN[2], 25), (SEVEN[3], 12), (("run",), 60)],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_the_solver_misses_as_few_cards_as_an_exhaustive_search(rules, contract, count):
    rng = random.Random(f"{contract} {rules.name}")
    complete = 0
    for number in range(share_of(count)):
        hand = hands(rng, rules, rng.choice([6, 7, 8]))
        if number % 5 == 0:
            hand = deal_contract(rng, contract)
        found = find_missing(hand, contract, rules)
        least = exhaustive.count_fewest_missing(
            texts(hand), contract, deuces_wild=rules.deuces_wild
        )
        assert found.lacking == least, texts(hand)
        assert found.used <= set(hand)
        if found.melds is not None:
            complete += 1
            melds = [as_meld(laid, rules) for laid in found.melds]
            assert None not in melds, texts(hand)
            assert contract_refusal(melds, contract, rules, is_whole=False) is None  # type: ignore[arg-type] # none is None
            used = [card for laid in found.melds for card in laid.cards]
            assert len(set(used)) == len(used)
            assert set(used) <= set(hand)
        assert (found.melds is None) is (found.lacking > 0)
    assert complete


def test_a_whole_hand_of_runs():
    rng = random.Random(1)
    complete = 0
    for number in range(24):
        hand = hands(rng, USUAL, 8)
        if number % 3 == 0:
            hand = deal_whole_of_two(rng)
        found = find_missing_of_whole(hand, 2, 8, USUAL)
        assert found.lacking == exhaustive.count_fewest_missing_of_whole(texts(hand), 2, 8), texts(
            hand
        )
        if found.melds is not None:
            complete += 1
            melds = [meld for laid in found.melds if (meld := as_meld(laid, USUAL)) is not None]
            assert contract_refusal(melds, ("run", "run"), USUAL, is_whole=True) is None
            assert sorted(c for laid in found.melds for c in laid.cards) == sorted(hand)
    assert complete


def deal_whole_of_two(rng):
    """Deal two runs, with a joker in one of them."""
    starts = rng.sample(range(2, 10), 2)
    suits = rng.sample("SHDC", 2)
    faces = [
        "A23456789TJQK"[start - 1 + step] + suit
        for start, suit in zip(starts, suits, strict=True)
        for step in range(4)
    ]
    faces[rng.randrange(8)] = "PJ"
    return Packs().cards(" ".join(faces))


def test_one_card_more_is_drawn_for_a_whole_hand():
    hand = Packs().cards("2C 3C 4C 5C 6H 7H 8H 9H JD QD KD AD")
    assert find_missing_of_whole(hand, 3, 13, USUAL).lacking == 1
    assert find_missing_of_whole((*hand, *Packs().cards("6C")), 3, 13, USUAL).melds is not None
    assert find_missing_of_whole(hand, 3, 11, USUAL).lacking == 11
    assert find_missing_of_whole(hand, 3, 12, USUAL).melds is not None


def test_a_single_ace_joins_the_run_that_needs_it():
    hand = Packs().cards("AS 2S 3S 4S JS QS KS PJ")
    assert find_missing(hand, ("run", "run"), USUAL).lacking == 0
    assert find_missing_of_whole(hand, 2, 8, USUAL).melds is not None


def test_spare_jokers_may_let_a_card_go_to_a_set():
    """With the seven in the run only three jokers can be used; with it in the set, all four."""
    hand = Packs().cards("4H 5H 7H PJ PJ PJ PJ")
    assert exhaustive.count_fewest_missing(texts(hand), ("set", "run"), deuces_wild=False) == 0
    found = find_missing(hand, ("set", "run"), USUAL)
    assert found.lacking == 0
    assert sorted(len(laid.cards) for laid in found.melds or ()) == [3, 4]


@pytest.mark.parametrize("contract", SEVEN[:6], ids="-".join)
@pytest.mark.parametrize("rules", [USUAL, DEUCES], ids=lambda rules: rules.name)
def test_a_hand_that_cannot_meet_a_contract_at_a_glance_lacks_cards_by_the_search(rules, contract):
    """Half of the hands are built from the contract; in half of those, one card has been replaced."""
    rng = random.Random(f"glance {contract} {rules.name}")
    seen = {True: 0, False: 0}
    for number in range(share_of(180)):
        hand = deal_contract(rng, contract) if number % 2 else hands(rng, rules, 11)
        if number % 4 == 3:
            other = rng.choice([card for card in rules.deck(4) if card not in hand])
            hand = (*hand[1:], other)
        may = may_meet(hand, contract, rules)
        assert may or find_missing(hand, contract, rules).melds is None, texts(hand)
        seen[may] += 1
    assert seen[True] > 10
    assert seen[False] > 10


@pytest.mark.parametrize("rules", [USUAL, DEUCES], ids=lambda rules: rules.name)
def test_a_hand_that_is_no_whole_contract_at_a_glance_is_none_by_the_search(rules):
    """Half of the hands are three runs with a joker; in half of those, one card has been replaced."""
    rng = random.Random(f"whole {rules.name}")
    seen = {True: 0, False: 0}
    for number in range(share_of(240)):
        hand = deal_contract(rng, ("run",) * 3) if number % 2 else hands(rng, rules, 12)
        if number % 4 == 3:
            other = rng.choice([card for card in rules.deck(4) if card not in hand])
            hand = (*hand[1:], other)
        may_be = may_be_whole(hand, 3, rules)
        is_whole = find_missing_of_whole(hand, 3, len(hand), rules).melds is not None
        assert may_be or not is_whole, texts(hand)
        seen[is_whole] += 1
    assert seen[True] > 10
    assert seen[False] > 10
