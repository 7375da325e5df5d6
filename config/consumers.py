"""One person's socket, open on every page: `/ws/me/` carries what concerns nobody else."""

import json
from typing import Any

from accounts.notices import group_of
from tables.messages import BadMessage
from tables.sockets import TOO_MANY_MESSAGES, GameConsumer
from tables.threads import in_thread
from tournaments.broadcast import message_of
from tournaments.selectors import invitations_of

SIGNED_OUT = 4401


class MeConsumer(GameConsumer):
    """Passes on what `accounts.notices.tell` sends; a ping is answered with what may be missed."""

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user_id: int | None = None if user is None else user.pk
        await self.accept()
        if self.user_id is None:
            await self.close(code=SIGNED_OUT)
            return
        # In the group before the database is asked, so that nothing falls between the two.
        await self.channel_layer.group_add(group_of(self.user_id), self.channel_name)
        await self._tell_what_is_there(self.user_id)

    async def part_from_table(self) -> None:
        user_id: int | None = getattr(self, "user_id", None)
        if user_id is not None:
            await self.channel_layer.group_discard(group_of(user_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Whatever comes is a ping; too much of it ends the socket."""
        try:
            self.count_message()
        except BadMessage:
            await self.close(code=TOO_MANY_MESSAGES)
            return
        if self.user_id is not None:
            await self._tell_what_is_there(self.user_id)
            await self.deliver(json.dumps({"type": "pong"}))

    async def me_message(self, message: dict[str, Any]) -> None:
        await self.deliver(json.dumps(message["message"]))

    async def _tell_what_is_there(self, user_id: int) -> None:
        for invitation in await in_thread(invitations_of, user_id):
            await self.deliver(json.dumps(message_of(invitation)))
