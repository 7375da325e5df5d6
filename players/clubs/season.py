"""A club's season: a calendar month of matches at the club's own tables.

It is computed from the finished matches and not stored. A member gets a point for every other person whom
they finish ahead of. Practice bots are ignored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from accounts.models import User
from core.values.local_days import compute_day_start
from tables.models import BELONGS, ClubMember, Match, MatchStatus


@dataclass(frozen=True, slots=True)
class ClubSeasonLine:
    """A member's place. Members with equal points, wins and matches share a place."""

    place: int
    person: User
    points: int
    wins: int
    matches: int


def get_current_season() -> date:
    return timezone.localdate().replace(day=1)


def season_before(month: date) -> date:
    return date(month.year - (month.month == 1), (month.month - 2) % 12 + 1, 1)


def season_after(month: date) -> date:
    return date(month.year + (month.month == 12), month.month % 12 + 1, 1)  # noqa: PLR2004 - December


def rank_members(club_id: int, month: date) -> list[ClubSeasonLine]:
    """Return the members who have finished a match in this month, best first."""
    played = Match.objects.filter(
        table__club=club_id,
        status=MatchStatus.FINISHED,
        ended_at__gte=compute_day_start(month),
        ended_at__lt=compute_day_start(season_after(month)),
    )
    matches = played.values_list("players", "result__ranks").iterator(chunk_size=1_000)
    sums = count_points(matches)
    members = ClubMember.objects.filter(club=club_id, role__in=BELONGS).select_related("user")
    people = {row.user_id: row.user for row in members.filter(user__in=list(sums))}
    order = sorted(people, key=lambda pk: (*(-figure for figure in sums[pk]), pk))
    lines: list[ClubSeasonLine] = []
    for number, pk in enumerate(order, 1):
        before = lines[-1] if lines else None
        is_tie = before is not None and sums[before.person.pk] == sums[pk]
        place = before.place if is_tie and before is not None else number
        lines.append(ClubSeasonLine(place, people[pk], *sums[pk]))
    return lines


def count_points(
    matches: Iterable[tuple[Mapping[str, Mapping[str, object]], Mapping[str, int]]],
) -> dict[int, tuple[int, int, int]]:
    """Return a mapping from user id to points, wins and number of matches.

    Only matches with at least two people are counted.
    """
    sums: dict[int, tuple[int, int, int]] = {}
    for players, ranks in matches:
        seats = {seat: player["user"] for seat, player in players.items() if not player["bot"]}
        if len(seats) < 2:  # noqa: PLR2004 - nobody to finish ahead of
            continue
        best = min(ranks[seat] for seat in seats)
        for seat, user in seats.items():
            assert isinstance(user, int)  # noqa: S101 - as tables/play/start.py writes it
            points, wins, count = sums.get(user, (0, 0, 0))
            beaten = sum(ranks[other] > ranks[seat] for other in seats)
            sums[user] = (points + beaten, wins + (ranks[seat] == best), count + 1)
    return sums
