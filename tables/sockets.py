"""The base of every consumer: no detour through Channels' shared thread, limits, slow readers."""

import asyncio
import time
from typing import Any

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.doors import door_of, key_of_token, sign_of
from accounts.measures import SOCKETS
from tables.door_watch import watch
from tables.messages import BadMessage

SECONDS_TO_SEND = 5
MESSAGES_PER_SECOND = 10
BURST = 30

# Close codes, which the browser's reconnection obeys (docs/protocol.md).
SIGNED_OUT = 4401
NOT_ADMITTED = 4403
NOT_FOUND = 4404
TOO_MANY_MESSAGES = 4408
TOO_SLOW = 4409
TAKEN_OVER = 4410


class GameConsumer(AsyncWebsocketConsumer):
    """Consumers never touch the ORM: services and selectors run through `in_thread`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._allowance = float(BURST)
        self._allowance_at = time.monotonic()
        # Who it is that the session of this socket is signed in as; None: nobody.
        self.signed_in: tuple[int, str] | None = None

    async def websocket_connect(self, message: Any) -> None:
        scope: Any = self.scope
        user, token_id = scope["user"], scope.get("token_id")
        key = key_of_token(token_id) if token_id else scope["session"].session_key
        if user is not None and user.pk is not None and key:
            self.signed_in = (user.pk, key)
            # In the group before anything is done, so that no end of the session is missed.
            await self.channel_layer.group_add(door_of(user.pk), self.channel_name)
            watch.add(self)
        await super().websocket_connect(message)

    async def door_shut(self, message: dict[str, Any]) -> None:
        """Told after the commit that sessions of this person have ended."""
        if self.signed_in is None:
            return
        if message["signs"] is None or sign_of(self.signed_in[1]) in message["signs"]:
            await self.show_out()

    async def show_out(self) -> None:
        """The session has ended, or the account is frozen."""
        await self.close(code=SIGNED_OUT)

    async def dispatch(self, message: dict[str, Any]) -> None:
        # The stock dispatch goes through the one thread-sensitive thread for every frame to close
        # old connections; there are none here.
        await getattr(self, get_handler_name(message))(message)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Channels calls `disconnect` only on a proper farewell; a handler that fails ends the
        # consumer without one.
        open_sockets = SOCKETS.labels(type(self).__name__)
        open_sockets.inc()
        try:
            await super().__call__(scope, receive, send)
        finally:
            open_sockets.dec()
            watch.remove(self)
            if self.signed_in is not None:
                await self.channel_layer.group_discard(
                    door_of(self.signed_in[0]), self.channel_name
                )
            await self.part_from_table()

    async def part_from_table(self) -> None:
        """Give back whatever `connect` took; called once, however the socket ends."""

    async def deliver(self, text: str) -> None:
        """Send, and give up a reader who does not read: he comes back and catches up."""
        try:
            async with asyncio.timeout(SECONDS_TO_SEND):  # wait_for would make a task of each
                await self.send(text_data=text)
        except TimeoutError:
            await self.close(code=TOO_SLOW)
        except OSError:
            return  # he has gone; the farewell is on its way to us

    def count_message(self) -> None:
        """A token bucket for each socket; raises BadMessage for a message too many."""
        now = time.monotonic()
        earned = (now - self._allowance_at) * MESSAGES_PER_SECOND
        self._allowance = min(float(BURST), self._allowance + earned)
        self._allowance_at = now
        if self._allowance < 1:
            raise BadMessage("too_many_messages", "You are sending too fast.")
        self._allowance -= 1
