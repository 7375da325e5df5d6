"""Levels of experience: a number that grows with finished matches against other people and never falls.

The same matches count as for the achievement "matches": for chips or without stakes, and played to the end.
Cash matches do not count, and a level cannot be bought.
"""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from accounts.models import User
from accounts.people.preferences import is_quiet
from players.models import PlayerAchievement
from wallet.api import has_own_limits

COUNTED: Final = "matches"
"""The achievement whose matches count."""
# Everybody begins at level 1; the first entry reaches level 2, the next one level 3 and so on.
THRESHOLDS: Final = (
    1, 3, 6, 10, 15, 25, 40, 60, 80, 100,
    150, 200, 275, 350, 450, 600, 800, 1_000, 1_500, 2_000,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """A player's level. `matches` is the number of counted matches; `next_at` is None at the last level."""

    number: int
    matches: int
    next_at: int | None

    @property
    def missing(self) -> int:
        """Return the number of matches that are still needed for the next level; 0 at the last level."""
        return 0 if self.next_at is None else self.next_at - self.matches


def level_at(matches: int) -> Level:
    """Return the level that this number of finished matches reaches."""
    reached = bisect_right(THRESHOLDS, matches)
    following = THRESHOLDS[reached] if reached < len(THRESHOLDS) else None
    return Level(reached + 1, matches, following)


def get_level(user_id: int) -> Level:
    """Return a player's level."""
    row = PlayerAchievement.objects.filter(user_id=user_id, code=COUNTED)
    return level_at(row.values_list("count", flat=True).first() or 0)


def shows_progress(player: User) -> bool:
    """Return whether goals, achievements and levels are shown to this player.

    They are hidden from players who turned them off, and from players who have set limits of their own.
    """
    return not is_quiet(player) and not has_own_limits(player.pk)
