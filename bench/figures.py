"""Summaries of measurements: means with their errors, percentiles, ratios."""

import math
import statistics
from collections.abc import Sequence


def compute_standard_error(values: Sequence[float]) -> float:
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def compute_half_of_95(values: Sequence[float]) -> float:
    """Return half the width of the mean's 95 % confidence interval, by the normal approximation."""
    return 1.96 * compute_standard_error(values)


def compute_percentile(values: Sequence[float], part: float) -> float:
    """Return the value that `part` per cent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part / 100))]


def spread(values: Sequence[float], unit: str = "ms", digits: int = 0) -> str:
    parts = [f"p{part} {compute_percentile(values, part):.{digits}f}" for part in (50, 95, 99)]
    return f"{' '.join(parts)} longest {max(values):.{digits}f} {unit}"


def compute_ratios(values: Sequence[float], floors: Sequence[float]) -> str:
    """Format the median of the rounds' ratios, followed by each ratio."""
    each = [value / floor for value, floor in zip(values, floors, strict=True)]
    return f"{statistics.median(each):.2f}  ({' '.join(f'{ratio:.2f}' for ratio in each)})"
