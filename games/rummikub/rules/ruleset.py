"""The rule sets of Rummikub: the choices that docs/rules-rummikub.md leaves open, and the presets."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from games.engine.base import InvalidRules
from games.engine.fields import (
    CardPoints,
    Deals,
    MaxPoints,
    Minutes,
    MissedTurns,
    Qualifiers,
    Seconds,
    Turns,
    Within,
)
from games.engine.rules import RuleBook
from games.engine.state import Value, replace

SEATS: Final = range(2, 5)
TILES: Final = 106


class RummikubRules(Value, kw_only=True):
    name: str = "points"

    # Tiles and melds.
    rack_size: Annotated[int, Within(5, 20)] = 14  # K3
    initial_meld: Annotated[int, Within(0, 100)] = 50  # K7
    # K7: whether the lay that meets the initial meld may use the table as well.
    open_then_play: bool = True
    joker_melds: Literal["frozen", "free"] = "frozen"  # K9
    swap_from: Literal["rack", "anywhere"] = "rack"  # K10
    group_swap: Literal["one", "both"] = "one"
    must_play: bool = False  # K5: whether drawing is refused while something can be laid

    # Counting.
    joker_points: CardPoints = 30  # K15
    max_points: MaxPoints | None = 200  # K16: the most that a rack counts

    # A deal.
    overtime_tiles: Annotated[int, Within(0, 10)] = 1  # K12
    invalid_tiles: Annotated[int, Within(0, 10)] = 3
    max_missed_turns: MissedTurns = 3  # K13: in a row
    max_turns: Turns = 40  # K17: of each player
    max_minutes: Minutes = 60

    # A match.
    deals: Deals = 1  # K16: one, paid by its points, or a session for a pot
    qualifiers: Qualifiers | None = None  # How many players advance from a tournament table.

    # Clocks.
    turn_seconds: Seconds = 120  # K12
    away_seconds: Seconds = 15  # K13
    break_seconds: Seconds = 12  # between two deals of a match

    @property
    def is_per_point(self) -> bool:
        """Whether losers pay for the points of the deal. Otherwise each player pays an entry fee."""
        return self.deals == 1 and self.qualifiers is None


POINTS: Final = RummikubRules()
_SESSION: Final = replace(POINTS, name="session4", deals=4)
_THIRTY: Final = replace(POINTS, name="sabra30", initial_meld=30)
_MODERN: Final[Mapping[str, Any]] = {
    "initial_meld": 30,
    "joker_melds": "free",
    "swap_from": "anywhere",
    "turn_seconds": 60,
}


def _check(rules: RummikubRules) -> None:
    if rules.qualifiers is not None and rules.qualifiers >= SEATS[-1]:
        raise InvalidRules("Not all of a table go on.")


RULES: Final = RuleBook(
    POINTS,
    _SESSION,
    _THIRTY,
    replace(POINTS, name="modern", **_MODERN),
    replace(_SESSION, name="modern4", **_MODERN),
    replace(_SESSION, name="tournament", group_swap="both"),
    # For a first game, with time to think.
    replace(_THIRTY, name="lesson", turn_seconds=600, max_missed_turns=5, max_minutes=120),
    check=_check,
    internal=("qualifiers",),
)
PRESETS: Final = RULES.presets
load_rules = RULES.load


def adapt_to_event(rules: RummikubRules, *, deals: int, qualifiers: int) -> RummikubRules:
    """Return the rules of a session of this many deals from which this many players advance (K16).

    Raises `InvalidRules` for points rules.
    """
    if rules.is_per_point:
        raise InvalidRules("A tournament plays sessions for a pot.")
    return RULES.change(rules, deals=deals, qualifiers=qualifiers)


def largest_loss(rules: RummikubRules) -> int:
    """Return the most points that one deal can cost a player (K15, K16)."""
    all_tiles = 8 * sum(range(1, 14)) + 2 * rules.joker_points
    return all_tiles if rules.max_points is None else min(rules.max_points, all_tiles)
