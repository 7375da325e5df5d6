"""Bots for practice tables. Each sees only what its seat may see.

`easy` never moves a tile on the table, and overlooks many lays. `hard` always finds the lay that plays the most tiles,
and `medium` finds it nine times out of ten. `hard` also keeps its jokers as long as laying them gains little. `expert`
plays like `hard`, except that it goes on drawing if a lay would leave it only a few tiles, and then lays everything in
one turn. The expert loses nothing by waiting: a lay that is possible now is possible later, and meanwhile it draws
tiles that may fit the rest.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from games.cards import CARD_BY_TEXT, FACE_TEXT, Card
from games.engine.base import JSON, Strength
from games.engine.moves import AnyMove
from games.rummikub.rules.laying import BestLay, Stand, find_best_lay, lay_without_moving
from games.rummikub.rules.melds import JOKER, Meld, Melds
from games.rummikub.rules.moves import Draw, Lay, Pass, move_json
from games.rummikub.rules.ruleset import RummikubRules, load_rules

_FACE_BY_TEXT = {text: face for face, text in enumerate(FACE_TEXT)}


@dataclass(frozen=True)
class RummikubSight:
    seat: int
    rules: RummikubRules
    public: Mapping[str, Any]
    own: Mapping[str, Any]

    @classmethod
    def of(cls, view: Mapping[str, Any], seat: int) -> "RummikubSight":
        """Read a `view`, which must hold the public view, the seat's own view and the rules, and no more."""
        return cls(seat, load_rules(view["rules"]), view["public"], view["you"])

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

    @property
    def turns_left(self) -> float:
        """The number of turns that each player may still have (K17)."""
        played = float(self.public["turn_number"]) / len(self.public["order"])
        return self.rules.max_turns - played

    def stand(self) -> Stand:
        return Stand(self.table, self.rack, self.has_opened, self.rules)


class _RummikubSkill(NamedTuple):
    """The skill of a bot.

    `overlooks` and `keeps_still` are percentages of turns: how often it overlooks a lay, and how often it moves no tile
    on the table. With `saves_jokers` it keeps jokers that gain little. With `draws_on` it holds a lay back that would
    leave it only a few tiles.
    """

    overlooks: int
    keeps_still: int
    saves_jokers: bool = False
    draws_on: bool = False


SKILLS: Final[Mapping[str, _RummikubSkill]] = {
    "easy": _RummikubSkill(overlooks=35, keeps_still=100),
    "medium": _RummikubSkill(overlooks=10, keeps_still=35),
    "hard": _RummikubSkill(overlooks=0, keeps_still=0, saves_jokers=True),
    "expert": _RummikubSkill(overlooks=0, keeps_still=0, saves_jokers=True, draws_on=True),
}

# The bot keeps a joker that gains no more tiles than this, itself included.
_LITTLE: Final = 2
# The bot keeps no joker when an opponent has, or the pool holds, this few tiles.
_NEAR: Final = 4
# The bot continues to draw with no more loose tiles than this and nothing to lay, until this many turns
# before the deal ends (K17). Found by duels (docs/bots.md).
FEW_LEFT: Final = 6
_MOST_KEPT: Final = 12
_LAST_TURNS: Final = 5


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """Return a move, in the form sent over the wire, for a seat that may act.

    `view` is `{"public": ..., "you": ..., "rules": ...}`, as the seat sees the table. `rng` decides between equally
    good moves.
    """
    return move_json(_RummikubBot(RummikubSight.of(view, seat), SKILLS[strength], rng).choose())


class _RummikubBot:
    def __init__(self, sight: RummikubSight, skill: _RummikubSkill, rng: random.Random) -> None:
        self.sight = sight
        self.skill = skill
        self.rng = rng

    def choose(self) -> AnyMove:
        best = None if self.misses(self.skill.overlooks) else self.find_best()
        if best is None and self.sight.rules.must_play:
            best = self.find_largest()
        if best is not None:
            return Lay(best.table)
        return Draw() if self.sight.pool_count else Pass()

    def misses(self, times: int) -> bool:
        return self.rng.randrange(100) < times

    def find_best(self) -> BestLay | None:
        if self.sight.has_opened and self.misses(self.skill.keeps_still):
            return lay_without_moving(self.sight.stand())
        best = self.find_largest()
        if best is None or not self.skill.saves_jokers:
            return best
        best = self.keep_jokers(best)
        return None if self.skill.draws_on and self.should_draw_on(best) else best

    def find_largest(self) -> BestLay | None:
        """Return the lay that plays the most tiles, or None."""
        return find_best_lay(self.sight.stand())

    def keep_jokers(self, best: BestLay) -> BestLay:
        sight = self.sight
        naturals = tuple(card for card in sight.rack if card.face != JOKER)
        wins = best.tiles == len(sight.rack)
        is_late = min(sight.fewest_of_others, sight.pool_count) <= _NEAR
        if wins or is_late or len(naturals) == len(sight.rack):
            return best
        other = find_best_lay(sight.stand()._replace(rack=naturals))
        return best if other is None or best.tiles - other.tiles > _LITTLE else other

    def should_draw_on(self, best: BestLay) -> bool:
        """Return whether to hold the lay `best` back and to draw, until the whole rack can be laid at once."""
        sight = self.sight
        left = len(sight.rack) - best.tiles
        return (
            sight.has_opened
            and 0 < left <= FEW_LEFT
            and best.tiles <= _MOST_KEPT
            and sight.pool_count > _NEAR
            and sight.turns_left > _LAST_TURNS
        )
