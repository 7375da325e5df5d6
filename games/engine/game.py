"""A game as the table layer sees it: a value composed of parts, None where a part is absent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from games.engine.base import JSON, DealStart, Format, Help, RuleFact, Strength, Text
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
    """The views of a state: public, private to a seat, and private to a seat outside the match."""

    public: Callable[[Any], dict[str, JSON]]
    private: Callable[[Any, int], dict[str, JSON]]
    nothing_private: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Words:
    """A game's texts: those of the table page by key, and the facts on its rules page."""

    texts: Mapping[str, Text] = field(default_factory=dict)
    rule_facts: Sequence[RuleFact] = ()


@dataclass(frozen=True, slots=True)
class Money:
    """The meaning of a rule set for stakes (R7.1) and tournaments (R10.4)."""

    format_of: Callable[[Any], str]
    title_of: Callable[[Any], Text]
    largest_loss: Callable[[Any], int]
    for_event: Callable[..., Any] | None = None
    event_start: Callable[[Any], int] | None = None
    at_stake: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True)
class HandHelp:
    """Questions about a player's own hand by kind, each with the help level it needs."""

    questions: Mapping[str, Help]
    answer: Callable[[Any, int, Mapping[str, JSON]], dict[str, JSON]]


class Bots(Protocol):
    def __call__(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]: ...


@dataclass(frozen=True, slots=True)
class Records:
    """The record of a finished deal, and the review of the claims made in it."""

    deal: Callable[[DealStart], dict[str, JSON]]
    step: Callable[
        [Sequence[Mapping[str, JSON]], Mapping[str, Mapping[str, JSON]]], dict[str, JSON]
    ]
    review: Callable[[Mapping[str, JSON]], list[dict[str, JSON]]]
    # `manage.py hand`.
    questions: tuple[str, ...] = ()
    answer: Callable[[str, str], str] | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided first deal. With `seed`, an attentive player wins it."""

    preset: str
    seed: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game, composed of its parts."""

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
    lesson: Lesson | None = None
    analysis: "DealAnalysis | None" = None
    puzzles: "DealPuzzles | None" = None
    fair_play: "FairPlay | None" = None
