"""The right to a socket at a table, and the resources that a socket takes and returns."""

import asyncio
from typing import Any

from django.http import QueryDict

from core.observability import logs
from core.threads import aside, in_thread
from tables.live import presence
from tables.live.close_codes import NO_HELLO, NOT_ALLOWED, NOT_FOUND
from tables.live.delivery import Delivery
from tables.live.limits import (
    address_of,
)
from tables.live.version_watch import watch
from tables.live.watchers import standing_of_nobody
from tables.play.broadcast import group_of, group_of_player
from tables.play.reading import Standing, standing
from tables.refusals import (
    ApiPlayersNotAllowed,
    NoHello,
    Refusal,
    TableNotFound,
)
from tables.seating.addresses import invite_in
from tables.seating.selectors import may_see

LONGEST_QUERY = 200
SECONDS_TO_HELLO = 10


def invitation_of(scope: Any) -> str:
    """Return the invitation that a socket's address carries, as its page's does."""
    # Of a long one the beginning: what has too many fields is no invitation.
    return invite_in(QueryDict(scope["query_string"][:LONGEST_QUERY], encoding="latin-1"))


class Admission(Delivery):
    """From the handshake to the first hello, and the end."""

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user_id = None if user is None else user.pk
        self.table_id = int(self.scope["url_route"]["kwargs"]["table_id"])
        logs.bind(table=self.table_id, user=self.user_id)
        self.address = address_of(self.scope)
        self.bad_messages = 0
        # When this connection began to play for its player, to compare with their others.
        self.claim: list[int | str] | None = None
        self.is_taken_over = False
        self.ignored: frozenset[int] = frozenset()
        self.joined: list[str] = []
        self.waiting: asyncio.TimerHandle | None = None  # for the first hello
        self.parting: asyncio.Task[None] | None = None
        await self.accept()
        if not await self._is_admitted():
            return
        # In the group before the state is read, so that nothing falls between the two.
        for group in self._groups():
            self.joined.append(group)
            await self.channel_layer.group_add(group, self.channel_name)
        watch.add(self.table_id, self)
        loop = asyncio.get_running_loop()
        self.waiting = loop.call_later(SECONDS_TO_HELLO, self._has_waited)

    def _groups(self) -> list[str]:
        if self.user_id is None:  # shown late by the heartbeat: waking all would delay moves
            return [] if self.is_delayed else [group_of(self.table_id)]
        return [group_of(self.table_id), group_of_player(self.table_id, self.user_id)]

    async def part_from_table(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
        watch.remove(self.table_id, self)
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)
        if self.seat is not None and not self.is_taken_over:
            await presence.gone(self.table_id, self.seat, self.channel_name)

    async def _is_admitted(self) -> bool:
        """Return whether the table exists and this program may play there. Otherwise close the socket."""
        self.admitted = place = await self.place()
        if place is None or (place.is_private and not await self._may_see()):
            await self.part_with(NOT_FOUND, TableNotFound())
        elif self.scope.get("token_id") and not place.allows_api_players:
            await self.part_with(NOT_ALLOWED, ApiPlayersNotAllowed())
        else:
            self.sits_at(place)
        return not self.is_over

    async def place(self) -> Standing | None:
        """Players are not kept waiting by those who only watch."""
        if self.user_id is None and self.is_delayed:
            return await standing_of_nobody(self.table_id)
        run = aside if self.user_id is None else in_thread
        return await run(standing, table_id=self.table_id, user_id=self.user_id)

    async def _may_see(self) -> bool:
        run = aside if self.user_id is None else in_thread
        invite = invitation_of(self.scope)
        return await run(may_see, table_id=self.table_id, user_id=self.user_id, invite=invite)

    def _has_waited(self) -> None:
        """Close a socket that has not said hello in time."""
        if self.version is None:
            self.parting = asyncio.ensure_future(self.part_with(NO_HELLO, NoHello()))

    async def part_with(self, close_code: int, refusal: Refusal) -> None:
        await self.part(close_code, refusal.code, str(refusal.sentence))
