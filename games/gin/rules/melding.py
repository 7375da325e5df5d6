"""An exact solver for the least deadwood of a hand, and its melds.

A hand is a mask of 52 bits, with bit number `card` for each card and thirteen bits for each suit. The sequences of a
suit are looked up in tables, and the search tries every way to lay sets. With eleven cards the search includes the
discard, because the best melds after discarding a high card need not be among the best melds of all eleven.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from games.cards import CARDS, Card
from games.gin.rules.melds import MIN_MELD, POINTS, Groups
from games.gin.rules.ruleset import HAND_SIZE

SUIT_BITS: Final = 13
HOLDINGS: Final = 1 << SUIT_BITS
SUIT_MASK: Final = HOLDINGS - 1
# Gain of a discard if there is no card: below any other.
NO_CARD: Final = -1_000


def _build_counts() -> list[int]:
    counts = [0] * HOLDINGS
    for held in range(1, HOLDINGS):
        lowest = held & -held
        counts[held] = counts[held ^ lowest] + POINTS[lowest.bit_length() - 1]
    return counts


def _list_runs_from_lowest(held: int) -> Iterator[int]:
    """Yield the sequences that begin with the lowest card held."""
    run = card = held & -held
    length = 1
    while held & card << 1:
        card <<= 1
        run |= card
        length += 1
        if length >= MIN_MELD:
            yield run


def _compute_freed(counts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return two tables, each indexed by the cards held of a suit.

    The first one has the most points that sequences of these cards can take out of the deadwood (free). The second one
    has the lowest of the sequences that free so many points.
    """
    freed, first_run = [0] * HOLDINGS, [0] * HOLDINGS
    for held in range(1, HOLDINGS):
        lowest = held & -held
        rest = held ^ lowest
        freed[held], first_run[held] = freed[rest], first_run[rest]
        for run in _list_runs_from_lowest(held):
            most = counts[run] + freed[held ^ run]
            if most > freed[held]:
                freed[held], first_run[held] = most, run
    return freed, first_run


def find_gain_by_discard(held: int, kept: int = 0) -> tuple[int, int]:
    """Return the highest gain from discarding one card of this suit, and that card as a bit.

    The gain is how much the discard lowers the points of the suit's cards outside sequences. The cards in `kept` may
    not be discarded. Returns `(NO_CARD, 0)` if there is no other card.
    """
    most, best = NO_CARD, 0
    left = held & ~kept
    while left:
        card = left & -left
        left ^= card
        gain = FREED[held ^ card] + COUNT[card] - FREED[held]
        # Among equals take the most expensive card.
        if gain >= most:
            most, best = gain, card
    return most, best


def runs_of(held: int) -> list[int]:
    """Return the sequences that take the most points out of the deadwood, as masks of the suit."""
    runs = []
    while run := FIRST_RUN[held]:
        runs.append(run)
        held ^= run
    return runs


# Indexed by the cards held of a suit: their points, and the most points that sequences free.
COUNT: Final = _build_counts()
FREED, FIRST_RUN = _compute_freed(COUNT)
# Indexed by the cards held of a suit: the most that a discard gains, first with the card that gains it.
_DISCARDS: Final = [find_gain_by_discard(held) for held in range(HOLDINGS)]
GAIN: Final = [gain for gain, _ in _DISCARDS]


BIT: Final = tuple(1 << card for card in range(52))
_SECOND, _THIRD, _FOURTH = SUIT_BITS, 2 * SUIT_BITS, 3 * SUIT_BITS
# A bit in the lane of each suit; a set of the rank is this, shifted by the rank.
_COLUMN: Final = 1 | 1 << _SECOND | 1 << _THIRD | 1 << _FOURTH


class Melding(NamedTuple):
    """A hand laid out as melds and loose cards.

    `discard` is the card discarded from eleven, or None if no card was discarded.
    """

    deadwood: int
    groups: Groups
    loose: tuple[Card, ...]
    discard: Card | None = None


def mask_of(cards: Iterable[int]) -> int:
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, suit by suit, each from the ace up."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(CARDS[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(cards)


def count(hand: int) -> int:
    """Return the points of all cards in the hand."""
    return (
        COUNT[hand & SUIT_MASK]
        + COUNT[hand >> _SECOND & SUIT_MASK]
        + COUNT[hand >> _THIRD & SUIT_MASK]
        + COUNT[hand >> _FOURTH]
    )


def count_least(hand: int) -> int:
    """Return the least deadwood of a hand without a discard."""
    return count(hand) - _find_most_freed(hand)[0]


def count_least_after_discard(hand: int, kept: int = 0) -> int:
    """Return the least deadwood that eleven cards can have after a discard of a card outside the mask `kept`."""
    return count(hand) - _find_most_with_discard(hand, kept)[0]


def find_best_discard(hand: int, kept: int = 0) -> int:
    """Return the discard, as a bit, after which eleven cards have the least deadwood.

    The cards in the mask `kept` may not be discarded.
    """
    _, sets = _find_most_with_discard(hand, kept)
    return _discard(hand & ~_unite(sets), kept)


def arrange(hand: Iterable[Card]) -> Melding:
    """Return the melds that leave the least deadwood, without a discard."""
    mask = mask_of(hand)
    freed, sets = _find_most_freed(mask)
    return _lay_melds(mask, sets, count(mask) - freed, 0)


def arrange_eleven(hand: Iterable[Card], *, kept: Card | None = None) -> Melding:
    """Return the melds and the discard, other than `kept`, that leave eleven cards with the least deadwood.

    If all eleven cards are melded, the discard is a card that its meld can spare.
    """
    mask = mask_of(hand)
    kept_mask = 0 if kept is None else BIT[kept]
    freed, sets = _find_most_with_discard(mask, kept_mask)
    discard = _discard(mask & ~_unite(sets), kept_mask)
    return _lay_melds(mask ^ discard, sets, count(mask) - freed, discard)


def find_big_gin(hand: Iterable[Card]) -> Melding | None:
    """Return the melds if these cards can all be melded (G9), else None."""
    mask = mask_of(hand)
    freed, sets = _find_most_freed(mask)
    return _lay_melds(mask, sets, 0, 0) if freed == count(mask) else None


def list_discards_within(hand: Iterable[Card], limit: int) -> Iterator[tuple[Card, Melding]]:
    """Yield each discard that leaves at most `limit` deadwood (G7), with the melds that leave this deadwood."""
    cards = sorted(hand)
    for discard in cards:
        rest = mask_of(cards) ^ BIT[discard]
        freed, sets = _find_most_freed(rest)
        points = count(rest) - freed
        if points <= limit:
            yield discard, _lay_melds(rest, sets, points, BIT[discard])


def _find_most_freed(hand: int) -> tuple[int, tuple[int, ...]]:
    """Return the most points that melds can take out of the deadwood, and the sets among these melds."""
    a, b = hand & SUIT_MASK, hand >> _SECOND & SUIT_MASK
    c, d = hand >> _THIRD & SUIT_MASK, hand >> _FOURTH
    most = FREED[a] + FREED[b] + FREED[c] + FREED[d]
    three = a & b & (c | d) | c & d & (a | b)
    if not three:
        return most, ()
    best: tuple[int, ...] = ()
    for freed, sets, left in _list_layings(hand, three):
        now = (
            freed
            + FREED[left & SUIT_MASK]
            + FREED[left >> _SECOND & SUIT_MASK]
            + FREED[left >> _THIRD & SUIT_MASK]
            + FREED[left >> _FOURTH]
        )
        if now > most:
            most, best = now, sets
    return most, best


def _find_most_with_discard(hand: int, kept: int) -> tuple[int, tuple[int, ...]]:
    a, b = hand & SUIT_MASK, hand >> _SECOND & SUIT_MASK
    c, d = hand >> _THIRD & SUIT_MASK, hand >> _FOURTH
    three = a & b & (c | d) | c & d & (a | b)
    if not three:
        gain = _compute_gain(hand, kept) if kept else max(GAIN[a], GAIN[b], GAIN[c], GAIN[d])
        return FREED[a] + FREED[b] + FREED[c] + FREED[d] + gain, ()
    most = NO_CARD
    best: tuple[int, ...] = ()
    for freed, sets, left in ((0, (), hand), *_list_layings(hand, three)):
        a, b = left & SUIT_MASK, left >> _SECOND & SUIT_MASK
        c, d = left >> _THIRD & SUIT_MASK, left >> _FOURTH
        now = freed + FREED[a] + FREED[b] + FREED[c] + FREED[d]
        now += _compute_gain(left, kept) if kept & left else max(GAIN[a], GAIN[b], GAIN[c], GAIN[d])
        if now > most:
            most, best = now, sets
    return most, best


def _list_layings(hand: int, three: int) -> list[tuple[int, tuple[int, ...], int]]:
    """Return every way to lay one or more sets: the points that the sets save, the sets, and the remaining cards."""
    ways: list[tuple[int, tuple[int, ...], int]] = [(0, (), hand)]
    while three:
        rank = three & -three
        three ^= rank
        held = hand & _COLUMN * rank
        points = COUNT[rank]
        ways += [
            (freed + points * chosen.bit_count(), (*sets, chosen), left ^ chosen)
            for freed, sets, left in ways
            for chosen in _sets_of(held)
        ]
    return ways[1:]


def _sets_of(held: int) -> list[int]:
    """Return the sets that three or four cards of one rank can form."""
    if held.bit_count() == 3:
        return [held]
    sets = [held]
    left = held
    while left:
        lowest = left & -left
        sets.append(held ^ lowest)
        left ^= lowest
    return sets


def _compute_gain(left: int, kept: int) -> int:
    """Return the highest gain from a discard among cards outside the sets, as `find_gain_by_discard` defines it."""
    return max(
        [
            _find_gain(left >> lane & SUIT_MASK, kept >> lane & SUIT_MASK)[0]
            for lane in (0, _SECOND, _THIRD, _FOURTH)
        ]
    )


def _discard(left: int, kept: int) -> int:
    """Return, as a bit, the discard with the highest gain among cards outside the sets.

    Of equally good discards it is the one with the highest rank.
    """
    best, bit = (NO_CARD, 0), 0
    for lane in (0, _SECOND, _THIRD, _FOURTH):
        found = _find_gain(left >> lane & SUIT_MASK, kept >> lane & SUIT_MASK)
        if found > best:
            best, bit = found, found[1] << lane
    return bit


def _find_gain(held: int, kept: int) -> tuple[int, int]:
    """Return the result of `find_gain_by_discard`, from a table unless the suit's best discard is in `kept`."""
    found = _DISCARDS[held]
    return find_gain_by_discard(held, kept) if found[1] & kept else found


def _lay_melds(hand: int, sets: tuple[int, ...], points: int, discard: int) -> Melding:
    """Return the melds as cards: the given sets, and the sequences that take the most points out of the deadwood.

    `points` is the deadwood, and `discard` a bit or 0.
    """
    groups = [cards_of(cards) for cards in sets]
    left = hand & ~_unite(sets)
    loose = 0
    for lane in (0, _SECOND, _THIRD, _FOURTH):
        rest = left >> lane & SUIT_MASK
        for run in runs_of(rest):
            groups.append(cards_of(run << lane))
            rest ^= run
        loose |= rest << lane
    discarded = CARDS[discard.bit_length() - 1] if discard else None
    return Melding(points, tuple(groups), cards_of(loose), discarded)


def _unite(sets: Iterable[int]) -> int:
    return sum(sets)


def find_loose(hand: int) -> int:
    """Return, as a mask, the cards outside the melds that leave the least deadwood, without a discard."""
    _, sets = _find_most_freed(hand)
    left = hand & ~_unite(sets)
    loose = 0
    for lane in (0, _SECOND, _THIRD, _FOURTH):
        rest = left >> lane & SUIT_MASK
        while run := FIRST_RUN[rest]:
            rest ^= run
        loose |= rest << lane
    return loose


def find_best_melding(hand: tuple[Card, ...], kept: Card | None) -> Melding:
    """Return the melds that leave ten cards, or eleven cards after a discard other than `kept`, the least deadwood."""
    return _find_best_melding(tuple(sorted(hand)), kept)


@lru_cache(maxsize=1 << 12)  # at most 3 MB
def _find_best_melding(hand: tuple[Card, ...], kept: Card | None) -> Melding:
    return arrange_eleven(hand, kept=kept) if len(hand) > HAND_SIZE else arrange(hand)
