"""The rule sets of Indian rummy. Each is a `RuleSet`: the choices that docs/rules.md leaves open."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Annotated, Any, ClassVar, Final, Literal

from games.cards import FACES, MAX_PACKS
from games.engine.base import InvalidRules
from games.engine.fields import (
    ANY,
    Deals,
    ExtraSeconds,
    MaxPoints,
    Minutes,
    MissedTurns,
    Points,
    Qualifiers,
    Seconds,
    Target,
    Turns,
    Within,
)
from games.engine.rules import RuleBook
from games.engine.state import Value, replace

HAND_SIZE: Final = 13
SEATS: Final = range(2, 7)
Packs = Annotated[int, Within(1, MAX_PACKS)]


class RuleSet(Value, kw_only=True):
    # R4.6: an empty closed deck is always refilled.
    restock: ClassVar = "shuffle"
    max_restocks: ClassVar = inf

    name: str = "points"

    # Cards and melds.
    packs: Packs = 2
    packs_for_two: Packs = 2  # R1.2: at a table of two
    max_set_size: Annotated[int, Within(3, HAND_SIZE)] | None = None  # R2.4
    wild_twins: bool = True  # R2.5: one of two equal wild cards may stand for another card

    # Counting.
    lone_pure_sequence: Literal["free", "counted"] = "free"  # R6.3
    max_points: MaxPoints = 80  # R6.2
    wrong_declaration_points: Points = 80  # R3.4
    # R3.4, with three or more: whether a wrong declaration lets all others win at once.
    wrong_declaration_ends_deal: bool = False
    second_valid_points: Points = 2  # R3.6
    first_drop: Points | None = 20  # R5.2; None: no drop
    middle_drop: Points | None = 40

    # A deal.
    may_return_open_card: bool = False  # R4.5
    max_turns: Turns = 25  # R4.7: of each player
    max_minutes: Minutes = 30
    max_missed_turns: MissedTurns = 3  # R4.9: in a row

    # Clocks.
    turn_seconds: Seconds = 30
    extra_seconds: ExtraSeconds = 60  # R4.9: of each player, for the whole deal
    declare_seconds: Seconds = 45
    show_seconds: Seconds = 45
    break_seconds: Seconds = 8  # between two deals of a match

    # A match. Without a number of deals it continues until one player is left.
    tosses_every_deal: bool = False  # R4.1: where staff watch two of the players
    deals: Deals | None = 1
    chips_per_deal: Points = 0  # R9.1: 80 where chips decide the match
    # R10.11: what a point moves, where chips decide the match
    point_chips: Annotated[int, Within(1, ANY.most)] = 1
    # R10.11: each seat's stack at the start. If empty, each has `chips_per_deal` for each deal.
    stacks: Annotated[tuple[Annotated[int, ANY], ...], Within(0, SEATS[-1])] = ()
    # R10.4: how many advance from this match; ties for a qualifying place are then broken.
    qualifiers: Qualifiers | None = None
    elimination_score: Target | None = None  # R8.1
    elimination_inclusive: bool = True
    rejoin_score: Points | None = None  # R8.2: the most that the highest survivor may have
    rejoin_seconds: Seconds = 20
    split: bool = False  # R8.4, R8.6
    split_seconds: Seconds = 15

    joker_only_melds: Literal["sequence", "set", "none"] = "sequence"  # R2.6
    wrong_declaration_counts: Literal["fixed", "hand"] = "fixed"  # R3.4
    split_began: Literal["more", "any"] = "more"  # R8.4: how many must have begun
    # R8.5: the fewest entries that are left for equal shares
    split_rest: Annotated[int, Within(0, SEATS[-1])] = 1
    equal_split: Literal["forced", "agreed"] = "forced"  # R8.6

    @property
    def is_event_pool(self) -> bool:
        """Whether the match is a pool at a tournament table (R10.13)."""
        return self.elimination_score is not None and self.qualifiers is not None

    def packs_at(self, seats: int) -> int:
        return self.packs_for_two if seats == 2 else self.packs

    def without_drops(self) -> "RuleSet":
        """Return these rules without drops, as they apply to a tie-breaker (R9.2)."""
        return replace(self, first_drop=None, middle_drop=None)


POINTS: Final = RuleSet()
_POOL: Final = replace(POINTS, deals=None, split=True)
_DEALS: Final = replace(POINTS, chips_per_deal=80, first_drop=None, middle_drop=None)

_VARIANTS: Final = (
    POINTS,
    replace(
        _POOL,
        name="pool61",
        elimination_score=61,
        rejoin_score=44,
        first_drop=15,
        middle_drop=30,
        max_points=60,
        wrong_declaration_points=60,
    ),
    replace(_POOL, name="pool101", elimination_score=101, rejoin_score=79),
    replace(
        _POOL,
        name="pool201",
        elimination_score=201,
        rejoin_score=174,
        first_drop=25,
        middle_drop=50,
    ),
    replace(_DEALS, name="deals2", deals=2),
    replace(_DEALS, name="deals3", deals=3),
    replace(_DEALS, name="deals6", deals=6, first_drop=20, middle_drop=40),
)

# Points rummy with time to think, for beginners.
_LESSON: Final = replace(
    POINTS,
    name="lesson",
    max_missed_turns=5,
    turn_seconds=180,
    extra_seconds=180,
    declare_seconds=180,
    show_seconds=120,
)

# Differences of well-known sites from the default rules. Total Rummy opens the rejoin strictly below 45, 79
# and 174, lets competitors win the deal after a wrong declaration, accepts no melds of jokers only, and
# asks everybody before a prize is split. Junglee limits sets to four cards, plays one pack between two, and
# counts a wrong hand by its cards. RummyCircle is as on its page about points (docs/rules.md).
_SITES: Final[Mapping[str, Mapping[str, Any]]] = {
    "rummycircle": {},
    "junglee": {
        "packs_for_two": 1,
        "max_set_size": 4,
        "lone_pure_sequence": "counted",
        "wrong_declaration_counts": "hand",
    },
    "totalrummy": {"wrong_declaration_ends_deal": True, "joker_only_melds": "none"},
}
_SPLITS_OF_SITES: Final[Mapping[str, Mapping[str, Any]]] = {
    "totalrummy": {"split_began": "any", "equal_split": "agreed"}
}
_REJOIN_BELOW: Final = {"totalrummy": {79: 78, 174: 173}}


def _of_site(rules: RuleSet, site: str) -> RuleSet:
    rejoin = rules.rejoin_score
    if rejoin is not None:
        rejoin = _REJOIN_BELOW.get(site, {}).get(rejoin, rejoin)
    changes = {**_SITES[site], **(_SPLITS_OF_SITES.get(site, {}) if rules.split else {})}
    return replace(rules, name=f"{site}-{rules.name}", rejoin_score=rejoin, **changes)


def _check(rules: RuleSet) -> None:
    # At a full table each player needs a hand, plus the open card, the wild joker's indicator and a closed
    # deck to draw from.
    for packs, players in ((rules.packs, SEATS[-1]), (rules.packs_for_two, 2)):
        if packs * FACES < players * HAND_SIZE + 3:
            raise InvalidRules(f"{packs} packs are too few for {players} players.")
    if (rules.deals is None) == (rules.elimination_score is None):
        raise InvalidRules("A match ends after its deals or by elimination.")
    _check_elimination(rules)
    _check_chips(rules)


def _check_elimination(rules: RuleSet) -> None:
    """Raise `InvalidRules` if a pool might never end, or if a player who rejoins would be out at once (R5.2, R8.2)."""
    limit = find_exit_score(rules)
    if limit is None:
        return
    if 0 in (rules.first_drop, rules.middle_drop):
        raise InvalidRules("In a pool a drop costs points, or the match would never end.")
    if rules.rejoin_score is not None and rules.rejoin_score + 1 >= limit:
        raise InvalidRules("Whoever rejoins would be out at once: the limit for it is too high.")


def _check_chips(rules: RuleSet) -> None:
    if (rules.deals or 1) > 1 and not rules.chips_per_deal:
        raise InvalidRules("Chips decide a match of several deals.")
    if rules.is_event_pool:
        if rules.rejoin_score is not None or rules.split:
            raise InvalidRules("In a tournament nobody rejoins a pool or splits its prize.")
    elif rules.qualifiers is not None and not rules.chips_per_deal:
        raise InvalidRules("Players qualify by their chips.")
    if (rules.stacks or rules.point_chips != 1) and not rules.chips_per_deal:
        raise InvalidRules("Chips are staked where chips decide the match.")
    if rules.stacks and len(rules.stacks) not in SEATS:
        raise InvalidRules("Every seat of a table has a stack.")


RULES: Final = RuleBook(
    *_VARIANTS,
    _LESSON,
    *(_of_site(rules, site) for site in _SITES for rules in _VARIANTS),
    check=_check,
    internal=("qualifiers", "stacks", "point_chips", "tosses_every_deal"),
)
PRESETS: Final = RULES.presets
load_rules = RULES.load


def get_format_code(rules: RuleSet) -> str:
    if rules.elimination_score is not None:
        return "POOL"
    return "DEALS" if rules.chips_per_deal else "POINTS"


def largest_loss(rules: RuleSet) -> int:
    """Return the most points that one deal can cost a player."""
    drops = rules.first_drop or 0, rules.middle_drop or 0
    declarations = rules.wrong_declaration_points, rules.second_valid_points
    return max(rules.max_points, *declarations, *drops)


def adapt_to_event(rules: RuleSet, *, deals: int, qualifiers: int) -> RuleSet:
    """Return the rules of a match at a tournament table, from which `qualifiers` players advance (R10.4).

    A match of points or deals rummy has `deals` deals and is decided by chips. In points rummy, each player begins it
    with chips for the largest possible loss in every deal. A pool is played to its limit, however many deals that
    takes, without rejoining or splitting (R10.13).
    """
    if rules.elimination_score is not None:
        return RULES.change(rules, qualifiers=qualifiers, rejoin_score=None, split=False)
    chips = rules.chips_per_deal or largest_loss(rules)
    return RULES.change(rules, deals=deals, qualifiers=qualifiers, chips_per_deal=chips)


def adapt_to_stakes(rules: RuleSet, *, point_chips: int, stacks: Sequence[int]) -> RuleSet:
    """Return the rules of a match in which each seat begins with its own chips (R10.11).

    Raises `InvalidRules` for pools, which have no chips.
    """
    if rules.elimination_score is not None:
        raise InvalidRules("A pool has no tournament chips.")
    return RULES.change(rules, point_chips=point_chips, stacks=list(stacks))


def adapt_to_no_stake(rules: RuleSet) -> RuleSet:
    """Return the rules of a free table, which has no prize to split (R8.4)."""
    return replace(rules, split=False)


def find_exit_score(rules: RuleSet) -> int | None:
    """Return the lowest score that eliminates a player from a pool (R8.1), or None in other formats."""
    limit = rules.elimination_score
    return None if limit is None else limit + (not rules.elimination_inclusive)


def event_start(rules: RuleSet) -> int:
    """Return the chips with which each player begins a match, or 0 if the format has no chips."""
    return rules.chips_per_deal * (rules.deals or 0)
