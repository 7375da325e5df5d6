"""Whole matches between bots, repeatable from a seed, to measure how strong bots are and how long matches last.

Simulated time advances only as far as it must: bots answer at once, and a break ends when it is due.
"""

import hashlib
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import variance
from typing import Any

from games.engine.base import Instant, Result, Strength, divide
from games.engine.core import GameStatus
from games.engine.game import Game

# How long a bot thinks.
_MOVE_MS = 1_000
# Prizes are counted in parts of an entry fee; this many make all common shares whole.
ENTRY = 2_520


@dataclass
class Tally:
    """The results of one player over all matches."""

    wins: float = 0.0  # a shared win is a part of one
    points: int = 0  # lost
    score: int = 0  # what a tournament counts: chips, game points
    # Prizes in parts of an entry fee, and entries paid.
    prizes: int = 0
    entries: int = 0


@dataclass
class Tallies:
    """The results of all players, and the length of the matches."""

    players: list[Tally]
    matches: int = 0
    deals: int = 0
    moves: int = 0
    # Matches by the number of winners who shared them.
    winners: Counter[int] = field(default_factory=Counter)


def simulate(
    game: Game, *, rules: Any, strengths: Sequence[Strength], matches: int, seed: int
) -> Tallies:
    """Play a number of matches and return their results.

    Player i has the strength `strengths[i]` and moves to another seat after each match.
    """
    tallies = Tallies([Tally() for _ in strengths])
    for number in range(matches):
        first = number % len(strengths)
        seats = (*range(first, len(strengths)), *range(first))
        status, result, moves = _play_match(game, rules, strengths, seats, f"{seed}/{number}")
        _enter(tallies, status.fees, result)
        tallies.matches += 1
        tallies.deals += status.deals
        tallies.moves += moves
    return tallies


@dataclass
class Compared:
    """The results of all players of one strength in duplicate matches.

    `nets` holds one mean for each group of matches played with the same cards. The means are in points if losers pay
    their points, otherwise in entry fees.
    """

    nets: list[float] = field(default_factory=list)
    wins: float = 0.0
    played: int = 0

    @property
    def net(self) -> float:
        return sum(self.nets) / len(self.nets)

    @property
    def margin(self) -> float:
        """Half the width of the 95 % confidence interval of `net`, by the normal approximation."""
        if len(self.nets) < 2:
            return math.inf
        return 1.96 * math.sqrt(variance(self.nets) / len(self.nets))


def simulate_duplicates(
    game: Game, *, rules: Any, strengths: Sequence[Strength], matches: int, seed: int
) -> dict[Strength, Compared]:
    """Play duplicate matches, and return the results by strength.

    Each set of cards is played once with every rotation of the strengths over the seats.
    """
    code = game.money.get_format_code(rules)
    is_per_point = any(
        format.stake == "per_point" for format in game.formats if format.code == code
    )
    compared = {strength: Compared() for strength in strengths}
    seats = tuple(range(len(strengths)))
    for number in range(matches):
        sums = dict.fromkeys(compared, 0.0)
        for first in seats:
            rotated = (*strengths[first:], *strengths[:first])
            status, result, _ = _play_match(game, rules, rotated, seats, f"{seed}/{number}")
            nets = _compute_nets(result, None if is_per_point else status.fees)
            for seat, strength in enumerate(rotated):
                sums[strength] += nets[seat]
                compared[strength].played += 1
                compared[strength].wins += (seat in result.winners) / len(result.winners)
        for strength, total in sums.items():
            compared[strength].nets.append(total / len(seats) / strengths.count(strength))
    return compared


def _compute_nets(result: Result, fees: Mapping[int, int] | None) -> dict[int, float]:
    """Return each seat's net result: in entry fees won or lost, or in points if `fees` is None."""
    if fees is None:
        lost = {seat: lost for seat, lost in result.points.items() if seat not in result.winners}
        won = sum(lost.values()) / len(result.winners)
        return {seat: -lost[seat] if seat in lost else won for seat in result.points}
    prizes = divide(sum(fees.values()) * ENTRY, result.shares)
    return {seat: prizes.get(seat, 0) / ENTRY - paid for seat, paid in fees.items()}


def _play_match(
    game: Game, rules: Any, strengths: Sequence[Strength], seats: tuple[int, ...], name: str
) -> tuple[GameStatus, Result, int]:
    """Play a match to its end. Returns its last status, its result and how many moves it took."""
    rng = random.Random(name)  # noqa: S311 - the same match for the same seed
    now: Instant = 0
    core, written = game.core, game.rules.json(rules)
    reached = core.start(rules=rules, seats=seats, toss=True, seed=_make_seed(name, 0), now=now)
    moves = 0
    while (result := reached.status.result) is None:
        state, status = reached.state, reached.status
        seed = _make_seed(name, status.deals)
        if status.acting:
            seat = status.acting[0]
            view = {
                "public": game.view.public(state),
                "you": game.view.private(state, seat),
                "rules": written,
            }
            move = game.wire.read(game.bots(view, seat, strength=strengths[seat], rng=rng))
            now += _MOVE_MS
            reached = core.play(state, seat, move, now=now, seed=seed)
            moves += 1
        else:
            now = max(now, status.deadline or now)
            reached = core.expire(state, now=now, seed=seed)
    return reached.status, result, moves


def _enter(tallies: Tallies, fees: Mapping[int, int], result: Result) -> None:
    prizes = divide(sum(fees.values()) * ENTRY, result.shares)
    tallies.winners[len(result.winners)] += 1
    for seat, entries in fees.items():
        tally = tallies.players[seat]
        tally.points += result.points[seat]
        tally.score += result.scores.get(seat, 0)
        tally.entries += entries
        tally.prizes += prizes.get(seat, 0)
        if seat in result.winners:
            tally.wins += 1 / len(result.winners)


def _make_seed(name: str, deal: int) -> bytes:
    return hashlib.sha256(f"{name}/{deal}".encode()).digest()
