"""A game of the tests alone: everybody turns up their one card, and the highest wins (ace low).

It proves the seam: nothing outside this file knows it (tests/tables/test_another_game.py).
"""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from tables.games.base import (
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
from tables.games.cards import Card, card_texts, full_deck
from tables.games.defaults import GameDefaults
from tables.games.shuffle import shuffled

State = dict[str, Any]
Move = dict[str, Any]
TURN_MS: Final = 30_000
RULES: Final = {"points": {"name": "points"}, "pot": {"name": "pot"}}


class HighestCard(GameDefaults):
    code = "highest"
    title = Text("Highest card")
    formats = (
        Format(code="POINTS", title=Text("Points"), stake="per_point", seats=range(2, 5),
               presets=("points",)),
        Format(code="POT", title=Text("Pot"), stake="entry_fee", seats=range(2, 5),
               presets=("pot",), is_for_events=True),
    )  # fmt: skip
    leaving: Move = {"kind": "leave"}

    def start(
        self, *, rules: Any, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[State, tuple[Event, ...]]:
        deck = shuffled(full_deck(1)[:52], seed=seed, label="deal")
        cards = {str(seat): int(card) for seat, card in zip(seats, deck, strict=False)}
        state = {"rules": rules, "order": list(seats), "cards": cards, "up": {}, "left": [],
                 "due": now + TURN_MS}  # fmt: skip
        return state, (Event(DEAL_BEGINS, {"order": list(seats), "dealer": seats[-1]}),)

    def acting(self, state: State) -> tuple[int, ...]:
        gone = {*map(int, state["up"]), *state["left"]}
        return tuple(seat for seat in state["order"] if seat not in gone)[:1]

    def members(self, state: State) -> tuple[int, ...]:
        return tuple(state["order"])

    def legal(self, state: State, seat: int) -> tuple[Move, ...]:
        if not self.acting(state) or seat in state["left"]:
            return ()
        return (
            ({"kind": "turn_up"}, self.leaving) if seat in self.acting(state) else (self.leaving,)
        )

    def play(
        self, state: State, seat: int, move: Move, *, now: Instant, seed: bytes
    ) -> tuple[State, tuple[Event, ...]]:
        if move not in self.legal(state, seat):
            raise IllegalMove("not_your_turn", "It is not your turn.")
        after = {**state, "due": now + TURN_MS}
        if move == self.leaving:
            after["left"] = [*state["left"], seat]
            event = Event("left", {"seat": seat})
        else:
            after["up"] = {**state["up"], str(seat): state["cards"][str(seat)]}
            [card] = card_texts([Card(state["cards"][str(seat)])])
            event = Event("turned_up", {"seat": seat, "card": card})
        result = self.result(after)
        if result is None:
            return after, (event,)
        points = {str(seat): lost for seat, lost in result.points.items()}
        return after, (event, Event(DEAL_ENDS, {"winners": list(result.winners), "points": points}))

    def deadline(self, state: State) -> Instant | None:
        return state["due"] if self.acting(state) else None

    def expire(self, state: State, *, now: Instant, seed: bytes) -> tuple[State, tuple[Event, ...]]:
        return self.play(state, self.acting(state)[0], {"kind": "turn_up"}, now=now, seed=seed)

    def postpone(self, state: State, *, by_ms: int) -> State:
        return {**state, "due": state["due"] + by_ms}

    def deals(self, state: State) -> int:
        return 1

    def result(self, state: State) -> Result | None:
        if self.acting(state):
            return None
        cards = {int(seat): Card(card) for seat, card in state["up"].items()}
        order = sorted(cards, key=lambda seat: (-cards[seat].rank, cards[seat].suit))
        order += [seat for seat in state["order"] if seat not in order]
        ranks = {seat: place for place, seat in enumerate(order, 1)}
        points = {seat: 0 if seat == order[0] else 10 for seat in order}
        scores = {seat: cards[seat].rank if seat in cards else 0 for seat in order}
        return Result(winners=(order[0],), points=points, ranks=ranks, scores=scores,
                      shares={order[0]: 1}, next_order=tuple(state["order"]))  # fmt: skip

    def public_view(self, state: State) -> dict[str, JSON]:
        acting = self.acting(state)
        up = {seat: str(Card(card)) for seat, card in state["up"].items()}
        result = self.result(state)
        return {
            "deal": 1, "phase": "turn" if acting else "over", "order": state["order"],
            "turn": acting[0] if acting else None, "due_at": self.deadline(state),
            "deadline": self.deadline(state), "result": result and {"winners": [*result.winners]},
            "players": {str(s): {"card": up.get(str(s))} for s in state["order"]},
        }  # fmt: skip

    def private_view(self, state: State, seat: int) -> dict[str, JSON]:
        card = state["cards"].get(str(seat))
        return {"hand": [] if card is None else [str(Card(card))]}

    def dump(self, state: State) -> bytes:
        return json.dumps(state, sort_keys=True).encode()

    def load(self, data: bytes) -> State:
        state: State = json.loads(data)
        return state

    def parse_move(self, data: object) -> Move:
        if data not in ({"kind": "turn_up"}, self.leaving):
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
        return tuple(RULES)

    def preset(self, name: str) -> Mapping[str, Any]:
        if name not in RULES:
            raise InvalidRules(f"There is no rule set {name!r}.")
        return RULES[name]

    def format_of(self, rules: Mapping[str, Any]) -> str:
        return "POT" if rules["name"] == "pot" else "POINTS"

    def title_of(self, rules: Mapping[str, Any]) -> Text:
        return Text("Highest card")

    def largest_loss(self, rules: Mapping[str, Any]) -> int:
        return 80

    def for_event(self, rules: Any, *, deals: int, qualifiers: int) -> Any:
        return {**rules, "qualifiers": qualifiers}

    def choose(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]:
        return {"kind": "turn_up"}
