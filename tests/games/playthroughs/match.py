"""Recorded matches to replay. Everything visible in them must stay the same.

A step is `{"after": ms since the last step, "do": ...}`, with `[seat, move]` for a move or `[name,
argument]` for an action of the table. The first digits of a hash record its outcome.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from games.engine.base import IllegalMove
from games.rummikub.rules.moves import Lay, find_own_best
from tests.games.values import pair, parts_of
from tests.given import require

BEGAN_AT = 1_700_000_000_000
_DIGITS = 5
# The records have the older sentences of these refusals.
OLDER_SENTENCES = {
    "You may lay off from your next turn on.": "Lay off from your next turn on.",
    "You are not being asked about this card.": "You are not asked for this card.",
    "The groups may hold only cards of your hand, and each of them only once.": (
        "The groups may hold the cards of your hand, each once."
    ),
    "Lay at least one tile from your rack, or draw one.": (
        "Lay at least one tile of your rack, or draw one."
    ),
    "The melds from your rack are worth too few points to begin with.": (
        "Melds of your rack alone are worth too little to begin with."
    ),
    "A meld with a joker stays together until a tile from your rack takes the joker's place.": (
        "A meld with a joker stays together until a tile of your rack takes the joker's place."
    ),
    "A joker that you free goes into a meld with two more tiles from your rack.": (
        "A joker that you free goes into a meld with two more tiles of your rack."
    ),
}


class Match:
    """A match that advances by such steps."""

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

    def take(self, step: Mapping[str, Any]) -> None:
        """Make the step, and keep its events or its refusal."""
        self.now += step["after"]
        whom, what = step["do"]
        try:
            self._do(whom, what)
        except IllegalMove as refused:
            sentence = OLDER_SENTENCES.get(refused.message, refused.message)
            self.came = {"refused": [refused.code, sentence]}

    def _do(self, whom: Any, what: Any) -> None:
        seed = self._seed(self.game.core.status(self.state).deals)
        match whom:
            case "expire":
                stepped = pair(self.game.core.expire(self.state, now=self.now, seed=seed))
            case "propose":
                proposed = self.game.core.offer_split(self.state, now=self.now)
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
        """Return everything visible in the match, and the outcome of the last step."""
        game, state = self.game, self.state
        result = game.core.status(state).result
        seen = {
            **self.came,
            "public": game.view.public(state),
            "own": [game.view.private(state, seat) for seat in self.seats],
            "offered": [game.core.describe_legal(state, seat) for seat in self.seats],
            "legal": [self._list_legal(seat) for seat in self.seats],
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
            # Newer than the records. The model checks it (tests/games/model/views.py).
            for standing in looked["public"]["match"]["standings"].values():
                del standing["place"]
        return looked

    def _list_legal(self, seat: int) -> list[Any]:
        """Return the legal moves. For a lay, the records have only the worth of the best one, since several lays
        may be equally good.
        """
        core = self.game.core
        listed = core.list_legal(self.state, seat)
        if self.game.code != "rummikub" or not isinstance(listed[0] if listed else None, Lay):
            return self._moves(listed)
        step = core.step_type(self.state, seat)
        best = require(find_own_best(step))
        for move in (listed[0], Lay(best.table)):
            assert core.refusal(step, move) is None, move
        return [{"kind": "lay", "worth": best.worth}, *self._moves(listed[1:])]

    def _moves(self, moves: Any) -> list[Any]:
        return [self.game.wire.write(move) for move in moves]

    def digest(self) -> str:
        seen = json.dumps(self.look(), sort_keys=True)
        return hashlib.sha256(seen.encode()).hexdigest()[:_DIGITS]
