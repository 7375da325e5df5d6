"""What every card game offers to the table that it is played at.

A game is pure: a state, a move, the time and a seed go in, a new state and the public events come
out. It knows nothing of players' names, money, sockets or the database.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol, TypeAlias, TypeVar

# Milliseconds since the Unix epoch.
Instant: TypeAlias = int

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"

# How well a practice bot plays.
Strength: TypeAlias = Literal["easy", "medium", "hard"]

# Points for money, an entry fee until one is left, an entry fee for a number of deals.
Family: TypeAlias = Literal["POINTS", "POOL", "DEALS"]

StateT = TypeVar("StateT")
RulesT = TypeVar("RulesT")
MoveT = TypeVar("MoveT")


@dataclass(frozen=True, slots=True)
class Event:
    """A public fact: everybody at the table may know it."""

    kind: str
    data: Mapping[str, JSON]

    def json(self) -> dict[str, JSON]:
        return {"kind": self.kind, **self.data}


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
    # Points that each member has lost, in points rummy of the one deal; not money.
    points: Mapping[int, int]
    # From 1; equals share a rank.
    ranks: Mapping[int, int]
    # The game's own chips at the end, not money; empty where it counts none.
    chips: Mapping[int, int]
    # How the winners share a prize; what cannot be divided goes one unit each in this order.
    parts: Mapping[int, int]
    # Order of play for the next match here, if nobody joins in between (R4.1).
    next_order: tuple[int, ...]


class Game(Protocol[StateT, RulesT, MoveT]):
    """What a table asks of its game. States are values: nothing is changed in place.

    Seats are numbers from 0. Times are milliseconds since 1970 (`Instant`). A `seed` is 32 bytes.
    Keys of what is returned as JSON are texts, seats among them.
    """

    @property
    def code(self) -> str:
        """The name in the database, such as `indian`."""

    @property
    def title(self) -> str:
        """The name for people, in English."""

    @property
    def seats(self) -> range:
        """How many may play at one table."""

    def start(
        self, *, rules: RulesT, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[StateT, tuple[Event, ...]]:
        """Begin a match; `seats` are in order of play unless cards are tossed for it."""

    def acting(self, state: StateT) -> tuple[int, ...]:
        """The seats that may act now; the game waits for them."""

    def members(self, state: StateT) -> tuple[int, ...]:
        """The seats that play or have played in this match, also those that left it."""

    def fees_charged(self, state: StateT) -> Mapping[int, int]:
        """By seat, how often this member has paid the entry fee so far: 1 and each rejoin."""

    def legal(self, state: StateT, seat: int) -> tuple[MoveT, ...]:
        """Every move of this seat; a move with free groups is listed once, as a template."""

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

    def propose(self, state: StateT, *, now: Instant) -> tuple[StateT, tuple[Event, ...]] | None:
        """Ask what the table may ask by itself between two deals; None if there is nothing."""

    def conclude(self, state: StateT) -> tuple[StateT, tuple[Event, ...]] | None:
        """End the match as everybody stands, if it waits for its next deal; otherwise None."""

    def postpone(self, state: StateT, *, by_ms: int) -> StateT:
        """Move all running deadlines back, after an outage."""

    def deals(self, state: StateT) -> int:
        """Deals dealt so far; it rises when a `seed` was used."""

    def public_view(self, state: StateT) -> dict[str, JSON]:
        """What everybody at the table and every watcher may know: `game` of a table's state.

        Always the same keys; a value that does not hold now is null. The table layer compares the
        views before and after a move key by key and sends what differs, so a value must be JSON.
        Cards are texts (`7H.0`, docs/protocol.md), seats as keys are texts (`"0"`), times are
        milliseconds since 1970, durations end in `_ms`, points are whole numbers. Indian rummy has
        `deal`, `phase`, `turn`, `players` by seat, `open_pile`, `result`, `match` and the others
        of docs/protocol.md, The game's view. No hidden card may be in it.
        """

    def private_view(self, state: StateT, seat: int) -> dict[str, JSON]:
        """What only this seat may know, merged into `you` of its state.

        Always the same keys, also for a seat that does not play this deal. Indian rummy: `hand`
        (texts of cards), `groups` (lists of them), `rev` (number of the arrangement), `drawn` (a
        card or null), `from_open` (whether the drawn card was the top of the open pile).
        """

    def best_arrangement(self, state: StateT, seat: int, *, rev: int) -> MoveT:
        """The move that lays this seat's cards out at their least count, as revision `rev`.

        Raises `IllegalMove` if the seat holds no cards.
        """

    def verdict(self, state: StateT, seat: int, groups: object) -> dict[str, JSON]:
        """How these groups would be judged if this seat declared them: `valid`, `kinds`, `reason`,
        `failed_group` and the `points` that they would cost. Raises `IllegalMove`."""

    def result(self, state: StateT) -> Result | None:
        """How the match ended; None while it is played."""

    def dump(self, state: StateT) -> bytes:
        """The state for the database, with a version of its form; the same state, the same bytes."""

    def load(self, data: bytes) -> StateT:
        """The state that `dump` has written, also by an earlier version of the game."""

    def parse_move(self, data: object) -> MoveT:
        """Read a move from the wire, or raise `IllegalMove("malformed_move")`."""

    def move_json(self, move: MoveT) -> dict[str, JSON]:
        """The move as it goes over the wire and into the record: `kind` and the move's fields."""

    def parse_rules(self, data: object) -> RulesT:
        """Read a rule set that `rules_json` has written, or raise `InvalidRules`."""

    def rules_json(self, rules: RulesT) -> dict[str, JSON]:
        """The rule set by the names of its settings; durations are seconds (`turn_seconds`)."""

    def presets(self) -> tuple[str, ...]:
        """The names of the rule sets that come with the game."""

    def preset(self, name: str) -> RulesT:
        """A rule set by its name; raise `InvalidRules` if there is none."""

    def family(self, rules: RulesT) -> Family:
        """What the match is about, and so how money works: per point, or for an entry fee."""

    def divide(self, result: Result, amount: int) -> Mapping[int, int]:
        """By seat, each winner's share of `amount` (whole units of money); they sum to it exactly."""

    def largest_loss(self, rules: RulesT) -> int:
        """The most points that one deal can cost a player: a seat covers them times the point value (R7.1)."""

    def choose(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]:
        """A bot's move on the wire, from `{"public": ..., "you": ..., "rules": ...}` alone."""
