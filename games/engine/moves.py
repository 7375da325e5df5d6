"""Moves, one class each: the fields on the wire, the reasons for refusal, and the effect.

`Draw`, `Discard`, `Arrange` and `Leave` serve every game with two piles. A game subclasses the
moves that it plays differently.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from games.cards import Card
from games.engine.base import JSON
from games.engine.codec import Groups, Value
from games.engine.refusals import (
    CARD_NOT_HELD,
    GROUPS_NOT_YOUR_HAND,
    MAY_NOT_RETURN_OPEN_CARD,
    OPEN_PILE_EMPTY,
    WRONG_STEP,
    Refusal,
)
from games.engine.step import Step


class Move(Value):
    """A move. `kind` is its name on the wire; its fields are the player's choices."""

    kind: ClassVar[str]
    # Whether it belongs to a deal: only players who are still in the deal may make it.
    in_deal: ClassVar[bool] = True
    # Whether only the player at turn may make it.
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
    def blocked(cls, step: Step) -> Refusal | None:
        """Return why no move of this class is legal now, or None."""
        return step.not_at_turn()

    def refusal(self, step: Step) -> Refusal | None:
        """Return why this move is illegal although its class is not blocked, or None."""
        return None

    def apply(self, step: Step) -> None:
        """Carry out the move."""
        raise NotImplementedError

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        """Yield the legal moves of this class if it is not blocked; a template if fields are free."""
        yield cls()

    @classmethod
    def details(cls, step: Step) -> Mapping[str, JSON]:
        """Return more that the browser needs to know of a move without fields."""
        return {}


class Draw(Move):
    """Take the top card of a pile."""

    kind = "draw"
    is_public = True
    source: Literal["closed", "open"]

    @classmethod
    def blocked(cls, step: Step) -> Refusal | None:
        return step.not_at_turn() or (None if step.deal.drawn is None else WRONG_STEP)

    def refusal(self, step: Step) -> Refusal | None:
        return OPEN_PILE_EMPTY if self.source == "open" and not step.deal.open_pile else None

    def apply(self, step: Step) -> None:
        if self.source == "open":
            step.draw_open()
        else:
            step.draw_closed()

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        for move in (cls("closed"), cls("open")):
            if move.refusal(step) is None:
                yield move


class AfterDrawing(Move):
    """A move for the player at turn, after drawing."""

    @classmethod
    def blocked(cls, step: Step) -> Refusal | None:
        return step.not_at_turn() or (WRONG_STEP if step.deal.drawn is None else None)


class Discard(AfterDrawing):
    """Put a card on the open pile. This ends the turn."""

    kind = "discard"
    card: Card

    def refusal(self, step: Step) -> Refusal | None:
        return refusal_to_part_with(step, self.card)

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        kept = step.kept_card
        return (cls(card) for card in step.player.hand if card != kept)


def refusal_to_part_with(step: Step, card: Card) -> Refusal | None:
    """Check that the player holds the card and did not draw it from the open pile in this turn."""
    if card not in step.player.hand:
        return CARD_NOT_HELD
    return MAY_NOT_RETURN_OPEN_CARD if card == step.kept_card else None


class Arrange(Move):
    """Save the arrangement of a hand. The newest `rev` wins."""

    kind = "arrange"
    needs_turn = False
    is_timed = False
    is_public = True
    free = ("rev", "groups")
    rev: int
    groups: Groups

    @classmethod
    def blocked(cls, step: Step) -> Refusal | None:
        return None

    def refusal(self, step: Step) -> Refusal | None:
        # An overtaken request may show an earlier hand.
        if self.rev <= step.player.rev:
            return None
        cards = sorted(card for group in self.groups for card in group)
        return None if cards == sorted(step.player.hand) else GROUPS_NOT_YOUR_HAND

    def apply(self, step: Step) -> None:
        if self.rev > step.player.rev:
            step.put(step.player, groups=self.groups, rev=self.rev)

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        yield cls(step.player.rev + 1, step.player.groups)


class Leave(Move):
    """Leave the match. The core carries it out (`Core.leave_deal`)."""

    kind = "leave"
    in_deal = False
    needs_turn = False
    is_timed = False
    is_public = True

    @classmethod
    def blocked(cls, step: Step) -> Refusal | None:
        return None


LEAVE = Leave()
