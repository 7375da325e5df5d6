"""The loss of a decision: all options are played out in the same worlds, never judged by hindsight.

A world is one possible layout of the cards that the player could not see. A first set of worlds is used to find the
best alternative. That alternative is then compared with the player's own choice in fresh worlds, so that a lucky search
does not look like a mistake. If the choice still seems a mistake, the two are compared once more in fresh worlds, and
only these worlds determine its cost. A game provides the options and their results in a world. The expert bots choose
by the same playouts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, Generic, TypeVar

# Ignore differences below this many standard errors.
_STANDARD_ERRORS: Final = 2
# With fewer worlds there is no spread to judge by.
_LEAST_WORLDS: Final = 4
# Options that remain after the first look, besides the one played.
_LEFT: Final = 2


@dataclass(frozen=True, slots=True)
class Effort:
    """How many worlds an analysis plays out in each of its stages.

    `first` is the number for all options, and `second` the number for the options that then seem best. `last` is the
    number for comparing the best option with the one chosen, and `confirming` the number for confirming a loss.
    """

    first: int = 24
    second: int = 36
    last: int = 160
    confirming: int = 320
    # For luck: orders of the closed deck for all draws together, and playouts for the hands dealt.
    orders: int = 1_400
    deals: int = 300

    def scale(self, part: float) -> "Effort":
        """Return the effort with each number multiplied by `part`, but at least 4."""
        sizes = (self.first, self.second, self.last, self.confirming, self.orders, self.deals)
        return Effort(*(max(4, round(size * part)) for size in sizes))


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a decision.

    `doing` is the game's word for it ("open", "discard"), and `card` is the card that it is about, or None.
    """

    doing: str
    card: int | None = None

    @property
    def sort_key(self) -> tuple[Any, ...]:
        """The key by which a report sorts its options."""
        return self.doing, -1 if self.card is None else self.card


# The options of one decision; a game may have a type of its own.
OptionT = TypeVar("OptionT")


@dataclass(frozen=True, slots=True)
class Choice(Generic[OptionT]):
    """A decision: its kind ("pick"), the option chosen, and the alternatives."""

    kind: str
    chosen: OptionT
    others: tuple[OptionT, ...]

    @property
    def options(self) -> tuple[OptionT, ...]:
        return (self.chosen, *self.others)


@dataclass(frozen=True, slots=True)
class Verdict(Generic[OptionT]):
    """The judgement of a decision. `loss` is how many net points the `best` option was worth more than the one chosen.

    If the difference is not significant, the loss is 0 and `best` is the option chosen. `difference` is the measured
    difference from the best alternative, whether significant or not, and `error` its standard error. All three are 0
    for a decision that already seemed best in the first comparison.
    """

    best: OptionT
    loss: float = 0.0
    difference: float = 0.0
    error: float = 0.0
    # Value of the option played, in net points.
    worth: float = 0.0


# Returns the net points of each of these options, all played in one newly drawn world.
Nets = Callable[[Sequence[OptionT]], list[float]]


def evaluate_choice(
    choice: Choice[OptionT], nets: Nets[OptionT], effort: Effort
) -> Verdict[OptionT]:
    """Play the options of this choice out and return the verdict.

    `nets` returns the net points of each of the options that it gets, all in one newly drawn world.
    """
    sums = _sum_nets(nets, choice.options, effort.first)
    ranked = sorted(choice.others, key=lambda option: -sums[option])[:_LEFT]
    if len(ranked) > 1:
        more = _sum_nets(nets, (choice.chosen, *ranked), effort.second)
        sums = {option: sums[option] + more[option] for option in more}
    best = max(ranked, key=sums.__getitem__)
    if sums[best] <= sums[choice.chosen]:
        looked_at = effort.first + (effort.second if len(ranked) > 1 else 0)
        return Verdict(choice.chosen, worth=sums[choice.chosen] / looked_at)
    seen = _compare_options(choice.chosen, best, nets, effort.last)
    if seen.is_sure:
        seen = _compare_options(choice.chosen, best, nets, effort.confirming)
    return Verdict(
        best=best if seen.is_sure else choice.chosen,
        loss=seen.difference if seen.is_sure else 0.0,
        difference=seen.difference,
        error=seen.error,
        worth=seen.worth,
    )


def _sum_nets(nets: Nets[OptionT], options: Sequence[OptionT], count: int) -> dict[OptionT, float]:
    sums = dict.fromkeys(options, 0.0)
    for _ in range(count):
        for option, net in zip(options, nets(options), strict=True):
            sums[option] += net
    return sums


@dataclass(frozen=True, slots=True)
class _Comparison:
    """How many net points one option is worth more than another on average, and the standard error of this mean.

    `worth` is the average net points of the other option.
    """

    difference: float
    error: float
    worth: float

    @property
    def is_sure(self) -> bool:
        return self.difference > 0 and self.difference >= _STANDARD_ERRORS * self.error


def _compare_options(
    chosen: OptionT, best: OptionT, nets: Nets[OptionT], count: int
) -> _Comparison:
    """Compare the option that seems best with the one chosen in this many fresh worlds."""
    differences, worth = [], 0.0
    for _ in range(count):
        better, net = nets((best, chosen))
        differences.append(better - net)
        worth += net
    return _Comparison(*_mean_and_error(differences), worth / count)


def choose_option(
    options: Sequence[OptionT],
    nets: Nets[OptionT],
    first: int,
    more: int,
    is_spent: Callable[[], bool],
) -> OptionT:
    """Return the first option unless another is better by more than a standard error.

    All options are played out in `first` worlds. Then the best of the other options is compared with the first one in
    `more` worlds. Both stages stop early when `is_spent` returns True because the caller's limit of work is used up.
    """
    usual, *others = options
    if not others:
        return usual
    rows = [nets(options) for world in range(first) if world < _LEAST_WORLDS or not is_spent()]
    sums = [sum(column) for column in zip(*rows, strict=True)]
    best = max(range(1, len(options)), key=sums.__getitem__)
    if sums[best] <= sums[0]:
        return usual
    differences = [row[best] - row[0] for row in rows]
    for _ in range(more):
        if is_spent():
            break
        better, net = nets((options[best], usual))
        differences.append(better - net)
    mean, error = _mean_and_error(differences)
    return options[best] if mean > error else usual


def _mean_and_error(differences: Sequence[float]) -> tuple[float, float]:
    """Return the mean of the differences and its standard error."""
    count = len(differences)
    mean = sum(differences) / count
    spread = sum((difference - mean) ** 2 for difference in differences) / (count - 1)
    return mean, sqrt(spread / count)
