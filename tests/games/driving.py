"""Whole matches of any game, played by bots or by random legal moves.

`tests/games/<code>/habits.py` may define how random matches of a game make progress (`Habits`).
"""

import hashlib
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from games import registry
from games.engine.base import Instant, Strength
from games.engine.moves import Event
from tests.games.values import parts_of, replace

NOW = 1_700_000_000_000
SEED = bytes(range(32))
GAMES: Mapping[str, Any] = {code: parts_of(code) for code in registry.GAMES}
# The games that the laws are checked on: all, or those that have changed (tests/changed.py).
CODES = tuple(os.environ.get("TEST_GAMES", " ".join(GAMES)).split())


@dataclass(frozen=True)
class CommittedChange:
    """One step of a match, with the match after it. `move` is None for an expired deadline."""

    match: Any
    events: tuple[Event, ...]
    now: Instant
    seat: int | None = None
    move: Any = None


# Returns the seat that moves, its move and the time, or None to wait for the deadline.
Chooser = Callable[[Any, Instant], tuple[int, Any, Instant] | None]
# `Vary` replaces a legal move by another one; `Offer` returns the moves to choose from.
Vary = Callable[[Any, int, Any, random.Random], Any]
Offer = Callable[[Any, int, random.Random], Sequence[Any]]
Scramble = Callable[[Any, int | None, random.Random], Any]


def _same_move(match: Any, seat: int, move: Any, rng: random.Random) -> Any:
    return rearrange(match, seat, move, rng) if move.kind == "arrange" else move


def rearrange(match: Any, seat: int, move: Any, rng: random.Random) -> Any:
    """Return the `arrange` move with the hand in random groups."""
    hand = match.deal.player(seat).hand
    hand = rng.sample(hand, len(hand))
    cuts = sorted(rng.sample(range(1, len(hand)), min(len(hand) - 1, rng.randrange(4))))
    ends = [0, *cuts, len(hand)] if hand else [0]
    return replace(move, groups=tuple(tuple(hand[a:b]) for a, b in pairwise(ends)))


def scramble(match: Any, seat: int | None, rng: random.Random) -> Any:
    """Deal the cards that this seat cannot see anew. Cards taken from the open pile are seen."""
    deal, changed = match.deal, {}
    others = [player for player in deal.players if player.seat != seat]
    unseen = {one.seat: [card for card in one.hand if card not in one.taken] for one in others}
    hidden = [*deal.closed, *(card for hand in unseen.values() for card in hand)]
    rng.shuffle(hidden)
    for player in others:
        known = [card for card in player.hand if card not in unseen[player.seat]]
        size = len(unseen[player.seat])
        fresh, hidden = (*known, *hidden[:size]), hidden[size:]
        changed[player.seat] = replace(player, groups=(fresh,) if fresh else ())
    players = tuple(changed.get(player.seat, player) for player in deal.players)
    deal = replace(deal, players=players, closed=tuple(hidden))
    if deal.drawn is not None and deal.at_turn.seat != seat and not deal.drawn_from_open:
        own = [card for card in deal.at_turn.hand if card not in deal.at_turn.taken]
        deal = replace(deal, drawn=own[-1] if own else deal.drawn)
    return replace(match, deal=deal)


@dataclass(frozen=True, kw_only=True)
class Habits:
    """How a game is played at random, for the laws that every game obeys."""

    # Rule sets in addition to the presets, for fields that no preset changes.
    rules: Sequence[Any] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    # Probabilities, one of which is drawn per match: of a bot's move, and of staying when `leave` is legal.
    cleverness: Sequence[float] = (0, 0.5, 0.97)
    loyalty: Sequence[float] = (0.9, 1)
    moves: Offer | None = None
    vary: Vary = _same_move
    scrambled: Scramble = scramble
    # Checks the laws of this game only; called with every step.
    check: Callable[[CommittedChange], None] = lambda step: None
    # The kinds of events, and the ways in which deals end, that random matches must reach.
    events: str = ""
    hows: str = ""
    # The number of matches of a full run, and the largest size of a stored state.
    matches: int = 60
    bytes: int = 4096


@cache
def habits_of(code: str) -> Habits:
    name = f"tests.games.{code}.habits"
    is_there = find_spec(f"tests.games.{code}") and find_spec(name)
    habits: Habits = import_module(name).HABITS if is_there else Habits()
    return habits


def seed_of(number: int, count: int = 0) -> bytes:
    return hashlib.sha256(f"{number}/{count}".encode()).digest()


def choose_rules(game: Any) -> Any:
    return game.rules.preset(game.formats[0].presets[0])


def drive(
    game: Any,
    choose: Chooser,
    *,
    rules: Any = None,
    seats: Sequence[int] | None = None,
    seed: int = 0,
    toss: bool = True,
) -> Iterator[CommittedChange]:
    """Play a match to its end. Yield each step, beginning with the start."""
    core, now = game.core, NOW
    rules = choose_rules(game) if rules is None else rules
    seats = tuple(range(core.seats[0])) if seats is None else tuple(seats)
    seat, move = None, None
    outcome: Any = core.start(rules=rules, seats=seats, toss=toss, seed=seed_of(seed), now=now)
    while True:
        match, status = outcome.state, outcome.status
        yield CommittedChange(match, outcome.events, now, seat, move)
        if status.result is not None:
            return
        fresh = seed_of(seed, status.deals)
        chosen = choose(match, now)
        if chosen is None:
            seat, move, now = None, None, status.deadline or now
            outcome = core.expire(match, now=now, seed=fresh)
        else:
            seat, move, now = chosen
            outcome = core.play(match, seat, move, now=now, seed=fresh)


def bot_view(game: Any, match: Any, seat: int) -> dict[str, Any]:
    return {
        "public": game.view.public(match),
        "you": game.view.private(match, seat),
        "rules": game.rules.json(match.rules),
    }


def bot_move(
    game: Any, match: Any, seat: int, strength: Any = "hard", rng: Any = "same"
) -> dict[str, Any]:
    """Return a bot's move as on the wire. `rng` may be a seed instead of a generator."""
    rng = rng if isinstance(rng, random.Random) else random.Random(rng)
    move: dict[str, Any] = game.bots(bot_view(game, match, seat), seat, strength=strength, rng=rng)
    return move


def make_bot_chooser(game: Any, strengths: Mapping[int, Strength], rng: random.Random) -> Chooser:
    def choose(match: Any, now: Instant) -> tuple[int, Any, Instant] | None:
        acting = game.core.status(match).acting
        if not acting:
            return None
        move = bot_move(game, match, acting[0], strengths[acting[0]], rng)
        return acting[0], game.wire.read(move), now + 1_000

    return choose


def play_bots(
    game: Any, *strengths: Strength, seed: int = 0, rules: Any = None
) -> Iterator[CommittedChange]:
    """Play a match of bots, with one strength for each seat. Yield its steps."""
    by_seat = dict(enumerate(strengths))
    choose = make_bot_chooser(game, by_seat, random.Random(seed))
    yield from drive(game, choose, rules=rules, seats=tuple(by_seat), seed=seed)


def play_random(
    game: Any, number: int, *, rules: Any = None, seats: Sequence[int] | None = None
) -> Iterator[CommittedChange]:
    choose = make_random_chooser(game, random.Random(number))
    yield from drive(game, choose, rules=rules, seats=seats, seed=number)


def make_random_chooser(game: Any, rng: random.Random) -> Chooser:
    """Return a chooser of random legal moves that now and then lets a deadline expire.

    In some matches players are clever enough to go out; in others they leave or stay silent.
    """
    habits = habits_of(game.code)
    cleverness, loyalty = rng.choice(habits.cleverness), rng.choice(habits.loyalty)
    silence = rng.choice([0.02, 0.02, 0.3])

    def choose(match: Any, now: Instant) -> tuple[int, Any, Instant] | None:
        status = game.core.status(match)
        acting = status.acting
        now += rng.randrange(3_000)
        if now >= (status.deadline or 0) or rng.random() < (silence if acting else 0.7):
            return None
        if acting and rng.random() < cleverness:
            seat = rng.choice(acting)
            return seat, game.wire.read(bot_move(game, match, seat, "medium", rng)), now
        seat = rng.choice(acting) if acting and rng.random() < 0.8 else rng.choice(match.seats)
        if habits.moves is not None and seat in acting:
            offered = habits.moves(match, seat, rng)
        else:
            offered = game.core.list_legal(match, seat)
        moves = [move for move in offered if move.kind != "leave" or rng.random() > loyalty]
        if not moves:
            return None
        move = rng.choices(moves, [habits.weights.get(move.kind, 30) for move in moves])[0]
        return seat, habits.vary(match, seat, move, rng), now

    return choose
