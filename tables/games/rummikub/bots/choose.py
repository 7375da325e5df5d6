"""Players for practice tables; they see what a seat sees and nothing else.

`easy` never moves a tile that lies, and overlooks much. `medium` finds the lay of most tiles nine
times out of ten, `hard` always; `hard` also keeps its jokers as long as they bring little.
"""

import random
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tables.games.base import JSON, Strength
from tables.games.engine.moves import Move
from tables.games.rummikub.bots.sight import Sight
from tables.games.rummikub.rules.laying import BestLay, best_lay, lay_without_moving
from tables.games.rummikub.rules.melds import JOKER
from tables.games.rummikub.rules.moves import Draw, Lay, Pass, move_json


class _Skill(NamedTuple):
    """How often, of a hundred times, a lay is not noticed at all, and how often what could be done
    by moving tiles that lie is not."""

    overlooks: int
    keeps_still: int
    saves_jokers: bool = False


SKILLS: Final[Mapping[str, _Skill]] = {
    "easy": _Skill(overlooks=35, keeps_still=100),
    "medium": _Skill(overlooks=10, keeps_still=35),
    "hard": _Skill(overlooks=0, keeps_still=0, saves_jokers=True),
    # Knows no better than `hard`.
    "expert": _Skill(overlooks=0, keeps_still=0, saves_jokers=True),
}

# A joker that brings no more tiles than this, itself included, is kept for later.
_LITTLE: Final = 2
# Nobody keeps a joker when another one is this near to winning, or the pool to being empty.
_NEAR: Final = 4


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """A move for the seat at turn, as written on the wire."""
    return move_json(_Bot(Sight.of(view, seat), SKILLS[strength], rng).choose())


class _Bot:
    def __init__(self, sight: Sight, skill: _Skill, rng: random.Random) -> None:
        self.sight = sight
        self.skill = skill
        self.rng = rng

    def choose(self) -> Move:
        best = None if self.misses(self.skill.overlooks) else self.best()
        if best is None and self.sight.rules.must_play:
            best = self.all_in()
        if best is not None:
            return Lay(best.table)
        return Draw() if self.sight.pool_count else Pass()

    def misses(self, times: int) -> bool:
        return self.rng.randrange(100) < times

    def best(self) -> BestLay | None:
        if self.sight.has_opened and self.misses(self.skill.keeps_still):
            return lay_without_moving(self.sight.stand())
        best = self.all_in()
        if best is None or not self.skill.saves_jokers:
            return best
        return self.with_jokers_kept(best)

    def all_in(self) -> BestLay | None:
        """The most tiles."""
        return best_lay(self.sight.stand())

    def with_jokers_kept(self, best: BestLay) -> BestLay:
        sight = self.sight
        naturals = tuple(card for card in sight.rack if card.face != JOKER)
        wins = best.tiles == len(sight.rack)
        is_late = min(sight.fewest_of_others, sight.pool_count) <= _NEAR
        if wins or is_late or len(naturals) == len(sight.rack):
            return best
        other = best_lay(sight.stand()._replace(rack=naturals))
        return best if other is None or best.tiles - other.tiles > _LITTLE else other
