"""Deals of Contract Rummy played to their end by a quick policy, without the engine, to value a decision.

The policy draws and buys the cards that the contract lacks, and lays the contract as soon as it is complete. From its
next turn on it lays off all cards that it can, and it discards cards that the contract does not need. The number of
cards that a hand lacks is an estimate, which is never too low. Jokers are not swapped.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from games.analysis.judging import Option
from games.analysis.laid import LaidPosition, Nets
from games.cards import CARDS, FACE_RANK, FACES
from games.contract.rules.missing import find_missing
from games.contract.rules.ruleset import SET, Contract, ContractRules, size_of
from games.engine.laid import HIGH_ACE, LOW_ACE, Meld, face_at

_SUIT: Final = 13
_HOLDING: Final = (1 << _SUIT) - 1
_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
# Rounds to play before the deal is valued. After more rounds the unknown cards decide.
ROUNDS: Final = 6
# Fitted values of a hand against each other hand, in points: a laid contract, each card left then, each
# card that a contract lacks, each point in hand. Larger contracts are worth more.
_LAID: Final = 17.0
_CARD: Final = -5.5
_LACKING: Final = -9.5
_LACKING_WHOLE: Final = -12.0
_POINT: Final = -0.25
_STAKE: Final = 0.15
_LESS: Final = 0.45
# The hand size from which no player buys, and the most points of a hand if the rules set no limit.
_FULL_HAND: Final = 15
_NEVER: Final = 1_000


class _Window(NamedTuple):
    """A run that may be made in a suit.

    `held` is the number of its cards in the hand, `cards` the mask of all its cards, and `blocked` the mask of the
    cards that no other run may contain (C5).
    """

    held: int
    cards: int
    blocked: int


@lru_cache(maxsize=14)  # at most 2 MB
def windows(size: int) -> list[_Window]:
    """Return, as a list indexed by the cards held of a suit, the run of `size` cards that contains the most of them."""
    places = []
    for start in range(LOW_ACE, HIGH_ACE - size + 2):
        run = sum(1 << face_at(0, step) for step in range(start, start + size))
        beside = (step for step in (start - 1, start + size) if LOW_ACE <= step <= HIGH_ACE)
        blocked = run | sum(1 << face_at(0, step) for step in beside)
        places.append([_Window(held, run, blocked) for held in range(size + 1)])
    return [
        max(
            (of[(of[0].cards & holding).bit_count()] for of in places),
            key=lambda window: window.held,
        )
        for holding in range(_HOLDING + 1)
    ]


class Need(NamedTuple):
    """What a hand needs for a contract, as an estimate.

    `lacking` is the number of missing cards, which is never too low. `faces` are the faces of the runs and `ranks` the
    ranks of the sets, both as masks.
    """

    lacking: int
    faces: int
    ranks: int


@dataclass(slots=True)
class ContractState:
    """A running deal with all cards known. It changes as it is played."""

    hands: list[list[int]]
    closed: list[int]
    open_pile: list[int]
    playing: list[bool]
    lost: list[int]
    turns: list[int]
    turn: int
    drawn: int | None
    from_open: bool
    restocks: int
    # Whether each place had laid the contract before this turn, or has laid it now.
    has_laid: list[bool]
    lays: bool
    buys: list[int]
    # Runs on the table as (suit, first, last step), and the ranks of sets.
    runs: list[tuple[int, int, int]]
    sets: int
    # Cached needs of each hand, and of a hand with the last examined card.
    needs: list[Need | None]
    tried: Need | None = None
    # Faces that may be laid off.
    fits: int = 0


@dataclass(slots=True)
class ContractPlayouts:
    """Plays deals of one contract to their end. `is_whole` says whether the contract takes the whole hand (C4)."""

    rules: ContractRules
    contract: Contract
    is_whole: bool
    rng: random.Random
    points: list[int] = field(init=False)
    wilds: frozenset[int] = field(init=False)
    sets: int = field(init=False)
    runs: int = field(init=False)
    # The fewest cards of the contract.
    needed: int = field(init=False)
    # Cards looked at so far.
    steps: int = 0

    def __post_init__(self) -> None:
        rules = self.rules
        self.points = [rules.points_of(CARDS[face]) for face in range(FACES)]
        self.wilds = frozenset(face for face in range(FACES) if rules.is_wild(CARDS[face]))
        self.sets = self.contract.count(SET)
        self.runs = len(self.contract) - self.sets
        self.needed = size_of(self.contract, rules)

    def state(self, position: LaidPosition) -> ContractState:
        state = ContractState(
            [hand[:] for hand in position.hands], position.closed[:], position.open_pile[:], position.playing,
            position.lost, position.turns[:], position.turn, position.drawn, position.from_open, position.restocks,
            position.has_laid[:], position.laid > 0, position.buys[:], [], 0, [None] * len(position.hands),
        )  # fmt: skip
        for meld in position.melds:
            self._put_on_table(state, meld)
        self._refit(state)
        return state

    def copy(self, state: ContractState) -> ContractState:
        return ContractState(
            [hand[:] for hand in state.hands], state.closed[:], state.open_pile[:], state.playing, state.lost,
            state.turns[:], state.turn, state.drawn, state.from_open, state.restocks, state.has_laid[:], state.lays,
            state.buys[:], state.runs[:], state.sets, state.needs[:], None, state.fits,
        )  # fmt: skip

    def cards_of(self, hand: list[int]) -> list[int]:
        return hand

    @staticmethod
    def _put_on_table(state: ContractState, meld: Meld) -> None:
        if meld.is_set:
            state.sets |= 1 << FACE_RANK[meld.faces[0]] - 1
        else:
            state.runs.append((meld.faces[0] // _SUIT, meld.start, meld.end))

    @staticmethod
    def _refit(state: ContractState) -> None:
        fits = _COLUMN * state.sets
        for suit, first, last in state.runs:
            if first > LOW_ACE:
                fits |= 1 << face_at(suit, first - 1)
            if last < HIGH_ACE:
                fits |= 1 << face_at(suit, last + 1)
        state.fits = fits

    # --- What a hand lacks.

    def measure_need(self, hand: Sequence[int]) -> Need:
        self.steps += len(hand)
        mask = wild = 0
        ranks = [0] * _SUIT
        wilds = self.wilds
        for card in hand:
            face = card % FACES
            if face in wilds:
                wild += 1
            else:
                mask |= 1 << face
                ranks[face % _SUIT] += 1
        left = ranks[:]
        held, room, faces = self._take_runs(mask, left, len(hand))
        in_sets, more, used = self._take_sets(left)
        held, room = held + in_sets, room + more
        if self.runs and self.sets:
            # Cards of the runs may be worth more in sets.
            at_best, more, others = self._take_sets(ranks)
            if at_best > in_sets:
                for rank in range(_SUIT):
                    if others >> rank & 1 and not ranks[rank]:
                        mask &= ~(_COLUMN << rank)
                in_runs, still, other_faces = self._take_runs(mask, ranks, len(hand))
                if at_best + in_runs > held:
                    held, room, faces, used = at_best + in_runs, more + still, other_faces, others
        needed = len(hand) if self.is_whole else self.needed
        return Need(needed - held - min(wild, room), faces, used)

    def _take_sets(self, ranks: list[int]) -> tuple[int, int, int]:
        """Remove from `ranks`, the number of cards of each rank, the cards of the sets that have the most cards.

        Return the number of cards used, the number of jokers that the sets have room for, and the ranks of the sets as
        a mask.
        """
        size, naturals = self.rules.min_set, self.rules.min_naturals_set
        held = room = used = 0
        for _ in range(self.sets):
            most = max(ranks)
            rank = ranks.index(most)
            own = min(most, size)
            held += own
            room += size - max(own, naturals)
            used |= 1 << rank
            ranks[rank] = 0 if most <= size else most - size
        return held, room, used

    def _take_runs(self, mask: int, ranks: list[int], size: int) -> tuple[int, int, int]:
        """Remove from `ranks`, the number of cards of each rank, the cards of runs that have many cards.

        Return the number of cards used, the number of jokers that the runs have room for, and the faces used as a mask.
        """
        held = room = faces = 0
        least, naturals = self.rules.min_run, self.rules.min_naturals_run
        a, b, c, d = mask & _HOLDING, mask >> 13 & _HOLDING, mask >> 26 & _HOLDING, mask >> 39
        suits = [a, b, c, d]
        for left in range(self.runs, 0, -1):
            # Runs of a whole hand share its cards.
            length = min(HIGH_ACE, max(least, size // left)) if self.is_whole else least
            size -= length
            table = windows(length)
            found = [table[held_in] for held_in in suits]
            counts = [window[0] for window in found]
            most = max(counts)
            suit = counts.index(most)
            window = found[suit]
            own = window.cards & suits[suit]
            held += most
            room += length - max(most, naturals)
            faces |= own << suit * _SUIT
            suits[suit] &= ~window.blocked
            while own:
                lowest = own & -own
                own ^= lowest
                ranks[lowest.bit_length() - 1] -= 1
        return held, room, faces

    def find_need(self, state: ContractState, place: int) -> Need:
        known = state.needs[place]
        if known is None:
            state.needs[place] = known = self.measure_need(state.hands[place])
        return known

    # --- The policy.

    def wants(self, state: ContractState, place: int, card: int) -> bool:
        """Return whether the policy lets the player at `place` take or buy the card.

        It does if the hand then lacks fewer cards for the contract or, once the contract is laid, if the card can be
        laid off.
        """
        if state.has_laid[place]:
            return self.is_fitting(state, card)
        state.tried = self.measure_need([*state.hands[place], card])
        return state.tried.lacking - self.is_whole < self.find_need(state, place).lacking

    def is_fitting(self, state: ContractState, card: int) -> bool:
        face = card % FACES
        return bool(state.fits if face in self.wilds else state.fits >> face & 1)

    def list_discards(self, state: ContractState) -> list[int]:
        """Return the cards that may be discarded, from the policy's first choice to its last."""
        hand = state.hands[state.turn]
        kept = {state.drawn} if state.from_open and not self.rules.may_return_open_card else set()
        has_laid = state.has_laid[state.turn] or state.lays
        need = None if has_laid else self.find_need(state, state.turn)
        return [card for card in self._sort_by_use(hand, need) if card not in kept]

    def _sort_by_use(self, hand: Sequence[int], need: Need | None) -> list[int]:
        """Return the cards of a hand, the least useful first.

        `need` is what the hand needs for the contract, or None if its player has laid the contract.
        """
        if need is None:
            return sorted(
                hand, key=lambda card: (self._is_wild(card), -self.points[card % FACES], card)
            )
        _, run_faces, set_ranks = need
        sets = self.sets / len(self.contract)
        mask, ranks = 0, [0] * _SUIT
        for card in hand:
            if card % FACES not in self.wilds:
                mask |= 1 << card % FACES
                ranks[card % FACES % _SUIT] += 1
        prices = []
        for card in hand:
            face = card % FACES
            if face in self.wilds:
                prices.append((2, 0.0, 0, card))
                continue
            is_used = set_ranks >> face % _SUIT & 1
            if run_faces >> face & 1:
                # The same card of another pack is not used.
                run_faces ^= 1 << face
                is_used = 1
            company = (
                sets * (ranks[face % _SUIT] - 1) + (1 - sets) * (mask & NEAR[face]).bit_count()
            )
            prices.append((is_used, company, -self.points[face], card))
        return [price[3] for price in sorted(prices)]

    def _is_wild(self, card: int) -> bool:
        return card % FACES in self.wilds

    def split_hand(
        self, hand: list[int], certain: int, size: int, *, has_laid: bool
    ) -> tuple[list[int], list[int]]:
        """See `games.analysis.laid.Playouts`. Cards that the contract does not need are discarded first."""
        kept, spare = hand[:], []
        fixed = set(hand[:certain])
        while len(kept) > size:
            useless = self._sort_by_use(kept, None if has_laid else self.measure_need(kept))
            card = [card for card in useless if card not in fixed][0]  # noqa: RUF015 - not empty
            kept.remove(card)
            spare.append(card)
        return kept, spare

    # --- The course.

    def play_out(self, state: ContractState, option: Option, place: int) -> Nets:
        """Return the net points of each player after this option and some more rounds of the policy. Uses up `state`.

        If the option has a `card`, it is discarded without laying. `buy` and `pass` are answers of a player other than
        the current one, at `place`.
        """
        nets = self._do(state, option, place)
        left = ROUNDS * sum(state.playing)
        while nets is None:
            if state.drawn is None:
                left -= 1
                if left < 0:
                    return self.estimate_nets(state)
                if state.open_pile and self.wants(state, state.turn, state.open_pile[-1]):
                    tried = state.tried
                    self._hold(state, state.open_pile.pop(), from_open=True)
                    state.needs[state.turn] = tried
                else:
                    self.take_closed(state, {})
            nets = self.lay(state) or self.discard(state, self.list_discards(state)[0])
        return nets

    def _do(self, state: ContractState, option: Option, place: int) -> Nets | None:
        if option.card is not None:
            return self.discard(state, option.card)
        if option.doing == "open":
            self._hold(state, state.open_pile.pop(), from_open=True)
        elif option.doing == "closed":
            self.take_closed(state, {})
        elif option.doing in ("buy", "pass"):
            self.take_closed(state, {place: option.doing == "buy"})
        elif option.doing == "drawn":
            self._hold(state, state.closed.pop(), from_open=False)
        return None

    def take_closed(self, state: ContractState, answers: dict[int, bool]) -> None:
        """Offer the upcard to the other players (C7), then draw a card from the closed deck."""
        if self.rules.buying and state.open_pile and len(state.closed) > 1:
            self._sell(state, answers)
        self._restock(state)
        self._hold(state, state.closed.pop(), from_open=False)

    def _sell(self, state: ContractState, answers: dict[int, bool]) -> None:
        card, places = state.open_pile[-1], len(state.hands)
        for step in range(1, places):
            place = (state.turn + step) % places
            if not state.playing[place] or state.buys[place] <= 0:
                continue
            hand = state.hands[place]
            buys = answers.get(place)
            if buys is None:
                buys = (
                    not state.has_laid[place]
                    and len(hand) < _FULL_HAND
                    and self.wants(state, place, card)
                )
            if buys:
                hand += [state.open_pile.pop(), state.closed.pop()]
                state.needs[place] = None
                state.buys[place] -= 1
                return

    def _hold(self, state: ContractState, card: int, *, from_open: bool) -> None:
        state.hands[state.turn].append(card)
        state.needs[state.turn] = None
        state.drawn, state.from_open = card, from_open

    def lay(self, state: ContractState) -> Nets | None:
        """Lay the contract or lay off. Return the net points if the current player has gone out, else None."""
        if state.has_laid[state.turn]:
            self._lay_off_all(state)
        elif not state.lays and self.find_need(state, state.turn).lacking <= 0:
            self._lay_contract(state)
        return None if state.hands[state.turn] else self.score_win(state)

    def _lay_contract(self, state: ContractState) -> None:
        hand = state.hands[state.turn]
        if self.is_whole:
            state.hands[state.turn] = []
            return
        melds = find_missing([CARDS[card] for card in hand], self.contract, self.rules).melds or ()
        laid = {card for meld in melds for card in meld.cards}
        rest = [card for card in hand if card not in laid]
        if not melds or not self._may_keep(state, rest):
            return
        state.hands[state.turn] = rest
        state.lays = True
        for meld in melds:
            ranks = {FACE_RANK[face] for face in meld.faces}
            if len(ranks) == 1:
                state.sets |= 1 << ranks.pop() - 1
            else:
                state.runs.append(_measure_run(meld.faces))
        self._refit(state)

    def _lay_off_all(self, state: ContractState) -> None:
        """Lay off cards until no card fits: those with the most points first, and jokers last."""
        while True:
            hand = state.hands[state.turn]
            fitting = [card for card in hand if self.is_fitting(state, card)]
            if not fitting:
                return
            card = min(fitting, key=lambda card: (self._is_wild(card), -self.points[card % FACES]))
            rest = [other for other in hand if other != card]
            if not self._may_keep(state, rest):
                return
            state.hands[state.turn] = rest
            self._lay_off(state, card)

    def _may_keep(self, state: ContractState, rest: Sequence[int]) -> bool:
        """Return whether the turn can end if these cards are left (C12, C13)."""
        if not rest:
            return True
        bound = state.from_open and not self.rules.may_return_open_card
        is_stuck = self.rules.must_go_out_by_laying or (bound and rest[0] == state.drawn)
        return len(rest) > 1 or not is_stuck

    def _lay_off(self, state: ContractState, card: int) -> None:
        face = card % FACES
        is_wild = self._is_wild(card)
        if not is_wild and state.sets >> face % _SUIT & 1:
            return
        for at, (suit, first, last) in enumerate(state.runs):
            if first > LOW_ACE and (is_wild or face_at(suit, first - 1) == face):
                state.runs[at] = suit, first - 1, last
                break
            if last < HIGH_ACE and (is_wild or face_at(suit, last + 1) == face):
                state.runs[at] = suit, first, last + 1
                break
        self._refit(state)

    def discard(self, state: ContractState, card: int) -> Nets | None:
        """Discard a card for the current player. Return the net points if this ends the deal, else None."""
        turn, places = state.turn, len(state.hands)
        hand = state.hands[turn]
        if len(hand) > 1 or not self.rules.must_go_out_by_laying:
            hand.remove(card)
            state.open_pile.append(card)
        need, face = state.needs[turn], card % FACES
        if need is not None and (
            self.is_whole or need.faces >> face & 1 or need.ranks >> face % _SUIT & 1
        ):
            state.needs[turn] = None  # else it needs as much as before
        if not hand:
            return self.score_win(state)
        state.has_laid[turn] |= state.lays
        state.drawn, state.from_open, state.lays = None, False, False
        turn = (turn + 1) % places
        while not state.playing[turn]:
            turn = (turn + 1) % places
        if state.turns[turn] >= self.rules.max_turns:
            return self.score_counts(state)
        state.turn = turn
        state.turns[turn] += 1
        return None if self._restock(state) else self.score_counts(state)

    def _restock(self, state: ContractState) -> bool:
        """Restock an empty closed deck (C14). Return False if that is not possible."""
        if state.closed:
            return True
        if state.restocks >= self.rules.max_restocks or len(state.open_pile) < 2:
            return False
        state.closed = state.open_pile[:-1]
        self.rng.shuffle(state.closed)
        del state.open_pile[:-1]
        state.restocks += 1
        return True

    # --- The end.

    def score_win(self, state: ContractState) -> Nets:
        nets = [-float(points) for points in self._points(state)]
        nets[state.turn] = 0.0
        nets[state.turn] = -sum(nets)
        return nets

    def score_counts(self, state: ContractState) -> Nets:
        """Return the net points of a deal in which no player has gone out (C14)."""
        points = self._points(state)
        if not self.rules.per_point:
            return [-float(count) for count in points]
        least = min(count for count, is_in in zip(points, state.playing, strict=True) if is_in)
        nets = [
            float(least - count if is_in else -count)
            for count, is_in in zip(points, state.playing, strict=True)
        ]
        winners = [place for place, is_in in enumerate(state.playing) if is_in and not nets[place]]
        pot = -sum(nets)
        for place in winners:
            nets[place] = pot / len(winners)
        return nets

    def estimate_nets(self, state: ContractState) -> Nets:
        """Return the expected net points of each player before a draw, estimated from the hands."""
        worths = [
            self._estimate_worth(state, place) if is_in else 0.0
            for place, is_in in enumerate(state.playing)
        ]
        total, places = sum(worths), sum(state.playing)
        return [
            places * worth - total if is_in else -float(gone)
            for worth, is_in, gone in zip(worths, state.playing, state.lost, strict=True)
        ]

    def _estimate_worth(self, state: ContractState, place: int) -> float:
        """Return how many points a hand is expected to win from each other hand. The result may be negative."""
        hand = state.hands[place]
        if self.is_whole:
            return _LACKING_WHOLE * self.find_need(state, place).lacking
        worth = _POINT * sum(self.points[card % FACES] for card in hand)
        if state.has_laid[place]:
            worth += _LAID + _CARD * len(hand)
        else:
            worth += _LACKING * max(0, self.find_need(state, place).lacking)
        return worth * (_STAKE * self.needed - _LESS)

    def _points(self, state: ContractState) -> list[int]:
        most = self.rules.max_points or _NEVER
        return [
            min(most, sum(self.points[card % FACES] for card in hand)) if is_in else gone
            for hand, is_in, gone in zip(state.hands, state.playing, state.lost, strict=True)
        ]


def _measure_run(faces: Sequence[int]) -> tuple[int, int, int]:
    """Return the suit of a run whose faces are in order, and the ranks of its first and last card.

    The rank of an ace above the king is 14.
    """
    first = FACE_RANK[faces[0]]
    return faces[0] // _SUIT, first, first + len(faces) - 1


def _find_near(face: int) -> int:
    """Return, as a mask, the other faces of the same suit within three ranks."""
    suit, rank = divmod(face, _SUIT)
    near = (other for other in range(rank - 3, rank + 4) if 0 <= other < _SUIT and other != rank)
    return sum(1 << suit * _SUIT + other for other in near)


NEAR: Final = tuple(map(_find_near, range(52)))
