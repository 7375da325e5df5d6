"""Fit the value of a hand to deals that the bots play against themselves.

    python -m bench.fit_value --seconds 120 --seed 1

For each number of players, bots play points rummy for so many seconds of processor time. Now and
then they throw another card than the best, and in three of ten deals a seat never drops, so that
hands that would be given up are seen to their end, too. Two weights a term come of it: for the value
after a discard, by least-squares temporal differences with eligibility 0.9 (of 1, plain least squares
on the results, the error on held-out deals is the same but the weights vary more), and for the value
before a draw, by least squares on the values after it.

One deal of five is held out. Its errors and a calibration plot are printed and drawn. The weights go
to tables/games/indian/value_weights.py, the plot to docs/images/value-calibration.svg.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.duplicates import net_points, played
from tables.games.base import JSON
from tables.games.indian import value as values
from tables.games.indian.bots import SKILLS, Bot, Option
from tables.games.indian.moves import Draw, Move, move_json
from tables.games.indian.prospects import Prospect
from tables.games.indian.rulesets import POINTS
from tables.games.indian.sight import Sight
from tables.games.indian.value import Standing

ROOT = Path(__file__).resolve().parent.parent
ELIGIBILITY = 0.9
_RIDGE = 1.0
_ODD = 0.1  # of the discards
_STUBBORN = 0.3  # of the seats in a deal

# One seat's way through a deal: hands before a draw (with whether the closed deck was drawn from)
# and after a discard, in turn.
State = tuple[Prospect, Standing]
Way = list[tuple[State, bool, State]]


class _Explorer(Bot):
    before: tuple[State, bool] | None = None
    drawing: State | None = None

    def __init__(self, sight: Sight, rng: random.Random, *, stubborn: bool) -> None:
        super().__init__(sight, SKILLS["expert"], rng)
        self.stubborn = stubborn
        self.after: State | None = None

    def draw(self) -> Move:
        move = super().draw()
        if isinstance(move, Draw) and self.drawing is not None:
            self.before = self.drawing, move.source == "closed"
        return move

    def worth_of_drawing(self, hand: Prospect) -> float:
        self.drawing = hand, self.standing
        return super().worth_of_drawing(hand)

    def drop_points(self) -> int | None:
        return None if self.stubborn else super().drop_points()

    def chosen(self, options: list[Option]) -> Option:
        if self.rng.random() < _ODD:
            option = self.rng.choice(options)
        else:
            option = super().chosen(options)
        self.after = option.left, self.standing
        return option


def collect(seats: int, seconds: float, seed: int) -> list[list[tuple[Way, float]]]:
    """By deal: each seat's way through it and its net points."""
    deals = []
    began = time.process_time()
    while time.process_time() - began < seconds:
        name = f"fit/{seed}/{seats}/{len(deals)}"
        rng = random.Random(name)  # noqa: S311 - repeats
        ways: list[Way] = [[] for _ in range(seats)]
        stubborn = [rng.random() < _STUBBORN for _ in range(seats)]
        befores: dict[int, tuple[State, bool]] = {}

        def choose(view: Mapping[str, Any], seat: int, rng: random.Random) -> dict[str, JSON]:
            bot = _Explorer(Sight.of(view, seat), rng, stubborn=stubborn[seat])
            move = move_json(bot.choose())
            if bot.before is not None:
                befores[seat] = bot.before
            if bot.after is not None and seat in befores:
                ways[seat].append((*befores.pop(seat), bot.after))
            return move

        result = played([choose] * seats, POINTS, name)
        deals.append([(way, net_points(result, seat)) for seat, way in enumerate(ways)])
    return deals


def temporal(ways: Sequence[tuple[Way, float]], eligibility: float) -> list[float]:
    """Weights w of the terms t with w·t(s) as close to w·t(next s) as can be, at the end to the net."""
    size = len(values.terms(*_ANY))
    matrix = [[_RIDGE * (row == column) for column in range(size)] for row in range(size)]
    right = [0.0] * size
    for way, net in ways:
        rows = [values.terms(*after) for _, _, after in way]
        trace = [0.0] * size
        for index, row in enumerate(rows):
            trace = [eligibility * old + new for old, new in zip(trace, row, strict=True)]
            later = rows[index + 1] if index + 1 < len(rows) else None
            change = row if later is None else [a - b for a, b in zip(row, later, strict=True)]
            for place, weight in enumerate(trace):
                if weight:
                    line = matrix[place]
                    for column, amount in enumerate(change):
                        if amount:
                            line[column] += weight * amount
                    if later is None:
                        right[place] += weight * net
    return solved(matrix, right)


def least_squares(rows: Sequence[Sequence[float]], results: Sequence[float]) -> list[float]:
    size = len(rows[0])
    matrix = [[_RIDGE * (row == column) for column in range(size)] for row in range(size)]
    right = [0.0] * size
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




_ANY = Prospect(1, 0.1, 0, 0, 0), Standing(0, 1, 0, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 3, 4, 5, 6])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for seats in given.seats:
        deals = collect(seats, given.seconds, given.seed)
        import pickle; pickle.dump(deals, open(f'/tmp/expert/deals{seats}.pickle','wb'))
        fitted, held = [], []
        for number, ways in enumerate(deals):
            (held if number % 5 == 0 else fitted).extend(ways)
        for e in (0.0, 0.9, 1.0):
            w = temporal(fitted, e)
            report(seats, w, held, f"lambda {e}")
        w = temporal(fitted, ELIGIBILITY)
        rows, results = [], []
        for way, _ in fitted:
            for before, closed, after in way:
                if closed:
                    rows.append(values.terms(*before)); results.append(product(w, values.terms(*after)))
        u = least_squares(rows, results)
        err = math.sqrt(sum((product(u, r) - y) ** 2 for r, y in zip(rows, results)) / len(rows))
        print("before: rmse", err, len(rows), "drops", sum(not way for ways in deals for way, _ in ways) / seats / len(deals), len(deals), "deals")
        values.VALUE[seats] = tuple(w); values.BEFORE[seats] = tuple(u)
        print([round(x, 2) for x in w]); print([round(x, 2) for x in u], flush=True)
        path = ROOT / "tables/games/indian/value_weights.py"
        path.write_text("VALUE = " + repr({n: tuple(round(x, 3) for x in v) for n, v in values.VALUE.items()}) + "\nBEFORE = " + repr({n: tuple(round(x, 3) for x in v) for n, v in values.BEFORE.items()}) + "\n")


def report(seats: int, weights: Sequence[float], ways: Sequence[tuple[Way, float]], name: str) -> None:
    points = [(product(weights, values.terms(*after)), net) for way, net in ways for _, _, after in way]
    mean = sum(net for _, net in points) / len(points)
    error = sum((v - net) ** 2 for v, net in points) / len(points)
    spread = sum((mean - net) ** 2 for _, net in points) / len(points)
    points.sort()
    tenth = len(points) // 10
    bins = [points[i * tenth : (i + 1) * tenth] for i in range(10)]
    cal = ", ".join(f"{sum(v for v, _ in b) / len(b):.0f}:{sum(n for _, n in b) / len(b):.0f}" for b in bins) if tenth else ""
    print(f"{seats} {name}: held-out rmse {math.sqrt(error):.2f} of sd {math.sqrt(spread):.2f}, R2 {1 - error / spread:.3f}, bias {sum(v-n for v, n in points)/len(points):+.2f} [{cal}]")


if __name__ == "__main__":
    main()
