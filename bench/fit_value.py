"""Fit the value of a hand to deals that the bots play against themselves.

    python -m bench.fit_value --seconds 120 --seed 1

For 2, 4 and 6 players, experts play points rummy for so many seconds of processor time; 3 and 5
players get the means of their neighbours. Now and then they throw another card than the best, and
in three of ten deals a seat never drops, so that hands that would be given up are seen to their end.

Three lists of weights come of it. VALUE, after a discard, is fitted to the net points of the deal by
least squares, drawn towards a first guess: as much as some thousand hands, so that the noise of
results (40 to 85 points) does not turn a sign. BEFORE, before a draw from the closed deck, is fitted
to VALUE after it. FIRST, before the first draw, is fitted to the net points of who played on.

One deal of five is held out; the errors on them are printed, and docs/images/value-calibration.svg
shows them. The weights go to games/indian/bots/value_weights.py.
"""

import argparse
import math
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.duplicates import net_points, played
from bench.least_squares import Points, least_squares, product, tenths
from games.engine.base import JSON
from games.indian.bots import value as values
from games.indian.bots import value_weights
from games.indian.bots.choose import SKILLS, Bot, Option
from games.indian.bots.prospects import Prospect
from games.indian.bots.sight import Sight
from games.indian.bots.value import Standing
from games.indian.rules.moves import Draw, Move, move_json
from games.indian.rules.ruleset import POINTS

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "games/indian/bots/value_weights.py"
PLOT = ROOT / "docs/images/value-calibration.svg"
# By players: the first guess of the intercept, turns to go, turns to go as the deal goes on, the
# count, and the count as the deal goes on; each with the rows that it stands for.
GUESS = {
    seats: {
        0: (intercept, 1.0),
        1: (per_turn, 4000.0),
        2: (0.0, 4000.0),
        5: (per_ten, 4000.0),
        6: (0.0, 2000.0),
    }
    for seats, intercept, per_turn, per_ten in (
        (2, 25.0, -3.5, -2.0),
        (4, 45.0, -7.5, -2.5),
        (6, 60.0, -10.0, -2.5),
    )
}
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
        is_odd = self.rng.random() < _ODD
        option = self.rng.choice(options) if is_odd else super().chosen(options)
        self.after = option.left, self.standing
        return option


def collect(seats: int, seconds: float, seed: int) -> list[list[tuple[Way, float]]]:
    """By deal: each seat's way through it and its net points."""
    deals: list[list[tuple[Way, float]]] = []
    began = time.process_time()
    while time.process_time() - began < seconds:
        name = f"fit/{seed}/{seats}/{len(deals)}"
        journal = _Journal(seats, random.Random(name))  # noqa: S311 - repeats
        result = played([journal.choose] * seats, POINTS, name)
        deals.append([(way, net_points(result, seat)) for seat, way in enumerate(journal.ways)])
    return deals


class _Journal:
    """The ways of all seats through a deal."""

    def __init__(self, seats: int, rng: random.Random) -> None:
        self.ways: list[Way] = [[] for _ in range(seats)]
        self._stubborn = [rng.random() < _STUBBORN for _ in range(seats)]
        self._before: dict[int, tuple[State, bool]] = {}

    def choose(self, view: Mapping[str, Any], seat: int, rng: random.Random) -> dict[str, JSON]:
        bot = _Explorer(Sight.of(view, seat), rng, stubborn=self._stubborn[seat])
        move = move_json(bot.choose())
        if bot.before is not None:
            self._before[seat] = bot.before
        if bot.after is not None and seat in self._before:
            self.ways[seat].append((*self._before.pop(seat), bot.after))
        return move


Table = dict[int, tuple[float, ...]]


def fit(seats: int, deals: Sequence[Sequence[tuple[Way, float]]]) -> dict[str, list[float]]:
    ways = [way for number, deal in enumerate(deals) if number % 5 for way in deal]
    rows = [values.terms(*after) for way, _ in ways for _, _, after in way]
    nets = [net for way, net in ways for _ in way]
    value = least_squares(rows, nets, GUESS[seats])
    drawn = [(before, after) for way, _ in ways for before, closed, after in way if closed]
    before = least_squares(
        [values.terms(*state) for state, _ in drawn],
        [product(value, values.terms(*after)) for _, after in drawn],
    )
    firsts = [(way[0][0], net) for way, net in ways if way and way[0][0][1].turn == 0]
    first = least_squares(
        [values.terms_of_first_hand(*state) for state, _ in firsts], [net for _, net in firsts]
    )
    return {"VALUE": value, "BEFORE": before, "FIRST": first}


def held_out(
    deals: Sequence[Sequence[tuple[Way, float]]], weights: Mapping[str, Sequence[float]]
) -> dict[str, Points]:
    ways = [way for deal in deals[::5] for way in deal]
    return {
        "after a discard": [
            (product(weights["VALUE"], values.terms(*after)), net)
            for way, net in ways
            for _, _, after in way
        ],
        "first hands": [
            (product(weights["FIRST"], values.terms_of_first_hand(*way[0][0])), net)
            for way, net in ways
            if way and way[0][0][1].turn == 0
        ],
    }


def report(seats: int, name: str, points: Points, deals: int) -> None:
    mean = sum(net for _, net in points) / len(points)
    error = sum((worth - net) ** 2 for worth, net in points) / len(points)
    spread = sum((mean - net) ** 2 for _, net in points) / len(points)
    bias = sum(worth - net for worth, net in points) / len(points)
    print(
        f"| {seats} | {name} | {deals} | {len(points)} | {math.sqrt(spread):.1f} | "
        f"{math.sqrt(error):.1f} | {1 - error / spread:.2f} | {bias:+.1f} |",
        flush=True,
    )


def plot(found: Mapping[int, Mapping[str, Points]]) -> str:
    """An SVG with a panel for each number of players: estimated points across, real ones upwards."""
    panel, most = 240, 120
    scale = panel / (2 * most)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{len(found) * (panel + 30) + 20}" '
            f'height="{panel + 76}" font-family="sans-serif" font-size="12">'
        ),
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for number, (seats, by_name) in enumerate(found.items()):
        left, top = 20 + number * (panel + 30), 30
        parts.append(f'<text x="{left}" y="20">{seats} players</text>')
        parts.append(
            f'<rect x="{left}" y="{top}" width="{panel}" height="{panel}" fill="none" stroke="#999"/>'
            f'<path d="M{left} {top + panel}L{left + panel} {top}" stroke="#bbb"/>'
        )
        for points, colour in zip(by_name.values(), ("#1a5fb4", "#c64600"), strict=True):
            for worth, net in tenths(points):
                x = left + (min(max(worth, -most), most) + most) * scale
                y = top + panel - (min(max(net, -most), most) + most) * scale
                parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" fill="{colour}"/>')
        parts.append(
            f'<text x="{left}" y="{top + panel + 18}">across: estimated; up: real (±{most})</text>'
        )
    parts.append(
        f'<text x="20" y="{panel + 70}" fill="#1a5fb4">after a discard</text>'
        f'<text x="130" y="{panel + 70}" fill="#c64600">first hands that were played</text></svg>'
    )
    return "\n".join(parts) + "\n"


def write(tables: Mapping[str, Table]) -> None:
    lines = [
        '"""Weights of the terms in `value`, by players. Written by `python -m bench.fit_value`."""'
    ]
    for name, table in tables.items():
        lines += ["", f"{name} = {{"]
        for seats, weights in sorted(table.items()):
            lines.append(f"    {seats}: ({', '.join(f'{weight:.3f}' for weight in weights)}),")
        lines.append("}")
    WEIGHTS.write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="*", default=[2, 4, 6], choices=GUESS)
    given = parser.parse_args()
    tables: dict[str, Table] = {
        "VALUE": dict(value_weights.VALUE),
        "BEFORE": dict(value_weights.BEFORE),
        "FIRST": dict(value_weights.FIRST),
    }
    found: dict[int, dict[str, Points]] = {}
    print("| players | hands | deals | held out | deviation of the net | error | R² | bias |")
    print("|---|---|---|---|---|---|---|---|")
    for seats in given.only:
        deals = collect(seats, given.seconds, given.seed)
        weights = fit(seats, deals)
        found[seats] = held_out(deals, weights)
        for name, points in found[seats].items():
            report(seats, name, points, len(deals))
        for name, fitted in weights.items():
            tables[name][seats] = tuple(fitted)
    for table in tables.values():
        for seats in (3, 5):
            pairs = zip(table[seats - 1], table[seats + 1], strict=True)
            table[seats] = tuple((one + other) / 2 for one, other in pairs)
    write(tables)
    PLOT.write_text(plot(found))


if __name__ == "__main__":
    main()
