"""Leagues of clubs. They count matches at the club's own tables and have no prizes (players/clubs/leagues.py)."""

from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.refusals import Refusal
from players.clubs.leagues import ClubLeague, LeagueLine
from players.refusals import LEAGUE_RUNS
from tables.models import Club
from tournaments.leagues.settling import end_now
from tournaments.models import League
from tournaments.models.league import MOST_COUNTED, MOST_MEETINGS

# Everybody may play everybody repeatedly, and every match counts.
_TERMS: Final = {"counted": MOST_COUNTED, "meetings": MOST_MEETINGS, "repeats": False, "pool": 0}


class ClubLeagues:
    """The interface through which clubs start and read their leagues."""

    def start(self, club: Club, *, game: str, format: str, weeks: int) -> None:
        now = timezone.now()
        try:
            with transaction.atomic():
                League.objects.create(
                    club=club,
                    name=club.name,
                    game=game,
                    format=format,
                    starts_at=now,
                    ends_at=now + timedelta(weeks=weeks),
                    **_TERMS,
                )
        except IntegrityError as error:  # a concurrent request has started another league
            raise Refusal(LEAGUE_RUNS) from error

    def end(self, club: Club) -> None:
        league = _open(club).select_for_update(no_key=True).first()
        if league is not None:
            end_now(league, now=timezone.now())

    def runs(self, club: Club) -> bool:
        return _open(club).exists()

    def get_shown(self, club: Club) -> ClubLeague | None:
        league = League.objects.filter(club=club, cancelled_at=None).order_by("-starts_at").first()
        if league is None:
            return None
        ranked = league.places.filter(rank__isnull=False).select_related("user").order_by("place")
        return ClubLeague(
            title=league.format_title,
            starts_at=league.starts_at,
            ends_at=league.ends_at,
            is_over=league.is_over,
            lines=[
                LeagueLine(place.rank or 0, place.user, place.points, place.matches)
                for place in ranked
            ],
        )


def _open(club: Club) -> QuerySet[League]:
    return League.objects.filter(club=club, settled_at=None, cancelled_at=None)
