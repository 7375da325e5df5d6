"""Sockets that only listen, and the socket of a tournament's page.

The socket tells the page that the tournament has changed; the page then fetches the change.
"""

import json
from typing import Any, Final

from django.urls import path

from core.threads import aside
from tables.live.consumers import read_invitation
from tables.live.frames import BadFrame
from tables.live.sockets import NOT_FOUND, TOO_MANY_MESSAGES, GameConsumer, SocketRate
from tournaments.store.announcements import name_tournament_group
from tournaments.store.reading import may_listen

# A page sends one message every 25 seconds.
MESSAGES_OF_A_LISTENER: Final = SocketRate(a_second=2, at_once=20)


class Listening(GameConsumer):
    """A socket in one group, which passes on the group's messages. Any message from the browser is a ping."""

    group: str | None = None

    async def join(self, group: str) -> None:
        await self.channel_layer.group_add(group, self.channel_name)
        self.group = group

    async def part_from_table(self) -> None:
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            self.count_message(MESSAGES_OF_A_LISTENER)
        except BadFrame:
            await self.close(code=TOO_MANY_MESSAGES)
            return
        await self.send_current()
        await self.deliver(json.dumps({"type": "pong"}))

    async def send_current(self) -> None:
        """Send current facts that the page may have missed. Subclasses override it."""


class TournamentConsumer(Listening):
    """The socket that tells a page when its tournament changes.

    For a private tournament that the visitor may not see, it closes with the same code as for a missing one.
    """

    async def connect(self) -> None:
        tournament_id = int(self.scope["url_route"]["kwargs"]["tournament_id"])
        user, invite = self.scope["user"], read_invitation(self.scope)
        await self.accept()
        user_id = None if user is None else user.pk
        if await aside(may_listen, tournament_id, user_id, invite):
            await self.join(name_tournament_group(tournament_id))
        else:
            await self.close(code=NOT_FOUND)

    async def tournament_changed(self, _message: dict[str, Any]) -> None:
        await self.deliver(json.dumps({"type": "changed"}))


websocket_urlpatterns: list[Any] = [  # the stubs of path() only know views
    path("ws/tournaments/<int:tournament_id>/", TournamentConsumer.as_asgi())  # type: ignore[arg-type]
]
