"""Whole matches of gin driven from outside: by bots, or by any chooser of legal moves."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from games.engine.base import Event, Instant, Strength
from games.engine.moves import Move
from games.engine.step import Step
from games.gin.game import GAME
from games.gin.rules.match import CORE, Match
from games.gin.rules.moves import Arrange, Defend, Knock
from games.gin.rules.ruleset import POINTS, GinRules
from tests.games.gin.scenes import NOW
from tests.games.values import pair


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
    seats: tuple[int, ...] = (0, 1),
    rules: GinRules = POINTS,
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
        wire = GAME.bots(bot_view(match, seat), seat, strength=strengths[seat], rng=rng)
        return seat, GAME.wire.read(wire), now + 1_000

    return choose


def bot_match(
    *strengths: Strength, seed: int = 0, rules: GinRules = POINTS
) -> Iterator[CommittedChange]:
    """The strength of each seat; who begins changes from seed to seed."""
    by_seat = dict(enumerate(strengths))
    choose = bots_choosing(by_seat, random.Random(seed))
    seats = (0, 1) if seed % 2 == 0 else (1, 0)
    yield from drive(choose, seats=seats, rules=rules, seed=seed // 2, toss=False)


def random_choosing(rng: random.Random) -> Chooser:
    """Legal moves at random, a passed deadline now and then, knocks and answers of all kinds.

    In some matches the players are clever enough to get to a knock, in some they leave.
    """
    cleverness = rng.choice([0, 0.5, 0.97])
    loyalty = rng.choice([0.95, 1])

    def choose(match: Match, now: Instant) -> tuple[int, Move, Instant] | None:
        acting = GAME.core.status(match).acting
        now += rng.randrange(3_000)
        if now >= (GAME.core.status(match).deadline or 0):
            return None
        if acting and rng.random() < cleverness:
            seat = acting[0]
            wire = GAME.bots(bot_view(match, seat), seat, strength="medium", rng=rng)
            return seat, GAME.wire.read(wire), now
        if rng.random() < (0.04 if acting else 0.7):
            return None
        seat = rng.choice(match.seats)
        moves = [
            move
            for move in GAME.core.legal(match, seat)
            if move.kind != "leave" or rng.random() > loyalty
        ]
        if not moves:
            return None
        move = rng.choices(moves, [_LIKELIHOOD.get(move.kind, 30) for move in moves])[0]
        return seat, _otherwise(match, seat, move, rng), now

    return choose


_LIKELIHOOD = {"arrange": 10, "knock": 15, "leave": 1}


def _otherwise(match: Match, seat: int, move: Move, rng: random.Random) -> Move:
    """An arrangement of another kind; fewer melds and lay offs than the best ones."""
    player = match.deal.player(seat)
    assert player is not None
    if isinstance(move, Arrange):
        hand = rng.sample(player.hand, len(player.hand))
        cut = rng.randrange(1, len(hand))
        return replace(move, groups=(tuple(hand[:cut]), tuple(hand[cut:])))
    if isinstance(move, Defend):
        groups = tuple(rng.sample(move.groups, rng.randint(0, len(move.groups))))
        return replace(move, groups=groups, lay_offs=move.lay_offs if rng.random() < 0.5 else ())
    if isinstance(move, Knock) and rng.random() < 0.3:
        fewer = replace(move, groups=move.groups[1:])
        return fewer if is_legal(match, seat, fewer) else move
    return move


def is_legal(match: Match, seat: int, move: Move) -> bool:
    return CORE.refusal(Step(match, seat), move) is None
