"""Glicko-2 for matches of two to eight players, as in Glickman, "Example of the Glicko-2 system" (2013).

docs/ratings.md lists which parts follow the paper and which are our own decisions. Pure functions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final

# Bounds the change of the volatility; the paper advises 0.3 to 1.2.
TAU: Final = 0.5
_SCALE: Final = 173.7178
_CENTRE: Final = 1500.0
_LARGEST_DEVIATION: Final = 350.0
_NEAR_ENOUGH: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength, its uncertainty, and how volatile the results are."""

    value: float = _CENTRE
    deviation: float = _LARGEST_DEVIATION
    volatility: float = 0.06


@dataclass(frozen=True, slots=True)
class Encounter:
    """A result against one opponent. `score` is 1 for a win, a half for a draw, 0 for a loss."""

    opponent: Rating
    score: float


def rate(rating: Rating, encounters: Sequence[Encounter], *, periods: float = 1.0) -> Rating:
    """Return the rating after these encounters.

    `periods` is the time since the previous encounters, in rating periods; it adds uncertainty.
    """
    if not encounters:
        return rest_rating(rating, periods=periods)
    mu, phi = (rating.value - _CENTRE) / _SCALE, rating.deviation / _SCALE
    precision = gain = 0.0
    for encounter in encounters:
        weight = _compute_weight(encounter.opponent.deviation / _SCALE)
        expected = _expect_score(mu, (encounter.opponent.value - _CENTRE) / _SCALE, weight)
        precision += weight**2 * expected * (1 - expected)
        gain += weight * (encounter.score - expected)
    variance = 1 / precision
    volatility = _compute_volatility(rating.volatility, phi, variance, variance * gain)
    before = sqrt(phi**2 + periods * volatility**2)
    after = 1 / sqrt(1 / before**2 + precision)
    return Rating(
        value=_CENTRE + _SCALE * (mu + after**2 * gain),
        deviation=min(_LARGEST_DEVIATION, after * _SCALE),
        volatility=volatility,
    )


def rest_rating(rating: Rating, *, periods: float) -> Rating:
    """Return the rating after `periods` without matches, which make it less certain."""
    phi = sqrt((rating.deviation / _SCALE) ** 2 + periods * rating.volatility**2)
    return Rating(rating.value, min(_LARGEST_DEVIATION, phi * _SCALE), rating.volatility)


def rate_match(
    ratings: Mapping[int, Rating], ranks: Mapping[int, int], periods: Mapping[int, float]
) -> dict[int, Rating]:
    """Return the ratings after a match of several players: the better rank beats the worse, equal ranks draw.

    All arguments are mappings from seats. Every new rating is computed from the ratings before the match.
    """
    return {
        seat: rate(
            rating,
            [
                Encounter(other, _score(ranks[seat], ranks[opponent]))
                for opponent, other in ratings.items()
                if opponent != seat
            ],
            periods=periods[seat],
        )
        for seat, rating in ratings.items()
    }


def _score(rank: int, other: int) -> float:
    return 0.5 if rank == other else float(rank < other)


def _compute_weight(phi: float) -> float:
    """Return g of the paper: the more uncertain the opponent's rating, the less a result weighs."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _expect_score(mu: float, other: float, weight: float) -> float:
    """Return the expected score, E of the paper."""
    return 1 / (1 + exp(-weight * (mu - other)))


def _compute_volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Return the new volatility, step 5 of the paper: the zero of f, found by the Illinois method."""
    start = log(sigma**2)

    def f(x: float) -> float:
        grown = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - start) / TAU**2

    low = start
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _NEAR_ENOUGH:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
