"""Laying melds on the table: why a lay is refused, what it changes, and the course of turns around it.

Basic rummy and 500 Rum use the moves of this module; Contract Rummy has its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, Generic, Self, TypeAlias, TypeVar

from games.cards import FACE_TEXT, Card
from games.engine import laid, moves, state
from games.engine.base import DEAL_ENDS
from games.engine.base import gettext_noop as _
from games.engine.laid import How, Phase, Status, add_to_meld, as_meld, list_faces_beside
from games.engine.laid import Meld as Made
from games.engine.moves import (
    GROUPS_NOT_YOUR_HAND,
    NOT_A_MELD,
    WRONG_STEP,
    AfterDrawing,
    MoveRefusal,
    PilesStep,
    refusal_to_part_with,
)
from games.engine.state import Groups, require

# The word for a run in the JSON of 500 Rum and basic rummy.
WORD_FOR_RUN: Final = "sequence"
NOTHING_LAID: Final = MoveRefusal("nothing_laid", _("Choose the cards to lay down."))
NO_SUCH_MELD: Final = MoveRefusal("no_such_meld", _("There is no such meld on the table."))
DOES_NOT_FIT: Final = MoveRefusal("does_not_fit", _("These cards do not fit on that meld."))
TOO_MANY_MELDS: Final = MoveRefusal(
    "too_many_melds", _("You have laid as many melds as you may in one turn.")
)
MUST_KEEP_A_DISCARD: Final = MoveRefusal(
    "must_keep_a_discard", _("Keep a card that you can discard.")
)


AnyStep: TypeAlias = PilesStep[Any, laid.Deal[Any], Any, Any]
StepT = TypeVar("StepT", bound=AnyStep)


# --- Laying.


def refusal_to_lay(step: AnyStep, cards: Sequence[Card]) -> MoveRefusal | None:
    """Check that the player holds these cards, each once."""
    if not cards:
        return NOTHING_LAID
    is_held = len(set(cards)) == len(cards) and set(cards) <= set(step.player.hand)
    return None if is_held else GROUPS_NOT_YOUR_HAND


def refusal_of_rest(
    rules: Any, kept: Card | None, rest: Sequence[Card], *, fits: bool
) -> MoveRefusal | None:
    """Check that the turn can end after laying, and refuse the lay if it cannot.

    The rest of the hand must be empty, contain a card that may be discarded, or be a single card that fits on a meld
    (`fits`). The card `kept` may not be discarded.
    """
    if not rest:
        return MUST_KEEP_A_DISCARD if rules.last_card == "discard" else None
    if may_discard_from(rules, len(rest)) and any(card != kept for card in rest):
        return None
    return None if fits and rules.last_card != "discard" else MUST_KEEP_A_DISCARD


def list_discardable(step: AnyStep) -> tuple[Card, ...]:
    """Return the cards that the current player may discard, in the order of their hand."""
    hand, kept = step.deal.at_turn.hand, step.kept_card
    if not may_discard_from(step.rules, len(hand)):
        return ()
    return tuple(card for card in hand if card != kept)


def may_discard_from(rules: Any, size: int) -> bool:
    """Return whether a player with this many cards may discard. Some rule sets require the last card to be laid."""
    return size > 1 or bool(rules.last_card != "lay")


def list_rest(step: AnyStep, cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(card for card in step.player.hand if card not in cards)


def lay_melds(
    step: AnyStep, melds: Sequence[Made], word_for_run: str, *, event: str = "melded"
) -> None:
    shown = [meld.json(word_for_run) for meld in melds]
    step.announce(event, seat=step.seat, first=len(step.deal.melds), melds=shown)
    _take_from_hand(step, tuple(chain.from_iterable(meld.cards for meld in melds)))
    step.set(melds=(*step.deal.melds, *melds), laid=step.deal.laid + len(melds))


def lay_onto(
    step: AnyStep, number: int, grown: Made, cards: Sequence[Card], faces: Iterable[int]
) -> None:
    """Add cards to the meld of this number, which becomes `grown`, and announce the lay-off.

    `faces` are what the cards stand for.
    """
    shown = [FACE_TEXT[face] for face in faces]
    step.announce("laid_off", seat=step.seat, meld=number, cards=tuple(cards), **{"as": shown})
    put_on_meld(step, number, grown, cards)


def put_on_meld(step: AnyStep, number: int, grown: Made, cards: Sequence[Card]) -> None:
    _take_from_hand(step, cards)
    melds = step.deal.melds
    step.set(melds=(*melds[:number], grown, *melds[number + 1 :]))


def _take_from_hand(step: AnyStep, cards: Sequence[Card]) -> None:
    player = step.player
    laid_in = step.deal.turn_number if player.laid_in is None else player.laid_in
    step.put(state.remove_cards(player, *cards), laid_in=laid_in)


def return_drawn_card(step: AnyStep) -> None:
    """Discard the card drawn in this turn if the player, who is leaving the deal, still holds it."""
    if step.deal.drawn is not None and step.deal.drawn in step.deal.at_turn.hand:
        step.discard(step.deal.drawn)


# --- The end of a deal.


def cap_points(rules: Any, points: int) -> int:
    """Return the points, but no more than a deal may cost (B12, C17, F12)."""
    return points if rules.max_points is None else min(points, rules.max_points)


def end_lowest(
    step: AnyStep, how: How, lost: Callable[[int], int], count: Callable[[laid.Player], int]
) -> None:
    """End the deal: the lowest count wins (B11). Several players with the lowest count share the win.

    `count` returns the count of a player. Each other player loses what `lost` returns for the difference between their
    count and the lowest.
    """
    counts = {player.seat: count(player) for player in step.deal.playing}
    lowest = min(counts.values())
    points = {seat: lost(held - lowest) for seat, held in counts.items()}
    end_deal(step, how, points, [seat for seat, held in counts.items() if held == lowest])


def end_with_last_player(step: AnyStep) -> None:
    """End the deal with the last player as its winner (B15, C19). The others' losses were counted as they left."""
    [last] = step.deal.playing
    end_deal(step, How.LAST_PLAYER, {last.seat: 0}, [last.seat])


def end_deal(step: AnyStep, how: How, points: dict[int, int], winners: Sequence[int]) -> None:
    """End the deal. `points` maps the seat of each player who stayed to the end to the points lost."""
    for player in step.deal.players:
        if player.seat in points:
            status = Status.WON if player.seat in winners else Status.LOST
            step.put(player, status=status, points=points[player.seat])
    step.set(phase=Phase.OVER, drawn=None, drawn_from_open=False, how=how)
    lost = {player.seat: player.points or 0 for player in step.deal.players}
    step.announce(DEAL_ENDS, winners=step.deal.winners, points=lost, how=how)


# --- The course of a deal, and its moves.


class Course(ABC, Generic[StepT]):
    """The turns of a deal and the ways in which it ends. A game says what may be laid and what players lose."""

    @abstractmethod
    def groups(self, step: StepT) -> Iterable[tuple[Card, ...]]:
        """Return groups of the player's hand that may be laid, from which the offered moves are made."""

    @abstractmethod
    def can_draw(self, step: StepT) -> bool:
        """Return whether the next player can draw a card. Restocks the closed deck first if the rules allow it."""

    @abstractmethod
    def end_out(self, step: StepT) -> None:
        """End the deal, in which the current player has no cards left."""

    @abstractmethod
    def end_counted(self, step: StepT, how: How) -> None:
        """End a deal in which no player has gone out, by counting the hands."""

    @abstractmethod
    def loss(self, step: StepT, player: laid.Player) -> int:
        """Return the points that a player loses by dropping out of the running deal."""

    @abstractmethod
    def miss_turn(self, step: StepT) -> None:
        """Play the rest of a turn for a player whose clock has run out."""

    def refusal_to_lay(self, step: StepT, cards: Sequence[Card]) -> MoveRefusal | None:
        return refusal_to_lay(step, cards)

    def refusal_of_number(self, step: StepT, number: int) -> MoveRefusal | None:
        """Check that this many more melds may be laid in the turn."""
        return None

    def fits(self, step: StepT, lying: Sequence[Made], rest: Sequence[Card]) -> bool:
        """Return whether the rest of the hand is one card that can be laid off too."""
        return False

    def refusal_of_rest(
        self, step: StepT, lying: Sequence[Made], cards: Sequence[Card]
    ) -> MoveRefusal | None:
        """Check that the turn can end after these cards are laid. `lying` are the melds on the table after that."""
        rest = list_rest(step, cards)
        fits = self.fits(step, lying, rest)
        return refusal_of_rest(step.rules, step.kept_card, rest, fits=fits)

    def go_on_after_laying(self, step: StepT) -> None:
        self.end_if_out(step)

    def end_if_out(self, step: StepT) -> bool:
        """End the deal if the current player has no cards left. Return whether it has ended."""
        if step.deal.at_turn.hand:
            return False
        self.end_out(step)
        return True

    def end_turn(self, step: StepT) -> None:
        """End the turn, and the deal if the player has no cards left (B8, F8)."""
        if not self.end_if_out(step):
            self.pass_turn(step)

    def pass_turn(self, step: StepT) -> None:
        """Begin the next turn, or end a deal that is blocked or has reached its limit (B10, B11, F9)."""
        if step.has_reached_limit:
            self.end_counted(step, How.LIMIT)
        elif not self.can_draw(step):
            self.end_counted(step, How.BLOCKED)
        else:
            step.begin_turn(laid=0)

    def drop_out(self, step: StepT) -> None:
        """Discard the drawn card, then drop the player from the deal (B14, F15).

        A player whose last card was the drawn one wins instead.
        """
        return_drawn_card(step)
        if self.end_if_out(step):
            return
        player = step.deal.at_turn
        points = cap_points(step.rules, self.loss(step, player))
        step.put(player, status=Status.DROPPED, points=points)
        step.announce("dropped", seat=player.seat, points=points)
        self._go_on(step)

    def leave(self, step: StepT) -> None:
        """Record the loss of a player who is leaving (B15, F16).

        It is at least `leave_points`, but no more than a deal may cost.
        """
        is_turn = step.deal.at_turn.seat == step.seat
        if is_turn:
            return_drawn_card(step)
        points = max(self.loss(step, step.player), step.rules.leave_points)
        step.put(step.player, status=Status.LEFT, points=cap_points(step.rules, points))
        if is_turn or len(step.deal.playing) == 1:
            self._go_on(step)

    def _go_on(self, step: StepT) -> None:
        """Go on after a player has left the deal: begin the next turn, or end the deal if only one player remains."""
        if len(step.deal.playing) == 1:
            end_with_last_player(step)
        else:
            self.pass_turn(step)


class Meld(AfterDrawing[StepT]):
    """Lay one or more new melds on the table."""

    kind = "meld"
    free = ("groups",)
    course: ClassVar[Course[Any]]
    groups: Groups

    def refusal(self, step: StepT) -> MoveRefusal | None:
        cards = tuple(chain.from_iterable(self.groups))
        refusal = self.course.refusal_to_lay(step, cards)
        if refusal := refusal or self.course.refusal_of_number(step, len(self.groups)):
            return refusal
        made = self._make_melds(step)
        if len(made) < len(self.groups):
            return NOT_A_MELD
        return self.course.refusal_of_rest(step, [*step.deal.melds, *made], cards)

    def apply(self, step: StepT) -> None:
        lay_melds(step, self._make_melds(step), WORD_FOR_RUN)
        self.course.go_on_after_laying(step)

    def _make_melds(self, step: StepT) -> list[Made]:
        """Return the melds that the groups form, leaving out groups that are no meld."""
        made = (as_meld(group, step.rules.shape, seat=step.player.seat) for group in self.groups)
        return [meld for meld in made if meld is not None]

    @classmethod
    def options(cls, step: StepT) -> Iterator[Self]:
        moves = (cls((group,)) for group in cls.course.groups(step))
        return (move for move in moves if move.refusal(step) is None)


class LayOff(AfterDrawing[StepT]):
    """Add cards to a meld on the table. `meld` is its number, from 0 in the order in which melds were laid."""

    kind = "lay_off"
    free = ("cards",)
    course: ClassVar[Course[Any]]
    meld: int
    cards: tuple[Card, ...]

    def refusal(self, step: StepT) -> MoveRefusal | None:
        lying = step.deal.melds
        if refusal := self.course.refusal_to_lay(step, self.cards):
            return refusal
        if self.meld >= len(lying):
            return NO_SUCH_MELD
        grown = self._grow_meld(step)
        if grown is None:
            return DOES_NOT_FIT
        then = [*lying[: self.meld], grown, *lying[self.meld + 1 :]]
        return self.course.refusal_of_rest(step, then, self.cards)

    def apply(self, step: StepT) -> None:
        grown = require(self._grow_meld(step))
        lay_onto(step, self.meld, grown, self.cards, [card.face for card in self.cards])
        self.course.go_on_after_laying(step)

    def _grow_meld(self, step: StepT) -> Made | None:
        lying, seat = step.deal.melds[self.meld], step.player.seat
        return add_to_meld(lying, self.cards, step.rules.shape, seat=seat)

    @classmethod
    def options(cls, step: StepT) -> Iterator[Self]:
        hand = [(card.face, card) for card in step.player.hand]
        for number, meld in enumerate(step.deal.melds):
            faces = list_faces_beside(meld)
            for face, card in hand:
                if face in faces and (move := cls(number, (card,))).refusal(step) is None:
                    yield move


class Discard(moves.Discard[StepT]):
    """Put a card on the open pile. Some rule sets require the last card to be laid instead."""

    course: ClassVar[Course[Any]]

    def refusal(self, step: StepT) -> MoveRefusal | None:
        if refusal := refusal_to_part_with(step, self.card):
            return refusal
        return None if may_discard_from(step.rules, len(step.player.hand)) else WRONG_STEP

    def apply(self, step: StepT) -> None:
        step.end_in_time()
        step.discard(self.card)
        self.course.end_turn(step)

    @classmethod
    def options(cls, step: StepT) -> Iterator[Self]:
        return map(cls, list_discardable(step))


MatchT = TypeVar("MatchT", bound=laid.Match[Any, Any])
DealT = TypeVar("DealT", bound=laid.Deal[Any])
RulesT = TypeVar("RulesT")


class Race(laid.Race[StepT, MatchT, DealT, RulesT]):
    """A deal or a race whose turns follow a `Course`."""

    course: ClassVar[Course[Any]]

    def miss_turn(self, step: StepT) -> None:
        self.course.miss_turn(step)

    def miss_too_many(self, step: StepT) -> None:
        self.course.drop_out(step)

    def leave_deal(self, step: StepT) -> None:
        self.course.leave(step)
