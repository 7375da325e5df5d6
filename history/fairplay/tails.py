"""Upper tails of permutation distributions by the saddlepoint approximation, accurate far out in the tail. Pure.

Permutation distributions are exact for any values, but enumerating them takes too long, and sampling does not reach
small p-values. The saddlepoint of the moment generating function yields them with a relative error of a few per cent
(Lugannani and Rice; Robinson for sampling without replacement).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, erfc, exp, log, log1p, pi, prod, sqrt
from typing import Final

# Closer to the mean than this, in standard deviations, the normal tail is as accurate.
_NEAR: Final = 0.3
_LEAST: Final = 1e-300
_STEPS: Final = 100
_CLOSE: Final = 1e-9

# The possible values of one match with their probabilities.
Part = Sequence[tuple[float, float]]


def compute_normal_tail(z: float) -> float:
    return 0.5 * erfc(z / sqrt(2))


def compute_tail_of_sum(observed: float, parts: Sequence[Part]) -> float:
    """Return P(sum >= observed) if each part independently takes one of its values; 1 if no part varies."""
    means = [sum(value * chance for value, chance in part) for part in parts]
    centred = [
        [(value - mean, chance) for value, chance in part if chance > 0]
        for part, mean in zip(parts, means, strict=True)
    ]
    excess = observed - sum(means)
    variance = sum(value**2 * chance for part in centred for value, chance in part)
    if variance <= _CLOSE:
        return 1.0
    z = excess / sqrt(variance)
    if z < _NEAR:
        return compute_normal_tail(z)
    tops = [max(value for value, _ in part) for part in centred]
    if excess >= sum(tops) - _CLOSE * sqrt(variance):
        top = [
            sum(chance for value, chance in part if value >= most - _CLOSE)
            for part, most in zip(centred, tops, strict=True)
        ]
        return max(_LEAST, prod(top))
    t = _tilt(excess, centred, z / sqrt(variance))
    at = _compute_cumulant(t, centred)
    return _lugannani_rice(2 * (t * excess - at.value), t * sqrt(at.second))


@dataclass(frozen=True, slots=True)
class _Cumulant:
    """The value of the cumulant generating function at one point, and its first two derivatives."""

    value: float
    first: float
    second: float


def _compute_cumulant(t: float, parts: Sequence[Part]) -> _Cumulant:
    total = first = second = 0.0
    for part in parts:
        highest = max(t * value for value, _ in part)
        weights = [(value, chance * exp(t * value - highest)) for value, chance in part]
        whole = sum(weight for _, weight in weights)
        mean = sum(value * weight for value, weight in weights) / whole
        total += highest + log(whole)
        first += mean
        second += sum((value - mean) ** 2 * weight for value, weight in weights) / whole
    return _Cumulant(total, first, second)


def _tilt(excess: float, parts: Sequence[Part], start: float) -> float:
    """Return the tilt at which the first derivative equals the excess. The derivative rises with the tilt."""
    low, high = 0.0, start
    while _compute_cumulant(high, parts).first < excess:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _compute_cumulant(middle, parts).first < excess:
            low = middle
        else:
            high = middle
        if high - low < _CLOSE * high:
            break
    return (low + high) / 2


def _lugannani_rice(squared: float, other: float) -> float:
    """Return the tail by Lugannani and Rice. `squared` is the square of the signed likelihood root."""
    root = sqrt(max(squared, _CLOSE))
    density = exp(-(root**2) / 2) / sqrt(2 * pi)
    tail = compute_normal_tail(root) + density * (1 / max(other, _CLOSE) - 1 / root)
    return min(1.0, max(_LEAST, tail))


# --- A random choice among values.


def compute_tail_of_choice(chosen: Sequence[float], others: Sequence[float]) -> float:
    """Return the probability that a random choice of `len(chosen)` of all values has at least the sum of `chosen`.

    It is 1 if `others` is empty.
    """
    values = [*chosen, *others]
    size, number = len(chosen), len(values)
    if not chosen or not others:
        return 1.0
    mean = sum(values) / number
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (number - 1))
    if deviation <= _CLOSE:
        return 1.0
    scaled = [(value - mean) / deviation for value in values]
    excess = sum(scaled[:size])
    part = size / number
    z = excess / sqrt(number * part * (1 - part))
    if z < _NEAR:
        return compute_normal_tail(z)
    if excess >= sum(sorted(scaled)[-size:]) - _CLOSE:
        return _compute_chance_of_best(scaled, size)
    found = _tilt_choice(scaled, size, excess)
    return compute_normal_tail(z) if found is None else found


def _compute_chance_of_best(values: Sequence[float], size: int) -> float:
    """Return the probability that a random choice of `size` values has the highest possible sum.

    If values are equal, several choices have this sum.
    """
    last = sorted(values)[-size]
    better = sum(value > last + _CLOSE for value in values)
    alike = sum(abs(value - last) <= _CLOSE for value in values)
    return max(_LEAST, comb(alike, size - better) / comb(len(values), size))


def _tilt_choice(values: Sequence[float], size: int, excess: float) -> float | None:
    """Return the tail probability of a choice of `size` values whose sum exceeds its mean by `excess`.

    It solves for two tilts, one for the number chosen and one for the sum. Return None if they are not found.
    """
    part = size / len(values)
    s = t = 0.0
    now = _build_choice(s, t, values, part)
    for _ in range(_STEPS):
        away = (now.number - size, now.total - excess)
        if abs(away[0]) + abs(away[1]) < 1e-7:  # noqa: PLR2004 - relative to values near one
            break
        determinant = now.of_number * now.of_total - now.mixed**2
        if determinant <= _LEAST:
            return None
        step_s = (now.of_total * away[0] - now.mixed * away[1]) / determinant
        step_t = (now.of_number * away[1] - now.mixed * away[0]) / determinant
        goal = now.value - s * size - t * excess
        share = 1.0
        while True:
            new_s, new_t = s - share * step_s, t - share * step_t
            then = _build_choice(new_s, new_t, values, part)
            if then.value - new_s * size - new_t * excess <= goal + 1e-12 or share < _CLOSE:
                break
            share /= 2
        s, t, now = new_s, new_t, then
    else:
        return None
    determinant = now.of_number * now.of_total - now.mixed**2
    at_mean = len(values) * part * (1 - part)
    if determinant <= 0 or t <= 0:
        return None
    return _lugannani_rice(2 * (s * size + t * excess - now.value), t * sqrt(determinant / at_mean))


@dataclass(frozen=True, slots=True)
class _Choice:
    """The joint cumulant generating function of the number and the sum: its value, first and second derivatives."""

    value: float
    number: float
    total: float
    of_number: float
    mixed: float
    of_total: float


def _build_choice(s: float, t: float, values: Sequence[float], part: float) -> _Choice:
    value = number = total = of_number = mixed = of_total = 0.0
    base = log(part / (1 - part))
    rest = log(1 - part)
    for worth in values:
        lean = s + t * worth
        odds = base + lean
        value += rest + (log1p(exp(odds)) if odds < 0 else odds + log1p(exp(-odds)))
        chance = 1 / (1 + exp(-odds)) if odds > 0 else exp(odds) / (1 + exp(odds))
        spread = chance * (1 - chance)
        number += chance
        total += chance * worth
        of_number += spread
        mixed += spread * worth
        of_total += spread * worth * worth
    return _Choice(value, number, total, of_number, mixed, of_total)
