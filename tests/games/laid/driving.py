"""Whole matches of games with melds on the table, driven by bots or by legal moves at random."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from games.engine.base import Event, IllegalMove, Instant, Strength
from tests.games.values import pair, replace

NOW = 1_700_000_000_000
SEED = bytes(range(32))


@dataclass(frozen=True)
class CommittedChange:
    """What happened last, and the match after it; `move` is None for a passed deadline."""

    match: Any
    events: tuple[Event, ...]
    now: Instant
    seat: int | None = None
    move: Any = None


# Says which seat moves and how, and when; None waits for the deadline.
Chooser = Callable[[Any, Instant], tuple[int, Any, Instant] | None]


def seed_of(number: int, count: int = 0) -> bytes:
    return hashlib.sha256(f"{number}/{count}".encode()).digest()


def drive(
    game: Any,
    choose: Chooser,
    *,
    rules: Any,
    seats: tuple[int, ...] = (0, 1, 2),
    seed: int = 0,
    toss: bool = True,
) -> Iterator[CommittedChange]:
    """Play a match to its end; the first step is its beginning."""
    match, happened = pair(
        game.core.start(rules=rules, seats=seats, toss=toss, seed=seed_of(seed), now=NOW)
    )
    step = CommittedChange(match, happened, NOW)
    yield step
    while game.core.status(step.match).result is None:
        chosen = choose(step.match, step.now)
        fresh = seed_of(seed, game.core.status(step.match).deals)
        if chosen is None:
            now = game.core.status(step.match).deadline
            assert now is not None
            match, happened = pair(game.core.expire(step.match, now=now, seed=fresh))
            step = CommittedChange(match, happened, now)
        else:
            seat, move, now = chosen
            match, happened = pair(game.core.play(step.match, seat, move, now=now, seed=fresh))
            step = CommittedChange(match, happened, now, seat, move)
        yield step


def bot_view(game: Any, match: Any, seat: int) -> dict[str, Any]:
    return {
        "public": game.view.public(match),
        "you": game.view.private(match, seat),
        "rules": game.rules.json(match.rules),
    }


def bots_choosing(game: Any, strengths: dict[int, Strength], rng: random.Random) -> Chooser:
    def choose(match: Any, now: Instant) -> tuple[int, Any, Instant] | None:
        acting = game.core.status(match).acting
        if not acting:
            return None
        seat = acting[0]
        view = bot_view(game, match, seat)
        wire = game.bots(view, seat, strength=strengths[seat], rng=rng)
        return seat, game.wire.read(wire), now + 1_000

    return choose


def random_choosing(game: Any, rng: random.Random) -> Chooser:
    """Legal moves at random, a passed deadline now and then.

    In some matches the players are clever enough to go out, in some they leave or are silent.
    """
    cleverness = rng.choice([0, 0.5, 0.97])
    loyalty = rng.choice([0.9, 1])
    silence = rng.choice([0.02, 0.02, 0.3])

    def choose(match: Any, now: Instant) -> tuple[int, Any, Instant] | None:
        acting = game.core.status(match).acting
        now += rng.randrange(3_000)
        if now >= (game.core.status(match).deadline or 0):
            return None
        if acting and rng.random() < cleverness:
            seat = rng.choice(acting)
            view = bot_view(game, match, seat)
            wire = game.bots(view, seat, strength="medium", rng=rng)
            return seat, game.wire.read(wire), now
        if rng.random() < (silence if acting else 0.7):
            return None
        seat = rng.choice(acting) if acting and rng.random() < 0.8 else rng.choice(match.seats)
        moves = [
            move
            for move in game.core.legal(match, seat)
            if move.kind != "leave" or rng.random() > loyalty
        ]
        if not moves:
            return None
        move = rng.choices(moves, [_LIKELIHOOD.get(move.kind, 30) for move in moves])[0]
        return seat, _otherwise(match, seat, move, rng), now

    return choose


_LIKELIHOOD = {"arrange": 10, "meld": 60, "contract": 300, "lay_off": 60, "leave": 1}


def _otherwise(match: Any, seat: int, move: Any, rng: random.Random) -> Any:
    """An arrangement of another kind."""
    if move.kind != "arrange":
        return move
    [hand] = [player.hand for player in match.deal.players if player.seat == seat]
    if len(hand) < 2:
        return move
    shuffled = rng.sample(hand, len(hand))
    cut = rng.randrange(1, len(hand))
    return replace(move, groups=(tuple(shuffled[:cut]), tuple(shuffled[cut:])))


def told(happened: tuple[Event, ...]) -> list[dict[str, Any]]:
    return [event.json() for event in happened]


def kinds(happened: list[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in happened]


class Acting:
    """Moves in short for one game: `act(match, 0, "draw", source="open")`."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def __call__(self, match: Any, seat: int, kind: str, *, now: int = NOW, **fields: Any) -> Any:
        return self.events(match, seat, kind, now=now, **fields)[0]

    def events(
        self, match: Any, seat: int, kind: str, *, now: int = NOW, **fields: Any
    ) -> tuple[Any, list[dict[str, Any]]]:
        """Play a move as written on the wire; a single card may be named without its pack."""
        if isinstance(fields.get("card"), str) and "." not in fields["card"]:
            fields["card"] += ".0"
        move = self.game.wire.read({"kind": kind, **fields})
        changed, happened = pair(self.game.core.play(match, seat, move, now=now, seed=SEED))
        assert self.game.stored.load(self.game.stored.dump(changed)) == changed
        return changed, told(happened)

    def expire(self, match: Any, *, now: int | None = None) -> Any:
        return self.expire_events(match, now=now)[0]

    def expire_events(
        self, match: Any, *, now: int | None = None
    ) -> tuple[Any, list[dict[str, Any]]]:
        """Let the running deadline pass, or another moment."""
        moment = self.game.core.status(match).deadline if now is None else now
        changed, happened = pair(self.game.core.expire(match, now=moment or 0, seed=SEED))
        assert self.game.stored.load(self.game.stored.dump(changed)) == changed
        return changed, told(happened)

    def refused(self, match: Any, seat: int, kind: str, **fields: Any) -> str:
        """The code of the refusal, after seeing that the match has not changed."""
        before = self.game.stored.dump(match)
        with pytest.raises(IllegalMove) as refusal:
            self(match, seat, kind, **fields)
        assert self.game.stored.dump(match) == before
        assert refusal.value.message
        return refusal.value.code
