"""Fit the value of a hand of gin to deals that the bots play against themselves.

    python -m bench.fit_gin --seconds 120 --seed 1

Players who go by the value as it was before play each other and quick ones for so many seconds of
processor time (`Explorers`). Now and then they throw another card than the best, and they play on
where they could knock, so that such hands are seen to their end. Two lists of weights are fitted by
least squares to the net points of the deal: ABOVE for hands above the limit of a knock, WITHIN for
the others; they are drawn towards the ones before, as much as some hundred hands. Of eight deals
five are by the preset `points`, two by `oklahoma`, one by `classic`.

One deal of five is held out; the errors on them are printed, and docs/images/gin-value-calibration.svg
shows them. The weights go to games/gin/bots/value_weights.py.
"""

import argparse
import math
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.least_squares import Points, least_squares, product, tenths
from games.cards import CARDS
from games.gin.bots import value_weights
from games.gin.bots.expert import discards
from games.gin.bots.playouts import Playouts, Position, QuickPolicy, dealt
from games.gin.bots.value import Prospect, Standing, prospect, terms, value
from games.gin.rules.melding import BIT, best_discard, cards_of, least_after_discard, mask_of
from games.gin.rules.ruleset import DECK_SIZE, PRESETS

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "games/gin/bots/value_weights.py"
PLOT = ROOT / "docs/images/gin-value-calibration.svg"
PRESETS_PLAYED = (
    "points",
    "points",
    "oklahoma",
    "points",
    "points",
    "points",
    "oklahoma",
    "classic",
)
_QUICK = 0.4  # of the players
_ODD = 0.15  # of the discards
_ON = 0.3  # of the chances to knock
_DISCARDS = 3
# As if by so many hands the weights are drawn to the ones before.
_DRAWN = {"ABOVE": 400.0, "WITHIN": 150.0}


class State(NamedTuple):
    """After a discard."""

    hand: Prospect
    standing: Standing
    limit: int
    net: float

    @property
    def kind(self) -> str:
        return "WITHIN" if self.hand.deadwood <= self.limit else "ABOVE"


class Explorers:
    """Both players of a deal, as the policy of a playout: each is quick (`QuickPolicy`) or goes by the
    value of a hand, without looking at what the other may hold. `states` are what the latter came
    through."""

    def __init__(self, playouts: Playouts, rng: random.Random) -> None:
        self.quick = QuickPolicy(playouts.limit)
        self.playouts = playouts
        self.rng = rng
        self.is_quick = [rng.random() < _QUICK, rng.random() < _QUICK]
        self.taken = [0, 0]
        self.states: list[tuple[int, Prospect, Standing]] = []

    def wants(self, position: Position, card: int) -> bool:
        wanted = self.quick.wants(position, card)
        if wanted:
            self.taken[position.turn] |= BIT[card]
        return wanted

    def part(self, position: Position, kept: int) -> tuple[int, bool]:
        place, hand = position.turn, position.hands[position.turn]
        rng, limit = self.rng, self.playouts.limit
        if self.is_quick[place]:
            return self.quick.part(position, kept)
        points = least_after_discard(hand, kept)
        if points <= limit and (points == 0 or rng.random() > _ON):
            return best_discard(hand, kept).bit_length() - 1, True
        held = self.taken[1 - place] & position.hands[1 - place]
        unseen = (1 << DECK_SIZE) - 1 & ~(hand | held | mask_of(position.open_pile))
        hidden = [BIT[card] for card in cards_of(unseen)]
        standing = Standing(position.turns[place], held.bit_count())
        cards = discards(hand, kept, _DISCARDS)
        if rng.random() < _ODD:
            cards = [rng.choice(cards)]
        found = [(prospect(hand ^ BIT[card], hidden, limit), card) for card in cards]
        best, card = max(found, key=lambda option: value(option[0], standing, limit))
        self.states.append((place, best, standing))
        return card, False


def collect(seconds: float, seed: int) -> list[list[State]]:
    """By deal, what its players came through and the net points that it led to."""
    deals: list[list[State]] = []
    began = time.process_time()
    while time.process_time() - began < seconds:
        deals.append(_played(len(deals), seed))
    return deals


def collect_deals(count: int, seed: int) -> list[list[State]]:
    return [_played(number, seed) for number in range(count)]


def _played(number: int, seed: int) -> list[State]:
    rng = random.Random(f"fit_gin/{seed}/{number}")  # noqa: S311 - repeats
    cards = rng.sample(range(DECK_SIZE), DECK_SIZE)
    rules = PRESETS[PRESETS_PLAYED[number % len(PRESETS_PLAYED)]]
    playouts = Playouts(rules, CARDS[cards[20]])
    explorers = Explorers(playouts, rng)
    playouts.policy = explorers
    nets = playouts.net(dealt(cards))
    return [
        State(hand, standing, playouts.limit, nets[place] / playouts.factor)
        for place, hand, standing in explorers.states
    ]


def fit(deals: Sequence[Sequence[State]]) -> dict[str, list[float]]:
    found = {}
    for kind, strength in _DRAWN.items():
        states = [
            state
            for number, deal in enumerate(deals)
            if number % 5
            for state in deal
            if state.kind == kind
        ]
        before = getattr(value_weights, kind)
        guess = {place: (weight, strength) for place, weight in enumerate(before)}
        rows = [terms(state.hand, state.standing) for state in states]
        found[kind] = least_squares(rows, [state.net for state in states], guess)
    return found


def held_out(
    deals: Sequence[Sequence[State]], weights: Mapping[str, Sequence[float]]
) -> dict[str, Points]:
    found: dict[str, Points] = {kind: [] for kind in _DRAWN}
    for deal in deals[::5]:
        for state in deal:
            worth = product(weights[state.kind], terms(state.hand, state.standing))
            found[state.kind].append((worth, state.net))
    return found


def report(name: str, points: Points, deals: int) -> None:
    mean = sum(net for _, net in points) / len(points)
    error = sum((worth - net) ** 2 for worth, net in points) / len(points)
    spread = sum((mean - net) ** 2 for _, net in points) / len(points)
    bias = sum(worth - net for worth, net in points) / len(points)
    print(
        f"| {name} | {deals} | {len(points)} | {math.sqrt(spread):.1f} | {math.sqrt(error):.1f} | "
        f"{1 - error / spread:.2f} | {bias:+.1f} |",
        flush=True,
    )


_TOLD = {"ABOVE": "above the limit", "WITHIN": "within it, not knocked"}


def plot(found: Mapping[str, Points]) -> str:
    """An SVG: estimated points across, real ones upwards."""
    panel, most = 260, 40
    left = top = 24
    scale = panel / (2 * most)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{panel + 60}" '
            f'height="{panel + 76}" font-family="sans-serif" font-size="12">'
        ),
        '<rect width="100%" height="100%" fill="#fff"/>',
        (
            f'<rect x="{left}" y="{top}" width="{panel}" height="{panel}" fill="none" stroke="#999"/>'
            f'<path d="M{left} {top + panel}L{left + panel} {top}" stroke="#bbb"/>'
        ),
    ]
    for points, colour in zip(found.values(), ("#1a5fb4", "#c64600"), strict=True):
        for worth, net in tenths(points):
            x = left + (min(max(worth, -most), most) + most) * scale
            y = top + panel - (min(max(net, -most), most) + most) * scale
            parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" fill="{colour}"/>')
    parts.append(
        f'<text x="{left}" y="{top + panel + 18}">across: estimated; up: real (±{most})</text>'
        f'<text x="{left}" y="{top + panel + 38}" fill="#1a5fb4">above the limit</text>'
        f'<text x="{left + 120}" y="{top + panel + 38}" fill="#c64600">within it, not knocked</text>'
        "</svg>"
    )
    return "\n".join(parts) + "\n"


def write(weights: Mapping[str, Sequence[float]]) -> None:
    lines = ['"""Written by `python -m bench.fit_gin`: weights of the terms in `value`."""']
    lines += ["", "# fmt: off"]
    for kind, fitted in weights.items():
        written = [f"{weight:.3f}," for weight in fitted]
        rows = [" ".join(written[start : start + 8]) for start in range(0, len(written), 8)]
        lines += [f"{kind} = (", *(f"    {row}" for row in rows), ")"]
    WEIGHTS.write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| hands | deals | held out | deviation of the net | error | R² | bias |")
    print("|---|---|---|---|---|---|---|")
    deals = collect(given.seconds, given.seed)
    weights = fit(deals)
    found = held_out(deals, weights)
    for kind, points in found.items():
        report(_TOLD[kind], points, len(deals))
    write(weights)
    PLOT.write_text(plot(found))


if __name__ == "__main__":
    main()
