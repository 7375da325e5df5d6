"""A game of the tests alone: everybody turns up their one card, and the highest wins (ace low).

It proves the seam: nothing outside this file knows it (tests/tables/test_another_game.py).
"""

from typing import Any

from games.cards import Card, full_deck
from games.engine.base import JSON, Event, Format, Result, Text
from games.plain import Move, PlainGame, State
from games.shuffle import shuffled


class HighestCard(PlainGame):
    code = "highest"
    title = Text("Highest card")
    formats = (
        Format(code="POINTS", title=Text("Points"), stake="per_point", seats=range(2, 5),
               presets=("points",)),
        Format(code="POT", title=Text("Pot"), stake="entry_fee", seats=range(2, 5),
               presets=("pot",), is_for_events=True),
    )  # fmt: skip
    moves: tuple[Move, ...] = ({"kind": "turn_up"},)

    def dealt(self, seats: tuple[int, ...], seed: bytes) -> State:
        deck = shuffled(full_deck(1)[:52], seed=seed, label="deal")
        return {"cards": {str(seat): int(deck[at]) for at, seat in enumerate(seats)}, "up": []}

    def waits_for(self, state: State) -> int | None:
        gone = [*state["up"], *state["left"]]
        return next((seat for seat in state["order"] if seat not in gone), None)

    def moved(self, state: State, seat: int, move: Move) -> tuple[State, Event]:
        event = Event("turned_up", {"seat": seat, "card": str(Card(state["cards"][str(seat)]))})
        return {**state, "up": [*state["up"], seat]}, event

    def ended(self, state: State) -> Result:
        cards = {seat: Card(state["cards"][str(seat)]) for seat in state["up"]}
        order = sorted(cards, key=lambda seat: (-cards[seat].rank, cards[seat].suit))
        order += [seat for seat in state["order"] if seat not in order]
        return Result(
            winners=(order[0],), points={seat: 0 if seat == order[0] else 10 for seat in order},
            ranks={seat: place for place, seat in enumerate(order, 1)},
            scores={seat: cards[seat].rank if seat in cards else 0 for seat in order},
            shares={order[0]: 1}, next_order=tuple(state["order"]),
        )  # fmt: skip

    def shown(self, state: State) -> dict[str, JSON]:
        cards = {str(seat): str(Card(state["cards"][str(seat)])) for seat in state["up"]}
        return {"players": {str(seat): {"card": cards.get(str(seat))} for seat in state["order"]}}

    def private_view(self, state: State, seat: int) -> dict[str, Any]:
        card = state["cards"].get(str(seat))
        return {"hand": [] if card is None else [str(Card(card))]}

    def largest_loss(self, rules: Any) -> int:
        return 80
