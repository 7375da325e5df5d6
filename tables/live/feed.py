"""One person's view of a table over one socket: every version once and in order; for spectators, delayed."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from django.conf import settings

from core.observability import tracing
from core.threads import aside, in_thread
from tables.live import frames, presence
from tables.live.delayed_view import SECONDS_SHARED, Reading, await_reading, read_anew
from tables.play.change import TableChange, with_private_part
from tables.play.reading import (
    Snapshot,
    Standing,
    has_secrets_since,
    list_changes_since,
    read_standing,
    snapshot,
)


class Feed:
    """The delivery of a table's versions to one socket, from the last version that it has received.

    Callers of `bring_up_to` and `send_snapshot` hold `lock`, so that a socket's deliveries do not overlap.
    """

    def __init__(
        self,
        table_id: int,
        user_id: int | None,  # None: a spectator without an account
        deliver: Callable[[frames.ServerFrame | str], Awaitable[None]],
    ) -> None:
        self.table_id = table_id
        self.user_id = user_id
        self.lock = asyncio.Lock()
        self.seat: int | None = None
        self.version: int | None = None  # the last one delivered; None before the first hello
        self._deliver = deliver
        self._present: presence.TablePresence | None = None  # as this socket was last sent it
        self._shown: dict[str, Any] | None = None  # to a watcher
        # The time up to which a spectator has seen the game, and the table's version when their seat was
        # looked up.
        self._seen_until = 0
        self._looked_at: int | None = None
        self._own_secret: str | None = (
            None  # the last secret move that this socket has already shown
        )
        self._may_watch = True  # False: without a seat they see the table, but no game
        self.is_sent_away = False

    @property
    def is_spectator(self) -> bool:
        """Return True if this person has been shown the table and has no seat."""
        return self.seat is None and self.version is not None

    @property
    def is_delayed(self) -> bool:
        """Return True if this person sees the game late or not at all, as all people without a seat do.

        See tables/live/delayed_view.py.
        """
        return self.seat is None and (settings.SPECTATOR_DELAY_SECONDS > 0 or not self._may_watch)

    def record_seat(self, place: Standing) -> None:
        """Store this person's seat from a standing that was just read."""
        self.seat = place.seat
        self._may_watch = place.may_watch
        self.is_sent_away = place.is_sent_away
        self._looked_at = place.version
        self._seen_until = max(self._seen_until, place.seen_until)

    async def bring_up_to(self, place: Standing, *, epoch: str, version: int) -> None:
        """Answer a Hello frame: send the changes since that version, or a snapshot."""
        self.record_seat(place)
        knows_it = epoch == place.epoch and version <= place.version
        if self.is_delayed:
            # Another process may have shown the client a later state a moment ago.
            await self._show_late(at_most_old=0 if version else SECONDS_SHARED)
        elif knows_it and not await self._has_secrets_since(version):
            self.version = version
            if version == place.version:  # later changes come through the group
                await self._send_changes([])
            else:
                await self._send_missing(even_if_none=True)
        else:
            await self.send_snapshot()
        self._present = None

    async def _has_secrets_since(self, version: int) -> bool:
        return self.seat is not None and await in_thread(
            has_secrets_since, table_id=self.table_id, seat=self.seat, version=version
        )

    async def send_snapshot(self) -> None:
        """Send everything that this person may see now."""
        place = await in_thread(read_standing, table_id=self.table_id, user_id=self.user_id)
        if place is None:
            return
        self.record_seat(place)
        if self.is_delayed:
            await self._show_late(at_most_old=0)
            return
        current = await in_thread(snapshot, table_id=self.table_id, user_id=self.user_id)
        if current is None:
            return
        if current.seat is None and (settings.SPECTATOR_DELAY_SECONDS or not self._may_watch):
            await self.send_snapshot()  # they have left in the meantime
            return
        self.seat, self.version, self._shown = current.seat, current.version, None
        await self._deliver(self._render_frame(current))

    def _render_frame(self, current: Snapshot) -> str:
        return frames.render_snap(
            epoch=current.epoch, version=current.version, now=current.now, state=current.state
        )

    async def _show_late(self, *, at_most_old: float, only_if_new: bool = False) -> None:
        """Send the delayed view, but never an older game than this socket has already shown."""
        newest: Reading | None = await await_reading(
            self.table_id, since=time.monotonic() - at_most_old
        )
        if newest is not None and newest.until < self._seen_until:
            newest = await aside(read_anew, self.table_id, seen_until=self._seen_until)
        if newest is None:
            return
        if not self._may_watch:
            newest = newest.without_game()
        if only_if_new and newest.snapshot.state == self._shown:
            return
        self._seen_until = newest.until
        self._shown, self.version = newest.snapshot.state, newest.snapshot.version
        await self._deliver(newest.frame)

    async def deliver_own(self, change: TableChange) -> None:
        """Send this player a change that they have made. Its private part is already in memory."""
        async with self.lock:
            if self.version is None or self.is_delayed or change.version != self.version + 1:
                return  # the message to the group, or the heartbeat, brings it in order
            if self._begins_another_view(change.players, change.chairs):
                return  # the message to the group brings it
            self.version = change.version
            with tracing.open_span("send", **self._trace_attributes()):
                await self._send_changes([change.json(seat=self.seat)])

    async def deliver_own_secret(self, move_id: str) -> None:
        """Show this player a move of their own that no other player may know of."""
        async with self.lock:
            if self.version is not None and self.seat is not None:
                self._own_secret = move_id
                await self.send_snapshot()

    async def deliver_published_secret(self, message: dict[str, Any]) -> None:
        """Show this seat a secret change that another socket or the server has made for it."""
        async with self.lock:
            is_own = self.version is not None and str(self.seat) in message["seats"]
            if is_own and (message["move"] is None or message["move"] != self._own_secret):
                await self.send_snapshot()

    async def deliver_published(self, message: dict[str, Any]) -> None:
        """Send a committed change that was published to the table's group."""
        async with self.lock:
            if self.version is None or message["v"] <= self.version:
                return
            is_moved = self._begins_another_view(message["players"], message["chairs"])
            if self.is_delayed and not is_moved:
                return
            with tracing.resume("send", message.get("trace"), **self._trace_attributes()):
                if is_moved:
                    await self.send_snapshot()
                elif message["v"] > self.version + 1 or str(self.seat) in message["private"]:
                    await self._send_missing()
                else:
                    self.version = message["v"]
                    change, own = message["change"], message["own"].get(str(self.seat))
                    await self._send_changes(
                        [change if own is None else with_private_part(change, own)]
                    )

    def _begins_another_view(self, players: Sequence[Any], chairs: Sequence[Any] | None) -> bool:
        """Return whether this person sits down or gets up with this change."""
        if self.user_id is None:
            return False
        if self.user_id in players:
            return True
        if chairs is None:
            return False
        return self.seat != (chairs.index(self.user_id) if self.user_id in chairs else None)

    def _trace_attributes(self) -> dict[str, int]:
        """Return the trace attributes that identify the socket. A spectator has no seat."""
        return {} if self.seat is None else {"seat": self.seat}

    # Called by the heartbeat (tables/live/heartbeat.py).

    def is_behind(self, version: int, company: presence.TablePresence | None) -> bool:
        if self.version is None:
            return False
        return version > self.version or self.is_delayed or company not in (None, self._present)

    async def catch_up_to(self, version: int) -> None:
        """Send the changes that this socket has missed, up to the table's newest version."""
        async with self.lock:
            if self.version is None:
                return
            if self.is_delayed:
                await self._find_seat(version)
            elif version > self.version:
                await self._send_missing()

    async def _find_seat(self, version: int) -> None:
        """Show the delayed table.

        If the player has sat down and the message about it was lost, send a snapshot instead.
        """
        if self.user_id is not None and self._looked_at != version:
            place = await aside(read_standing, table_id=self.table_id, user_id=self.user_id)
            if place is not None:
                self.record_seat(place)
        if self.is_delayed:
            await self._show_late(at_most_old=SECONDS_SHARED, only_if_new=True)
        else:
            await self.send_snapshot()

    async def present_are(self, company: presence.TablePresence) -> None:
        """Send the connected seats, and the seats whose players are on another page, if either has changed."""
        if self.version is not None and company != self._present:
            self._present = company
            await self._deliver(frames.Here(sorted(company.seats), sorted(company.elsewhere)))

    async def _send_missing(self, *, even_if_none: bool = False) -> None:
        """Send the missed changes.

        If a snapshot is shorter, or if this player has sat down or got up, send a snapshot instead.
        """
        assert self.version is not None  # noqa: S101 - callers have checked it
        missed = await in_thread(list_changes_since, table_id=self.table_id, version=self.version)
        if missed is None or any(self._begins_another_view(c.players, c.chairs) for c in missed):
            await self.send_snapshot()
        elif missed or even_if_none:
            self.version = missed[-1].version if missed else self.version
            await self._send_changes([change.json(seat=self.seat) for change in missed])

    async def _send_changes(self, changes: Sequence[str]) -> None:
        await self._deliver(
            frames.render_ev(now=presence.estimate_database_time(), changes=changes)
        )
