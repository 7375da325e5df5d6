"""Calendars in iCalendar format (RFC 5545), to which other programs can subscribe. Times are in UTC."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

# Without the encoding some programs guess another one.
CONTENT_TYPE: Final = "text/calendar; charset=utf-8"
_LINE_BYTES: Final = 75


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event of a calendar. `uid` must never change, and `url` must be absolute."""

    uid: str
    title: str
    begins_at: datetime
    lasts: timedelta
    url: str
    is_cancelled: bool = False


def write_calendar(name: str, events: Iterable[CalendarEvent], *, now: datetime) -> str:
    """Return the calendar as iCalendar text."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//OpenRummy//EN",
        "METHOD:PUBLISH",
        f"NAME:{_escape(name)}",
        f"X-WR-CALNAME:{_escape(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ]
    for event in events:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{event.uid}",
            f"DTSTAMP:{_format(now)}",
            f"DTSTART:{_format(event.begins_at)}",
            f"DTEND:{_format(event.begins_at + event.lasts)}",
            f"SUMMARY:{_escape(event.title)}",
            f"URL:{event.url}",
            *(["STATUS:CANCELLED"] if event.is_cancelled else []),
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _fold(line))


def _format(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escape(text: str) -> str:
    for mark in "\\;,":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.splitlines())


def _fold(line: str) -> Iterator[str]:
    """Yield the parts of a long line. No part splits a character."""
    part, size = "", 0
    for character in line:
        length = len(character.encode())
        if size + length > _LINE_BYTES:
            yield part
            part, size = " ", 1
        part, size = part + character, size + length
    yield part
