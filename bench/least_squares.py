"""Weights by least squares, and how far estimates lie from what came of them."""

from collections.abc import Mapping, Sequence

Points = list[tuple[float, float]]  # estimated, and what came of it


def least_squares(
    rows: Sequence[Sequence[float]],
    results: Sequence[float],
    guess: Mapping[int, tuple[float, float]] | None = None,
) -> list[float]:
    """`guess`: by term, a weight that it is drawn to, and as if by how many rows; else 20 rows to 0."""
    size = len(rows[0])
    drawn = [(guess or {}).get(place, (0.0, 20.0)) for place in range(size)]
    matrix = [[drawn[row][1] * (row == column) for column in range(size)] for row in range(size)]
    right = [weight * times for weight, times in drawn]
    for row, result in zip(rows, results, strict=True):
        for place, weight in enumerate(row):
            if weight:
                line = matrix[place]
                for column, amount in enumerate(row):
                    line[column] += weight * amount
                right[place] += weight * result
    return solved(matrix, right)


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss's elimination with pivots."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for place in range(size):
        pivot = max(range(place, size), key=lambda index: abs(rows[index][place]))
        rows[place], rows[pivot] = rows[pivot], rows[place]
        head = rows[place]
        for index in range(size):
            factor = rows[index][place] / head[place] if index != place else 0
            if factor:
                rows[index] = [a - factor * b for a, b in zip(rows[index], head, strict=True)]
    return [rows[place][size] / rows[place][place] for place in range(size)]


def product(weights: Sequence[float], row: Sequence[float]) -> float:
    return sum(map(float.__mul__, weights, row))


def tenths(points: Points) -> Points:
    """Means of ten parts of the points, from the lowest estimates on."""
    ordered = sorted(points)
    size = max(1, len(ordered) // 10)
    parts = [ordered[begin : begin + size] for begin in range(0, size * 10, size)]
    return [
        (sum(worth for worth, _ in part) / len(part), sum(net for _, net in part) / len(part))
        for part in parts
        if part
    ]
