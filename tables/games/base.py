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
    points: Mapping[int, int]
    ranks: Mapping[int, int]
    chips: Mapping[int, int]
    # How the winners share a prize; what cannot be divided goes one unit each in this order.
    parts: Mapping[int, int]
    # Order of play for the next match here, if nobody joins in between (R4.1).
    next_order: tuple[int, ...]


class Game(Protocol[StateT, RulesT, MoveT]):
    @property
    def code(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def seats(self) -> range:
        """How many may play."""

    def start(
        self, *, rules: RulesT, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[StateT, tuple[Event, ...]]:
        """Begin a match; `seats` are in order of play unless cards are tossed for it."""

    def acting(self, state: StateT) -> tuple[int, ...]:
        """The seats that may act now; the game waits for them."""

    def members(self, state: StateT) -> tuple[int, ...]:
        """Everybody who plays or has played in this match."""

    def fees_charged(self, state: StateT) -> Mapping[int, int]:
        """How often each member has paid the entry fee so far."""

    def legal(self, state: StateT, seat: int) -> tuple[MoveT, ...]:
        """Every move of this seat; a move with free groups is listed once, as a template."""

    def play(
        self, state: StateT, seat: int, move: MoveT, *, now: Instant, seed: bytes
    ) -> tuple[StateT, tuple[Event, ...]]:
        """Raise `IllegalMove` if the rules refuse it. `seed` is used if a new deal begins."""

    def deadline(self, state: StateT) -> Instant | None:
        """When something happens by itself."""

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

    def public_view(self, state: StateT) -> dict[str, JSON]: ...

    def private_view(self, state: StateT, seat: int) -> dict[str, JSON]:
        """What only this seat may know."""

    def best_arrangement(self, state: StateT, seat: int, *, rev: int) -> MoveT:
        """The move that lays this seat's cards out at their best; `IllegalMove` if it has none."""

    def verdict(self, state: StateT, seat: int, groups: object) -> dict[str, JSON]:
        """How these groups would be judged if this seat declared them: `valid`, `kinds`, `reason`,
        `failed_group` and the `points` that they would cost. Raises `IllegalMove`."""

    def result(self, state: StateT) -> Result | None: ...

    def dump(self, state: StateT) -> bytes: ...

    def load(self, data: bytes) -> StateT: ...

    def parse_move(self, data: object) -> MoveT:
        """Read a move from the wire, or raise `IllegalMove("malformed_move")`."""

    def move_json(self, move: MoveT) -> dict[str, JSON]: ...

    def parse_rules(self, data: object) -> RulesT:
        """Raise `InvalidRules`."""

    def rules_json(self, rules: RulesT) -> dict[str, JSON]: ...

    def presets(self) -> tuple[str, ...]:
        """The names of the rule sets that come with the game."""

    def preset(self, name: str) -> RulesT:
        """A rule set by its name; raise `InvalidRules` if there is none."""

    def family(self, rules: RulesT) -> Family:
        """What the match is about."""

    def divide(self, result: Result, amount: int) -> Mapping[int, int]:
        """Each winner's share of the prize in whole units, to the last one."""

    def largest_loss(self, rules: RulesT) -> int:
        """The most points that one deal can cost a player: what a seat has to cover (R7.1)."""

    def choose(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]:
        """A bot's move on the wire, from `{"public": ..., "you": ..., "rules": ...}` alone."""
