"""A finished deal read from its record: all cards before each move, and the cards that were seen."""

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from games.cards import CARD_BY_TEXT, Card

Step = Mapping[str, Any]
Event = Mapping[str, Any]
Move = Mapping[str, Any]


def is_unseen_draw(event: Event) -> bool:
    """Return whether this event is a draw from the closed deck or the pool, whose card others did not see."""
    return bool(event["kind"] == "drawn" and event.get("source", "closed") == "closed")


@dataclass
class DealSituation:
    """All cards of a deal at one moment. A `place` is a player's index in the order of play.

    A game's method `on_KIND` takes an event of that kind and its step, and updates the situation.
    """

    rules: Any
    order: Sequence[int]
    position: Any
    # Cards drawn unseen in the step that is being read.
    drew: list[Card] = field(default_factory=list, kw_only=True)

    @property
    def opened(self) -> int | None:
        """The top card of the open pile, or None if there is none."""
        return None

    def list_hand(self, place: int) -> Sequence[int]:
        hand: Sequence[int] = self.position.hands[place]
        return hand

    def get_place(self, event: Event) -> int:
        return self.order.index(event["seat"])

    def steps(self, record: Mapping[str, Any]) -> Iterator[tuple[int, Step, Self]]:
        """Yield each step of the record with its number, from 0, and the situation before it.

        The situation is one object that changes: use it before asking for the next step.
        """
        for number, step in enumerate(record["steps"]):
            yield number, step, self
            for _event in self.events(step):
                pass

    def events(self, step: Step) -> Iterator[Event]:
        """Yield each event of a step, and update the situation after it."""
        drew = step.get("drew", [])
        self.drew = [CARD_BY_TEXT[card] for card in ([drew] if isinstance(drew, str) else drew)]
        for event in step["events"]:
            yield event
            reader = getattr(self, f"on_{event['kind']}", None)
            if reader is not None:
                reader(event, step)

    def draws(self, record: Mapping[str, Any]) -> Iterator[tuple[Self, int, list[Card]]]:
        """Yield each unseen draw: the situation before it, the drawer's index in the order of play, and the cards."""
        for step in record["steps"]:
            for event in self.events(step):
                if is_unseen_draw(event):
                    yield self, self.get_place(event), self.drew[: event.get("count", 1)]

    def on_turn(self, event: Event, _step: Step) -> None:
        position, place = self.position, self.get_place(event)
        position.turn, position.drawn = place, None
        position.turns[place] += 1


@dataclass
class DeckSituation(DealSituation, ABC):
    """A situation of a game with an open pile and a closed deck, whose order is unknown. Hands are lists of cards."""

    deck: Sequence[int]
    # For each place: cards taken from the open pile and still held; cards discarded, in order.
    taken: list[list[int]]
    discards: list[list[int]]
    # All cards that have been in the open pile; after a reshuffle some of them are hidden again.
    thrown: set[int]
    reshuffles: int = field(default=0, kw_only=True)

    @abstractmethod
    def list_aside(self) -> Collection[int | None]:
        """Return the cards that are neither in a hand nor in a pile."""

    @property
    def opened(self) -> int | None:
        return self.position.open_pile[-1] if self.position.open_pile else None

    def reshuffle(self, rng: random.Random) -> Any:
        """Return the position with the same hands and the closed deck in another order."""
        position = self.position
        elsewhere = {*position.open_pile, *self.list_aside()}
        elsewhere.update(*position.hands)
        closed = [card for card in self.deck if card not in elsewhere]
        rng.shuffle(closed)
        return replace(position, closed=closed)

    def list_taken(self, place: int) -> Sequence[int]:
        """Return the cards that the player at `place` took from the open pile and still holds."""
        return self.taken[place]

    def find_next_place(self, place: int) -> int:
        """Return the index of the next player after `place` who is still in the deal."""
        playing: list[bool] = self.position.playing
        following = (place + 1) % len(playing)
        while not playing[following]:
            following = (following + 1) % len(playing)
        return following

    def on_drawn(self, event: Event, _step: Step) -> None:
        position, place = self.position, self.get_place(event)
        position.from_open = event["source"] == "open"
        position.drawn = position.open_pile.pop() if position.from_open else self.drew.pop(0)
        position.hands[place].append(position.drawn)
        if position.from_open:
            self.taken[place].append(position.drawn)

    def on_discarded(self, event: Event, _step: Step) -> None:
        card, place = CARD_BY_TEXT[event["card"]], self.get_place(event)
        self.remove_cards(place, [card])
        self.position.open_pile.append(card)
        self.position.drawn = None
        self.discards[place].append(card)
        self.thrown.add(card)

    def remove_cards(self, place: int, cards: Collection[int]) -> None:
        hands = self.position.hands
        hands[place] = [card for card in hands[place] if card not in cards]
        self.taken[place] = [card for card in self.taken[place] if card not in cards]

    def on_reshuffled(self, _event: Event, _step: Step) -> None:
        del self.position.open_pile[:-1]
        self.reshuffles += 1

    def on_dropped(self, event: Event, _step: Step) -> None:
        self.take_out(event, event["points"])

    def take_out(self, event: Event, points: int) -> None:
        """Take a player out of the deal and record the points lost."""
        place = self.get_place(event)
        # Copy them: playouts change a position in place.
        playing, lost = self.position.playing[:], self.position.lost[:]
        playing[place], lost[place] = False, points
        self.position.playing, self.position.lost = playing, lost


def begin_deck(record: Mapping[str, Any], position: Any, **more: Any) -> dict[str, Any]:
    """Return the fields of a deal's first situation.

    `position` is the class of the situation's position, and `more` has further fields for that class.
    """
    order, opened = record["order"], CARD_BY_TEXT[record["open"]]
    places = len(order)
    return {
        "order": order,
        "position": position(
            hands=[[CARD_BY_TEXT[card] for card in record["hands"][str(seat)]] for seat in order],
            closed=[],
            open_pile=[opened],
            playing=[True] * places,
            lost=[0] * places,
            turns=[1] + [0] * (places - 1),
            **more,
        ),
        "taken": [[] for _ in order],
        "discards": [[] for _ in order],
        "thrown": {opened},
    }
