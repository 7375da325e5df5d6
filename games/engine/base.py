"""What every card game offers to the table that it is played at.

A game is pure: a state, a move, the time and a seed go in, a new state and the public events come
out. It knows nothing of players' names, money, sockets or the database. `games/defaults.py`
has answers for what a game does without.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from games.engine.analysis import DealAnalysis
    from games.engine.core import Status
    from games.engine.fair_play import FairPlay
    from games.engine.puzzles import DealPuzzles

# Milliseconds since the Unix epoch.
Instant: TypeAlias = int

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"

# How well a practice bot plays.
# `waiting` is for a chosen first deal alone: the bot plays on and never ends the deal.
Strength: TypeAlias = Literal["easy", "medium", "hard", "expert", "waiting"]
# Those that are chosen and compared, from the weakest on.
# A game whose bots know no better plays `expert` as it plays `hard`.
STRENGTHS: Final[tuple[Strength, ...]] = ("easy", "medium", "hard", "expert")

# How money works: losers pay their points, or everybody an entry fee into a pot.
Stake: TypeAlias = Literal["per_point", "entry_fee"]

# Help that a table may offer: with one's own hand, and on how one's own claim would be judged.
Help: TypeAlias = Literal["arrangement", "verdict"]

StateT = TypeVar("StateT")
RulesT = TypeVar("RulesT")
MoveT = TypeVar("MoveT")

# Kinds of events that history, records and replays look for, the same in every game.
# A deal begins with this one, after a toss if there is one.
DEAL_BEGINS: Final = "dealt"
# It ends with this one: {"winners": [seat], "points": {seat: points lost}}.
DEAL_ENDS: Final = "deal_over"
# Nothing that anybody did: until when something may be done, in `due_at`.
TIMES: Final = frozenset({"turn", "deal_due"})


@dataclass(frozen=True, slots=True)
class Event:
    """A public fact: everybody at the table may know it."""

    kind: str
    data: Mapping[str, JSON]

    def json(self) -> dict[str, JSON]:
        return {"kind": self.kind, **self.data}


@dataclass(frozen=True, slots=True)
class Text:
    """English for people, marked for translation: `games/engine/wording.py`. The table layer
    translates `message` (in its `context`, if there is one) and fills in `values` by name."""

    message: str
    values: Mapping[str, JSON] = field(default_factory=dict)
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to play a game. Ratings, fees and leaderboards are kept by (game, format).

    `code`: at most ten capital letters. `presets`: the rule sets that the help pages tell of, the
    usual one first. `seats`: how many may play at one table.
    """

    code: str
    title: Text
    stake: Stake
    seats: range
    presets: tuple[str, ...]
    # Whether a tournament's tables may play it: then `for_event` makes its rules.
    is_for_events: bool = False


@dataclass(frozen=True, slots=True)
class RuleFact:
    """A line of the rules pages: a field of the rule set and its label.

    A number is shown as it is and a flag as yes or no; `words` has texts for other values. A fact
    that `needs` another field is left out where that field is empty.
    """

    label: Text
    name: str
    words: Mapping[JSON, Text] = field(default_factory=dict)
    needs: str | None = None


class IllegalMove(Exception):  # noqa: N818 - the players' word for it
    """The rules refuse this move; nothing has changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class InvalidRules(ValueError):  # noqa: N818 - says what it is
    """A rule set that no game can be played by."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, enough to settle it; the keys are seats."""

    winners: tuple[int, ...]
    # Points that each member has lost; not money. Where the stake is per point, those who have not
    # won pay theirs to the winners, who share alike.
    points: Mapping[int, int]
    # From 1; equals share a rank.
    ranks: Mapping[int, int]
    # What a tournament counts from table to table, more is better; empty where there is no such.
    scores: Mapping[int, int]
    # How the winners share a pot; what cannot be divided goes one unit each in this order.
    shares: Mapping[int, int]
    # Order of play for the next match here, if nobody joins in between (R4.1).
    next_order: tuple[int, ...]
    # What else the page of the match tells, by names of the game's own.
    facts: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DealStart:
    """The dealing of a deal as it was stored: its events, what each seat was shown of its own (by
    seat as text), and the seats that cards were tossed for, if they were."""

    events: Sequence[Mapping[str, JSON]]
    private: Mapping[str, Mapping[str, JSON]]
    tossed: Sequence[int] | None


class Game(Protocol[StateT, RulesT, MoveT]):
    """What a table asks of its game. States are values: nothing is changed in place.

    Seats are numbers from 0. Times are milliseconds since 1970 (`Instant`). A `seed` is 32 bytes.
    Keys of what is returned as JSON are texts, seats among them.
    """

    @property
    def code(self) -> str:
        """The name in the database, such as `indian`: at most 20 small letters."""

    @property
    def title(self) -> Text:
        """The name for people."""

    @property
    def formats(self) -> tuple[Format, ...]:
        """What it can be played as, the usual one first."""

    # --- A match.

    def start(
        self, *, rules: RulesT, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[StateT, tuple[Event, ...]]:
        """Begin a match; `seats` are in order of play unless cards are tossed for it."""

    def status(self, state: StateT) -> "Status":
        """Return what the table layer needs to know of this state, asked once."""

    def acting(self, state: StateT) -> tuple[int, ...]:
        """The seats that may act now; the game waits for them."""

    def members(self, state: StateT) -> tuple[int, ...]:
        """The seats that play or have played in this match, also those that left it."""

    def fees_charged(self, state: StateT) -> Mapping[int, int]:
        """By seat, how often this member has paid the entry fee so far: 1 and each rejoin."""

    def legal(self, state: StateT, seat: int) -> tuple[MoveT, ...]:
        """Every move of this seat; a move with free groups is listed once, as a template."""

    @property
    def open_moves(self) -> frozenset[str]:
        """Kinds of moves whose entry in `legal_view` says nothing that is not public: it depends on
        what lies on the table and whose turn it is, never on a hand."""

    @property
    def anytime_moves(self) -> frozenset[str]:
        """Kinds of moves that mean the same in whichever turn they arrive: a turn that ended while
        one was on its way does not make it stale."""

    def legal_view(self, state: StateT, seat: int) -> list[dict[str, JSON]]:
        """The same for this seat's browser, which decides nothing itself: one entry for each kind
        of move, `{"kind": ..., field: [values that are allowed], ...}`. A field that the player
        fills in freely is null. `points`, where it is there, is what the move costs."""

    def play(
        self, state: StateT, seat: int, move: MoveT, *, now: Instant, seed: bytes
    ) -> tuple[StateT, tuple[Event, ...]]:
        """Play a move that `parse_move` has read; returns the new state and what everybody may know.

        Raises `IllegalMove` if the rules refuse it. `seed` is used if a new deal begins.
        """

    def deadline(self, state: StateT) -> Instant | None:
        """When something happens by itself; None when nothing does."""

    def expire(
        self, state: StateT, *, now: Instant, seed: bytes
    ) -> tuple[StateT, tuple[Event, ...]]:
        """Do what the passed deadline does; before it, nothing."""

    def postpone(self, state: StateT, *, by_ms: int) -> StateT:
        """Move all running deadlines back, after an outage."""

    def hasten(self, state: StateT, *, due_by: Instant, count_by: Instant | None) -> StateT:
        """R10.4b: a turn or a break that runs ends at `due_by` at the latest, extra time included; no
        turn of the running deal begins from `count_by` on: it ends as by its own limit of minutes."""

    def deals(self, state: StateT) -> int:
        """Deals dealt so far; it rises when a `seed` was used."""

    def result(self, state: StateT) -> Result | None:
        """How the match ended; None while it is played."""

    # --- What a table does by itself.

    @property
    def leaving(self) -> MoveT:
        """The move of whoever leaves the match."""

    def deferrable(self, state: StateT, seat: int) -> tuple[MoveT, ...]:
        """Moves that this seat may ask for beforehand: the table plays one as soon as it is legal,
        and forgets it with the deal or the seat's next own move."""

    def propose(self, state: StateT, *, now: Instant) -> tuple[StateT, tuple[Event, ...]] | None:
        """Ask what the table may ask by itself between two deals; None if there is nothing."""

    def conclude(self, state: StateT) -> tuple[StateT, tuple[Event, ...]] | None:
        """End the match as everybody stands, if it waits for its next deal; otherwise None."""

    def shares_offered(self, state: StateT) -> Mapping[int, int] | None:
        """How the pot would be shared by who may agree on it now, as in `Result.shares`."""

    # --- What is seen.

    def public_view(self, state: StateT) -> dict[str, JSON]:
        """What everybody at the table and every watcher may know: `game` of a table's state.

        Always the same keys; a value that does not hold now is null. The table layer compares the
        views before and after a move key by key and sends what differs, so a value must be JSON.
        Cards are texts (`7H.0`, docs/protocol.md), seats as keys are texts (`"0"`), times are
        milliseconds since 1970, durations end in `_ms`, points are whole numbers. Every game has
        `deal`, `phase`, `order` (seats of this deal), `turn` (a seat or null), `due_at`,
        `deadline`, `players` by seat and `result`. No hidden card may be in it.
        """

    def private_view(self, state: StateT, seat: int) -> dict[str, JSON]:
        """What only this seat may know, merged into `you` of its state.

        Always the same keys, also for a seat that does not play this deal; every game has `hand`.
        """

    def nothing_private(self) -> dict[str, JSON]:
        """The private view of somebody who is in no match."""

    # --- Help with one's own hand.

    def draft(self, rev: int, draft: object) -> MoveT:
        """The move that keeps what a player prepares (groups of a hand): nobody else is told, and
        it counts if they do not answer. A newer `rev` wins. Raises `IllegalMove`."""

    @property
    def questions(self) -> Mapping[str, Help]:
        """The kinds of questions that a player may ask, and the help that a table must offer."""

    def answer(self, state: StateT, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
        """Answer `{"kind": one of questions, ...}` of this seat. Raises `IllegalMove`."""

    # --- Storage and the wire.

    def dump(self, state: StateT) -> bytes:
        """The state for the database, with a version of its form; the same state, the same bytes."""

    def load(self, data: bytes) -> StateT:
        """The state that `dump` has written, also by an earlier version of the game."""

    def parse_move(self, data: object) -> MoveT:
        """Read a move from the wire, or raise `IllegalMove("malformed_move")`."""

    def move_json(self, move: MoveT) -> dict[str, JSON]:
        """The move as it goes over the wire and into the record: `kind` and the move's fields."""

    # --- Rules.

    def parse_rules(self, data: object) -> RulesT:
        """Read a rule set that `rules_json` has written, or raise `InvalidRules`."""

    def rules_json(self, rules: RulesT) -> dict[str, JSON]:
        """The rule set by the names of its settings; durations are seconds (`turn_seconds`)."""

    def presets(self) -> tuple[str, ...]:
        """The names of the rule sets that come with the game."""

    def preset(self, name: str) -> RulesT:
        """A rule set by its name; raise `InvalidRules` if there is none."""

    def lesson_preset(self) -> str | None:
        """The rule set of a guided first deal; None if there is none."""

    def lesson_seed(self) -> bytes | None:
        """The seed of a first deal by that rule set that the player in seat 0 wins against one
        `waiting` bot with ordinary care; None: the deal is drawn as any other."""

    def format_of(self, rules: RulesT) -> str:
        """The code of the format that these rules belong to."""

    def title_of(self, rules: RulesT) -> Text:
        """What a table by these rules is called: "Pool 101"."""

    def largest_loss(self, rules: RulesT) -> int:
        """The most points that one deal can cost a player: a seat covers them times the point value (R7.1)."""

    def for_event(self, rules: RulesT, *, deals: int, qualifiers: int) -> RulesT:
        """The rules of a tournament's table from which so many go on (R10.4).

        Raises `InvalidRules` where the format is not for events.
        """

    def at_stake(self, rules: RulesT, *, point_chips: int, stacks: Sequence[int]) -> RulesT:
        """Rules of `for_event` by which a point moves so many chips, and each seat, from 0 on,
        begins with its stack (R10.11). Raises `InvalidRules` where a point is no chip."""

    def event_start(self, rules: RulesT) -> int:
        """The score that everybody begins a tournament's table with (`Result.scores`)."""

    # --- Texts, records, tools.

    @property
    def texts(self) -> Mapping[str, Text]:
        """The words of the game's part of the table page, by the keys that its modules ask for; those
        that begin with `coach_` are for whoever learns."""

    @property
    def rule_facts(self) -> Sequence[RuleFact]:
        """The numbers of a rule set that the help pages show, in their order."""

    def deal_record(self, start: DealStart) -> dict[str, JSON]:
        """The game's part of a deal's record (docs/deal-record.md): `deck` before the shuffle,
        hands, and whatever else is needed to deal it again."""

    def step_record(
        self, events: Sequence[Mapping[str, JSON]], private: Mapping[str, Mapping[str, JSON]]
    ) -> dict[str, JSON]:
        """What a step's record tells besides its events: a drawn card that only its player saw."""

    def review(self, record: Mapping[str, JSON]) -> list[dict[str, JSON]]:
        """What the hand tool says of every claim of a finished deal, in their order: `seat`,
        `groups`, `question`, the tool's `answer`, what the table `counted`, whether they `agree`."""

    @property
    def hand_questions(self) -> tuple[str, ...]:
        """What `manage.py hand` can be asked about this game."""

    def hand_answer(self, question: str, line: str) -> str:
        """One line of JSON answered by one line of JSON, also if it makes no sense."""

    @property
    def analysis(self) -> "DealAnalysis | None":
        """What judges finished deals; None where nobody has written it. It may take seconds."""

    @property
    def puzzles(self) -> "DealPuzzles | None":
        """Tasks out of finished deals; None where nobody has written any."""

    @property
    def fair_play(self) -> "FairPlay | None":
        """What tells who played for whom; None where nobody has written it."""

    # --- Bots.

    def choose(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]:
        """A bot's move on the wire, from `{"public": ..., "you": ..., "rules": ...}` alone."""
