"""A club's league: matches at its own tables over some weeks, without prizes.

An app above this one runs the leagues and registers a keeper. Without a keeper, clubs have no leagues.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from django.db import transaction

from accounts.models import User
from core.refusals import Refusal
from players.clubs.services import hint_members, lock_club
from players.refusals import LEAGUE_RUNS, NO_LEAGUE
from tables.catalog import list_offered_formats, title_of_format
from tables.models import LEADS, Club
from tables.refusals import OFFICERS_ONLY

MOST_WEEKS: Final = 12


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A member's place in the league. Members with equal results share a rank."""

    rank: int
    person: User
    points: int
    matches: int


@dataclass(frozen=True, slots=True)
class ClubLeague:
    """A club's running league, or its last one if none is running."""

    title: str
    starts_at: datetime
    ends_at: datetime
    is_over: bool
    lines: Sequence[LeagueLine]


class LeagueKeeper(Protocol):
    """The interface of the app that runs leagues. Its callers have locked the club."""

    def start(self, club: Club, *, game: str, format: str, weeks: int) -> None: ...

    def end(self, club: Club) -> None:
        """End the running league with its current standings, if there is one."""

    def runs(self, club: Club) -> bool: ...

    def get_shown(self, club: Club) -> ClubLeague | None:
        """Return the running league, otherwise the last one, or None. No lock is needed."""


_keepers: Final[list[LeagueKeeper]] = []


def register_leagues(keeper: LeagueKeeper) -> None:
    """Register the keeper of clubs' leagues. The app that has the keeper calls this once, when it is ready."""
    _keepers[:] = [keeper]


def find_league(club: Club) -> ClubLeague | None:
    """Return a club's running league, otherwise its last one, or None."""
    return _keepers[0].get_shown(club) if _keepers else None


def leagues_are_played() -> bool:
    """Return whether an app has registered a keeper of leagues."""
    return bool(_keepers)


def kinds_of_league() -> list[tuple[str, str]]:
    """Return the possible kinds of a league as "game:format", with their titles."""
    return [
        (f"{game}:{format}", title_of_format(game, format))
        for game, format in list_offered_formats()
    ]


@transaction.atomic
def start_league(*, club_id: int, user_id: int, kind: str, weeks: int) -> None:
    """Begin a league of this kind now. Raises NO_SUCH_CLUB, OFFICERS_ONLY, NO_LEAGUE or LEAGUE_RUNS."""
    club = _as_leader(club_id, user_id)
    if not _keepers or kind not in dict(kinds_of_league()) or not 1 <= weeks <= MOST_WEEKS:
        raise Refusal(NO_LEAGUE)
    if _keepers[0].runs(club):
        raise Refusal(LEAGUE_RUNS)
    game, _colon, format = kind.partition(":")
    _keepers[0].start(club, game=game, format=format, weeks=weeks)
    hint_members(club)


@transaction.atomic
def end_league(*, club_id: int, user_id: int) -> None:
    """End the league with its current standings. Raises NO_SUCH_CLUB, OFFICERS_ONLY or NO_LEAGUE."""
    club = _as_leader(club_id, user_id)
    if not _keepers or not _keepers[0].runs(club):
        raise Refusal(NO_LEAGUE)
    _keepers[0].end(club)
    hint_members(club)


def _as_leader(club_id: int, user_id: int) -> Club:
    club = lock_club(club_id)
    if not club.members.filter(user=user_id, role__in=LEADS, user__is_active=True).exists():
        raise Refusal(OFFICERS_ONLY)
    return club
