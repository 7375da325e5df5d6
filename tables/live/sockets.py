"""The base of every socket, which avoids Channels' shared thread. Also rate limits, slow readers and close codes.

Limits are token buckets in a process's memory. A client with sockets in several processes has a full limit in each. A
close code tells the client whether to reconnect (docs/protocol.md).
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer

from accounts.sessions.revocation import compute_sign, key_of_token, revocation_group
from core.observability import logs
from core.observability.metrics import SOCKETS
from core.sockets.prompt import run_within
from core.threads import TooMuchAsked
from core.throttling import HOUSEHOLD, find_network
from tables.live import frames
from tables.live.frames import build_too_many
from tables.live.heartbeat import session_watch
from tables.play.lock import DATABASE_FAILED

if TYPE_CHECKING:
    from core.sockets.channel_layer import ChannelLayer

logger = logging.getLogger(__name__)

TRY_AGAIN: Final = 1013
SIGNED_OUT: Final = 4401
NO_HELLO: Final = 4402
NOT_ALLOWED: Final = 4403
NOT_FOUND: Final = 4404
TOO_MANY_MESSAGES: Final = 4408
TOO_SLOW: Final = 4409
TAKEN_OVER: Final = 4410


# Beyond this many keys the least recently used is dropped and begins again with a full bucket.
KEYS_KEPT: Final = 20_000


@dataclass(frozen=True, slots=True)
class SocketRate:
    a_second: float
    at_once: int


@dataclass(slots=True)
class Bucket:
    left: float
    filled_at: float

    @classmethod
    def full(cls, rate: SocketRate) -> "Bucket":
        return cls(rate.at_once, time.monotonic())

    def take(self, rate: SocketRate, cost: int = 1) -> bool:
        """Take `cost` tokens from the bucket. Return False, and take none, if the bucket is empty."""
        if not self.has_room(rate):
            return False
        self.left -= cost
        return True

    def has_room(self, rate: SocketRate) -> bool:
        now = time.monotonic()
        earned = (now - self.filled_at) * rate.a_second
        self.left = min(float(rate.at_once), self.left + earned)
        self.filled_at = now
        return self.left >= 1


class Budget:
    """A rate limit with one token bucket for each key."""

    def __init__(self, *, a_second: float, at_once: int) -> None:
        self.rate = SocketRate(a_second, at_once)
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, cost: int = 1) -> bool:
        """Take `cost` tokens from this key's bucket. Return False if it is empty.

        A cost above the bucket's content leaves a debt.
        """
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket.full(self.rate)
            if len(self._buckets) > KEYS_KEPT:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take(self.rate, cost)

    def has_room(self, key: Hashable) -> bool:
        """Return whether `take` would accept one more token for this key now."""
        bucket = self._buckets.get(key)
        return bucket is None or bucket.has_room(self.rate)

    def forget(self) -> None:
        self._buckets.clear()


# For all sockets of a player, and for all people without an account at one address.
FRAMES_OF_A_PLAYER: Final = Budget(a_second=30, at_once=120)
FRAMES_OF_AN_ADDRESS: Final = Budget(a_second=100, at_once=400)
HELLOS: Final = Budget(a_second=1, at_once=20)
QUESTIONS: Final = Budget(a_second=0.5, at_once=10)
# How often a spectator's seat is looked up all the same.
SEATS_LOOKED_UP: Final = Budget(a_second=0.2, at_once=3)
# Limit for a spectator's chat lines, checked before the database is asked.
WATCHERS_LINES: Final = Budget(a_second=0.5, at_once=5)
# Frames of one socket; spectators send few.
OF_A_PLAYERS_SOCKET: Final = SocketRate(a_second=10, at_once=30)
OF_A_WATCHERS_SOCKET: Final = SocketRate(a_second=2, at_once=10)
BAD_FRAMES_ALLOWED: Final = 20
# After this many bad frames the next one is read later: a flooding client waits, at no cost to others.
BAD_FRAMES_AT_ONCE: Final = 3
SECONDS_SLOWED: Final = 1.0


def get_address(scope: Any) -> str:
    """Return the address of a connection, as uvicorn determines it (FORWARDED_ALLOW_IPS)."""
    client = scope.get("client")
    if client is None:
        return ""  # a unix socket
    return find_network(client[0], HOUSEHOLD) or str(client[0])


def get_limit_key(scope: Any) -> tuple[str, Any]:
    """Return the key of the rate limit that a socket shares with others.

    All sockets of a player share one limit, and so do all people without an account at one address.
    """
    user = scope.get("user")
    if user is None or user.pk is None:
        return "from", get_address(scope)
    return "player", user.pk


SECONDS_TO_SEND = 5
SECONDS_TO_CLOSE = 1
# Rate limit for new sockets of a player, and of all people without an account at one address. A socket that
# was closed for too many messages takes this many tokens.
OPENINGS = Budget(a_second=1, at_once=40)
COST_OF_A_FLOOD = 20


class GameConsumer(AsyncWebsocketConsumer):
    """The base of every socket. It holds no database connection: services and selectors run in `in_thread`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._bucket = Bucket.full(OF_A_PLAYERS_SOCKET)
        # The player and session that this socket is signed in with; None without an account.
        self.signed_in: tuple[int, str] | None = None
        self.is_over = False  # closed by us: nothing more is read or sent
        self.is_given_up = False
        self._running: asyncio.Task[Any] | None = None

    async def websocket_connect(self, message: Any) -> None:
        scope: Any = self.scope
        user, token_id = scope["user"], scope.get("token_id")
        # Python salts the hash for each process, so it reveals no address.
        logs.bind(client=f"{hash(get_limit_key(scope)) & 0xFFFFFFFF:08x}")
        key = key_of_token(token_id) if token_id else scope["session"].session_key
        if user is not None and user.pk is not None and key:
            self.signed_in = (user.pk, key)
            # Join the group first, so that no end of the session is missed.
            await self.channel_layer.group_add(revocation_group(user.pk), self.channel_name)
            session_watch.add(self)
        await super().websocket_connect(message)

    async def websocket_disconnect(self, message: Any) -> None:
        # Channels' own handler closes old database connections, on the single thread that all sockets
        # share.
        await self.disconnect(message["code"])
        raise StopConsumer

    async def session_revoked(self, message: dict[str, Any]) -> None:
        """Close the socket if its session is among those that have ended. The message is sent after the commit."""
        if self.signed_in is None:
            return
        if message["signs"] is None or compute_sign(self.signed_in[1]) in message["signs"]:
            await self.close_ended()

    async def close_ended(self) -> None:
        """Close the socket, because its session has ended or the account is frozen."""
        await self.close(code=SIGNED_OUT)

    async def dispatch(self, message: dict[str, Any]) -> None:
        # The stock dispatch passes every frame through the single thread-sensitive thread to close old
        # connections; there are none here.
        if self.is_over and message["type"] != "websocket.disconnect":
            return  # frames and hints that were on their way
        try:
            await getattr(self, get_handler_name(message))(message)
        except DATABASE_FAILED as error:
            # It is unknown whether it was stored, so the browser reconnects and asks or sends again.
            logger.warning("a socket had no answer of the database: %s", error)
            await self.part(TRY_AGAIN, "try_again", "This cannot be answered now.")
        except TooMuchAsked:
            await self.part(TRY_AGAIN, "try_again", "This cannot be answered now.")

    async def close(
        self,
        code: int | bool | None = None,  # noqa: FBT001 - as Channels has it
        reason: str | None = None,
    ) -> None:
        """Close the socket. Later calls do nothing.

        If the client does not read the closing message, the connection is dropped.
        """
        if self.is_over:
            return
        self.is_over = True
        if code == TOO_MANY_MESSAGES:
            OPENINGS.take(get_limit_key(self.scope), COST_OF_A_FLOOD)
        try:
            async with asyncio.timeout(SECONDS_TO_CLOSE):
                await super().close(code=code, reason=reason)
        except TimeoutError:
            self._give_up()
        except OSError:  # the browser has gone first
            return

    def _give_up(self) -> None:
        """Cancel the consumer, because a full buffer lets no closing message through."""
        self.is_given_up = True
        if self._running is not None:
            self._running.cancel()

    async def part(self, close_code: int, code: str, message: str) -> None:
        """Send a closing message and close."""
        await self.deliver(frames.Bye(code=code, message=message))
        await self.close(code=close_code)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Channels calls `disconnect` only on a proper close; a failing handler ends the consumer without
        # it.
        open_sockets = SOCKETS.labels(type(self).__name__)
        open_sockets.inc()
        self._running = asyncio.current_task()
        self.scope, self.base_send = scope, send
        self.channel_layer = cast("Any", get_channel_layer())
        layer = cast("ChannelLayer", self.channel_layer)
        self.channel_name, told = layer.open()
        try:
            await self._handle_all(receive, told)
        except asyncio.CancelledError:
            if not self.is_given_up:
                raise
        finally:
            open_sockets.dec()
            layer.forget(self.channel_name)
            session_watch.remove(self)
            try:
                await self.part_from_table()
            finally:
                if self.signed_in is not None:
                    group = revocation_group(self.signed_in[0])
                    await self.channel_layer.group_discard(group, self.channel_name)

    async def _handle_all(
        self, receive: Callable[[], Coroutine[Any, Any, Any]], told: "asyncio.Queue[Any]"
    ) -> None:
        """Handle frames and messages one after another until the socket is closed.

        Frames share the queue `told` with the messages to the socket's groups. The next frame is received only after
        the one before it was handled, so further frames wait at the client. Channels would create two new tasks for
        each message.
        """
        reading: asyncio.Task[Any] | None = None
        try:
            while True:
                if reading is None:
                    reading = asyncio.ensure_future(receive())
                    reading.add_done_callback(told.put_nowait)
                message = await told.get()
                if message is reading:
                    message, reading = reading.result(), None
                await self.dispatch(message)
        except StopConsumer:
            return
        finally:
            if reading is not None:
                reading.cancel()

    async def part_from_table(self) -> None:
        """Release what `connect` has reserved. Called once, however the socket ends."""

    async def deliver(self, frame: frames.ServerFrame | str) -> None:
        """Send a frame or its encoded text.

        A client that reads too slowly is disconnected. It reconnects and catches up.
        """
        if self.is_over:
            return
        text = frame if isinstance(frame, str) else frame.text()
        sending: Any = self.base_send({"type": "websocket.send", "text": text})  # type: ignore[arg-type]
        try:
            await run_within(sending, lambda: asyncio.timeout(SECONDS_TO_SEND))
        except TimeoutError:
            await self.close(code=TOO_SLOW)
        except OSError:
            return  # the browser has gone; the farewell is on its way to us

    def count_message(self, rate: SocketRate = OF_A_PLAYERS_SOCKET) -> None:
        """Count a message against the socket's rate limit. Raises BadFrame if it is exceeded."""
        if not self._bucket.take(rate):
            raise build_too_many()


class PersonalNews(Protocol):
    """The messages about one person, sent over the socket of the page that they have open."""

    async def begin(self) -> None:
        """Begin to send messages. Called when the page asks for them, possibly repeatedly."""

    async def send_tables(self) -> None:
        """Send the person's tables. Called when something has happened at another table of theirs."""

    async def pass_on(self, message: dict[str, Any]) -> None:
        """Pass on a message that was sent to the person's group."""

    async def end(self) -> None:
        """Stop sending messages. Called once, when the socket has closed."""


MakeNews = Callable[[GameConsumer, int | None, int | None], PersonalNews]
