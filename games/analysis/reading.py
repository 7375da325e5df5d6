"""A finished deal read from its record, up to each move."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

Step = Mapping[str, Any]


@dataclass(slots=True)
class Reading:
    """All cards of a deal at one moment. Places are indices into the order of play.

    A game's method `on_KIND` takes in an event of this kind, and the step that it belongs to.
    """

    rules: Any
    order: Sequence[int]
    position: Any

    def read(self, step: Step) -> None:
        """Update the situation by a step of the record."""
        for event in step["events"]:
            reader = getattr(self, f"on_{event['kind']}", None)
            if reader is not None:
                reader(event, step)

    def place_of(self, event: Mapping[str, Any]) -> int:
        return self.order.index(event["seat"])

    def on_turn(self, event: Mapping[str, Any], _step: Step) -> None:
        position, place = self.position, self.place_of(event)
        position.turn, position.drawn = place, None
        position.turns[place] += 1

    def steps(self, record: Mapping[str, Any]) -> Iterator[tuple[int, Step, Self]]:
        """Yield each step of the record with its number from 0 and the situation before it.

        The situation is one object that changes: use it before asking for the next.
        """
        for number, step in enumerate(record["steps"]):
            yield number, step, self
            self.read(step)
