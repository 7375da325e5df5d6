"""A game as the table layer sees it: a value composed of parts. An optional part that a game lacks is None.

`guard_game` wraps a game in a guard: whatever the game raises, its caller gets an exception that the caller can handle.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import signature
from random import Random
from typing import Any, NoReturn, ParamSpec, Protocol, TypeVar

from games.engine.base import (
    JSON,
    STRENGTHS,
    DealStart,
    Format,
    Help,
    IllegalMove,
    Instant,
    InvalidRules,
    RuleFact,
    Strength,
    Text,
)
from games.engine.core import Core
from games.engine.guide import Guide
from games.engine.moves import Wire
from games.engine.rules import RuleBook
from games.engine.state import Stored


@dataclass(frozen=True, slots=True)
class View:
    """The views of a state, as JSON.

    `public` returns what everybody may see: the field `game` of a table's state. It always has the same keys, with null
    for a value that does not apply now; the table layer sends only the keys that change. Cards are strings (`7H.0`,
    docs/protocol.md), and so are seats that are used as keys. Times are milliseconds since 1970, names of durations end
    in `_ms`, and points are whole numbers. Every game has `deal`, `phase`, `order` (seats of this deal), `turn` (a seat
    or null), `due_at`, `deadline`, `players` by seat, and `result`. The public view must not contain a hidden card.

    `private` is for one seat and is merged into `you`. It always has the same keys, among them `hand`.
    `nothing_private` is the private view of a seat that is in no match.
    """

    public: Callable[[Any], dict[str, JSON]]
    private: Callable[[Any, int], dict[str, JSON]]
    nothing_private: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Words:
    """A game's texts: those of its table page by key, and the facts of its rules pages in order.

    The keys of its coach's texts begin with `coach_`.
    """

    texts: Mapping[str, Text] = field(default_factory=dict)
    rule_facts: Sequence[RuleFact] = ()


def _refuse_events(rules: Any, *, deals: int, qualifiers: int) -> NoReturn:
    raise InvalidRules("These rules are not for tournaments.")


def _refuse_stakes(rules: Any, *, point_chips: int, stacks: Sequence[int]) -> NoReturn:
    raise InvalidRules("A point is no tournament chip in this game.")


@dataclass(frozen=True, slots=True)
class Money:
    """The meaning of a rule set for stakes (R7.1) and tournaments (R10.4)."""

    # The code of a rule set's format, and a table's title, such as "Pool 101".
    get_format_code: Callable[[Any], str]
    format_title: Callable[[Any], Text]
    # The most points that a deal can cost: a seat must cover them times the point value.
    largest_loss: Callable[[Any], int]
    # Returns the rules of a tournament table of `deals` from which `qualifiers` advance. Raises
    # `InvalidRules` if the format is not for tournaments.
    adapt_to_event: Callable[..., Any] = _refuse_events
    # The score with which everybody begins such a table (`Result.scores`).
    event_start: Callable[[Any], int] = lambda _rules: 0
    # The lowest score that eliminates a player, if matches end by elimination. Tournament tables end when
    # no more players remain than advance, and `Result.points` rank them (R10.13).
    find_exit_score: Callable[[Any], int | None] = lambda _rules: None
    # Returns rules of `adapt_to_event` in which a point moves `point_chips` and each seat begins with its
    # stack (R10.11). Raises `InvalidRules` if points cannot be chips.
    adapt_to_stakes: Callable[..., Any] = _refuse_stakes
    # Returns the rules of a table without stakes, where no prize can be split.
    adapt_to_no_stake: Callable[[Any], Any] = lambda rules: rules


@dataclass(frozen=True, slots=True)
class HandHelp:
    """The questions that a player may ask about their own hand, by kind, each with the help level that it needs."""

    questions: Mapping[str, Help]
    answer: Callable[[Any, int, Mapping[str, JSON]], dict[str, JSON]]


class Bots(Protocol):
    def __call__(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]:
        """Return a bot's move in the form that is sent over the wire.

        `view` is `{"public": ..., "you": ..., "rules": ...}`, as the seat sees the table.
        """


@dataclass(frozen=True, slots=True)
class Records:
    """The record of a finished deal (docs/deal-record.md)."""

    # The game's part: `deck` before the shuffle, hands, and everything else needed to repeat the deal.
    deal: Callable[[DealStart], dict[str, JSON]]
    # Adds to a step what its events leave out, from the events and the private views by seat: a drawn card
    # that only its player saw.
    step: Callable[
        [Sequence[Mapping[str, JSON]], Mapping[str, Mapping[str, JSON]]], dict[str, JSON]
    ]
    # Judges the claims of a finished deal again, in order: `seat`, `groups`, `question`, the hand tool's
    # `answer`, what the table `counted`, whether they `agree`.
    review: Callable[[Mapping[str, JSON]], list[dict[str, JSON]]]


@dataclass(frozen=True, slots=True)
class HandTool:
    """A game's part of `manage.py hand`: its questions, and a function that answers a line of JSON with another."""

    questions: tuple[str, ...]
    answer: Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided first deal with a rule set of its own.

    With `seed`, the player on seat 0 wins the deal with ordinary care against one bot of the strength `waiting`.
    Without it, the cards are random, as in any other deal.
    """

    preset: str
    seed: bytes | None = None


class DealAnalysis(Protocol):
    """Judges the decisions of a player in a finished deal (docs/analysis.md)."""

    @property
    def version(self) -> int:
        """The version of the analysis. A game raises it when the same deal would be judged differently."""

    @property
    def kinds(self) -> Mapping[str, Text]:
        """The kinds of decisions. The keys are their names in `decisions`, the values their headings on the page."""

    @property
    def about(self) -> Text:
        """An explanation of how decisions are judged, for the player who may request the analysis."""

    def write_card(self, card: str) -> str:
        """Write a card of `hand` or `open` as people read it: "9♦"."""

    def analyse(
        self,
        record: Mapping[str, Any],
        seat: int,
        *,
        rng: Random,
        progress: Callable[[int, int], None],
        part: float = 1,
    ) -> dict[str, JSON] | None:
        """Judge each decision of a seat by what its player could know at the time, never by later cards.

        `record` is a whole record (docs/deal-record.md). `progress` is called with the work done and the total work.
        `part` is the fraction of the usual effort; a smaller one makes a rougher analysis. Returns None if the deal was
        broken off or the seat was not in it.

        Otherwise, in net points of the deal: `result`, `luck` (`deal`, `draws`, `others`), `adjusted` (result less
        luck), `turns` (their number), `notes` (on the whole deal), and `decisions` in their order. Each decision has
        `step` (its number in the record), `own_turn` (the number of the seat's turn, from 1), `kind`, `loss`, `error`
        (standard error), `hand`, `open` (the card on the open pile or null), `options` (`text`, `card`), the indexes of
        the `chosen` and the `best` option (null without options), and `reasons`. A text is a `message`, marked for
        translation, and `values`.
        """


class BadAnswer(ValueError):  # noqa: N818 - an expected refusal
    """A text that is not an answer to this puzzle."""


@dataclass(frozen=True, slots=True)
class PuzzleKind:
    """A kind of puzzle in words: its heading and its question.

    If the player chooses one of a few answers, `answers` has, for each answer, the text of its button and a sentence
    that says that this answer is better. Otherwise the player answers with cards.
    """

    title: Text
    asks: Text
    answers: Mapping[str, tuple[Text, Text]] = field(default_factory=dict)


class DealPuzzles(Protocol):
    """Finds puzzles and judges their answers (docs/puzzles.md).

    A puzzle consists of a `task`, which may be shown to players, and its `solution`, both JSON.
    """

    @property
    def kinds(self) -> Mapping[str, PuzzleKind]:
        """The kinds of puzzles. The keys are their codes, of at most 10 letters."""

    def find(
        self, record: Mapping[str, Any], kind: str, *, rng: Random
    ) -> dict[str, dict[str, Any]] | None:
        """Return a puzzle of this kind from the whole record of a finished deal, or None if the deal has none.

        The puzzle is `{"task": ..., "solution": ...}`. It contains no names or numbers from the record, and its suits
        are exchanged. The search takes seconds. The solution follows from what the seat could know at the time, never
        from the cards that came later. docs/puzzles.md says what both parts may contain.
        """

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        """Return whether an answer is `right`, and its `loss` against the best answer in points of the deal.

        The game decides what an answer looks like. Raises `BadAnswer`.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSums:
    """How much one seat, the giver, helped another, the taker, over all deals of a match, in points.

    `feeding`: how much more useful the giver's discards were to the taker, as the next player, than to the other
    opponents. The usefulness of a discard is measured against that of the giver's alternatives. `feeding_others`: the
    same figure with each other opponent in the taker's place. Together with `feeding` these figures add up to zero.
    `withheld`: how much less useful than usual, measured in the same way, the giver's discards were to the other
    opponents when one of them was the next player.
    """

    feeding: float = 0.0
    feeding_others: tuple[float, ...] = ()
    withheld: float = 0.0
    # Points that the giver's decisions gave away while the taker was in the deal, and their number.
    loss: float = 0.0
    decisions: int = 0
    # Giver's discards that the taker might draw, those it drew, and the number expected.
    offered: int = 0
    picked: int = 0
    picks_due: float = 0.0
    # What the giver lost to the taker, and the amount expected from the hands dealt.
    paid: float = 0.0
    paid_due: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A discard to the next player, the taker, with cards as people read them.

    `usefulness`: how many points the card was worth to the taker's hand. `beyond`: by how many points it was more
    useful than usual, as `PairSums.feeding` counts them.
    """

    step: int  # in the record, from 0
    card: str
    giver_hand: tuple[str, ...]  # with the card
    taker_hand: tuple[str, ...]
    usefulness: int
    beyond: float
    was_taken: bool

    def json(self) -> dict[str, JSON]:
        return {
            "step": self.step,
            "card": self.card,
            "giver_hand": list(self.giver_hand),
            "taker_hand": list(self.taker_hand),
            "usefulness": self.usefulness,
            "beyond": self.beyond,
            "was_taken": self.was_taken,
        }


class FairPlay(Protocol):
    """Reads whole records of finished deals, in which all hands are known (docs/fair-play.md)."""

    @property
    def version(self) -> int:
        """The version of the sums.

        A game raises it when the same match would give other sums. Sums of different versions are never compared.
        """

    def compute_sums(self, records: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int], PairSums]:
        """Return the sums of one match, as a mapping from (giver, taker) to the sums of this pair.

        The mapping contains every pair of seats that were in a deal together.
        """

    def list_deliveries(self, record: Mapping[str, Any], giver: int, taker: int) -> list[Delivery]:
        """Return those of the giver's discards that the taker was able to draw, in the order of the deal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game, composed of its parts."""

    # The name in the database: at most 20 lower-case letters.
    code: str
    title: Text
    # The default first.
    formats: tuple[Format, ...]
    rules: RuleBook[Any]
    money: Money
    core: Core[Any, Any, Any, Any]
    stored: Stored[Any]
    wire: Wire[Any]
    # The field of an `arrange` move that holds what the player prepares.
    draft: str = "groups"
    view: View
    bots: Bots
    # Whether `expert` plays better than `hard`. If not, it is not offered, and equals `hard`.
    has_expert: bool = True
    words: Words
    records: Records
    hand_help: HandHelp | None = None
    hand_tool: HandTool | None = None
    lesson: Lesson | None = None
    guide: Guide | None = None
    analysis: DealAnalysis | None = None
    puzzles: DealPuzzles | None = None
    fair_play: FairPlay | None = None

    @property
    def strengths(self) -> tuple[Strength, ...]:
        """The bot strengths that the game offers, weakest first."""
        return STRENGTHS if self.has_expert else STRENGTHS[:-1]

    def read_draft(self, rev: int, draft: object) -> Any:
        """Return the move that saves a player's draft. Raises `IllegalMove`.

        Only the player sees the draft. The game uses it if the player does not answer in time. A newer `rev` replaces
        an older one.
        """
        return self.wire.read({"kind": "arrange", "rev": rev, self.draft: draft})


@dataclass(frozen=True, slots=True)
class Overtime:
    """Overtime (R10.4b), which a table applies to its game after each step: shorter turns and an earlier end.

    From `begins_at` on a turn lasts `turn_ms`. From `count_at` on no turn of a deal begins; the deal is counted
    instead.
    """

    begins_at: Instant
    turn_ms: int
    count_at: Instant

    def compute_due_by(self, now: Instant) -> Instant:
        """Return the latest time at which a turn or a break that is running now may end."""
        return max(now, self.begins_at) + self.turn_ms

    def hasten(self, game: Game, state: Any, *, now: Instant) -> Any:
        """Return the state with its clocks shortened, or the same object if nothing has to be shortened."""
        return game.core.hasten(state, due_by=self.compute_due_by(now), count_by=self.count_at)


# --- The guard.

P = ParamSpec("P")
T = TypeVar("T")


class GameFault(Exception):  # noqa: N818 - what it is called in the administration
    """A game raised an unexpected exception: a bug in its code, not a refused move."""


def guard_game(game: Game) -> Game:
    """Return the game behind a guard: a call returns, refuses a move, or raises `GameFault`.

    To the table layer, a game is somebody else's code. It may raise an exception that a future cannot carry out of a
    thread (StopIteration) or that ends an event loop (SystemExit). A `GameFault` puts one table out of order
    (tables/play/faults.py). A call with arguments that the method does not take raises `TypeError`, as it does without
    the guard. Guarded methods keep their signatures and docstrings.

    Calls have no timeout, because a slow host must not break a table. Solvers and bots limit their work by counting
    their steps, and the clock gives up on a table whose call does not return (tables/live/clock.py).
    """
    parts: dict[str, Any] = {
        name: _Guarded(part, f"{game.code}.{name}")
        for name in _PARTS
        if (part := getattr(game, name)) is not None
    }
    return replace(game, bots=_guard(game.bots, f"{game.code}.bots"), **parts)


_PARTS = (
    *("rules", "money", "core", "stored", "wire", "view", "records"),
    *("hand_help", "hand_tool"),
)


class _Guarded:
    """A part of a game. Its public methods are guarded; its other values are passed through."""

    def __init__(self, part: object, name: str) -> None:
        self.__doc__ = part.__doc__
        for call in (call for call in dir(part) if not call.startswith("_")):
            value = getattr(part, call)
            setattr(self, call, _guard(value, f"{name}.{call}") if callable(value) else value)


def _guard(method: Callable[P, T], name: str) -> Callable[P, T]:
    @wraps(method, updated=())
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except (IllegalMove, InvalidRules, KeyboardInterrupt):
            raise
        except BaseException as error:
            if isinstance(error, TypeError) and not _takes(method, *args, **kwargs):
                raise
            raise GameFault(f"{name}: {type(error).__name__}: {error}") from error

    return call


def _takes(method: Callable[..., Any], *args: object, **kwargs: object) -> bool:
    """Return whether the method takes these arguments. If it does not, the mistake is the caller's."""
    try:
        signature(method).bind(*args, **kwargs)
    except TypeError:
        return False
    except ValueError:  # a C function without a signature
        return True
    return True
