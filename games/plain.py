"""A base for plain games: one deal, one player at a time, a state that is a JSON object.

What stays to be written is what makes the game: `formats`, the cards that are dealt, what a move
does, what is shown, who has won. tests/games/highest_card.py is a whole one.

The state holds `order` (seats in order of play), `rules`, `due` (milliseconds) and `left` (seats
that have left the match) beside what the game puts there. Moves are as they are on the wire. Rule
sets have no fields but their names, which are those of the formats.
"""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.defaults import GameDefaults
from games.engine.base import (
    DEAL_BEGINS,
    DEAL_ENDS,
    JSON,
    Event,
    Format,
    IllegalMove,
    Instant,
    InvalidRules,
    Result,
    Strength,
    Text,
)

State = dict[str, Any]
Move = dict[str, Any]

TURN_MS: Final = 30_000


class PlainGame(GameDefaults):
    title: Text
    formats: tuple[Format, ...]
    leaving: Move = {"kind": "leave"}
    # Moves without fields, of whoever is at turn; the first is played for who is silent.
    moves: tuple[Move, ...]

    # --- What a game says.

    def dealt(self, seats: tuple[int, ...], seed: bytes) -> State:
        """What the state holds beside `order`, `rules`, `due` and `left`."""
        raise NotImplementedError

    def waits_for(self, state: State) -> int | None:
        """The seat at turn, of those that have not left; None when the match is over."""
        raise NotImplementedError

    def moved(self, state: State, seat: int, move: Move) -> tuple[State, Event]:
        """The state after one of `moves`, and what everybody may know of it."""
        raise NotImplementedError

    def ended(self, state: State) -> Result:
        """How a match that waits for nobody has ended."""
        raise NotImplementedError

    def shown(self, state: State) -> dict[str, JSON]:
        """What everybody sees: `players` by seat, and whatever else there is."""
        raise NotImplementedError

    # --- What follows from it.

    def start(
        self, *, rules: Any, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[State, tuple[Event, ...]]:
        """The order of play is that of the seats: nobody tosses."""
        own = self.dealt(seats, seed)
        state = {**own, "rules": rules, "order": [*seats], "left": [], "due": now + TURN_MS}
        return state, (Event(DEAL_BEGINS, {"order": [*seats], "dealer": seats[-1]}),)

    def acting(self, state: State) -> tuple[int, ...]:
        seat = self.waits_for(state)
        return () if seat is None else (seat,)

    def members(self, state: State) -> tuple[int, ...]:
        return tuple(state["order"])

    def legal(self, state: State, seat: int) -> tuple[Move, ...]:
        if not self.acting(state) or seat in state["left"]:
            return ()
        return (*self.moves, self.leaving) if seat in self.acting(state) else (self.leaving,)

    def play(
        self, state: State, seat: int, move: Move, *, now: Instant, seed: bytes
    ) -> tuple[State, tuple[Event, ...]]:
        if move not in self.legal(state, seat):
            raise IllegalMove("not_your_turn", "It is not your turn.")
        if move == self.leaving:
            after = {**state, "left": [*state["left"], seat]}
            event = Event("left", {"seat": seat})
        else:
            after, event = self.moved(state, seat, move)
        after["due"] = now + TURN_MS
        result = self.result(after)
        if result is None:
            return after, (event,)
        points = {str(seat): lost for seat, lost in result.points.items()}
        return after, (event, Event(DEAL_ENDS, {"winners": [*result.winners], "points": points}))

    def deadline(self, state: State) -> Instant | None:
        return state["due"] if self.acting(state) else None

    def expire(self, state: State, *, now: Instant, seed: bytes) -> tuple[State, tuple[Event, ...]]:
        return self.play(state, self.acting(state)[0], self.moves[0], now=now, seed=seed)

    def postpone(self, state: State, *, by_ms: int) -> State:
        return {**state, "due": state["due"] + by_ms}

    def hasten(self, state: State, *, due_by: Instant, count_by: Instant | None) -> State:
        return {**state, "due": min(state["due"], due_by)}

    def deals(self, state: State) -> int:
        return 1

    def result(self, state: State) -> Result | None:
        return None if self.acting(state) else self.ended(state)

    def public_view(self, state: State) -> dict[str, JSON]:
        acting, result = self.acting(state), self.result(state)
        return {
            "deal": 1,
            "phase": "turn" if acting else "over",
            "order": state["order"],
            "turn": acting[0] if acting else None,
            "due_at": self.deadline(state),
            "deadline": self.deadline(state),
            "result": None if result is None else {"winners": [*result.winners]},
            **self.shown(state),
        }

    def dump(self, state: State) -> bytes:
        return json.dumps(state, sort_keys=True).encode()

    def load(self, data: bytes) -> State:
        state: State = json.loads(data)
        return state

    def parse_move(self, data: object) -> Move:
        if not isinstance(data, dict) or data not in (*self.moves, self.leaving):
            raise IllegalMove("malformed_move", "There is no such move.")
        return dict(data)

    def move_json(self, move: Move) -> dict[str, JSON]:
        return move

    def parse_rules(self, data: object) -> Mapping[str, Any]:
        if not isinstance(data, Mapping):
            raise InvalidRules("Rules are an object.")
        return data

    def rules_json(self, rules: Mapping[str, Any]) -> dict[str, JSON]:
        return dict(rules)

    def presets(self) -> tuple[str, ...]:
        return tuple(name for format in self.formats for name in format.presets)

    def preset(self, name: str) -> Mapping[str, Any]:
        if name not in self.presets():
            raise InvalidRules(f"There is no rule set {name!r}.")
        return {"name": name}

    def format_of(self, rules: Mapping[str, Any]) -> str:
        return next(
            (format.code for format in self.formats if rules["name"] in format.presets),
            self.formats[0].code,
        )

    def title_of(self, rules: Mapping[str, Any]) -> Text:
        return self.title

    def for_event(self, rules: Any, *, deals: int, qualifiers: int) -> Any:
        return {**rules, "qualifiers": qualifiers}

    def choose(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]:
        """A bot of any strength plays what is played for who is silent."""
        return dict(self.moves[0])
