"""The help that players of a match gave each other, a part of a game (docs/fair-play.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.engine.base import JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSums:
    """The help of one seat, the giver, for another, the taker, over all deals of a match, in points.

    `feeding`: how much more useful the giver's discards were to the taker, as the next player,
    than to the other opponents, each compared with the giver's own alternatives. `feeding_others`:
    the same with each of the others as the next player; with `feeding` they add up to zero.
    `withheld`: the usefulness that other next players were spared, counted the same way.
    """

    feeding: float = 0.0
    feeding_others: tuple[float, ...] = ()
    withheld: float = 0.0
    # What the giver's decisions gave away while the taker was in the deal, and how many there were.
    loss: float = 0.0
    decisions: int = 0
    # Of the giver's discards those that the taker might draw, those it drew, those to be expected.
    offered: int = 0
    picked: int = 0
    picks_due: float = 0.0
    # What the giver lost to the taker, and what was to be expected of so much by the hands dealt.
    paid: float = 0.0
    paid_due: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A discard to the next player, with cards as people read them.

    `usefulness`: the points by which it lowers the taker's count. `beyond`: how much more useful
    it was than usual (`PairSums.feeding`).
    """

    step: int  # in the record, from 0
    card: str
    giver_hand: tuple[str, ...]  # with the card
    taker_hand: tuple[str, ...]
    usefulness: int
    beyond: float
    was_taken: bool

    def json(self) -> dict[str, JSON]:
        return {
            "step": self.step,
            "card": self.card,
            "giver_hand": list(self.giver_hand),
            "taker_hand": list(self.taker_hand),
            "usefulness": self.usefulness,
            "beyond": self.beyond,
            "was_taken": self.was_taken,
        }


class FairPlay(Protocol):
    """Reads whole records of finished deals (docs/deal-record.md), in which all hands are known."""

    @property
    def version(self) -> int:
        """Raised when the same match would give other sums. Those of two versions are never compared."""

    def sums(self, records: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int], PairSums]:
        """Return the sums of one match by (giver, taker), for every two seats that met in a deal."""

    def deliveries(self, record: Mapping[str, Any], giver: int, taker: int) -> list[Delivery]:
        """Return the giver's discards of a deal that the taker could draw, in their order."""
