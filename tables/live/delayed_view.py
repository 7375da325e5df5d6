"""The delayed view of spectators: the current table, with the game as it was some seconds earlier.

A spectator could tell a player about discards, so spectators see everything about the game late. The earlier state of
the game is rebuilt from the changes, which contain nothing private. No person is shown an older game than they have
already seen: a player who has just left a seat has seen everything until then.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Any, Final

from django.conf import settings

from core.threads import aside
from games.engine.base import Instant
from tables.live import frames
from tables.models import Change, ChangeKind
from tables.play.reading import Snapshot, Standing, read_standing, snapshot

# All spectators of a table in this process share one reading for this long.
SECONDS_SHARED = 1.0
_TABLES_KEPT = 1_000


@dataclass(frozen=True)
class Reading:
    """A current snapshot of the table, with the game as it was at `until`, after the change with version `shown`."""

    shown: int
    game: Mapping[str, Any] | None
    until: Instant
    snapshot: Snapshot
    began_at: float  # by time.monotonic()

    def without_game(self) -> "Reading":
        """Return the reading without its game, for a person who may see only the table and its seats."""
        state = {**self.snapshot.state, "game": None}
        return replace(self, game=None, snapshot=replace(self.snapshot, state=state))

    @cached_property
    def frame(self) -> str:
        """Return the frame, encoded once for all spectators."""
        now = self.snapshot
        return frames.render_snap(
            epoch=now.epoch, version=now.version, now=now.now, state=now.state
        )


_readings: dict[int, Reading] = {}
_lock = Lock()


def snapshot_for(*, table_id: int, user_id: int | None) -> Snapshot | None:
    """Return this person's view of a table, or None if there is no such table."""
    if not settings.SPECTATOR_DELAY_SECONDS:
        return snapshot(table_id=table_id, user_id=user_id)
    place = read_standing(table_id=table_id, user_id=user_id)
    if place is None:
        return None
    if place.seat is not None:
        current = snapshot(table_id=table_id, user_id=user_id)
        if current is None or current.seat is not None:
            return current
        place = read_standing(table_id=table_id, user_id=user_id)  # they have left meanwhile
        if place is None:
            return None
    reading = get_reading(table_id=table_id, place=place)
    if reading is None:
        return None
    return (reading if place.may_watch else reading.without_game()).snapshot


def get_reading(*, table_id: int, place: Standing) -> Reading | None:
    """Return the current view for a person without a seat, or None if there is no such table."""
    last = get_last_reading(table_id)
    is_fresh = last is not None and time.monotonic() - last.began_at < SECONDS_SHARED
    if last is not None and is_fresh and last.until >= place.seen_until:
        return last
    return read_anew(table_id, seen_until=place.seen_until)


def get_last_reading(table_id: int) -> Reading | None:
    with _lock:
        return _readings.get(table_id)


def read_anew(table_id: int, *, seen_until: Instant = 0) -> Reading | None:
    """Read the delayed view afresh. Return None if there is no such table.

    The game in it is not older than `seen_until`, which this person has already seen. A reading with a newer game than
    the delay allows is not cached: other spectators may not see it yet.
    """
    began_at = time.monotonic()
    last = get_last_reading(table_id)
    now = snapshot(table_id=table_id, user_id=None)
    if now is None:
        return None
    late = now.now - settings.SPECTATOR_DELAY_SECONDS * 1000
    until = max(late, seen_until)
    shown, game = _game_until(table_id, until, last)
    made = Reading(shown, game, until, replace(now, state={**now.state, "game": game}), began_at)
    if until == late:
        _keep(table_id, made)
    return made


def _keep(table_id: int, made: Reading) -> None:
    """Cache a reading, unless another thread has cached a later one."""
    with _lock:
        last = _readings.get(table_id)
        if last is not None and last.until >= made.until:
            return
        if last is None and len(_readings) >= _TABLES_KEPT:
            _readings.clear()
        _readings[table_id] = made


def _game_until(
    table_id: int, until: Instant, last: Reading | None
) -> tuple[int, Mapping[str, Any] | None]:
    """Return the version of the last change at or before `until`, and the game after it."""
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


# A spectator who keeps asking gets a new view this often.
SECONDS_BETWEEN: Final = 1.0


_under_way: dict[int, asyncio.Task[Reading | None]] = {}
# A table's standing for people without an account, and when it was read.
_standings: dict[int, tuple[float, Standing]] = {}


async def get_standing_of_nobody(table_id: int) -> Standing | None:
    """Return the standing of people without an account, or None if there is no such table.

    A standing is cached, so that repeated handshakes cost no query; a missing table is not cached. Raises TooMuchAsked
    if too many queries are waiting.
    """
    asked_at, current = _standings.get(table_id, (0.0, None))
    if current is not None and time.monotonic() - asked_at < SECONDS_SHARED:
        return current
    began = time.monotonic()
    current = await aside(read_standing, table_id=table_id, user_id=None)
    if current is not None:
        if len(_standings) >= _TABLES_KEPT:
            _standings.clear()
        _standings[table_id] = (began, current)
    return current


async def await_reading(table_id: int, *, since: float) -> Reading | None:
    """Return a reading that began at `since` (time.monotonic()) or later; None if there is no such table.

    Raises TooMuchAsked if too many queries are waiting.
    """
    while True:
        last = get_last_reading(table_id)
        if last is not None and last.began_at >= since:
            return last
        task = _under_way.get(table_id)
        if task is None:
            task = asyncio.get_running_loop().create_task(_read(table_id, last))
            _under_way[table_id] = task
        made = await asyncio.shield(task)
        if made is None or made.began_at >= since:
            return made


async def _read(table_id: int, last: Reading | None) -> Reading | None:
    try:
        if last is not None:
            await asyncio.sleep(last.began_at + SECONDS_BETWEEN - time.monotonic())
        return await aside(read_anew, table_id)
    finally:
        # Remove it here and not in a callback of the task, or a caller that finds it finished would retry
        # for ever.
        del _under_way[table_id]
