"""Moves: one class each, with its fields on the wire, the reasons to refuse it, and its effect on a `Step`.

`Draw`, `Discard`, `Arrange` and `Leave` are for every game with two piles. A game subclasses the moves that it plays
differently.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, Generic, Literal, NamedTuple, Self, TypeAlias, TypeVar

from games.cards import Card
from games.engine.base import JSON, IllegalMove, Instant
from games.engine.base import gettext_noop as _
from games.engine.fields import UNREADABLE, make_readers, make_writers
from games.engine.state import (
    Course,
    DealT_co,
    Groups,
    PilesDeal,
    PilesPlayerT_co,
    Player,
    PlayerT_co,
    RulesT_co,
    Value,
    add_cards,
    object_json,
    remove_cards,
    replace,
)
from games.shuffle import shuffle

MoveT = TypeVar("MoveT")
MatchT_co = TypeVar("MatchT_co", bound=Course[Any, Any], covariant=True)
PilesDealT_co = TypeVar("PilesDealT_co", bound=PilesDeal[Any], covariant=True)
ChangedT = TypeVar("ChangedT", bound=Player)

# --- Refusals. These are common to all games. A game declares its own beside the rule that refuses.


class MoveRefusal(NamedTuple):
    """The reason why the rules refuse a move."""

    code: str
    sentence: str

    def error(self) -> IllegalMove:
        return IllegalMove(self.code, self.sentence)


MALFORMED: Final = MoveRefusal("malformed_move", _("That is not a move of this game."))
MATCH_OVER: Final = MoveRefusal("match_over", _("The match is over."))
DEAL_OVER: Final = MoveRefusal("deal_over", _("The deal is over."))
NOT_IN_DEAL: Final = MoveRefusal("not_in_deal", _("You are not in this deal any more."))
NOT_YOUR_TURN: Final = MoveRefusal("not_your_turn", _("It is not your turn."))
WRONG_STEP: Final = MoveRefusal("wrong_step", _("That cannot be done at this point of the turn."))
TIME_IS_UP: Final = MoveRefusal("time_is_up", _("Your time has run out."))
OPEN_PILE_EMPTY: Final = MoveRefusal("open_pile_empty", _("The open pile is empty."))
CARD_NOT_HELD: Final = MoveRefusal("card_not_held", _("You do not hold that card."))
MAY_NOT_RETURN_OPEN_CARD: Final = MoveRefusal(
    "may_not_return_open_card", _("A card from the open pile cannot go back in the same turn.")
)
GROUPS_NOT_YOUR_HAND: Final = MoveRefusal(
    "groups_not_your_hand",
    _("The groups may hold only cards of your hand, and each of them only once."),
)
NOT_A_MELD: Final = MoveRefusal("not_a_meld", _("One of the groups is not a meld."))
NO_SUCH_HELP: Final = MoveRefusal("no_such_help", _("There is nothing to help with now."))


# --- A step.


class Event(Value):
    """A public event: everybody at the table may know it."""

    kind: str
    data: Mapping[str, JSON]

    def json(self) -> dict[str, JSON]:
        return {"kind": self.kind, **self.data}


# The seat of a step that has no mover, as when a deadline expires.
NOBODY: Final = -1


class Step(Generic[MatchT_co, DealT_co, PlayerT_co, RulesT_co]):
    """A draft of the next state: the match, its deal, and the events announced so far.

    Rules change the draft through the methods of this class; the state before the step never changes. A game names the
    types of its own step once, beside its state. Moves within a deal may use `player`, the mover's player in that deal.
    `is_in_deal` says whether the mover is still playing in it.
    """

    __slots__ = ("deal", "events", "match", "now", "player", "rules", "seat", "seed")

    def __init__(
        self, match: MatchT_co, seat: int = NOBODY, *, now: Instant = 0, seed: bytes = b""
    ) -> None:
        deal, rules = match.deal, match.deal_rules
        self.match = match
        self.deal: DealT_co = deal
        self.rules: RulesT_co = rules
        self.seat = seat
        self.now = now
        self.seed = seed
        self.events: list[Event] = []
        self.player: PlayerT_co = deal.player(seat)

    # --- Questions.

    @property
    def is_late(self) -> bool:
        deadline = self.match.deadline
        return deadline is not None and self.now >= deadline

    @property
    def is_own_turn(self) -> bool:
        deal = self.deal
        return deal.in_turn and deal.players[deal.turn].seat == self.seat

    @property
    def is_in_deal(self) -> bool:
        """Whether the mover is still in the deal."""
        player: Any = self.player
        return player is not None and player.is_playing

    def act_for(self, player: Player) -> None:
        """Let the rest of the step act for this player, whose clock has run out, as if the player had moved."""
        mover: Any = player
        self.seat, self.player = player.seat, mover

    # --- Changes.

    def announce(self, kind: str, **data: Any) -> None:
        """Announce a public event. Values are written as JSON by `as_json`."""
        self.events.append(Event(kind, object_json(data)))

    def set(self, **changes: Any) -> None:
        self.deal = replace(self.deal, **changes)

    def put(self, changed: ChangedT, **changes: Any) -> ChangedT:
        """Put `changed` in place of the player on the same seat, and return the new player.

        `changes` are fields to be changed in it first.
        """
        if changes:
            changed = replace(changed, **changes)
        self.put_and_set(changed)
        return changed

    def put_and_set(self, changed: Player, **changes: Any) -> None:
        """Replace the player on the same seat, and change other fields of the deal."""
        deal = self.deal
        self.deal = replace(deal, players=deal.players_with(changed), **changes)
        if changed.seat == self.seat:
            mover: Any = changed
            self.player = mover

    # --- Turns.

    def end_in_time(self) -> None:
        """Record that the player has finished the turn in time: reset the missed turns and deduct any overrun."""
        if self.now > self.deal.due_at or self.deal.at_turn.missed:
            self.charge_overrun(missed=0)

    def charge_overrun(self, **changes: Any) -> None:
        """Deduct the time beyond the turn's end from the extra time of the current player.

        `changes` are further fields of the player to be changed.
        """
        player = self.deal.at_turn
        overrun = max(0, self.now - self.deal.due_at)
        self.put(player, extra_ms=max(0, player.extra_ms - overrun), **changes)

    @property
    def next_place(self) -> int:
        """The index of the next player who is still in the deal."""
        place, players = self.deal.turn, self.deal.players
        for _player in players:
            place = (place + 1) % len(players)
            if players[place].is_playing:
                return place
        raise AssertionError("nobody is playing")

    @property
    def next_player(self) -> PlayerT_co:
        player: PlayerT_co = self.deal.players[self.next_place]
        return player

    @property
    def has_reached_limit(self) -> bool:
        """Whether another turn would exceed the deal's limit of minutes or of turns."""
        rules: Any = self.rules
        minutes_are_over = self.now >= self.deal.started_at + rules.max_minutes * 60_000
        return bool(minutes_are_over or self.next_player.turns >= rules.max_turns)

    def begin_turn(self, *, seconds: int | None = None, **changes: Any) -> None:
        """Begin the next player's turn. It lasts `turn_seconds`, or `seconds` if given.

        `changes` are further fields of the deal to be changed.
        """
        rules: Any = self.rules
        place = self.next_place
        player = self.deal.players[place]
        self.put_and_set(
            replace(player, turns=player.turns + 1),
            turn=place,
            turn_number=self.deal.turn_number + 1,
            due_at=self.now + (seconds or rules.turn_seconds) * 1000,
            **self.deal.new_turn,
            **changes,
        )
        self.announce("turn", seat=player.seat, due_at=self.deal.due_at)


class PilesStep(Step[MatchT_co, PilesDealT_co, PilesPlayerT_co, RulesT_co]):
    """A step of a deal with a closed deck and an open pile."""

    __slots__ = ()

    @property
    def kept_card(self) -> Card | None:
        card: Card | None = self.deal.find_kept_card(self.rules)
        return card

    def draw_closed(self) -> None:
        player, card = self.deal.at_turn, self.deal.closed[-1]
        self.put_and_set(add_cards(player, card), closed=self.deal.closed[:-1], drawn=card)
        self.announce("drawn", seat=player.seat, source="closed")

    def draw_open(self) -> None:
        player, card = self.deal.at_turn, self.deal.open_pile[-1]
        self.put_and_set(
            replace(add_cards(player, card), taken=(*player.taken, card)),
            open_pile=self.deal.open_pile[:-1],
            drawn=card,
            drawn_from_open=True,
        )
        self.announce("drawn", seat=player.seat, source="open", card=card)

    def discard(self, card: Card) -> None:
        """Move a card from the hand of the current player to the open pile."""
        player = self.deal.at_turn
        self.put_and_set(
            remove_cards(player, card),
            open_pile=(*self.deal.open_pile, card),
            discards=(*self.deal.discards, (player.seat, card)),
            drawn=None,
            drawn_from_open=False,
        )
        self.announce("discarded", seat=player.seat, card=card)

    def restock(self) -> bool:
        """Refill an empty closed deck from the open pile if the rules allow it. Return whether it has cards now."""
        deal: Any = self.deal
        rules: Any = self.rules
        if deal.closed:
            return True
        under = deal.open_pile[:-1]
        if not under or rules.restock == "block" or deal.restocks >= rules.max_restocks:
            return False
        is_shuffled = rules.restock == "shuffle"
        label = f"reshuffle:{deal.restocks + 1}"
        # Turned over, the pile is drawn in the order of its discards.
        closed = shuffle(under, seed=deal.seed, label=label) if is_shuffled else under[::-1]
        self.set(closed=closed, open_pile=deal.open_pile[-1:], restocks=deal.restocks + 1)
        self.announce("reshuffled" if is_shuffled else "turned_over", count=len(closed))
        return True


# --- Moves.

AnyPilesStep: TypeAlias = PilesStep[Any, Any, Any, Any]
StepT = TypeVar("StepT", bound=Step[Any, Any, Any, Any])
PilesStepT = TypeVar("PilesStepT", bound=AnyPilesStep)


class Move(Value, Generic[StepT]):
    """A move. `kind` is its name on the wire; its fields are the player's choices."""

    kind: ClassVar[str]
    # Whether it belongs to a deal: only players who are still in the deal may make it.
    in_deal: ClassVar[bool] = True
    # Whether only the current player may make it.
    needs_turn: ClassVar[bool] = True
    # Whether it must arrive before the deadline.
    is_timed: ClassVar[bool] = True
    # Whether it means the same in a later turn than the one in which it was sent.
    is_anytime: ClassVar[bool] = False
    # Whether its legality depends on the table only, never on a hand.
    is_public: ClassVar[bool] = False
    # Whether it is offered unless blocked, because only a search tells whether it is legal.
    is_offered_untried: ClassVar[bool] = False
    # Fields that the player fills in freely. Their values are not listed.
    free: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def blocked(cls, step: StepT) -> MoveRefusal | None:
        """Return why no move of this class is legal now, or None.

        The caller has already checked whether it is the seat's turn (`needs_turn`).
        """
        return None

    def refusal(self, step: StepT) -> MoveRefusal | None:
        """Return why this particular move is illegal, or None.

        The caller has already asked `blocked`, which tells whether any move of this class is legal.
        """
        return None

    def apply(self, step: StepT) -> None:
        """Carry out the move."""
        raise NotImplementedError

    @classmethod
    def options(cls, step: StepT) -> Iterable[Self]:
        """Return the legal moves of this class. The caller has already asked `blocked`.

        A class with fields that the player fills in freely (`free`) returns a template instead.
        """
        return (cls(),)

    @classmethod
    def details(cls, step: StepT) -> Mapping[str, JSON]:
        """Return further fields for the browser, for a move that has no fields of its own."""
        return {}


AnyMove: TypeAlias = Move[Any]


class Draw(Move[PilesStepT]):
    """Take the top card of a pile."""

    kind = "draw"
    is_public = True
    source: Literal["closed", "open"]

    @classmethod
    def blocked(cls, step: PilesStepT) -> MoveRefusal | None:
        return None if step.deal.drawn is None else WRONG_STEP

    def refusal(self, step: PilesStepT) -> MoveRefusal | None:
        return OPEN_PILE_EMPTY if self.source == "open" and not step.deal.open_pile else None

    def apply(self, step: PilesStepT) -> None:
        if self.source == "open":
            step.draw_open()
        else:
            step.draw_closed()

    @classmethod
    def options(cls, step: PilesStepT) -> Iterable[Self]:
        return [move for move in (cls("closed"), cls("open")) if move.refusal(step) is None]


class AfterDrawing(Move[PilesStepT]):
    """A move that the current player may make only after drawing."""

    @classmethod
    def blocked(cls, step: PilesStepT) -> MoveRefusal | None:
        return WRONG_STEP if step.deal.drawn is None else None


class Discard(AfterDrawing[PilesStepT]):
    """Put a card on the open pile. This ends the turn."""

    kind = "discard"
    card: Card

    def refusal(self, step: PilesStepT) -> MoveRefusal | None:
        return refusal_to_part_with(step, self.card)

    @classmethod
    def options(cls, step: PilesStepT) -> Iterable[Self]:
        kept, hand = step.kept_card, step.player.hand
        return map(cls, hand if kept is None else [card for card in hand if card != kept])


def refusal_to_part_with(step: AnyPilesStep, card: Card) -> MoveRefusal | None:
    """Check that the player holds the card and did not draw it from the open pile in this turn."""
    if card not in step.player.hand:
        return CARD_NOT_HELD
    return MAY_NOT_RETURN_OPEN_CARD if card == step.kept_card else None


class Arrange(Move[PilesStepT]):
    """Save the arrangement of a hand. A save without a newer `rev` has no effect."""

    kind = "arrange"
    needs_turn = False
    is_timed = False
    is_public = True
    free = ("rev", "groups")
    rev: int
    groups: Groups

    def refusal(self, step: PilesStepT) -> MoveRefusal | None:
        # A delayed request may show an earlier hand.
        if self.rev <= step.player.rev:
            return None
        cards = sorted(card for group in self.groups for card in group)
        return None if cards == sorted(step.player.hand) else GROUPS_NOT_YOUR_HAND

    def apply(self, step: PilesStepT) -> None:
        if self.rev > step.player.rev:
            step.put(step.player, groups=self.groups, rev=self.rev)

    @classmethod
    def options(cls, step: PilesStepT) -> Iterable[Self]:
        player = step.player
        return (cls(player.rev + 1, player.groups),)


class Leave(Move[Any]):
    """Leave the match. The core carries it out (`Core.leave_deal`)."""

    kind = "leave"
    in_deal = False
    needs_turn = False
    is_timed = False
    is_public = True


LEAVE = Leave()


class Wire(Generic[MoveT]):
    """Reads and writes the moves of a game in the form that is sent: `{"kind": ..., field: value}`."""

    def __init__(self, moves: tuple[type[Any], ...], *, cards: int) -> None:
        self._kinds = {move.kind: move for move in moves}
        self._readers = {move.kind: make_readers(move, cards) for move in moves}
        self._writers = {move.kind: make_writers(move) for move in moves}
        self._keys = {kind: {"kind", *named} for kind, named in self._readers.items()}

    def read(self, data: object) -> MoveT:
        """Read a move. Raises `IllegalMove("malformed_move")` for missing, unknown or invalid fields."""
        kind = data.get("kind") if isinstance(data, dict) else None
        if not isinstance(data, dict) or not isinstance(kind, str) or kind not in self._kinds:
            raise MALFORMED.error()
        if data.keys() != self._keys[kind]:
            raise MALFORMED.error()
        try:
            values = {name: read(data[name]) for name, read in self._readers[kind].items()}
        except UNREADABLE:
            raise MALFORMED.error() from None
        move: MoveT = self._kinds[kind](**values)
        return move

    def write(self, move: Any) -> dict[str, JSON]:
        fields = self._writers[move.kind].items()
        return {"kind": move.kind, **{name: write(getattr(move, name)) for name, write in fields}}
