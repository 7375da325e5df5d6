"""Deals of basic rummy played to their end by a quick policy, without the engine, to value a decision.

A collection of cards is a mask of 52 bits, with bit number `card` for each card. The policy takes an open card that it
can lay, lays all cards that it can, and discards the loose card with many points and few neighbours.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.analysis.judging import Option
from games.analysis.laid import LaidPosition, Nets
from games.basic.rules.laying import POINTS
from games.basic.rules.ruleset import BasicRules
from games.cards import FACE_RANK
from games.engine.laid import HIGH_ACE, Meld, face_at

_SUIT: Final = 13
_HOLDING: Final = (1 << _SUIT) - 1
_LANES: Final = (0, _SUIT, 2 * _SUIT, 3 * _SUIT)
_COLUMN: Final = sum(1 << lane for lane in _LANES)
BIT: Final = tuple(1 << card for card in range(52))
# Extra points that a card may count for each related card: a neighbour or one of its rank, and one of its
# suit with a rank between.
PER_CLOSE: Final = 3.0
PER_APART: Final = 1.5
# Size of the cache of melds by hand: playouts from one position begin alike.
_KEPT_HANDS: Final = 20_000


def mask_of(cards: Iterable[int]) -> int:
    return sum(map(BIT.__getitem__, cards))


def cards_of(mask: int) -> list[int]:
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cards


def _build_counts() -> list[int]:
    counts = [0] * (_HOLDING + 1)
    for held in range(1, _HOLDING + 1):
        lowest = held & -held
        counts[held] = counts[held ^ lowest] + POINTS[lowest.bit_length() - 1]
    return counts


_COUNT: Final = _build_counts()


def count(mask: int) -> int:
    return (
        _COUNT[mask & _HOLDING]
        + _COUNT[mask >> 13 & _HOLDING]
        + _COUNT[mask >> 26 & _HOLDING]
        + _COUNT[mask >> 39]
    )


class Runs:
    """Tables of the sequences in one suit.

    `best` is indexed by the cards held of the suit. It has the most points that sequences of these cards can have, and
    these sequences. `ends` maps each sequence to the cards that extend it at either end.
    """

    def __init__(self, *, ace_high: bool) -> None:
        highest = HIGH_ACE if ace_high else HIGH_ACE - 1
        self.ends: dict[int, int] = {}
        by_lowest: dict[int, list[int]] = {}
        for first in range(1, highest + 1):
            for last in range(first + 2, min(highest, first + 12) + 1):
                run = mask_of(face_at(0, step) for step in range(first, last + 1))
                beside = (step for step in (first - 1, last + 1) if 1 <= step <= highest)
                self.ends[run] = mask_of(face_at(0, step) for step in beside) & ~run
                by_lowest.setdefault(run & -run, []).append(run)
        # Cards that can be laid beyond a card at the end of a sequence.
        self.next = [self._find_beside(step, highest) for step in range(1, _SUIT + 1)]
        self.best: list[tuple[int, tuple[int, ...]]] = [(0, ())] * (_HOLDING + 1)
        for held in range(1, _HOLDING + 1):
            lowest = held & -held
            best = self.best[held ^ lowest]
            for run in by_lowest.get(lowest, ()):
                if run & held == run:
                    points, others = self.best[held ^ run]
                    if points + _COUNT[run] > best[0]:
                        best = points + _COUNT[run], (run, *others)
            self.best[held] = best

    @staticmethod
    def _find_beside(step: int, highest: int) -> int:
        if step == 1:
            return 0
        return mask_of(face_at(0, other) for other in (step - 1, step + 1) if other <= highest)


@lru_cache(maxsize=2)  # at most 3 MB
def runs_of(*, ace_high: bool) -> Runs:
    return Runs(ace_high=ace_high)


@dataclass(slots=True)
class BasicState:
    """A running deal with all cards known. It changes as it is played."""

    hands: list[int]
    closed: list[int]
    open_pile: list[int]
    playing: list[bool]
    lost: list[int]
    turns: list[int]
    turn: int
    drawn: int | None
    from_open: bool
    restocks: int
    # Whether each place had laid something before this turn; whether something was laid in it; the melds.
    has_laid: list[bool]
    lays: bool
    laid: int
    # Cards that may be laid off: on sequences, and on sets.
    on_runs: int
    on_sets: int


class BasicPlayouts:
    """Plays deals to their end by one rule set."""

    def __init__(self, rules: BasicRules, rng: random.Random) -> None:
        self.rules = rules
        self.rng = rng
        self.runs = runs_of(ace_high=rules.ace == "both")
        self.steps = 0  # turns played
        self._melds: dict[int, tuple[int, tuple[int, ...]]] = {}

    def state(self, position: LaidPosition) -> BasicState:
        on_runs, on_sets = self.find_fitting(position.melds)
        return BasicState(
            [mask_of(hand) for hand in position.hands], position.closed[:], position.open_pile[:], position.playing,
            position.lost, position.turns[:], position.turn, position.drawn, position.from_open, position.restocks,
            position.has_laid[:], position.laid > 0, position.laid, on_runs, on_sets,
        )  # fmt: skip

    def find_fitting(self, melds: Iterable[Meld]) -> tuple[int, int]:
        """Return, as masks, the cards that may be laid off on sequences, and those that may be laid off on sets."""
        on_runs = on_sets = 0
        for meld in melds:
            if meld.is_set:
                on_sets |= _COLUMN << FACE_RANK[meld.faces[0]] - 1 & ~mask_of(meld.cards)
            else:
                on_runs |= self._ends(meld)
        return on_runs, on_sets

    def copy(self, state: BasicState) -> BasicState:
        return BasicState(
            state.hands[:], state.closed[:], state.open_pile[:], state.playing, state.lost, state.turns[:],
            state.turn, state.drawn, state.from_open, state.restocks, state.has_laid[:], state.lays, state.laid,
            state.on_runs, state.on_sets,
        )  # fmt: skip

    def _ends(self, meld: Meld) -> int:
        lane = meld.faces[0] // _SUIT * _SUIT
        return self.runs.ends[mask_of(meld.cards) >> lane] << lane

    def cards_of(self, hand: int) -> list[int]:
        return cards_of(hand)

    # --- The policy.

    def wants(self, state: BasicState, card: int) -> bool:
        """Return whether the policy takes this card from the open pile: whether the current player can lay it."""
        bit, hand = BIT[card], state.hands[state.turn]
        if bit & (state.on_runs | state.on_sets):
            return True
        return self.find_melds(hand | bit)[0] > self.find_melds(hand)[0]

    def choose_discard(self, hand: int, kept: int) -> int:
        """Return the card to discard: one with many points that few other cards of the hand go with.

        Cards of its rank go with a card, and cards of its suit that are one or two ranks away. `kept` is the mask of
        cards that may not be discarded.
        """
        left = hand & ~kept or hand
        best, least = 0, 1_000.0
        while left:
            bit = left & -left
            left ^= bit
            card = bit.bit_length() - 1
            price = (hand & CLOSE[card]).bit_count() * PER_CLOSE + (
                hand & APART[card]
            ).bit_count() * PER_APART
            price -= POINTS[card]
            if price <= least:
                best, least = card, price
        return best

    def list_discards(self, state: BasicState) -> list[int]:
        """Return the cards that may be discarded, from the policy's first choice to its last."""
        found, kept = [], self.get_kept(state)
        left = state.hands[state.turn] & ~kept
        while left:
            card = self.choose_discard(left | kept, kept)
            left ^= BIT[card]
            found.append(card)
        return found

    def find_melds(self, hand: int) -> tuple[int, tuple[int, ...]]:
        """Return the most points that melds of this hand can have together, and these melds as masks."""
        known = self._melds.get(hand)
        if known is not None:
            return known
        best = self.runs.best
        a, b, c, d = hand & _HOLDING, hand >> 13 & _HOLDING, hand >> 26 & _HOLDING, hand >> 39
        points = best[a][0] + best[b][0] + best[c][0] + best[d][0]
        groups: tuple[int, ...] = ()
        if points:
            groups = tuple(
                run << lane
                for lane, held in zip(_LANES, (a, b, c, d), strict=True)
                for run in best[held][1]
            )
        three = a & b & (c | d) | c & d & (a | b)
        while three:
            rank = three & -three
            three ^= rank
            for group in _sets_of(hand & _COLUMN * rank):
                more, others = self.find_melds(hand ^ group)
                more += _COUNT[rank] * group.bit_count()
                if more > points:
                    points, groups = more, (group, *others)
        if len(self._melds) >= _KEPT_HANDS:
            self._melds.clear()
        self._melds[hand] = points, groups
        return points, groups

    def split_hand(
        self,
        hand: list[int],
        certain: int,
        size: int,
        *,
        has_laid: bool,
    ) -> tuple[list[int], list[int]]:
        """See `games.analysis.laid.Playouts`. Melds are given up first, because the player would have laid them."""
        kept, left = mask_of(hand[:certain]), mask_of(hand)
        spare = []
        for _ in range(len(hand) - size):
            free = left & ~kept
            melded = [group & free for group in self.find_melds(left)[1] if group & free]
            card = melded[0].bit_length() - 1 if melded else self.choose_discard(left, kept)
            left ^= BIT[card]
            spare.append(card)
        return cards_of(left), spare

    # --- The course.

    def play_out(self, state: BasicState, option: Option, _place: int) -> Nets:
        """Return the net points of each player after this option, if all players follow the policy. Uses up `state`.

        If the option has a `card`, it is discarded without laying. Otherwise the policy lays all that it can.
        """
        nets = None
        if option.doing == "open":
            self.take_open(state)
        elif option.doing in ("closed", "drawn"):
            self.take_closed(state)
        elif option.card is not None:
            nets = self.discard(state, option.card)
        return nets or self.play(state)

    def play(self, state: BasicState) -> Nets:
        """Play the deal to its end by the policy and return the net points of each player.

        It begins with a draw, or with laying if a card has been drawn.
        """
        while True:
            self.steps += 1
            if state.drawn is None:
                if state.open_pile and self.wants(state, state.open_pile[-1]):
                    self.take_open(state)
                else:
                    self.take_closed(state)
            nets = self.lay(state) or self.discard(
                state, self.choose_discard(state.hands[state.turn], self.get_kept(state))
            )
            if nets is not None:
                return nets

    def take_open(self, state: BasicState) -> None:
        self._hold(state, state.open_pile.pop(), from_open=True)

    def take_closed(self, state: BasicState) -> None:
        self._hold(state, state.closed.pop(), from_open=False)

    def _hold(self, state: BasicState, card: int, *, from_open: bool) -> None:
        state.hands[state.turn] |= BIT[card]
        state.drawn, state.from_open = card, from_open

    def get_kept(self, state: BasicState) -> int:
        """Return the card that may not be discarded, as a mask (B7). It is 0 if there is none."""
        is_bound = (
            state.from_open and state.drawn is not None and not self.rules.may_return_open_card
        )
        return BIT[state.drawn] if is_bound and state.drawn is not None else 0

    def lay(self, state: BasicState) -> Nets | None:
        """Lay all melds, then all cards that fit. Return the net points if the current player goes out, else None."""
        turn, kept = state.turn, self.get_kept(state)
        before = state.hands[turn], state.lays, state.laid, state.on_runs, state.on_sets
        for group in self.list_layable(state):
            self._lay_meld(state, group)
        while fitting := state.hands[turn] & (state.on_runs | state.on_sets):
            self._lay_off(state, fitting & -fitting)
        hand = state.hands[turn]
        if (not hand and self.rules.must_discard_last) or (hand and hand == kept):
            # Keep a card to discard (B7, B8).
            state.hands[turn], state.lays, state.laid, state.on_runs, state.on_sets = before
            return None
        return None if hand else self.score_win(state)

    def list_layable(self, state: BasicState) -> Sequence[int]:
        """Return the melds that may be laid in this turn.

        If their number is limited, return those with the most points.
        """
        groups, most = self.find_melds(state.hands[state.turn])[1], self.rules.melds_a_turn
        if most is None:
            return groups
        return sorted(groups, key=count, reverse=True)[: max(0, most - state.laid)]

    def _lay_meld(self, state: BasicState, group: int) -> None:
        state.hands[state.turn] ^= group
        state.lays = True
        state.laid += 1
        rank = group & _HOLDING or group >> 13 & _HOLDING or group >> 26 & _HOLDING or group >> 39
        if rank & (rank - 1):
            lane = (group.bit_length() - 1) // _SUIT * _SUIT
            state.on_runs |= self.runs.ends[rank] << lane
        else:
            state.on_sets |= _COLUMN * rank & ~group

    def _lay_off(self, state: BasicState, bit: int) -> None:
        state.hands[state.turn] ^= bit
        state.lays = True
        if bit & state.on_runs:
            suit, rank = divmod(bit.bit_length() - 1, _SUIT)
            state.on_runs = (state.on_runs ^ bit) | self.runs.next[rank] << suit * _SUIT
        state.on_sets &= ~bit

    def discard(self, state: BasicState, card: int) -> Nets | None:
        """Discard a card for the current player. Return the net points if this ends the deal, else None."""
        turn = state.turn
        state.hands[turn] ^= BIT[card]
        state.open_pile.append(card)
        if not state.hands[turn]:
            return self.score_win(state)
        state.has_laid[turn] |= state.lays
        state.drawn, state.from_open, state.lays, state.laid = None, False, False, 0
        places = len(state.hands)
        turn = (turn + 1) % places
        while not state.playing[turn]:
            turn = (turn + 1) % places
        if state.turns[turn] >= self.rules.max_turns:
            return self.score_lowest(state)
        state.turn = turn
        state.turns[turn] += 1
        if not state.closed and not self._restock(state):
            return self.score_lowest(state)
        return None

    def _restock(self, state: BasicState) -> bool:
        """Make a new closed deck from the open pile (B10). Return False if the deal is blocked."""
        rules = self.rules
        if (
            rules.restock == "block"
            or state.restocks >= rules.max_restocks
            or len(state.open_pile) < 2
        ):
            return False
        state.closed = state.open_pile[-2::-1]
        if rules.restock == "shuffle":
            self.rng.shuffle(state.closed)
        del state.open_pile[:-1]
        state.restocks += 1
        return True

    # --- The end.

    def score_win(self, state: BasicState) -> Nets:
        """Return the net points of a deal that the current player has won (B8, B9, B12)."""
        is_rummy = not state.has_laid[state.turn]
        factor = self.rules.rummy_factor if is_rummy else 1
        return self._nets(state, [count(hand) * factor for hand in state.hands], [state.turn])

    def score_lowest(self, state: BasicState) -> Nets:
        """Return the net points of a deal that ends by counting the hands (B11).

        Each other player loses the difference between their count and the lowest.
        """
        counts = [count(hand) for hand in state.hands]
        least = min(points for points, is_in in zip(counts, state.playing, strict=True) if is_in)
        winners = [
            place for place, points in enumerate(counts) if state.playing[place] and points == least
        ]
        return self._nets(state, [points - least for points in counts], winners)

    def _nets(self, state: BasicState, lost: Sequence[int], winners: Sequence[int]) -> Nets:
        most = self.rules.max_points
        nets = [
            -float((points if most is None else min(points, most)) if is_in else gone)
            for points, is_in, gone in zip(lost, state.playing, state.lost, strict=True)
        ]
        for place in winners:
            nets[place] = 0.0
        pot = -sum(nets)
        for place in winners:
            nets[place] = pot / len(winners)
        return nets


def _sets_of(held: int) -> list[int]:
    """Return the sets that three or four cards of one rank can form."""
    if held.bit_count() == 3:
        return [held]
    return [held, *(held ^ BIT[card] for card in cards_of(held))]


def _find_related(card: int, apart: Sequence[int], *, same_rank: bool) -> int:
    suit, rank = divmod(card, _SUIT)
    near = (rank + sign * step for step in apart for sign in (-1, 1))
    mask = mask_of(suit * _SUIT + other for other in near if 0 <= other < _SUIT)
    return mask | ((_COLUMN << rank) & ~BIT[card] if same_rank else 0)


# By card: cards of its rank and its neighbours; cards of its suit with a rank between.
CLOSE: Final = tuple(_find_related(card, (1,), same_rank=True) for card in range(52))
APART: Final = tuple(_find_related(card, (2,), same_rank=False) for card in range(52))
