"""The loop with which benches let bots play a match, without a table or a database. A name seeds the match."""

import hashlib
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.base import JSON, DealStart, Strength
from games.engine.core import Outcome
from games.engine.game import Game

# Chooses a move on the wire from a seat's view.
Chooser = Callable[[Mapping[str, Any], int], Mapping[str, JSON]]
_MOVE_MS = 1_000


@dataclass(frozen=True, slots=True)
class Turn:
    """A move: the state before it, its seat and move, the outcome, and the time that choosing took."""

    state: Any
    seat: int
    move: Mapping[str, JSON]
    outcome: Outcome
    seconds: float  # of processor time, to choose


def make_random(name: object) -> random.Random:
    return random.Random(str(name))  # noqa: S311 - the same deals for the same name


def bot(game: Game, strength: Strength, name: object) -> Chooser:
    rng = make_random(name)
    return lambda view, seat: game.bots(view, seat, strength=strength, rng=rng)


def begin(game: Game, rules: Any, seats: Sequence[int], name: str) -> Outcome:
    return game.core.start(rules=rules, seats=tuple(seats), toss=False, seed=seed(name, 1), now=0)


def play_turns(
    game: Game, rules: Any, begun: Outcome, name: str, choose: Callable[[Any, Any, int], Any]
) -> Iterator[Turn]:
    """Play on to the end of the match. `choose` is called with the state, the seat's view and the seat."""
    outcome, now, written = begun, 0, game.rules.json(rules)
    while outcome.status.result is None:
        state, status = outcome.state, outcome.status
        if not status.acting:
            now = max(now, status.deadline or now)
            outcome = game.core.expire(state, now=now, seed=seed(name, status.deals + 1))
            continue
        seat = status.acting[0]
        view = {
            "public": game.view.public(state),
            "you": game.view.private(state, seat),
            "rules": written,
        }
        began = time.process_time()
        move = choose(state, view, seat)
        seconds = time.process_time() - began
        now += _MOVE_MS
        outcome = game.core.play(
            state, seat, game.wire.read(move), now=now, seed=seed(name, status.deals + 1)
        )
        yield Turn(state, seat, move, outcome, seconds)


def record_deal(
    game: Game,
    rules: Any,
    name: str,
    seats: int,
    choose: Callable[[Any, Any, int], Any],
) -> dict[str, Any]:
    """Return the record of the first deal, with the parts that analyses, puzzles and fair play read."""
    begun = begin(game, rules, range(seats), name)
    start = DealStart(
        [event.json() for event in begun.events], _private(game, begun.state, seats), None
    )
    steps: list[dict[str, Any]] = []
    for turn in play_turns(game, rules, begun, name, choose):
        events = [event.json() for event in turn.outcome.events]
        extra = game.records.step(events, _private(game, turn.outcome.state, seats))
        steps.append({"seat": turn.seat, "move": dict(turn.move), "events": events, **extra})
        if turn.outcome.status.deals > 1 or not turn.outcome.status.acting:
            break
    return {"rules": game.rules.json(rules), **game.records.deal(start), "steps": steps}


def _private(game: Game, state: Any, seats: int) -> dict[str, Any]:
    return {str(seat): game.view.private(state, seat) for seat in range(seats)}


def seed(name: str, deal: int) -> bytes:
    """Return the seed of a deal. Deals are counted from 1."""
    text = name if deal == 1 else f"{name}/{deal}"
    return hashlib.sha256(text.encode()).digest()
