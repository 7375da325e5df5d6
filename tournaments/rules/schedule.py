"""The start times of a template's tournaments, as crontab expressions in Celery's interpretation.

Unlike in cron, a day of the month and a day of the week must both match.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from itertools import islice, product
from typing import Any

from celery.schedules import ParseException, crontab
from django.utils.translation import gettext_lazy as _

# Long enough to find a day that comes once in four years; a day that never comes ends the search.
_LONGEST_SEARCH_DAYS = 366 * 5
_FIELDS = 5


class InvalidSchedule(ValueError):  # noqa: N818 - says what it is
    """Not a valid crontab expression."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The times that a crontab matches. Days of the week count from 0, Sunday."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days_of_month: frozenset[int]
    months: frozenset[int]
    days_of_week: frozenset[int]

    def fits(self, day: date) -> bool:
        return (
            day.day in self.days_of_month
            and day.month in self.months
            and day.isoweekday() % 7 in self.days_of_week
        )


@lru_cache(maxsize=256)
def parse_schedule(expression: str) -> Schedule:
    """Parse a crontab. Raises InvalidSchedule."""
    fields = expression.split()
    if len(fields) != _FIELDS:
        raise InvalidSchedule(_("A schedule has five fields, as in “0 20 * * sat”."))
    minute, hour, day_of_month, month_of_year, day_of_week = fields
    try:
        cron: Any = crontab(
            minute=minute,
            hour=hour,
            day_of_month=day_of_month,
            month_of_year=month_of_year,
            day_of_week=day_of_week,
        )
    except (ParseException, ValueError) as error:
        raise InvalidSchedule(
            _("This is not a valid schedule: %(reason)s.") % {"reason": str(error).rstrip(".")}
        ) from error
    return Schedule(
        minutes=tuple(sorted(cron.minute)),
        hours=tuple(sorted(cron.hour)),
        days_of_month=frozenset(cron.day_of_month),
        months=frozenset(cron.month_of_year),
        days_of_week=frozenset(cron.day_of_week),
    )


def generate_starts(expression: str, *, after: datetime, zone: tzinfo) -> Iterator[datetime]:
    """Yield the matching times after `after` on the clocks of `zone`, in UTC and ascending.

    A local time that a clock change skips is left out. One that occurs twice is used once, at its first
    occurrence.
    """
    schedule = parse_schedule(expression)
    after = after.astimezone(UTC)
    begin = after.astimezone(zone)
    for number in range(_LONGEST_SEARCH_DAYS):
        day = begin.date() + timedelta(days=number)
        if not schedule.fits(day):
            continue
        hours = [hour for hour in schedule.hours if number or hour >= begin.hour]
        for hour, minute in product(hours, schedule.minutes):
            shown = datetime.combine(day, time(hour, minute))
            # In UTC: a local time that comes twice equals no moment of another zone (PEP 495).
            moment = shown.replace(tzinfo=zone).astimezone(UTC)
            if moment > after and moment.astimezone(zone).replace(tzinfo=None) == shown:
                yield moment


def list_next_starts(
    expression: str, *, after: datetime, zone: tzinfo, number: int
) -> tuple[datetime, ...]:
    return tuple(islice(generate_starts(expression, after=after, zone=zone), number))
