"""The socket of a tournament's page: told that something has changed, the page asks what."""

import json
from typing import Any

from tables.messages import BadMessage
from tables.sockets import TOO_MANY_MESSAGES, GameConsumer
from tournaments.broadcast import group_of


class TournamentConsumer(GameConsumer):
    """Anybody may listen: all that a tournament shows is public."""

    async def connect(self) -> None:
        self.group = group_of(int(self.scope["url_route"]["kwargs"]["tournament_id"]))
        await self.accept()
        await self.channel_layer.group_add(self.group, self.channel_name)

    async def part_from_table(self) -> None:
        if hasattr(self, "group"):
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Whatever comes is a sign of life; too much of it ends the socket."""
        try:
            self.count_message()
        except BadMessage:
            await self.close(code=TOO_MANY_MESSAGES)
        else:
            await self.deliver(json.dumps({"type": "pong"}))

    async def tournament_changed(self, _message: dict[str, Any]) -> None:
        await self.deliver(json.dumps({"type": "changed"}))
