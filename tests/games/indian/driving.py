"""Whole matches driven from outside: by bots, or by any chooser of legal moves."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from games.engine.base import Event, Instant, Strength
from games.indian.bots import choose as bots
from games.indian.game import GAME
from games.indian.rules.match import Match
from games.indian.rules.moves import Arrange, Declare, Leave, Move, Show
from games.indian.rules.ruleset import POINTS, RuleSet
from games.indian.rules.solver.arrangement import arrange
from tests.games.indian.scenes import NOW
from tests.games.values import pair, replace


@dataclass(frozen=True)
class CommittedChange:
    """What happened last, and the match after it; `move` is None for a passed deadline."""

    match: Match
    events: tuple[Event, ...]
    now: Instant
    seat: int | None = None
    move: Move | None = None


# Says which seat moves and how, and when; None waits for the deadline.
Chooser = Callable[[Match, Instant], tuple[int, Move, Instant] | None]


def seed_of(number: int, count: int = 0) -> bytes:
    return hashlib.sha256(f"{number}/{count}".encode()).digest()


def drive(
    choose: Chooser,
    *,
    seats: tuple[int, ...],
    rules: RuleSet = POINTS,
    seed: int = 0,
    toss: bool = True,
) -> Iterator[CommittedChange]:
    """Play a match to its end; the first step is its beginning."""
    match, happened = pair(
        GAME.core.start(rules=rules, seats=seats, toss=toss, seed=seed_of(seed), now=NOW)
    )
    step = CommittedChange(match, happened, NOW)
    yield step
    while GAME.core.status(step.match).result is None:
        chosen = choose(step.match, step.now)
        fresh = seed_of(seed, GAME.core.status(step.match).deals)
        if chosen is None:
            now = GAME.core.status(step.match).deadline
            assert now is not None
            match, happened = pair(GAME.core.expire(step.match, now=now, seed=fresh))
            step = CommittedChange(match, happened, now)
        else:
            seat, move, now = chosen
            match, happened = pair(GAME.core.play(step.match, seat, move, now=now, seed=fresh))
            step = CommittedChange(match, happened, now, seat, move)
        yield step


def bot_view(match: Match, seat: int) -> dict[str, Any]:
    return {
        "public": GAME.view.public(match),
        "you": GAME.view.private(match, seat),
        "rules": GAME.rules.json(match.rules),
    }


def bots_choosing(strengths: dict[int, Strength], rng: random.Random) -> Chooser:
    def choose(match: Match, now: Instant) -> tuple[int, Move, Instant] | None:
        acting = GAME.core.status(match).acting
        if not acting:
            return None
        seat = acting[0]
        move = bots.choose(bot_view(match, seat), seat, strength=strengths[seat], rng=rng)
        return seat, GAME.wire.read(move), now + 1_000

    return choose


def bot_match(
    *strengths: Strength, seed: int = 0, rules: RuleSet = POINTS
) -> Iterator[tuple[CommittedChange, dict[int, dict[str, Any]]]]:
    """Each step with the views that the seats have after it."""
    by_seat = dict(enumerate(strengths))
    rng = random.Random(seed)
    choose = bots_choosing(by_seat, rng)
    for step in drive(choose, seats=tuple(by_seat), rules=rules, seed=seed):
        yield step, {seat: bot_view(step.match, seat) for seat in by_seat}


def random_choosing(rng: random.Random) -> Chooser:
    """Legal moves at random, a passed deadline now and then, and declarations of all kinds.

    In some matches the players are clever enough to get to a valid declaration.
    """
    cleverness = rng.choice([0, 0, 0.9])

    def choose(match: Match, now: Instant) -> tuple[int, Move, Instant] | None:
        if GAME.core.status(match).acting and rng.random() < cleverness:
            seat = GAME.core.status(match).acting[0]
            wire = bots.choose(bot_view(match, seat), seat, strength="medium", rng=rng)
            return seat, GAME.wire.read(wire), now + rng.randrange(3_000)
        seats = [s.seat for s in match.standings if GAME.core.legal(match, s.seat)]
        acting = GAME.core.status(match).acting
        if rng.random() < (0.04 if acting else 0.6):
            return None
        seat = rng.choice(acting if acting and rng.random() < 0.9 else seats)
        moves = GAME.core.legal(match, seat)
        if moves == (Leave(),) and rng.random() < 0.95:
            return None
        move = rng.choices(moves, [_LIKELIHOOD.get(move.kind, 30) for move in moves])[0]
        return seat, _with_other_groups(match, seat, move, rng), now + rng.randrange(3_000)

    return choose


# Of the moves that end a deal there are few, so that most deals get somewhere.
_LIKELIHOOD = {"leave": 0.2, "drop": 1, "finish": 0.3, "arrange": 20}


def _with_other_groups(match: Match, seat: int, move: Move, rng: random.Random) -> Move:
    if not isinstance(move, Declare | Show | Arrange):
        return move
    player = match.deal.player(seat)
    assert player is not None
    if isinstance(move, Declare | Show) and rng.random() < 0.5:
        best = arrange(player.hand, match.deal.wild_rank, match.rules)
        return replace(move, groups=best.all_groups)
    hand = rng.sample(player.hand, len(player.hand))
    cuts = sorted(rng.sample(range(1, len(hand)), rng.randrange(4)))
    groups = tuple(tuple(hand[start:end]) for start, end in pairwise([0, *cuts, len(hand)]))
    return replace(move, groups=groups)
