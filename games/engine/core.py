"""The course of a match, the same for every game. A game implements ten hooks of `Core`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

from games.cards import CARDS, Card
from games.engine.base import DEAL_BEGINS, JSON, Instant, InvalidRules, Result
from games.engine.moves import (
    DEAL_OVER,
    MATCH_OVER,
    NOT_IN_DEAL,
    NOT_YOUR_TURN,
    TIME_IS_UP,
    Event,
    Leave,
    Move,
    MoveRefusal,
    PilesStep,
    Step,
)
from games.engine.state import Course, Deal, Match, Stage, Value, as_json, replace, require
from games.shuffle import shuffle

# One pack without its joker, for the toss.
PACK: Final = CARDS[:52]
_DEAL, _OVER = Stage.DEAL, Stage.OVER


class GameStatus(Value):
    """The facts about a state that the table layer needs, in the same form for every game."""

    # Seats that play or have played in this match, including those that left it.
    seats: tuple[int, ...]
    acting: tuple[int, ...]  # seats that may move now
    deadline: Instant | None  # None while nothing happens automatically
    # Deals dealt so far. Each deal uses up a seed.
    deals: int
    # The number of entry fees paid by each seat.
    fees: Mapping[int, int]
    # The split of the pot that players may agree on now, and whether the table may offer one.
    shares_offered: Mapping[int, int] | None
    offers_split: bool
    result: Result | None


class Outcome(Value):
    """The new state after a move or an expired deadline, the events that led to it, and its status."""

    state: Any
    events: tuple[Event, ...]
    status: GameStatus


AnyStep: TypeAlias = Step[Any, Any, Any, Any]
StepT = TypeVar("StepT", bound=AnyStep)
MatchT = TypeVar("MatchT", bound=Course[Any, Any])
DealT = TypeVar("DealT", bound=Deal[Any])
RulesT = TypeVar("RulesT")


class _Form(NamedTuple):
    """How a move class appears in the list of legal moves: its entry, with null for every field."""

    entry: dict[str, JSON]
    # The fields whose values are listed.
    listed: tuple[str, ...]
    # Whether the entry is the same whenever the class is not blocked.
    is_fixed: bool


@lru_cache(maxsize=256)  # as many as there are classes of moves
def _build_form(kind: Any) -> _Form:
    names = kind.__struct_fields__
    listed = tuple(name for name in names if name not in kind.free)
    is_certain = not names or kind.is_public or kind.is_offered_untried
    usual: Any = Move.details
    has_details = kind.details.__func__ is not usual.__func__
    is_fixed = is_certain and not listed and not has_details
    return _Form({"kind": kind.kind, **dict.fromkeys(names)}, listed, is_fixed)


def _describe_kind(step: AnyStep, kind: Any) -> dict[str, JSON] | None:
    entry, listed, is_fixed = _build_form(kind)
    if is_fixed:
        return entry
    if len(entry) == 1:
        return {**entry, **kind.details(step)}
    if not listed:
        return entry if next(iter(kind.options(step)), None) is not None else None
    moves = tuple(kind.options(step))
    if not moves:
        return None
    entry = dict(entry)
    for name in listed:
        entry[name] = as_json([*dict.fromkeys([getattr(move, name) for move in moves])])
    return entry


def ranks_of(match: Course[Any, Any], place: Callable[[int], Any]) -> dict[int, int]:
    """Return the rank of each seat, from 1: the winners first, then the others by `place(seat)`, lowest first.

    Seats with equal values share a rank.
    """
    winners = match.winners
    places = {seat: place(seat) for seat in match.seats if seat not in winners}
    behind = {
        seat: 1 + len(winners) + sum(other < own for other in places.values())
        for seat, own in places.items()
    }
    return {**dict.fromkeys(winners, 1), **behind}


class Core(ABC, Generic[StepT, MatchT, DealT, RulesT]):
    """The rules of a game: first the hooks that a game implements, then the engine."""

    seats: ClassVar[range]
    match_type: ClassVar[Any] = Match
    step_type: ClassVar[Any] = PilesStep
    moves: ClassVar[tuple[type[Move[Any]], ...]]
    # Kinds of moves whose legality reveals nothing secret, and kinds that mean the same in a later turn.
    public_kinds: ClassVar[frozenset[str]] = frozenset()
    anytime_kinds: ClassVar[frozenset[str]] = frozenset()
    # The moves of the current player, of the other players, and of players outside the deal, each with its
    # `blocked`.
    _moves_at_turn: ClassVar[tuple[tuple[Any, Any], ...]] = ()
    _moves_of_others: ClassVar[tuple[tuple[Any, Any], ...]] = ()
    _moves_outside: ClassVar[tuple[tuple[Any, Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        kinds = getattr(cls, "moves", ())
        cls.public_kinds = frozenset(kind.kind for kind in kinds if kind.is_public)
        cls.anytime_kinds = frozenset(kind.kind for kind in kinds if kind.is_anytime)
        asked = [(kind, kind.blocked) for kind in kinds]
        cls._moves_at_turn = tuple(one for one in asked if one[0].in_deal or one[0] is Leave)
        cls._moves_of_others = tuple(one for one in cls._moves_at_turn if not one[0].needs_turn)
        cls._moves_outside = tuple(one for one in asked if not one[0].in_deal)

    # --- Hooks.

    @abstractmethod
    def deal(self, rules: RulesT, order: Sequence[int], *, number: int, seed: bytes) -> DealT:
        """Shuffle the cards and deal them. The engine sets the clocks."""

    @abstractmethod
    def describe_deal(self, deal: DealT, rules: RulesT) -> Mapping[str, Any]:
        """Return the fields that the first event of a deal has in addition to its order and dealer."""

    @abstractmethod
    def miss_turn(self, step: StepT) -> None:
        """Finish the turn of a player whose clock has run out."""

    @abstractmethod
    def miss_too_many(self, step: StepT) -> None:
        """Handle a player who has missed `max_missed_turns` turns in a row."""

    @abstractmethod
    def leave_deal(self, step: StepT) -> None:
        """Take `step.player` out of the running deal."""

    @abstractmethod
    def find_winners(self, match: MatchT) -> tuple[int, ...]:
        """Return the winners after a deal, or an empty tuple while the match goes on."""

    @abstractmethod
    def find_leaders(self, match: MatchT) -> tuple[int, ...]:
        """Return the seats that would win if the match ended now."""

    @abstractmethod
    def result(self, match: MatchT) -> Result:
        """Return the result of a match that is over."""

    def expire_turn(self, step: StepT) -> None:
        """Handle an expired turn. By default the player misses it."""
        player = step.deal.at_turn
        player = step.put(player, extra_ms=0, missed=player.missed + 1)
        step.announce("missed_turn", seat=player.seat, missed=player.missed)
        if player.missed >= step.rules.max_missed_turns:
            self.miss_too_many(step)
        else:
            self.miss_turn(step)

    def find_expiring_seat(self, match: MatchT) -> int | None:
        """Return the current seat if missing this turn too would take its player out of the deal, else None."""
        deal = match.deal
        if match.stage is not Stage.DEAL or not deal.in_turn:
            return None
        player = deal.at_turn
        too_many = player.missed + 1 >= match.deal_rules.max_missed_turns
        return player.seat if too_many else None

    def toss(
        self, seats: Sequence[int], *, seed: bytes
    ) -> tuple[tuple[int, ...], tuple[Card, ...]]:
        """Draw a card for each seat; the lowest card deals.

        Returns the order of play, and the cards in that order.
        """
        drawn = shuffle(PACK, seed=seed, label="toss")[: len(seats)]
        by_card = dict(zip(drawn, seats, strict=True))
        ranked = sorted(drawn, key=lambda card: (-card.rank, card.suit))
        return tuple(by_card[card] for card in ranked), tuple(ranked)

    # --- A match with a score sheet. Games that keep the scores otherwise override the callers.

    def line(self, match: MatchT) -> Any:
        """Return the score sheet's line for the deal that has just ended."""
        raise NotImplementedError

    def find_next_order(self, match: MatchT) -> tuple[int, ...]:
        """Return the order of play of the next deal. By default the player who moved first is the next dealer."""
        order = match.deal.order
        return tuple(seat for seat in (*order[1:], order[0]) if seat in match.staying)

    def make_match(self, rules: RulesT, deal: DealT) -> MatchT:
        """Return a new match at the beginning of its first deal."""
        match: MatchT = self.match_type(rules=rules, deal=deal, seats=deal.order)
        return match

    def enter_deal(self, step: StepT) -> None:
        """Add a finished deal to the score sheet."""
        match = step.match
        step.match = replace(match, sheet=(*match.sheet, self.line(match)))

    def begin_break(self, step: StepT) -> None:
        """Begin the break before the next deal. A game may override this to ask its players a question first."""
        due_at = step.now + step.match.rules.break_seconds * 1000
        step.match = replace(step.match, stage=Stage.BETWEEN, due_at=due_at)
        step.announce("deal_due", due_at=due_at)

    def expire_question(self, step: StepT) -> None:
        """Answer for the seats that have not answered a question in time (`Course.asked`)."""
        raise NotImplementedError

    def leave_match(self, step: StepT) -> None:
        """Take the player on `step.seat` out of the match.

        If this leaves a single player during a break between deals, that player wins.
        """
        match = step.match
        step.match = replace(match, left=(*match.left, step.seat))
        step.announce("left", seat=step.seat)
        if match.stage is Stage.BETWEEN and len(step.match.staying) == 1:
            self.end_match(step, step.match.staying)

    def end_match(self, step: StepT, winners: tuple[int, ...]) -> None:
        step.match = replace(step.match, stage=Stage.OVER, due_at=None, winners=tuple(winners))
        step.announce("match_over", winners=winners)

    def refusal_outside(self, step: StepT, kind: type[Move[Any]]) -> MoveRefusal:
        """Return why a seat that is no longer in the deal (or, for `Leave`, in the match) may not move."""
        return NOT_IN_DEAL

    # --- The engine.

    def start(
        self, *, rules: RulesT, seats: Sequence[int], toss: bool, seed: bytes, now: Instant
    ) -> Outcome:
        if len(seats) not in self.seats or len(set(seats)) != len(seats):
            raise InvalidRules("Too few or too many players, or two on one seat.")
        order, tossed = self.toss(seats, seed=seed) if toss else (tuple(seats), None)
        deal = self.deal(rules, order, number=1, seed=seed)
        match = self.make_match(rules, replace(deal, toss=tossed))
        step: StepT = self.step_type(match, now=now, seed=seed)
        self.begin_deal(step)
        return self._make_outcome(step)

    def play(self, match: MatchT, seat: int, move: Any, *, now: Instant, seed: bytes) -> Outcome:
        """Play a move.

        Raises `IllegalMove` if the rules refuse it. `seed` shuffles the cards if the move starts a deal.
        """
        step: StepT = self.step_type(match, seat, now=now, seed=seed)
        if isinstance(move, Leave):
            self._leave(step)
        else:
            refusal = self.refusal(step, move)
            if refusal is None and move.is_timed and step.is_late:
                refusal = TIME_IS_UP
            if refusal is not None:
                raise refusal.error()
            move.apply(step)
        return self._make_outcome(step)

    def expire(self, match: MatchT, *, now: Instant, seed: bytes) -> Outcome:
        """Act on the deadline if it has passed; otherwise change nothing."""
        step: StepT = self.step_type(match, now=now, seed=seed)
        deadline = match.deadline
        if deadline is not None and now >= deadline:
            if match.asked:
                self.expire_question(step)
            elif match.stage is Stage.DEAL:
                self.expire_turn(step)
            else:
                self.deal_next(step)
        return self._make_outcome(step)

    def conclude(self, match: MatchT) -> Outcome | None:
        """End the match on the current scores if it is in the break between two deals, else return None."""
        if match.stage is not Stage.BETWEEN:
            return None
        step: StepT = self.step_type(match)
        self.end_match(step, self.find_leaders(match))
        return self._make_outcome(step)

    def offer_split(self, match: MatchT, *, now: Instant) -> Outcome | None:
        """Offer a split of the pot to all players on behalf of the table. Return None if no offer is possible."""
        return None

    def status(self, match: MatchT) -> GameStatus:
        """Return the facts about this state that the table layer needs."""
        return GameStatus(
            match.seats,
            match.acting,
            match.deadline,
            match.number,
            match.fees,
            match.shares_offered,
            match.offers_split,
            self.result(match) if match.stage is _OVER else None,
        )

    def list_deferrable(self, match: MatchT, seat: int) -> tuple[Any, ...]:
        """Return the moves that the seat may choose now, to be played in a later turn."""
        return ()

    def postpone(self, match: MatchT, *, by_ms: int) -> MatchT:
        """Postpone all running deadlines by this much after an outage."""
        deal = match.deal
        deal = replace(deal, started_at=deal.started_at + by_ms, due_at=deal.due_at + by_ms)
        due_at = None if match.due_at is None else match.due_at + by_ms
        return replace(match, deal=deal, due_at=due_at)

    def hasten(self, match: MatchT, *, due_by: Instant, count_by: Instant | None) -> MatchT:
        """Shorten the clocks of a slow tournament table (R10.4b).

        A running turn or break ends at `due_by` at the latest, extra time included. No turn begins after `count_by`;
        instead the running deal is then counted. Seats that have to answer a question keep their time.
        """
        if match.stage is Stage.BETWEEN and require(match.due_at) > due_by:
            return replace(match, due_at=due_by)
        if match.stage is not Stage.DEAL:
            return match
        step: StepT = self.step_type(match)
        deal = match.deal
        if deal.in_turn:
            player, due_at = deal.at_turn, min(deal.due_at, due_by)
            extra_ms = min(player.extra_ms, due_by - due_at)
            if (due_at, extra_ms) != (deal.due_at, player.extra_ms):
                step.put(player, extra_ms=extra_ms)
                step.set(due_at=due_at)
        longest = step.rules.max_minutes * 60_000
        if count_by is not None and deal.started_at + longest > count_by:
            step.set(started_at=count_by - longest)
        return match if step.deal is deal else replace(match, deal=step.deal)

    # --- Moves.

    def refusal(self, step: StepT, move: Move[Any]) -> MoveRefusal | None:
        """Return why the rules refuse this move, or None. Ignores the clock."""
        return self._blocked(step, type(move)) or move.refusal(step)

    def list_legal(self, match: MatchT, seat: int) -> tuple[Any, ...]:
        """Return every legal move of this seat. A move with free fields is listed once, as a template."""
        step: StepT = self.step_type(match, seat)
        return self._list_moves(step, self._open_kinds(step))

    def _list_moves(self, step: StepT, kinds: Iterable[Any]) -> tuple[Any, ...]:
        """Return the legal moves of these classes. The caller has left out the classes that are blocked."""
        legal: list[Any] = []
        for kind in kinds:
            legal += kind.options(step)
        return tuple(legal)

    def describe_legal(self, match: MatchT, seat: int) -> list[dict[str, JSON]]:
        """Return the legal moves for the seat's browser, one entry for each kind.

        An entry maps each field to its allowed values, or to null if the player fills it in freely.
        """
        step: StepT = self.step_type(match, seat)
        entries = [_describe_kind(step, kind) for kind in self._open_kinds(step)]
        return [entry for entry in entries if entry is not None]

    def _open_kinds(self, step: StepT) -> list[Any]:
        """Return the move classes that are not blocked for the seat of this step."""
        match, player = step.match, step.player
        if match.stage is _OVER:
            return []
        if player is not None and player.is_playing and not step.deal.is_over:
            kinds = self._moves_at_turn if step.is_own_turn else self._moves_of_others
        elif step.seat in match.staying:
            kinds = self._moves_outside
        else:
            return []
        return [kind for kind, blocked in kinds if blocked(step) is None]

    def _blocked(self, step: StepT, kind: type[Move[Any]]) -> MoveRefusal | None:
        if step.match.stage is _OVER:
            return MATCH_OVER
        if kind is Leave and step.seat not in step.match.staying:
            return self.refusal_outside(step, kind)
        if kind.in_deal:
            if step.deal.is_over:
                return DEAL_OVER
            if not step.is_in_deal:
                return self.refusal_outside(step, kind)
        if kind.needs_turn and not step.is_own_turn:
            return NOT_YOUR_TURN
        return kind.blocked(step)

    # --- Deals and their ends.

    def begin_deal(self, step: StepT) -> None:
        """Start the clock of a new deal, and announce the deal."""
        deal = step.deal
        first = deal.players[0]
        due_at = step.now + step.rules.turn_seconds * 1000
        step.put_and_set(replace(first, turns=1), started_at=step.now, due_at=due_at)
        if deal.tossed is not None:
            step.announce("toss", cards=deal.tossed)
        more = self.describe_deal(deal, step.rules)
        step.announce(DEAL_BEGINS, order=deal.order, dealer=deal.dealer, **more)
        step.announce("turn", seat=first.seat, due_at=due_at)

    def deal_next(self, step: StepT) -> None:
        """Start the next deal after a break."""
        match = step.match
        number, order = match.number + 1, self.find_next_order(match)
        step.deal = self.deal(match.rules, order, number=number, seed=step.seed)
        step.match = replace(match, number=number, stage=Stage.DEAL, due_at=None)
        self.begin_deal(step)

    def _leave(self, step: StepT) -> None:
        """Take a player out of the match, and also out of the deal if they are still in it."""
        refusal = self._blocked(step, Leave)
        if refusal is not None:
            raise refusal.error()
        match, player = step.match, step.player
        self.leave_match(step)
        if match.stage is Stage.DEAL and player is not None and player.is_playing:
            self.leave_deal(step)

    def _make_outcome(self, step: StepT) -> Outcome:
        if step.deal is not step.match.deal:
            step.match = replace(step.match, deal=step.deal)
        if step.match.stage is _DEAL and step.deal.is_over:
            self.conclude_deal(step)
        return Outcome(step.match, tuple(step.events), self.status(step.match))

    def conclude_deal(self, step: StepT) -> None:
        """Add a finished deal to the score sheet. End the match if it is decided; otherwise begin the break."""
        self.enter_deal(step)
        winners = self.find_winners(step.match)
        if winners:
            self.end_match(step, winners)
        else:
            self.begin_break(step)
