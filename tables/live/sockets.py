"""The base of every consumer: no detour through Channels' shared thread, limits, slow readers."""

import asyncio
import logging
from typing import Any

from channels.consumer import get_handler_name

from accounts.sessions.revocation import key_of_token, revocation_group, sign_of
from core.observability import logs
from core.observability.metrics import SOCKETS
from core.threads import TooMuchAsked
from tables.live.channels_base import DirectConsumer
from tables.live.close_codes import SIGNED_OUT, TOO_MANY_MESSAGES, TOO_SLOW, TRY_AGAIN
from tables.live.frames import outgoing
from tables.live.frames.parsing import too_many
from tables.live.limits import OF_A_PLAYERS_SOCKET, Bucket, Budget, Rate, guest_of
from tables.live.session_watch import watch
from tables.play.lock import DATABASE_FAILED

logger = logging.getLogger(__name__)

SECONDS_TO_SEND = 5
SECONDS_TO_CLOSE = 1
# New sockets of a player, and of everybody without an account behind an address; and what being
# closed for too many messages costs of that.
OPENINGS = Budget(a_second=1, at_once=40)
COST_OF_A_FLOOD = 20


class GameConsumer(DirectConsumer):
    """Consumers never touch the ORM: services and selectors run through `in_thread`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._bucket = Bucket.full(OF_A_PLAYERS_SOCKET)
        # Who it is that the session of this socket is signed in as; None: nobody.
        self.signed_in: tuple[int, str] | None = None
        self.is_over = False  # closed by us: nothing more is read or sent
        self.is_given_up = False
        self._running: asyncio.Task[Any] | None = None

    async def websocket_connect(self, message: Any) -> None:
        scope: Any = self.scope
        user, token_id = scope["user"], scope.get("token_id")
        # Salted by Python for each process: no address is told.
        logs.bind(client=f"{hash(guest_of(scope)) & 0xFFFFFFFF:08x}")
        key = key_of_token(token_id) if token_id else scope["session"].session_key
        if user is not None and user.pk is not None and key:
            self.signed_in = (user.pk, key)
            # In the group before anything is done, so that no end of the session is missed.
            await self.channel_layer.group_add(revocation_group(user.pk), self.channel_name)
            watch.add(self)
        await super().websocket_connect(message)

    async def session_revoked(self, message: dict[str, Any]) -> None:
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
        if self.is_over and message["type"] != "websocket.disconnect":
            return  # frames and hints that were on their way
        try:
            await getattr(self, get_handler_name(message))(message)
        except DATABASE_FAILED as error:
            # Whether it was stored nobody knows: the browser comes back, and asks or sends again.
            logger.warning("a socket had no answer of the database: %s", error)
            await self.part(TRY_AGAIN, "try_again", "This cannot be answered now.")
        except TooMuchAsked:
            await self.part(TRY_AGAIN, "try_again", "This cannot be answered now.")

    async def close(
        self,
        code: int | bool | None = None,  # noqa: FBT001 - as Channels has it
        reason: str | None = None,
    ) -> None:
        """Once. Who does not even read that is left without a word."""
        if self.is_over:
            return
        self.is_over = True
        if code == TOO_MANY_MESSAGES:
            OPENINGS.take(guest_of(self.scope), COST_OF_A_FLOOD)
        try:
            async with asyncio.timeout(SECONDS_TO_CLOSE):
                await super().close(code=code, reason=reason)
        except TimeoutError:
            self._give_up()
        except OSError:  # the browser has gone first
            return

    def _give_up(self) -> None:
        """End the consumer: a full buffer lets no farewell through, and nobody waits for it."""
        self.is_given_up = True
        if self._running is not None:
            self._running.cancel()

    async def part(self, close_code: int, code: str, message: str) -> None:
        """Close with a word."""
        await self.deliver(outgoing.Bye(code=code, message=message))
        await self.close(code=close_code)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Channels calls `disconnect` only on a proper farewell; a handler that fails ends the
        # consumer without one.
        open_sockets = SOCKETS.labels(type(self).__name__)
        open_sockets.inc()
        self._running = asyncio.current_task()
        try:
            await super().__call__(scope, receive, send)
        except asyncio.CancelledError:
            if not self.is_given_up:
                raise
        finally:
            open_sockets.dec()
            watch.remove(self)
            try:
                await self.part_from_table()
            finally:
                if self.signed_in is not None:
                    group = revocation_group(self.signed_in[0])
                    await self.channel_layer.group_discard(group, self.channel_name)

    async def part_from_table(self) -> None:
        """Give back what `connect` took; called once, however the socket ends."""

    async def deliver(self, frame: outgoing.Frame | str) -> None:
        """Send a frame or its text, and give up a reader who does not read: they come back and catch up."""
        if self.is_over:
            return
        try:
            async with asyncio.timeout(SECONDS_TO_SEND):  # wait_for would make a task of each
                await self.send(text_data=frame if isinstance(frame, str) else frame.text())
        except TimeoutError:
            await self.close(code=TOO_SLOW)
        except OSError:
            return  # the browser has gone; the farewell is on its way to us

    def count_message(self, rate: Rate = OF_A_PLAYERS_SOCKET) -> None:
        """Raises BadFrame for a message too many of this socket."""
        if not self._bucket.take(rate):
            raise too_many()
