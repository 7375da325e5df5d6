"""A consumer of Channels without the one thread that all sockets of a process would share."""

from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer


class DirectConsumer(AsyncWebsocketConsumer):
    """A consumer without a database connection of its own and without class-wide groups."""

    async def websocket_disconnect(self, message: Any) -> None:
        """Without the stock look for old connections, on that thread."""
        await self.disconnect(message["code"])
        raise StopConsumer
