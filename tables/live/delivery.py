"""The delivery of a table's changes to one socket: every version once and in order."""

from collections.abc import Sequence
from typing import Any

from core.observability import tracing
from core.threads import aside, in_thread
from tables.live import presence
from tables.live.delayed_view import SECONDS_SHARED
from tables.live.frames import outgoing
from tables.live.snapshots import Snapshots
from tables.play.broadcast import chairs_of, players_of
from tables.play.change import Change
from tables.play.reading import Standing, changes_since, standing
from tables.play.seat_view import change_json, with_own_part


class Delivery(Snapshots):
    """Each version as this seat may see it."""

    async def bring_up_to(self, place: Standing, *, epoch: str, version: int) -> None:
        """Answer a hello: with what is missing after that version, or with everything."""
        self.sits_at(place)
        knows_it = epoch == place.epoch and version <= place.version
        if self.is_delayed:
            # What was shown before may have come from another process, an instant ago.
            await self.show_late(at_most_old=0 if version else SECONDS_SHARED)
        elif knows_it:
            self.version = version
            if version == place.version:  # what comes after it is told by the group
                await self.deliver(outgoing.ev(now=presence.database_time(), changes=[]))
            else:
                await self.send_missing(even_if_none=True)
        else:
            await self.send_snapshot()
        self.present = None

    def _moves(self, players: Sequence[Any], chairs: Sequence[Any] | None) -> bool:
        """Return whether this person sits down or gets up with a change, so that another view begins."""
        if self.user_id is None:
            return False
        if self.user_id in players:
            return True
        if chairs is None:
            return False
        return self.seat != (chairs.index(self.user_id) if self.user_id in chairs else None)

    async def deliver_step(self, step: Change) -> None:
        """A change of this player's own."""
        async with self.delivering:
            if self.version is None or self.is_delayed or step.version != self.version + 1:
                return  # the message to the group, or the heartbeat, brings it in order
            if self._moves(players_of(step), chairs_of(step)):
                return  # another view of the table begins, and the message to the group brings it
            change = change_json(step, seat=self.seat)
            self.version = step.version
            with tracing.span("send", **self._traced()):
                await self.deliver(outgoing.ev(now=presence.database_time(), changes=[change]))

    async def table_changed(self, message: dict[str, Any]) -> None:
        """A committed change, told through Redis."""
        async with self.delivering:
            if self.version is None or message["v"] <= self.version:
                return
            is_moved = self._moves(message["players"], message["chairs"])
            if self.is_delayed and not is_moved:
                return
            with tracing.resumed("send", message.get("trace"), **self._traced()):
                await self._send_told(message, is_moved=is_moved)

    async def _send_told(self, message: dict[str, Any], *, is_moved: bool) -> None:
        assert self.version is not None  # noqa: S101 - callers have checked it
        is_next = message["v"] == self.version + 1
        has_secret = str(self.seat) in message["private"]
        if is_moved:
            await self.send_snapshot()
        elif not is_next or has_secret:
            await self.send_missing()
        else:
            self.version = message["v"]
            change, own = message["change"], message["own"].get(str(self.seat))
            changes = [change if own is None else with_own_part(change, own)]
            await self.deliver(outgoing.ev(now=presence.database_time(), changes=changes))

    def _traced(self) -> dict[str, int]:
        """The attributes of a trace that name the socket. A watcher has no seat."""
        return {} if self.seat is None else {"seat": self.seat}

    def is_behind(self, version: int, seats: frozenset[int] | None) -> bool:
        if self.version is None:
            return False
        return version > self.version or self.is_delayed or seats not in (None, self.present)

    async def catch_up_to(self, version: int) -> None:
        """The heartbeat: a change may have been missed."""
        async with self.delivering:
            if self.version is None:
                return
            if self.is_delayed:
                await self._look_for_seat(version)
            elif version > self.version:
                await self.send_missing()

    async def _look_for_seat(self, version: int) -> None:
        """Show the table late, unless its player has sat down and the word of it was lost."""
        if self.user_id is not None and self.looked_at != version:
            place = await aside(standing, table_id=self.table_id, user_id=self.user_id)
            if place is not None:
                self.sits_at(place)
        if self.is_delayed:
            await self.show_late(at_most_old=SECONDS_SHARED, only_if_new=True)
        else:
            await self.send_snapshot()

    async def present_are(self, seats: frozenset[int]) -> None:
        """The heartbeat: whose browsers are connected."""
        if self.version is not None and seats != self.present:
            self.present = seats
            await self.deliver(outgoing.Here(sorted(seats)))

    async def send_missing(self, *, even_if_none: bool = False) -> None:
        """Deliver what was missed; everything, if that is shorter or this player's seat changed."""
        assert self.version is not None  # noqa: S101 - callers have checked it
        steps = await in_thread(changes_since, table_id=self.table_id, version=self.version)
        if steps is None or any(self._moves(players_of(step), chairs_of(step)) for step in steps):
            await self.send_snapshot()
        elif steps or even_if_none:
            self.version = steps[-1].version if steps else self.version
            changes = [change_json(step, seat=self.seat) for step in steps]
            await self.deliver(outgoing.ev(now=presence.database_time(), changes=changes))
