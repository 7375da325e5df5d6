"""Everything that one person may see of a table; people without a seat see it late."""

import asyncio
import time
from typing import Any

from django.conf import settings

from core.threads import aside, in_thread
from tables.live.delayed_view import Reading, read_anew
from tables.live.frames import outgoing
from tables.live.sockets import GameConsumer
from tables.live.watchers import reading
from tables.play.reading import Standing, snapshot, standing


class Snapshots(GameConsumer):
    """The last snapshot of a socket, and new ones."""

    table_id: int
    user_id: int | None  # None: a spectator without an account

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seat: int | None = None
        self.version: int | None = None  # the last one delivered; None before the first hello
        self.present: frozenset[int] | None = None  # as this socket was told last
        self.shown: dict[str, Any] | None = None  # to somebody without a seat
        # Until when somebody without a seat has seen the game, and the version of this table at
        # which it was looked up whether they have one.
        self.seen_until = 0
        self.looked_at: int | None = None
        self.delivering = asyncio.Lock()

    @property
    def is_delayed(self) -> bool:
        """Whether the game is shown late, as to everybody without a seat (tables/live/delayed_view.py)."""
        return self.seat is None and settings.SPECTATOR_DELAY_SECONDS > 0

    def sits_at(self, place: Standing) -> None:
        """Take note of where this person sits, just read."""
        self.seat = place.seat
        self.looked_at = place.version
        self.seen_until = max(self.seen_until, place.seen_until)

    async def send_snapshot(self) -> None:
        """Everything that this person may see now."""
        place = await in_thread(standing, table_id=self.table_id, user_id=self.user_id)
        if place is None:
            return
        self.sits_at(place)
        if self.is_delayed:
            await self.show_late(at_most_old=0)
            return
        current = await in_thread(snapshot, table_id=self.table_id, user_id=self.user_id)
        if current is None:
            return
        if current.seat is None and settings.SPECTATOR_DELAY_SECONDS:
            await self.send_snapshot()  # they have left meanwhile
            return
        self.seat, self.version, self.shown = current.seat, current.version, None
        await self.deliver(
            outgoing.snap(
                epoch=current.epoch,
                version=current.version,
                now=current.now,
                state=current.state,
            )
        )

    async def show_late(self, *, at_most_old: float, only_if_new: bool = False) -> None:
        """Never an older game than this socket has shown."""
        newest: Reading | None = await reading(self.table_id, since=time.monotonic() - at_most_old)
        if newest is not None and newest.until < self.seen_until:
            newest = await aside(read_anew, self.table_id, seen_until=self.seen_until)
        if newest is None or (only_if_new and newest.snapshot.state == self.shown):
            return
        self.seen_until = newest.until
        self.shown, self.version = newest.snapshot.state, newest.snapshot.version
        await self.deliver(newest.frame)
