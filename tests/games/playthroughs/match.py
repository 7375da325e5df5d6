"""Matches that were recorded once and are replayed: whatever can be seen of them must stay the same.

A step is `{"after": ms since the last step, "do": ...}` with `[seat, move]` for a move, or `[name,
arguments]` for what a table asks by itself. What came of it is kept as the beginning of a digest.
"""

import base64
import hashlib
import json
import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from games.engine.base import IllegalMove, InvalidRules
from tests.games.values import pair, parts_of

BEGAN_AT = 1_700_000_000_000
MOST_STEPS = 400
STORED_EVERY = 83  # steps
_DIGITS = 5


class Match:
    """A match that goes on by steps of the form above."""

    def __init__(self, game: str, number: int, rules: Mapping[str, Any], seats: int) -> None:
        self.game = parts_of(game)
        self._number = number
        self.rules = self.game.rules.parse(rules)
        self.seats = tuple(range(seats))
        self.now = BEGAN_AT
        self.state, events = pair(
            self.game.core.start(
                rules=self.rules,
                seats=self.seats,
                toss=number % 2 == 0,
                seed=self._seed(0),
                now=self.now,
            )
        )
        self.came: dict[str, Any] = {"events": [event.json() for event in events]}

    def _seed(self, deal: int) -> bytes:
        return hashlib.sha256(f"{self._number}/{deal}".encode()).digest()

    @property
    def is_over(self) -> bool:
        return self.game.core.status(self.state).result is not None

    def take(self, step: Mapping[str, Any]) -> None:
        """Do what the step says; keep the events, or the refusal."""
        self.now += step["after"]
        whom, what = step["do"]
        try:
            self._do(whom, what)
        except IllegalMove as refused:
            self.came = {"refused": [refused.code, refused.message]}

    def _do(self, whom: Any, what: Any) -> None:
        seed = self._seed(self.game.core.status(self.state).deals)
        match whom:
            case "expire":
                stepped = pair(self.game.core.expire(self.state, now=self.now, seed=seed))
            case "propose":
                proposed = self.game.core.propose(self.state, now=self.now)
                stepped = pair(proposed) if proposed else (self.state, ())
            case "conclude":
                concluded = self.game.core.conclude(self.state)
                stepped = pair(concluded) if concluded else (self.state, ())
            case "postpone":
                stepped = self.game.core.postpone(self.state, by_ms=what), ()
            case "hasten":
                due_by, count_by = self.now + what, self.now + 4 * what
                stepped = self.game.core.hasten(self.state, due_by=due_by, count_by=count_by), ()
            case _:
                move = self.game.wire.read(what)
                stepped = pair(self.game.core.play(self.state, whom, move, now=self.now, seed=seed))
        self.state, events = stepped
        self.came = {"events": [event.json() for event in events]}

    def look(self) -> dict[str, Any]:
        """Return everything that can be seen of the match now, and what came of the last step."""
        game, state = self.game, self.state
        result = game.core.status(state).result
        seen = {
            **self.came,
            "public": game.view.public(state),
            "own": [game.view.private(state, seat) for seat in self.seats],
            "offered": [game.core.describe_legal(state, seat) for seat in self.seats],
            "legal": [self._moves(game.core.list_legal(state, seat)) for seat in self.seats],
            "deferrable": [
                self._moves(game.core.list_deferrable(state, seat)) for seat in self.seats
            ],
            "acting": game.core.status(state).acting,
            "members": sorted(state.seats),
            "deadline": game.core.status(state).deadline,
            "deals": game.core.status(state).deals,
            "fees": game.core.status(state).fees,
            "shares": game.core.status(state).shares_offered,
            "result": result
            and {
                name: getattr(result, name)
                for name in (
                    "winners",
                    "points",
                    "ranks",
                    "scores",
                    "shares",
                    "next_order",
                    "facts",
                )
            },
        }
        looked: dict[str, Any] = json.loads(json.dumps(seen))
        if game.code == "indian":
            # Younger than the records; the model of the views has it (tests/games/model/views.py).
            for standing in looked["public"]["match"]["standings"].values():
                del standing["place"]
        return looked

    def _moves(self, moves: Any) -> list[Any]:
        return [self.game.wire.write(move) for move in moves]

    def digest(self) -> str:
        seen = json.dumps(self.look(), sort_keys=True)
        return hashlib.sha256(seen.encode()).hexdigest()[:_DIGITS]


def record(game: str, number: int) -> dict[str, Any]:
    """Play a match of random moves, moves of bots and moves that are refused; return its record."""
    rng = random.Random(f"{game}/{number}")
    rules, seats = _choose_rules(game, number, rng)
    match = Match(game, number, rules, seats)
    recorded: dict[str, Any] = {"number": number, "rules": rules, "seats": seats, "steps": []}
    recorded["seen"], stored = [match.digest()], {}
    care = rng.choice([0.3, 0.8, 0.97])
    while not match.is_over and len(recorded["steps"]) < MOST_STEPS:
        step = _choose_step(match, care, rng)
        match.take(step)
        recorded["steps"].append(step)
        recorded["seen"].append(match.digest())
        if (number + len(recorded["steps"])) % STORED_EVERY == 0 or match.is_over:
            written = base64.b64encode(match.game.stored.dump(match.state)).decode()
            stored[str(len(recorded["steps"]))] = written
    return {**recorded, "stored": stored}


def _choose_rules(game: str, number: int, rng: random.Random) -> tuple[dict[str, Any], int]:
    """Of each preset in turn; every fourth match as a table of a tournament, if it can be one."""
    asked = parts_of(game)
    presets = tuple(asked.rules.presets)
    rules = asked.rules.preset(presets[number % len(presets)])
    formats = {format.code: format for format in asked.formats}
    format = formats[asked.money.format_of(rules)]
    seats = rng.choice(format.seats)
    if format.is_for_events and number % 4 == 3:
        rules = asked.money.adapt_to_event(rules, deals=rng.choice([1, 2, 3]), qualifiers=1)
        if rng.random() < 0.3:
            stacks = [rng.randrange(200, 2_000) for _ in range(seats)]
            with suppress(InvalidRules, TypeError):  # where a point is no chip
                rules = asked.money.adapt_to_stakes(rules, point_chips=10, stacks=stacks)
    return dict(asked.rules.json(rules)), seats


def _choose_step(match: Match, care: float, rng: random.Random) -> dict[str, Any]:
    game, state = match.game, match.state
    acting, deadline = game.core.status(state).acting, game.core.status(state).deadline
    after = rng.randrange(4_000)
    chance = rng.random()
    if chance < 0.01:
        name = rng.choice(["propose", "postpone", "postpone", "hasten", "hasten", "conclude"])
        return {"after": after, "do": [name, rng.randrange(1_000, 9_000)]}
    if not acting and rng.random() < 0.2:
        return {"after": after, "do": ["propose", None]}
    if not acting or chance > 0.97:
        late = max(0, (deadline or match.now) - match.now)
        return {"after": late if rng.random() < 0.95 else after, "do": ["expire", None]}
    if chance > 0.93:
        seat = rng.choice(match.seats)
        return {"after": after, "do": [seat, _spoil(_choose_move(match, seat, rng), rng)]}
    seat = rng.choice(acting)
    if rng.random() < care:
        view = {
            "public": game.view.public(state),
            "you": game.view.private(state, seat),
            "rules": game.rules.json(match.rules),
        }
        move = game.bots(view, seat, strength="medium", rng=rng)
    else:
        move = _choose_move(match, seat, rng)
    return {"after": after, "do": [seat, dict(move)]}


def _choose_move(match: Match, seat: int, rng: random.Random) -> dict[str, Any]:
    moves = [match.game.wire.write(move) for move in match.game.core.list_legal(match.state, seat)]
    stay = [move for move in moves if move["kind"] != "leave" or rng.random() < 0.05]
    return dict(rng.choice(stay)) if stay else {"kind": rng.choice(["draw", "discard", "leave"])}


def _spoil(move: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the move with something in it that may be refused."""
    spoiled: dict[str, Any] = json.loads(json.dumps(move))
    field = rng.choice(sorted(spoiled))
    match spoiled[field]:
        case list() as values if values:
            rng.shuffle(values)
            if rng.random() < 0.5:
                values.pop()
        case str() as text if "." in text:
            spoiled[field] = rng.choice(["7H.0", "AS.0", "KD.1", "PJ.0", "zz"])
        case _ if field == "kind":
            spoiled = {"kind": "draw", "source": rng.choice(["open", "closed"])}
        case _:
            spoiled[field] = rng.choice([None, 0, 1, -1, "open", [], {}])
    return spoiled
