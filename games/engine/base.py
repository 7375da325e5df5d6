"""The types that a game and its table share: events, formats, results, refusals.

A game is pure: it takes a state, a move, the time and a seed, and returns a new state and the public events. It knows
nothing of players' names, money, sockets or the database.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

# Milliseconds since the Unix epoch.
Instant: TypeAlias = int

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"

# Strength of a practice bot. `waiting` is for the chosen first deal of a lesson: the bot plays, but never
# ends the deal.
Strength: TypeAlias = Literal["easy", "medium", "hard", "expert", "waiting"]
# Strengths to choose from, weakest first. In a game without an expert (`Game.has_expert`) `expert` equals `hard`.
STRENGTHS: Final[tuple[Strength, ...]] = ("easy", "medium", "hard", "expert")

# How money works: losers pay their points, or every player pays an entry fee into a pot.
Stake: TypeAlias = Literal["per_point", "entry_fee"]

# Help that a table may offer: arranging the player's hand, and judging the player's claim in advance.
Help: TypeAlias = Literal["arrangement", "verdict"]

# Kinds of events that history, records and replays look for, the same in every game. A deal begins with
# this one, after a toss if there is one.
DEAL_BEGINS: Final = "dealt"
# A deal ends with this one: {"winners": [seat], "points": {seat: points lost}}.
DEAL_ENDS: Final = "deal_over"
# Events that report only a deadline (`due_at`), not an action.
TIMES: Final = frozenset({"turn", "deal_due"})


@dataclass(frozen=True, slots=True)
class Text:
    """An English text for people, marked for translation by the functions below.

    The table layer translates `message` (in its `context`, if there is one) and fills in `values` by name.
    """

    message: str
    values: Mapping[str, JSON] = field(default_factory=dict)
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to play a game. Ratings, fees and leaderboards are kept by (game, format).

    `code`: at most ten capital letters. `presets`: the rule sets that the help pages describe, the most common one
    first. `seats`: the possible numbers of players at one table.
    """

    code: str
    title: Text
    stake: Stake
    seats: range
    presets: tuple[str, ...]
    # Whether tournament tables may play it; `adapt_to_event` then makes the rules.
    is_for_events: bool = False
    # The rule set of tournaments whose host chooses none; empty for the default.
    event_preset: str = ""

    @property
    def preset_for_events(self) -> str:
        return self.event_preset or self.presets[0]


# The parts of a rule set, in the order in which pages show them.
RuleGroup: TypeAlias = Literal["cards", "counting", "deal", "match", "clock"]


@dataclass(frozen=True, slots=True)
class RuleFact:
    """A line of the rules pages and of the forms in which rules are chosen: a label and a field of the rule set.

    A number is shown as it is and a flag as yes or no; `words` has texts for other values. A fact that `needs` another
    field is left out where that field is empty. A field marked `only_in` can be changed only in that format. In the
    other formats it is fixed, because another value would make it another format.
    """

    label: Text
    name: str
    words: Mapping[JSON, Text] = field(default_factory=dict)
    needs: str | None = None
    only_in: str = ""
    group: RuleGroup = "deal"


@dataclass(frozen=True, slots=True)
class FieldType:
    """The values that a field of a rule set may have.

    A number, or the length of a list, lies between `least` and `most`. A choice is one of `choices`. `item` is the type
    of each value in a list. With `is_optional`, None is also allowed.
    """

    kind: Literal["flag", "number", "choice", "list"]
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    item: "FieldType | None" = None
    is_optional: bool = False


def group_facts(group: RuleGroup, *facts: RuleFact) -> tuple[RuleFact, ...]:
    """Return the facts, all assigned to one group."""
    return tuple(replace(fact, group=group) for fact in facts)


class IllegalMove(Exception):  # noqa: N818 - the players' word for it
    """The rules refuse this move; nothing has changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class InvalidRules(ValueError):  # noqa: N818 - says what it is
    """A rule set that cannot be used to play a game."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match, with all that is needed to settle it. The keys of its mappings are seats."""

    winners: tuple[int, ...]
    # Points lost by each player, not money. With a stake per point, the losers pay theirs to the winners,
    # who share equally.
    points: Mapping[int, int]
    # Ranks from 1; equal players share one.
    ranks: Mapping[int, int]
    # What a tournament adds up from table to table, more is better; empty if the game has no such score.
    scores: Mapping[int, int]
    # The winners' shares of a pot; indivisible units go one each in this order.
    shares: Mapping[int, int]
    # Order of play for the table's next match if nobody joins in between (R4.1).
    next_order: tuple[int, ...]
    # Further facts for the match's page, by the game's own names.
    facts: Mapping[str, JSON] = field(default_factory=dict)


def divide(amount: int, shares: Mapping[int, int]) -> dict[int, int]:
    """Divide an amount among seats in proportion to their `shares`, in whole units.

    The units that remain go to the first seats, one each (R8.5).
    """
    whole = sum(shares.values())
    divided = {seat: amount * share // whole for seat, share in shares.items()}
    odd = amount - sum(divided.values())
    return {seat: units + (place < odd) for place, (seat, units) in enumerate(divided.items())}


@dataclass(frozen=True, slots=True)
class DealStart:
    """The start of a deal as it was stored: its first events, each seat's private view, and the seats in the toss.

    The keys of `private` are seats as strings. `tossed` is None if there was no toss.
    """

    events: Sequence[Mapping[str, JSON]]
    private: Mapping[str, Mapping[str, JSON]]
    tossed: Sequence[int] | None


# --- English texts for people, marked for translation. `makemessages` finds them by the names of these
# functions, which are Django's.


def gettext_noop(message: str) -> str:
    return message


def pgettext(context: str, message: str) -> Text:
    """Return a text whose translation depends on where it appears, for instance on a button."""
    return Text(message, context=context)


def text(message: str, **values: JSON) -> Text:
    """Return a text marked for translation, with values to fill in by name: `%(score)s`."""
    return Text(message, values)
