"""Schedules in plain words: "every Sunday at 18:00". Crontabs without such words are kept unchanged."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.rules.schedule import InvalidSchedule, Schedule, parse_schedule

PACES: Final = (5, 10, 15, 20, 30, 60)
_MONDAY_FIRST: Final = (1, 2, 3, 4, 5, 6, 0)
_EVERY_DAY: Final = frozenset(_MONDAY_FIRST)
_EVERY_HOUR: Final = tuple(range(24))
_EVERY_MONTH: Final = frozenset(range(1, 13))
_EVERY_DATE: Final = frozenset(range(1, 32))
_TIME: Final = re.compile(r"(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])", re.ASCII)


class Repeats(StrEnum):
    """The ways in which a schedule repeats."""

    NEVER = "never"
    MINUTES = "minutes"
    WEEK = "week"
    MONTH = "month"
    CRONTAB = "crontab"


@dataclass(frozen=True, slots=True)
class PlainSchedule:
    """A schedule in plain words. Days of the week count from 0, Sunday. All `hours` share one `minute`.

    Fields that `repeats` does not use are empty.
    """

    repeats: Repeats
    every: int = 0
    days: tuple[int, ...] = ()
    date: int = 0
    hours: tuple[int, ...] = ()
    minute: int = 0

    @property
    def crontab(self) -> str:
        """Return the crontab. It is empty for `NEVER`, and for `CRONTAB`, where the form has the crontab itself."""
        hours = ",".join(map(str, self.hours))
        if self.repeats is Repeats.MINUTES:
            return "0 * * * *" if self.every == PACES[-1] else f"*/{self.every} * * * *"
        if self.repeats is Repeats.WEEK:
            days = "*" if set(self.days) == _EVERY_DAY else ",".join(map(str, self.days))
            return f"{self.minute} {hours} * * {days}"
        if self.repeats is Repeats.MONTH:
            return f"{self.minute} {hours} {self.date} * *"
        return ""

    @property
    def times(self) -> str:
        return ", ".join(f"{hour:02}:{self.minute:02}" for hour in self.hours)

    @property
    def in_words(self) -> str:
        if self.repeats is Repeats.MINUTES and self.every == PACES[-1]:
            return _("every hour")
        if self.repeats is Repeats.MINUTES:
            said = ngettext("every %(number)s minute", "every %(number)s minutes", self.every)
            return said % {"number": self.every}
        if self.repeats is Repeats.WEEK and set(self.days) == _EVERY_DAY:
            return _("every day at %(times)s") % {"times": self.times}
        if self.repeats is Repeats.WEEK:
            days = ", ".join(day_title(day) for day in self.days)
            return _("every %(days)s at %(times)s") % {"days": days, "times": self.times}
        said = _("on day %(date)s of every month at %(times)s")
        return said % {"date": self.date, "times": self.times}


def day_title(day: int) -> str:
    """Return the name of a day of the week, counted from 0, Sunday."""
    return str(WEEKDAYS[(day - 1) % 7])


def day_choices() -> list[tuple[str, str]]:
    """Return the number and name of each day of the week, Monday first."""
    return [(str(day), day_title(day)) for day in _MONDAY_FIRST]


def read_plainly(expression: str) -> PlainSchedule:
    """Read a crontab as a plain schedule. Its `repeats` is `CRONTAB` if no plain words fit. Raises InvalidSchedule."""
    if not expression:
        return PlainSchedule(Repeats.NEVER)
    said = parse_schedule(expression)
    if said.months == _EVERY_MONTH:
        every_date, every_day = said.days_of_month == _EVERY_DATE, said.days_of_week == _EVERY_DAY
        if said.hours == _EVERY_HOUR and every_date and every_day:
            return _of_minutes(said)
        if len(said.minutes) == 1:
            hours, minute = said.hours, said.minutes[0]
            if every_date:
                days = tuple(day for day in _MONDAY_FIRST if day in said.days_of_week)
                return PlainSchedule(Repeats.WEEK, days=days, hours=hours, minute=minute)
            if every_day and len(said.days_of_month) == 1:
                (date,) = said.days_of_month
                return PlainSchedule(Repeats.MONTH, date=date, hours=hours, minute=minute)
    return PlainSchedule(Repeats.CRONTAB)


def _of_minutes(said: Schedule) -> PlainSchedule:
    for every in PACES:
        if said.minutes == tuple(range(0, 60, every)):
            return PlainSchedule(Repeats.MINUTES, every=every)
    return PlainSchedule(Repeats.CRONTAB)


def schedule_in_words(expression: str) -> str:
    """Describe a schedule in words, or return the crontab if no words fit."""
    try:
        plain = read_plainly(expression)
    except InvalidSchedule:
        return expression
    if plain.repeats is Repeats.NEVER:
        return _("by hand")
    return expression if plain.repeats is Repeats.CRONTAB else plain.in_words


def read_times(text: str) -> tuple[tuple[int, ...], int]:
    """Return the hours and the minute of "18:00" or "12:30, 18:30". Raises InvalidSchedule."""
    hours, minutes = set(), set()
    for part in text.split(","):
        match = _TIME.fullmatch(part.strip())
        if match is None:
            raise InvalidSchedule(_("Enter times such as 18:00, or 12:30, 18:30."))
        hours.add(int(match["hour"]))
        minutes.add(int(match["minute"]))
    if len(minutes) > 1:
        raise InvalidSchedule(
            _(
                "All times must have the same minute, such as 12:30, 18:30. For other "
                "times, use a crontab."
            )
        )
    return tuple(sorted(hours)), minutes.pop()


def sort_days(days: Sequence[int]) -> tuple[int, ...]:
    """Return days of the week, Monday first."""
    return tuple(sorted(days, key=_MONDAY_FIRST.index))
