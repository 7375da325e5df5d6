"""Whole matches between bots, by nothing but a seed: how strong they are, how long a match is.

Time does not pass by itself here. Bots answer at once; a break ends when it is due.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tables.games.base import Instant, Result, Strength
from tables.games.indian import bots
from tables.games.indian.game import INDIAN
from tables.games.indian.match import Match
from tables.games.indian.rulesets import RuleSet
from tables.games.shares import divide

# How long a bot thinks.
_MOVE_MS = 1_000
# Prizes are counted in parts of an entry fee; this many make all usual shares whole.
ENTRY = 2_520


@dataclass
class Tally:
    """What came out for one player over all matches."""

    wins: float = 0.0  # a shared win is a part of one
    points: int = 0
    chips: int = 0
    # Prizes in parts of an entry fee, and entries paid.
    prizes: int = 0
    entries: int = 0


@dataclass
class Outcome:
    players: list[Tally]
    matches: int = 0
    deals: int = 0
    moves: int = 0
    # How many matches were shared by so many winners.
    winners: Counter[int] = field(default_factory=Counter)


def simulate(*, rules: RuleSet, strengths: Sequence[Strength], matches: int, seed: int) -> Outcome:
    """Play so many matches; player number i has `strengths[i]` and a seat that moves on."""
    outcome = Outcome([Tally() for _ in strengths])
    for number in range(matches):
        first = number % len(strengths)
        seats = (*range(first, len(strengths)), *range(first))
        match, result, moves = _played(rules, strengths, seats, f"{seed}/{number}")
        _enter(outcome, match, result)
        outcome.matches += 1
        outcome.deals += INDIAN.deals(match)
        outcome.moves += moves
    return outcome


def _played(
    rules: RuleSet, strengths: Sequence[Strength], seats: tuple[int, ...], name: str
) -> tuple[Match, Result, int]:
    rng = random.Random(name)  # noqa: S311 - the same match for the same seed
    now: Instant = 0
    match, _ = INDIAN.start(rules=rules, seats=seats, toss=True, seed=_seed(name, 0), now=now)
    moves = 0
    while (result := INDIAN.result(match)) is None:
        seed = _seed(name, INDIAN.deals(match))
        acting = INDIAN.acting(match)
        if acting:
            seat = acting[0]
            wire = bots.choose(_view(match, seat), seat, strength=strengths[seat], rng=rng)
            now += _MOVE_MS
            match, _ = INDIAN.play(match, seat, INDIAN.parse_move(wire), now=now, seed=seed)
            moves += 1
        else:
            now = max(now, INDIAN.deadline(match) or now)
            match, _ = INDIAN.expire(match, now=now, seed=seed)
    return match, result, moves


def _view(match: Match, seat: int) -> dict[str, object]:
    return {
        "public": INDIAN.public_view(match),
        "you": INDIAN.private_view(match, seat),
        "rules": INDIAN.rules_json(match.rules),
    }


def _enter(outcome: Outcome, match: Match, result: Result) -> None:
    prizes = divide(match.fees_charged * ENTRY, result.shares)
    outcome.winners[len(result.winners)] += 1
    for standing in match.standings:
        tally = outcome.players[standing.seat]
        tally.points += standing.score
        tally.chips += standing.chips
        tally.entries += standing.entries
        tally.prizes += prizes.get(standing.seat, 0)
        if standing.seat in result.winners:
            tally.wins += 1 / len(result.winners)


def _seed(name: str, deal: int) -> bytes:
    return hashlib.sha256(f"{name}/{deal}".encode()).digest()
