"""The prizes of a tournament, exact to the last unit (R10.6).

Amounts are in the smallest unit of its currency.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

BPS: Final = 10_000
MAX_STEPS: Final = 200
MAX_PLACES: Final = 50_000


class PayoutTableKind(StrEnum):
    PERCENT = "PERCENT"
    FIXED = "FIXED"


class InvalidPayoutTable(ValueError):  # noqa: N818 - says what it is
    """An invalid payout table; `code` gives the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class PayoutStep:
    """A number of consecutive ranks with the same prize: basis points of the pool, or an amount."""

    places: int
    share: int


@dataclass(frozen=True, slots=True)
class PayoutTable:
    """The prizes by rank, from the first on. A lower rank never gets more than a higher one."""

    kind: PayoutTableKind
    steps: tuple[PayoutStep, ...]

    def __post_init__(self) -> None:
        if not self.steps or len(self.steps) > MAX_STEPS:
            raise InvalidPayoutTable("no_steps")
        if any(step.places < 1 or step.share < 1 for step in self.steps):
            raise InvalidPayoutTable("not_positive")
        if self.places > MAX_PLACES:
            raise InvalidPayoutTable("too_many_places")
        shares = [step.share for step in self.steps]
        if shares != sorted(shares, reverse=True):
            raise InvalidPayoutTable("rises")
        if self.kind is PayoutTableKind.PERCENT and self.total != BPS:
            raise InvalidPayoutTable("not_the_whole_pool")

    @property
    def places(self) -> int:
        return sum(step.places for step in self.steps)

    @property
    def total(self) -> int:
        return sum(step.places * step.share for step in self.steps)

    def weights(self, field: int) -> list[int]:
        """Return the share of every rank if `field` players take part, best rank first.

        The list ends with the last prize.
        """
        shares: list[int] = []
        for step in self.steps:
            shares += [step.share] * min(step.places, field - len(shares))
        return shares


@dataclass(frozen=True, slots=True)
class Pool:
    """The sum of the prizes, and the part of it that the house adds to the fees (`overlay`)."""

    prizes: int
    overlay: int


def pool_for(
    *, paid_in: int, rake: int, guarantee: int, payout_table: PayoutTable, field: int
) -> Pool:
    """Return the prize pool: fees less the rake, raised to the guarantee and to the payout table's fixed amounts."""
    brought = paid_in - rake
    fixed = sum(payout_table.weights(field)) if payout_table.kind is PayoutTableKind.FIXED else 0
    prizes = max(brought, guarantee, fixed)
    return Pool(prizes=prizes, overlay=prizes - brought)


def compute_prizes(pool: int, *, payout_table: PayoutTable, field: int) -> tuple[int, ...]:
    """Return the prize of every place from the first on. Together they equal the prize pool.

    If there are fewer players than prizes, the remaining steps share the whole pool in proportion. If the pool exceeds
    the fixed amounts, all of them are raised in proportion. Odd units go to the best places.
    """
    if pool < 0 or field < 1:
        raise ValueError("a pool is not negative and somebody takes part")
    weights = payout_table.weights(field)
    whole = sum(weights)
    shares = [pool * weight // whole for weight in weights]
    for place in range(pool - sum(shares)):
        shares[place] += 1
    return tuple(shares)


def share_prizes(by_place: Sequence[int], ranks: Mapping[int, int]) -> dict[int, int]:
    """Return the prize of each place. Players of equal rank share the prizes of their places.

    `ranks` maps places, from 1, to ranks. Odd units go to the better places.
    """
    shared: dict[int, int] = {}
    places = sorted(ranks)
    start = 0
    while start < len(places):
        end = start + 1
        while end < len(places) and ranks[places[end]] == ranks[places[start]]:
            end += 1
        together = places[start:end]
        total = sum(by_place[place - 1] for place in together if place <= len(by_place))
        share, odd = divmod(total, len(together))
        for number, place in enumerate(together):
            shared[place] = share + (number < odd)
        start = end
    return shared


@dataclass(frozen=True, slots=True)
class Tickets:
    """The prizes of a satellite: tickets for the first `number` players, and the remaining money for the next one."""

    number: int
    rest: int


def tickets_for(pool: int, *, price: int, field: int) -> Tickets:
    """Return as many tickets as the prize pool buys, at most one for each player."""
    if price < 1 or pool < 0 or field < 1:
        raise ValueError("a ticket has a price, and a satellite a field")
    number = min(pool // price, field)
    return Tickets(number, pool - number * price)
