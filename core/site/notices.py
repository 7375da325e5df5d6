"""Announcements on every page, and pauses of play.

Pages read them from the cache, which a change empties and a job fills again every minute. Services that begin a
match ask the database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.utils import timezone

from core.after_commit import call_after_commit
from core.database.translated_texts import choose_text
from core.models.site import SiteNotice

_KEY: Final = "site_notices"
_TIMES: Final = ("shown_from", "shown_until", "play_stops_at")


@dataclass(frozen=True, slots=True)
class Notice:
    """An announcement in the reader's language. `stops_at` is the time at which play stops, if it does."""

    id: int
    text: str
    is_urgent: bool
    stops_at: datetime | None
    has_stopped: bool


def list_notices(*, now: datetime) -> list[Notice]:
    """Return the current notices, urgent ones first.

    Only the first call after a change makes a query.
    """
    shown = [row for row in _read_rows() if row["shown_from"] <= now and _is_shown(row, now)]
    shown.sort(key=lambda row: (not row["is_urgent"], row["shown_from"], row["pk"]))
    return [_build_notice(row, now) for row in shown]


def _is_shown(row: dict[str, Any], now: datetime) -> bool:
    return row["shown_until"] is None or now < row["shown_until"]


def _build_notice(row: dict[str, Any], now: datetime) -> Notice:
    stops_at = row["play_stops_at"]
    return Notice(
        id=row["pk"],
        text=choose_text(row["words"], "text", row["text"]),
        is_urgent=row["is_urgent"],
        stops_at=stops_at,
        has_stopped=stops_at is not None and stops_at <= now,
    )


def _read_rows() -> Sequence[dict[str, Any]]:
    rows = cache.get(_KEY)
    return refresh_notices() if rows is None else [_read(row) for row in rows]


def _read(row: dict[str, Any]) -> dict[str, Any]:
    """Return a cached row with its times parsed, because the cache stores them as strings."""
    times = {name: row[name] and datetime.fromisoformat(row[name]) for name in _TIMES}
    return {**row, **times}


def refresh_notices() -> list[dict[str, Any]]:
    """Read current and future announcements, and store them in the cache until the next change. Return them."""
    shown = SiteNotice.objects.filter(_match_unexpired(timezone.now())).values(
        "pk", "text", "words", "is_urgent", *_TIMES
    )
    rows: list[dict[str, Any]] = [dict(row) for row in shown]
    as_text = [
        {**row, **{name: row[name] and row[name].isoformat() for name in _TIMES}} for row in rows
    ]
    cache.set(_KEY, as_text, None)
    return rows


def clear_cached_notices() -> None:
    """Empty the cache after the commit.

    A concurrent reader may store the old announcements again, which the next refresh replaces within a minute.
    """
    call_after_commit(cache.delete, _KEY)


def _match_unexpired(now: datetime) -> Q:
    return Q(shown_until=None) | Q(shown_until__gt=now)


def get_next_stop(*, now: datetime) -> datetime | None:
    """Return the announced time at which play stops, or None. If the time has passed, play is stopped now."""
    announced: QuerySet[SiteNotice] = SiteNotice.objects.filter(
        _match_unexpired(now), shown_from__lte=now, play_stops_at__isnull=False
    )
    return announced.order_by("play_stops_at").values_list("play_stops_at", flat=True).first()


def play_rests(*, now: datetime) -> bool:
    stop = get_next_stop(now=now)
    return stop is not None and stop <= now
