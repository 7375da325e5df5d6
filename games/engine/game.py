"""A game as the table layer sees it: a value composed of parts, None where a part is absent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from games.engine.base import JSON, DealStart, Format, Help, InvalidRules, RuleFact, Strength, Text
from games.engine.codec import Stored
from games.engine.core import Core
from games.engine.rules import RuleBook
from games.engine.wire import Wire

if TYPE_CHECKING:
    from games.engine.analysis import DealAnalysis
    from games.engine.fair_play import FairPlay
    from games.engine.puzzles import DealPuzzles


@dataclass(frozen=True, slots=True)
class View:
    """The views of a state, as JSON.

    `public` is for everybody, `game` of a table's state: always the same keys, null where a value
    does not hold now. The table layer sends only the keys that change. Cards are texts (`7H.0`,
    docs/protocol.md), seats as keys are texts, times are milliseconds since 1970, durations end in
    `_ms`, points are whole numbers. Every game has `deal`, `phase`, `order` (seats of this deal),
    `turn` (a seat or null), `due_at`, `deadline`, `players` by seat, and `result`. No hidden card
    may be in it.

    `private` is for one seat, merged into `you`: always the same keys, among them `hand`.
    `nothing_private` is the private view of a seat that is in no match.
    """

    public: Callable[[Any], dict[str, JSON]]
    private: Callable[[Any, int], dict[str, JSON]]
    nothing_private: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Words:
    """A game's texts: those of its table page by key (its coach's begin with `coach_`), and the
    facts on its rules pages, in their order."""

    texts: Mapping[str, Text] = field(default_factory=dict)
    rule_facts: Sequence[RuleFact] = ()


def _not_for_events(rules: Any, *, deals: int, qualifiers: int) -> NoReturn:
    raise InvalidRules("These rules are not for tournaments.")


def _not_at_stake(rules: Any, *, point_chips: int, stacks: Sequence[int]) -> NoReturn:
    raise InvalidRules("A point is no tournament chip in this game.")


@dataclass(frozen=True, slots=True)
class Money:
    """The meaning of a rule set for stakes (R7.1) and tournaments (R10.4)."""

    # The code of the format that a rule set belongs to, and a table's title: "Pool 101".
    format_of: Callable[[Any], str]
    title_of: Callable[[Any], Text]
    # The most points that one deal can cost: a seat covers them times the point value.
    largest_loss: Callable[[Any], int]
    # The rules of a tournament's table of `deals` from which `qualifiers` go on. Raises
    # `InvalidRules` where the format is not for tournaments.
    for_event: Callable[..., Any] = _not_for_events
    # The score that everybody begins such a table with (`Result.scores`).
    event_start: Callable[[Any], int] = lambda _rules: 0
    # The lowest score that puts a player out of a match, where matches end by elimination. At a table
    # of a tournament they end when no more are in than go on, and `Result.points` rank (R10.13).
    out_at: Callable[[Any], int | None] = lambda _rules: None
    # Rules of `for_event` by which a point moves `point_chips`, and each seat begins with its stack
    # (R10.11). Raises `InvalidRules` where a point is no chip.
    at_stake: Callable[..., Any] = _not_at_stake
    # The rules of a table at which nothing is at stake, so that no prize is shared.
    for_nothing: Callable[[Any], Any] = lambda rules: rules


@dataclass(frozen=True, slots=True)
class HandHelp:
    """Questions about a player's own hand by kind, each with the help level it needs."""

    questions: Mapping[str, Help]
    answer: Callable[[Any, int, Mapping[str, JSON]], dict[str, JSON]]


class Bots(Protocol):
    def __call__(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]:
        """Return a bot's move on the wire.

        `view` is `{"public": ..., "you": ..., "rules": ...}`, as the seat sees the table.
        """


@dataclass(frozen=True, slots=True)
class Records:
    """The record of a finished deal (docs/deal-record.md)."""

    # The game's part: `deck` before the shuffle, hands, and what else is needed to deal it again.
    deal: Callable[[DealStart], dict[str, JSON]]
    # What a step tells besides its events, from the events and the private views by seat: a drawn
    # card that only its player saw.
    step: Callable[
        [Sequence[Mapping[str, JSON]], Mapping[str, Mapping[str, JSON]]], dict[str, JSON]
    ]
    # The claims of a finished deal, judged again in their order: `seat`, `groups`, `question`, the
    # hand tool's `answer`, what the table `counted`, whether they `agree`.
    review: Callable[[Mapping[str, JSON]], list[dict[str, JSON]]]


@dataclass(frozen=True, slots=True)
class HandTool:
    """The questions of `manage.py hand`, and the answer to a line of JSON, as a line of JSON."""

    questions: tuple[str, ...]
    answer: Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided first deal by a rule set. With `seed`, the player on seat 0 wins it with ordinary
    care against one `waiting` bot; without it, the deal is drawn like any other."""

    preset: str
    seed: bytes | None = None


@dataclass(frozen=True, slots=True)
class Guide:
    """Pages beside a game's rules, by their addresses: functions that return what a page shows.

    They are called with a function that returns the service fee of an amount of chips. A value may
    be a `Text`.
    """

    pages: Mapping[str, Callable[[Callable[[int], int]], Mapping[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game, composed of its parts."""

    # The name in the database: at most 20 small letters.
    code: str
    title: Text
    # The default first.
    formats: tuple[Format, ...]
    rules: RuleBook[Any]
    money: Money
    core: Core
    stored: Stored[Any]
    wire: Wire[Any]
    # The field of an `arrange` move that holds what the player prepares.
    draft: str = "groups"
    view: View
    bots: Bots
    words: Words
    records: Records
    hand_help: HandHelp | None = None
    hand_tool: HandTool | None = None
    lesson: Lesson | None = None
    guide: Guide | None = None
    analysis: "DealAnalysis | None" = None
    puzzles: "DealPuzzles | None" = None
    fair_play: "FairPlay | None" = None

    def read_draft(self, rev: int, draft: object) -> Any:
        """Return the move that keeps what a player prepares. Raises `IllegalMove`.

        Nobody else is told of it, and it counts if the player does not answer. A newer `rev` wins.
        """
        return self.wire.read({"kind": "arrange", "rev": rev, self.draft: draft})
