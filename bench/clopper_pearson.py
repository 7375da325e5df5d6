"""The exact interval of a share, by the incomplete beta function."""

from math import exp, lgamma, log
from typing import Final

_TINY: Final = 1e-300
_TERMS: Final = 300
_HALVINGS: Final = 100


def interval(count: int, total: int, level: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's of `count` out of `total`."""
    if not total:
        return 0.0, 1.0
    tail = (1 - level) / 2
    low = quantile(tail, count, total - count + 1) if count else 0.0
    high = quantile(1 - tail, count + 1, total - count) if count < total else 1.0
    return low, high


def quantile(share: float, a: float, b: float) -> float:
    """Of the beta distribution."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if incomplete_beta(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised one, by the continued fraction of Lentz."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    c, d = 1.0, 1 / _far(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, _TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / _far(1 + term * d), _far(1 + term / c)
            fraction *= c * d
    return front * fraction


def _far(value: float) -> float:
    """From nought, which nothing may be divided by."""
    return value if abs(value) > _TINY else _TINY
