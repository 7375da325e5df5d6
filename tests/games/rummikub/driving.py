"""Whole matches of Rummikub driven from outside: by bots, or by any chooser of legal moves."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from games.engine.base import Event, Instant, Strength
from games.engine.moves import LEAVE, Move
from games.rummikub.game import GAME
from games.rummikub.rules.laying import Stand, lay_without_moving
from games.rummikub.rules.match import Match
from games.rummikub.rules.melds import Melds, read_meld
from games.rummikub.rules.moves import Arrange, Draw, Lay, Pass
from games.rummikub.rules.ruleset import POINTS, RummikubRules
from tests.games.rummikub.scenes import NOW
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
    rules: RummikubRules = POINTS,
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
    *strengths: Strength, seed: int = 0, rules: RummikubRules = POINTS
) -> Iterator[CommittedChange]:
    """The strength of each seat; who begins changes from seed to seed."""
    places = len(strengths)
    choose = bots_choosing(dict(enumerate(strengths)), random.Random(seed))
    first = seed % places
    seats = (*range(first, places), *range(first))
    yield from drive(choose, seats=seats, rules=rules, seed=seed, toss=False)


def random_choosing(rng: random.Random) -> Chooser:
    """Legal moves at random, passed deadlines now and then, drafts of all kinds.

    In some matches the players lay what they can, in some they are silent or leave.
    """
    laying = rng.choice([0.05, 0.5, 0.95])
    silence = rng.choice([0.02, 0.02, 0.3])
    loyalty = rng.choice([0.99, 1])

    def choose(match: Match, now: Instant) -> tuple[int, Move, Instant] | None:
        now += rng.randrange(3_000)
        if now >= (GAME.core.status(match).deadline or 0):
            return None
        acting = GAME.core.status(match).acting
        if rng.random() < (silence if acting else 0.7):
            return None
        seat = rng.choice(match.seats)
        told = {entry["kind"] for entry in GAME.core.legal_view(match, seat)}
        if rng.random() > loyalty and "leave" in told:
            return seat, LEAVE, now
        if not acting:
            return None
        seat = acting[0]
        move = _some_move(match, seat, rng, laying)
        return None if move is None else (seat, move, now)

    return choose


def _some_move(match: Match, seat: int, rng: random.Random, laying: float) -> Move | None:
    if rng.random() < 0.2:
        return _drafted(match, rng)
    if rng.random() < laying and (lay := _some_lay(match, seat, rng)) is not None:
        return lay
    told = {entry["kind"] for entry in GAME.core.legal_view(match, seat)}
    others = [move for move in (Draw(), Pass()) if move.kind in told]
    return rng.choice(others) if others else None


def _some_lay(match: Match, seat: int, rng: random.Random) -> Move | None:
    player = match.deal.at_turn
    if rng.random() < 0.8 and player.has_opened:
        return _still(match)
    return next((move for move in GAME.core.legal(match, seat) if isinstance(move, Lay)), None)


def _still(match: Match) -> Lay | None:
    """A lay that moves nothing is found soon."""
    player = match.deal.at_turn
    stand = Stand(match.deal.table, tuple(sorted(player.rack)), player.has_opened, match.rules)
    still = lay_without_moving(stand) if player.has_opened else None
    return None if still is None else Lay(still.table)


def _drafted(match: Match, rng: random.Random) -> Move:
    """A valid table, a broken one, the table as it is, or none."""
    player = match.deal.at_turn
    lay = _still(match)
    broken: Melds = (*match.deal.table[1:], read_meld(player.rack[:2]))
    tables = [match.deal.table, broken, None, *([lay.table] if lay else [])]
    return Arrange(player.rev + rng.randrange(2), rng.choice(tables))
