"""The rule sets of gin: the choices that docs/rules-gin.md leaves open."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from games.engine.base import InvalidRules
from games.engine.fields import (
    Deals,
    ExtraSeconds,
    Minutes,
    MissedTurns,
    Points,
    Seconds,
    Target,
    Turns,
    Within,
)
from games.engine.rules import RuleBook
from games.engine.state import Value, replace

HAND_SIZE: Final = 10
DECK_SIZE: Final = 52
# The most deadwood of a hand: K K Q Q J J T T 9 9 without a meld.
MOST_DEADWOOD: Final = 98


class GinRules(Value, kw_only=True):
    name: str = "points"

    # Knocking and counting.
    knock_limit: Annotated[int, Within(0, 50)] = 10  # G7
    gin_bonus: Points = 25  # G8
    undercut_bonus: Points = 25  # G11
    big_gin_bonus: Points = 31  # G9; 0: big gin is not played
    oklahoma: bool = False  # G13: the upcard sets the most deadwood to knock with
    spades_double: bool = False

    # A deal.
    # G12: cards of the closed deck that nobody draws. Twenty cards are dealt, one is turned up, and a
    # player must be able to draw.
    wall: Annotated[int, Within(0, DECK_SIZE - 2 * HAND_SIZE - 2)] = 2
    max_turns: Turns = 40  # G12: of each player
    max_minutes: Minutes = 20
    may_return_open_card: bool = False  # G5
    open_discards: bool = True  # G17
    max_missed_turns: MissedTurns = 3  # G16: in a row

    # A match.
    next_dealer: Literal["loser", "winner", "alternate"] = "loser"  # G2
    # G14: the score that wins; None: one scored deal is the match, paid by its points.
    target: Target | None = None
    # G14: after this many scored deals the higher score wins.
    deals: Deals | None = 1
    # How many players advance from this match: one, or None if nobody has to.
    qualifiers: Annotated[int, Within(1, 1)] | None = None
    game_bonus: Points = 100  # On the score sheet only, like the next two.
    box_bonus: Points = 25
    shutout_doubles: bool = True
    max_dead_deals: Annotated[int, Within(1, 20)] = 3  # G15: in a row

    # Clocks.
    turn_seconds: Seconds = 30
    extra_seconds: ExtraSeconds = 60  # G16: of each player, for the whole deal
    show_seconds: Seconds = 45  # G10
    break_seconds: Seconds = 8  # between two deals of a match

    @property
    def is_per_point(self) -> bool:
        """Whether the loser pays for the points of the deal. Otherwise each player pays an entry fee."""
        return self.target is None


POINTS: Final = GinRules()
_GAME: Final = replace(POINTS, name="game100", target=100, deals=None)
# The classic values: gin 20, an undercut 10, no big gin.
_CLASSIC: Final[Mapping[str, Any]] = {"gin_bonus": 20, "undercut_bonus": 10, "big_gin_bonus": 0}
_OKLAHOMA: Final[Mapping[str, Any]] = {"oklahoma": True, "spades_double": True}


def _check(rules: GinRules) -> None:
    if rules.is_per_point and (rules.deals != 1 or rules.qualifiers is not None):
        raise InvalidRules("A match without a target is one scored deal, and nobody goes on.")


RULES: Final = RuleBook(
    POINTS,
    replace(POINTS, name="oklahoma", **_OKLAHOMA),
    _GAME,
    replace(_GAME, name="oklahoma100", **_OKLAHOMA),
    # Points gin with time to think, for a first game.
    replace(
        POINTS,
        name="lesson",
        max_missed_turns=5,
        turn_seconds=180,
        extra_seconds=180,
        show_seconds=120,
        max_minutes=60,
    ),
    replace(POINTS, name="classic", **_CLASSIC),
    replace(_GAME, name="classic100", **_CLASSIC, box_bonus=20),
    check=_check,
    internal=("qualifiers",),
)
PRESETS: Final = RULES.presets
load_rules = RULES.load


def adapt_to_event(rules: GinRules, *, deals: int, qualifiers: int) -> GinRules:
    """Return the rules of a match at a tournament table: to its target or to `deals` scored deals (G14).

    Raises `InvalidRules` for points rules, and for more than one qualifier.
    """
    if rules.is_per_point:
        raise InvalidRules("A tournament plays games to a target.")
    return RULES.change(rules, deals=deals, qualifiers=qualifiers)


def largest_loss(rules: GinRules) -> int:
    """Return the most points that a deal can cost a player (G14)."""
    limit = max(rules.knock_limit, HAND_SIZE) if rules.oklahoma else rules.knock_limit
    beaten = MOST_DEADWOOD + max(rules.gin_bonus, rules.big_gin_bonus)
    most = max(beaten, limit + rules.undercut_bonus)
    return most * 2 if rules.oklahoma and rules.spades_double else most
