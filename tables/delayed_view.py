"""What people without a seat are shown: the table as it stands, the game as it was a moment ago.

Somebody who watches could tell a player what is thrown away, so everything of the game comes late
to him. The game of that moment is put together from the changes, which hold nothing private.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from django.conf import settings

from tables.models import Change, ChangeKind
from tables.selectors import Snapshot, snapshot, standing

# Everybody who watches a table through this process is shown the same reading for this long.
SECONDS_SHARED = 1.0
_TABLES_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class _Reading:
    """The game as of the change `shown`, and the snapshot that was made of it at `read_at`."""

    shown: int
    game: Mapping[str, Any] | None
    snapshot: Snapshot
    read_at: float


_readings: dict[int, _Reading] = {}
_lock = Lock()


def snapshot_for(*, table_id: int, user_id: int | None) -> Snapshot | None:
    """What this person may see of a table now; None if there is no such table."""
    delay_ms = settings.SPECTATOR_DELAY_SECONDS * 1000
    place = standing(table_id=table_id, user_id=user_id) if delay_ms else None
    if place is not None and place.seat is None:
        return delayed_snapshot(table_id=table_id, delay_ms=delay_ms)
    return snapshot(table_id=table_id, user_id=user_id)


def delayed_snapshot(*, table_id: int, delay_ms: int) -> Snapshot | None:
    """What somebody without a seat may see now; None if there is no such table."""
    with _lock:
        last = _readings.get(table_id)
    if last is not None and time.monotonic() - last.read_at < SECONDS_SHARED:
        return last.snapshot
    now = snapshot(table_id=table_id, user_id=None)
    if now is None:
        return None
    shown, game = _game_until(table_id, now.now - delay_ms, last)
    made = replace(now, state={**now.state, "game": game})
    with _lock:
        if len(_readings) >= _TABLES_KEPT:
            _readings.clear()
        _readings[table_id] = _Reading(shown, game, made, time.monotonic())
    return made


def _game_until(
    table_id: int, until: int, last: _Reading | None
) -> tuple[int, Mapping[str, Any] | None]:
    """The game after the last change at or before `until`, and that change's version."""
    changes = Change.objects.filter(table_id=table_id, version__isnull=False, at_ms__lte=until)
    if last is None:
        starts = changes.filter(kind=ChangeKind.STARTED).order_by("-version")
        first = starts.values_list("version", flat=True).first()
        if first is None:
            return 0, None
        shown, game = first - 1, None
    else:
        shown, game = last.shown, last.game
    rows = changes.filter(version__gt=shown).order_by("version").values_list("version", "patch")
    for version, patch in rows:
        shown = version or shown
        if "game" in patch:
            part = patch["game"]
            game = None if part is None else {**(game or {}), **part}
    return shown, game
