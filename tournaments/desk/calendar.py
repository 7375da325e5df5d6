"""A week of tournaments: existing ones, and those that open templates will create."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.utils import timezone

from core.values.local_days import compute_day_start
from tournaments.models import Tournament, TournamentTemplate
from tournaments.rules.schedule import generate_starts

WEEK = timedelta(days=7)
# A day lists at most this many tournaments of one template; more of them share one line.
LISTED = 3
# A week shows at most this many tournaments; larger sites use the list of tournaments for a day.
MOST = 500


@dataclass(frozen=True, slots=True)
class Planned:
    """The planned starts of one template on a day: one start at `first`, or `number` starts from `first` to `last`."""

    template: TournamentTemplate
    first: datetime
    last: datetime | None = None
    number: int = 1


@dataclass(slots=True)
class Day:
    day: date
    tournaments: list[Tournament] = field(default_factory=list)
    planned: list[Planned] = field(default_factory=list)


def parse_monday(text: str, *, today: date) -> date:
    """Return the Monday of the week that contains the date `text`, or of the current week if `text` is not a date."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = today
    # Keep the date within a range of years in which it can be shifted.
    day = min(max(day, today - 520 * WEEK), today + 520 * WEEK)
    return day - timedelta(days=day.weekday())


def build_week(monday: date, *, now: datetime) -> list[Day]:
    """Return the seven days from `monday` on, in local time. Planned starts in the past are left out."""
    days = {
        monday + timedelta(days=number): Day(monday + timedelta(days=number)) for number in range(7)
    }
    zone = timezone.get_default_timezone()
    begins, ends = compute_day_start(monday), compute_day_start(monday + WEEK)
    there = Tournament.objects.filter(starts_at__gte=begins, starts_at__lt=ends, invite_code="")
    made: defaultdict[int | None, set[datetime]] = defaultdict(set)
    for tournament in there.order_by("starts_at", "pk")[:MOST]:
        days[timezone.localdate(tournament.starts_at, zone)].tournaments.append(tournament)
        made[tournament.template_id].add(tournament.starts_at)
    templates = TournamentTemplate.objects.filter(is_open=True).exclude(schedule="")
    for template in templates.order_by("name", "pk"):
        for day, moments in _plan(template, max(begins, now), ends).items():
            left = [moment for moment in moments if moment not in made[template.pk]]
            days[day].planned += _list_lines(template, left)
    for shown in days.values():
        shown.planned.sort(key=lambda line: line.first)
    return list(days.values())


def hide_past(days: list[Day], *, today: date) -> list[Day]:
    """Leave out past days without a tournament. If that would leave no day, return all of them."""
    return [day for day in days if day.day >= today or day.tournaments] or days


def _plan(
    template: TournamentTemplate, begins: datetime, ends: datetime
) -> dict[date, list[datetime]]:
    zone = timezone.get_default_timezone()
    by_day: defaultdict[date, list[datetime]] = defaultdict(list)
    for moment in generate_starts(
        template.schedule, after=begins - timedelta(microseconds=1), zone=zone
    ):
        if moment >= ends:
            break
        by_day[timezone.localdate(moment, zone)].append(moment)
    return by_day


def _list_lines(template: TournamentTemplate, moments: Sequence[datetime]) -> list[Planned]:
    if len(moments) <= LISTED:
        return [Planned(template, moment) for moment in moments]
    return [Planned(template, moments[0], moments[-1], len(moments))]
