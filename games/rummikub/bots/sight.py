"""A deal as its player sees it, read from the views of a seat."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.cards import CARD_BY_TEXT, FACE_TEXT, Card
from games.rummikub.rules.laying import Stand
from games.rummikub.rules.melds import Meld, Melds
from games.rummikub.rules.ruleset import RummikubRules, parse_rules

_FACE_BY_TEXT = {text: face for face, text in enumerate(FACE_TEXT)}


@dataclass(frozen=True)
class Sight:
    seat: int
    rules: RummikubRules
    public: Mapping[str, Any]
    own: Mapping[str, Any]

    @classmethod
    def of(cls, view: Mapping[str, Any], seat: int) -> "Sight":
        """Read a `view`, which holds only the public view, the seat's own view and the rules."""
        return cls(seat, parse_rules(view["rules"]), view["public"], view["you"])

    @cached_property
    def rack(self) -> tuple[Card, ...]:
        return tuple(sorted(CARD_BY_TEXT[tile] for tile in self.own["hand"]))

    @cached_property
    def table(self) -> Melds:
        return tuple(
            Meld(
                tuple(CARD_BY_TEXT[tile] for tile in meld["cards"]),
                tuple(_FACE_BY_TEXT[face] for face in meld["as"]),
            )
            for meld in self.public["table"]
        )

    @property
    def has_opened(self) -> bool:
        return bool(self.public["players"][str(self.seat)]["opened"])

    @property
    def pool_count(self) -> int:
        return int(self.public["pool_count"])

    @property
    def fewest_of_others(self) -> int:
        """The number of tiles on the shortest rack of the opponents that are still playing."""
        return min(
            int(player["tiles"])
            for seat, player in self.public["players"].items()
            if player["status"] == "playing" and seat != str(self.seat)
        )

    def stand(self) -> Stand:
        return Stand(self.table, self.rack, self.has_opened, self.rules)
