"""The achievements: the matches that count towards each, and its tiers.

Each entry has a pure function of one finished match for one player. A match counts at most once towards an
achievement. Matches for cash never count, nor does a match that a bot finished for the player. Codes are
stored: entries may be added or reworded, but a code must never be reused.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class MatchCompany(Enum):
    """The kind of a match, according to its players: only people, at least one bot, or a lesson."""

    PEOPLE = auto()
    BOTS = auto()  # at least one bot, or a practice table
    LESSON = auto()


@dataclass(frozen=True, slots=True)
class DealFacts:
    """The end of a deal. `how` is the game's own name for the way in which it ended, or empty."""

    winners: frozenset[int]
    points: Mapping[int, int]
    how: str = ""


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A finished match from the viewpoint of the player at `seat`."""

    game: str
    format: str
    seat: int
    players: int
    winners: frozenset[int]
    rank: int
    deals: Sequence[DealFacts]
    company: MatchCompany = MatchCompany.PEOPLE
    is_slow: bool = False
    is_of_event: bool = False

    @property
    def is_won(self) -> bool:
        return self.seat in self.winners

    @property
    def won_deals(self) -> list[DealFacts]:
        return [deal for deal in self.deals if self.seat in deal.winners]

    def wins_deal_by(self, *ways: str) -> bool:
        return any(deal.how in ways for deal in self.won_deals)


@dataclass(frozen=True, slots=True)
class Achievement:
    """An achievement. `tiers` are the numbers of matches that reach tier 1, tier 2 and so on."""

    code: str
    title: str | Promise
    text: str | Promise
    counts: Callable[[MatchFacts], bool]
    tiers: tuple[int, ...]
    company: MatchCompany = MatchCompany.PEOPLE
    # A game's code; empty for all games.
    game: str = ""

    def is_met(self, facts: MatchFacts) -> bool:
        """Return whether the match counts towards this achievement."""
        is_here = self.company == facts.company and self.game in ("", facts.game)
        return is_here and self.counts(facts)

    def tier_at(self, count: int) -> int:
        return sum(count >= least for least in self.tiers)

    def next_at(self, count: int) -> int | None:
        """Return the number of matches that reaches the next tier, or None after the last one."""
        return next((least for least in self.tiers if count < least), None)


_MANY_PLAYERS: Final = 5
_LONG: Final = 6
_SERIES: Final = 3
_LIGHT: Final = 10


def _always(_facts: MatchFacts) -> bool:
    return True


def _is_won(facts: MatchFacts) -> bool:
    return facts.is_won


def _wins_by(*ways: str) -> Callable[[MatchFacts], bool]:
    return lambda facts: facts.wins_deal_by(*ways)


def _wins_format(beginning: str) -> Callable[[MatchFacts], bool]:
    return lambda facts: facts.is_won and facts.format.startswith(beginning)


def _comes_back(facts: MatchFacts) -> bool:
    lost = [facts.seat not in deal.winners for deal in facts.deals[:2]]
    return facts.is_won and lost == [True, True]


def _loses_little(facts: MatchFacts) -> bool:
    return any(
        facts.seat not in deal.winners and 0 < deal.points.get(facts.seat, 0) <= _LIGHT
        for deal in facts.deals
    )


def _shuts_out(facts: MatchFacts) -> bool:
    scored = [deal for deal in facts.deals if deal.winners]
    return facts.is_won and len(scored) > 1 and len(scored) == len(facts.won_deals)


_ALL: Final = (
    Achievement(
        "matches",
        _("At home at the table"),
        _("Finish matches against other people."),
        _always,
        (1, 10, 100, 1_000),
    ),
    Achievement("wins", _("Winner"), _("Win matches."), _is_won, (1, 10, 100, 500)),
    Achievement(
        "duels",
        _("Face to face"),
        _("Win matches of two players."),
        lambda facts: facts.is_won and facts.players == 2,  # noqa: PLR2004
        (1, 25, 100),
    ),
    Achievement(
        "full_tables",
        _("Full house"),
        _("Win matches of five or more players."),
        lambda facts: facts.is_won and facts.players >= _MANY_PLAYERS,
        (1, 10, 50),
    ),
    Achievement(
        "shared_wins",
        _("Well shared"),
        _("Win matches jointly with another player."),
        lambda facts: facts.is_won and len(facts.winners) > 1,
        (1, 5, 25),
    ),
    Achievement(
        "seconds",
        _("Close behind"),
        _("Come second among three or more players."),
        lambda facts: facts.rank == 2 and facts.players >= _SERIES,  # noqa: PLR2004
        (1, 10, 100),
    ),
    Achievement(
        "slow_games",
        _("All the time in the world"),
        _("Finish slow games."),
        lambda facts: facts.is_slow,
        (1, 10, 50),
    ),
    Achievement(
        "event_matches",
        _("In the field"),
        _("Finish matches of tournaments."),
        lambda facts: facts.is_of_event,
        (1, 10, 100),
    ),
    Achievement(
        "event_wins",
        _("Tournament table"),
        _("Win matches of tournaments."),
        lambda facts: facts.is_of_event and facts.is_won,
        (1, 10, 50),
    ),
    Achievement(
        "long_matches",
        _("Long evening"),
        _("Finish matches of six or more deals."),
        lambda facts: len(facts.deals) >= _LONG,
        (1, 10, 50),
    ),
    Achievement(
        "clean_sheets",
        _("Clean sheet"),
        _("Win every deal of a match of three or more."),
        lambda facts: len(facts.deals) >= _SERIES and len(facts.won_deals) == len(facts.deals),
        (1, 5, 25),
    ),
    Achievement(
        "comebacks",
        _("Never give up"),
        _("Win matches after losing the first two deals."),
        _comes_back,
        (1, 5, 25),
    ),
    Achievement(
        "good_losers",
        _("Good sport"),
        _("Stay to the end of a match of three or more deals without winning one."),
        lambda facts: len(facts.deals) >= _SERIES and not facts.won_deals,
        (1, 5, 25),
    ),
    Achievement(
        "lessons",
        _("First steps"),
        _("Finish coached first deals."),
        _always,
        (1, 3, 6),
        MatchCompany.LESSON,
    ),
    Achievement(
        "bots_beaten",
        _("Sparring partner"),
        _("Win matches with bots at the table."),
        _is_won,
        (1, 10, 50),
        MatchCompany.BOTS,
    ),
    Achievement(
        "indian_points",
        _("On points"),
        _("Win matches of points rummy."),
        _wins_format("POINTS"),
        (1, 25, 250),
        game="indian",
    ),
    Achievement(
        "indian_pool",
        _("Still in the pool"),
        _("Win matches of pool rummy."),
        _wins_format("POOL"),
        (1, 10, 100),
        game="indian",
    ),
    Achievement(
        "indian_deals",
        _("Deal by deal"),
        _("Win matches of deals rummy."),
        _wins_format("DEALS"),
        (1, 10, 100),
        game="indian",
    ),
    Achievement(
        "indian_light",
        _("Light hand"),
        _("Lose a deal of Indian rummy by ten points or fewer."),
        _loses_little,
        (1, 10, 50),
        game="indian",
    ),
    Achievement(
        "gin_wins", _("Gin player"), _("Win matches of gin."), _is_won, (1, 10, 100), game="gin"
    ),
    Achievement(
        "gin_hands",
        _("Gin!"),
        _("Win a deal with gin or big gin."),
        _wins_by("gin", "big_gin"),
        (1, 10, 100),
        game="gin",
    ),
    Achievement(
        "gin_big",
        _("Big gin"),
        _("Win a deal with big gin."),
        _wins_by("big_gin"),
        (1, 3, 10),
        game="gin",
    ),
    Achievement(
        "gin_undercuts",
        _("Undercut"),
        _("Undercut a knock."),
        _wins_by("undercut"),
        (1, 10, 50),
        game="gin",
    ),
    Achievement(
        "gin_shutouts",
        _("Shutout"),
        _("Win a match of gin in which your opponent wins no deal."),
        _shuts_out,
        (1, 5, 25),
        game="gin",
    ),
    Achievement(
        "basic_wins",
        _("Back to basics"),
        _("Win matches of basic rummy."),
        _is_won,
        (1, 10, 100),
        game="basic",
    ),
    Achievement(
        "basic_rummies",
        _("Rummy!"),
        _("Win a deal by laying the whole hand in one turn."),
        _wins_by("rummy"),
        (1, 5, 25),
        game="basic",
    ),
    Achievement(
        "contract_wins",
        _("Contract fulfilled"),
        _("Win matches of Contract Rummy."),
        _is_won,
        (1, 10, 50),
        game="contract",
    ),
    Achievement(
        "contract_series",
        _("Three contracts"),
        _("Win three or more deals in one match of Contract Rummy."),
        lambda facts: len(facts.won_deals) >= _SERIES,
        (1, 10, 50),
        game="contract",
    ),
    Achievement(
        "rummikub_wins",
        _("Tile by tile"),
        _("Win matches of Rummikub."),
        _is_won,
        (1, 10, 100),
        game="rummikub",
    ),
    Achievement(
        "rummikub_out",
        _("Empty rack"),
        _("Win a round of Rummikub by laying your last tile."),
        _wins_by("laid_out"),
        (1, 10, 100),
        game="rummikub",
    ),
    Achievement(
        "five_hundred_wins",
        _("Five hundred"),
        _("Win matches of 500 Rum."),
        _is_won,
        (1, 10, 100),
        game="five_hundred",
    ),
    Achievement(
        "five_hundred_out",
        _("Last card down"),
        _("Win a deal of 500 Rum that ends with an empty hand."),
        _wins_by("out"),
        (1, 10, 100),
        game="five_hundred",
    ),
)
ACHIEVEMENTS: Final[Mapping[str, Achievement]] = {entry.code: entry for entry in _ALL}


def list_codes_met(facts: MatchFacts) -> list[str]:
    """Return the codes of the achievements towards which the match counts, in order."""
    return [code for code, entry in ACHIEVEMENTS.items() if entry.is_met(facts)]
