"""The loss of a decision: its options played out in the same hidden worlds, never by hindsight.

The best of the others is found in some worlds and compared with what was done in fresh ones, so the
luck of the search is not counted as a mistake.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tables.games.indian.analysis.options import Choice, Option
from tables.games.indian.analysis.reading import Situation
from tables.games.indian.analysis.worlds import imagined
from tables.games.indian.playouts import Playouts

# A difference below so many standard errors is none.
_STANDARD_ERRORS: Final = 2
# Options that are left after the first look, the one played apart.
_LEFT: Final = 2


@dataclass(frozen=True, slots=True)
class Effort:
    """Worlds for a first look at all options, for a second at the best two, for the comparison."""

    first: int = 24
    second: int = 36
    last: int = 160
    # For the luck: orders of the closed deck for all draws together, playouts for the hands dealt.
    orders: int = 1_400
    deals: int = 300

    def times(self, part: float) -> "Effort":
        """The same with a part of the worlds."""
        sizes = (self.first, self.second, self.last, self.orders, self.deals)
        return Effort(*(max(4, round(size * part)) for size in sizes))


@dataclass(frozen=True, slots=True)
class Verdict:
    """`loss` in points of the deal against `best`; `difference` is the same with its noise, and
    `error` its standard error. A decision that seemed best at first sight has none of them."""

    best: Option
    loss: float = 0.0
    difference: float = 0.0
    error: float = 0.0
    # What the option played is worth, in net points.
    worth: float = 0.0


def verdict_on(
    choice: Choice,
    situation: Situation,
    playouts: Playouts,
    rng: random.Random,
    effort: Effort,
) -> Verdict:
    """What the place at turn gave away by this choice."""
    worlds = _Worlds(choice, situation, playouts, rng)
    sums = worlds.sums(choice.options, effort.first)
    ranked = sorted(choice.others, key=lambda option: -sums[option])[:_LEFT]
    if len(ranked) > 1:
        more = worlds.sums((choice.chosen, *ranked), effort.second)
        sums = {option: sums[option] + more[option] for option in more}
    best = max(ranked, key=sums.__getitem__)
    if sums[best] <= sums[choice.chosen]:
        looked_at = effort.first + (effort.second if len(ranked) > 1 else 0)
        return Verdict(choice.chosen, worth=sums[choice.chosen] / looked_at)
    return worlds.compared(best, effort.last)


class _Worlds:
    def __init__(
        self, choice: Choice, situation: Situation, playouts: Playouts, rng: random.Random
    ) -> None:
        self.choice = choice
        self.situation = situation
        self.playouts = playouts
        self.rng = rng

    def nets(self, options: Sequence[Option]) -> list[float]:
        """All of them in one world."""
        world = imagined(self.situation, self.situation.position.turn, self.rng)
        points = self.choice.drop_points
        return [option.net(self.playouts, world.copy(), points) for option in options]

    def sums(self, options: Sequence[Option], count: int) -> dict[Option, float]:
        sums = dict.fromkeys(options, 0.0)
        for _ in range(count):
            for option, net in zip(options, self.nets(options), strict=True):
                sums[option] += net
        return sums

    def compared(self, best: Option, count: int) -> Verdict:
        differences, worth = [], 0.0
        for _ in range(count):
            better, net = self.nets((best, self.choice.chosen))
            differences.append(better - net)
            worth += net
        mean = sum(differences) / count
        spread = sum((difference - mean) ** 2 for difference in differences) / (count - 1)
        error = sqrt(spread / count)
        is_sure = mean > 0 and mean >= _STANDARD_ERRORS * error
        return Verdict(
            best=best if is_sure else self.choice.chosen,
            loss=mean if is_sure else 0.0,
            difference=mean,
            error=error,
            worth=worth / count,
        )
