"""The channel layer on NATS. It behaves like the one on Redis, but any of several servers can be used.

nats-py could reconnect, but gives up permanently when a server reports an error, for instance because a process
reads too slowly. A lost connection is therefore closed and replaced by a new one, whatever the reason.
"""

import asyncio
import contextlib
import logging
import random
import time
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error

from core.sockets.channel_layer import ChannelLayer, Deliver

if TYPE_CHECKING:
    from nats.aio.subscription import Subscription

logger = logging.getLogger(__name__)

SECONDS_TO_ANSWER: Final = 1
SECONDS_BETWEEN_TRIES: Final = 0.5
# A stalled server is detected after this many missed pings, SECONDS_TO_ANSWER apart.
PINGS_UNANSWERED: Final = 2
SECONDS_BETWEEN_CHECKS: Final = 0.1
_AWAY: Final = (Error, OSError)


class NatsConnection:
    """A connection to any of the servers. Subscribing never fails. Publishing fails within a second if all are down."""

    def __init__(self, servers: Sequence[str], deliver: Deliver) -> None:
        self._servers = deque(random.sample(servers, len(servers)))  # tried in turn
        self._deliver = deliver
        self._wanted: set[str] = set()
        self._heard: dict[str, Subscription] = {}  # subscriptions of the current client
        self._following = asyncio.Lock()
        self._client: Client | None = None
        self._is_there = asyncio.Event()
        self._away_since = 0.0
        # The event loop ends, and its last tasks must open no other connection.
        self._is_ended = False
        self._staying: asyncio.Task[None] | None = None

    async def publish(self, channel: str, message: bytes) -> None:
        """Publish a message. It is lost if its server is killed, or if this raises OSError."""
        client = await self._find_client()
        try:
            await client.publish(channel, message)
        except Error as error:
            raise ConnectionError(f"NATS: {error}") from error

    async def subscribe(self, channel: str) -> None:
        """Subscribe to a channel.

        Return when the server of this process has confirmed the subscription, or after a second if all servers are
        down.
        """
        self._wanted.add(channel)
        with contextlib.suppress(*_AWAY):  # the next connection subscribes to all wanted names
            client = await self._find_client()
            await self._follow(client, channel)
            await asyncio.sleep(0)  # nats-py sends a ping before what it has not written yet
            await client.flush(SECONDS_TO_ANSWER)

    async def unsubscribe(self, channel: str) -> None:
        self._wanted.discard(channel)
        if self._client is not None:
            with contextlib.suppress(*_AWAY):
                await self._follow(self._client, channel)

    async def flush(self) -> None:
        """Close the connection. The next call opens another one."""
        self._wanted.clear()
        staying, self._staying = self._staying, None
        if staying is not None:
            while not staying.done():  # nats-py sometimes swallows a cancellation
                staying.cancel()
                await asyncio.wait([staying], timeout=SECONDS_TO_ANSWER)
        self._is_ended = False

    async def _find_client(self) -> Client:
        """Return the client. If it has lost its connection, wait for the next client.

        Raises OSError if there is none a second after the connection was lost.
        """
        if self._is_ended:
            raise ConnectionError("the event loop ends")
        if self._staying is None or self._staying.done():
            self._away_since = time.monotonic()
            self._staying = asyncio.create_task(self._stay())
        if self._client is not None and not self._client.is_connected:
            self._lose()
        if self._client is None:
            left = self._away_since + SECONDS_TO_ANSWER - time.monotonic()
            if left <= 0:
                raise ConnectionError("NATS did not answer a moment ago")
            async with asyncio.timeout(left):
                await self._is_there.wait()
        assert self._client is not None  # noqa: S101 - it is there
        return self._client

    def _lose(self) -> None:
        self._client = None
        self._heard = {}
        self._is_there.clear()
        self._away_since = time.monotonic()

    async def _stay(self) -> None:
        try:
            await self._keep_connected()
        except asyncio.CancelledError:
            self._is_ended = True
            raise

    async def _keep_connected(self) -> None:
        """Connect, and reconnect whenever the connection is lost, until this task is cancelled."""
        is_first = True
        while True:
            client = Client()
            try:
                await self._connect(client)
                if not is_first:
                    logger.warning("sockets hear of changes again")
                while client.is_connected:  # noqa: ASYNC110 - it says so late if its server stands still
                    await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
                logger.warning("sockets hear nothing: a NATS server has gone")
            except _AWAY as error:
                if is_first:
                    logger.warning("sockets hear of changes late: NATS does not answer: %r", error)
                await asyncio.sleep(SECONDS_BETWEEN_TRIES / len(self._servers))
            except Exception:  # the connection of all sockets of this process
                logger.exception("a connection to NATS was lost")
                await asyncio.sleep(SECONDS_BETWEEN_TRIES)
            finally:
                if self._client is client:
                    self._lose()
                with contextlib.suppress(*_AWAY):
                    async with asyncio.timeout(SECONDS_TO_ANSWER):
                        await client.close()  # sends what it has not written yet
            is_first = False
            self._servers.rotate()

    async def _connect(self, client: Client) -> None:
        await client.connect(
            self._servers[0],
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=SECONDS_TO_ANSWER,
            ping_interval=SECONDS_TO_ANSWER,
            max_outstanding_pings=PINGS_UNANSWERED,
            error_cb=_report,
        )
        self._client = client
        self._is_there.set()
        for channel in list(self._wanted):
            await self._follow(client, channel)

    async def _follow(self, client: Client, channel: str) -> None:
        async with self._following:
            if client is not self._client:
                return  # the next connection subscribes to all wanted names
            if channel in self._wanted and channel not in self._heard:
                self._heard[channel] = await client.subscribe(channel, cb=self._receive)
            elif channel in self._heard and channel not in self._wanted:
                await self._heard.pop(channel).unsubscribe()

    async def _receive(self, message: Msg) -> None:
        self._deliver(message.subject, message.data)


async def _report(error: Exception) -> None:
    """Log an error that a server reported. Lost connections are not logged here, as another server may still answer."""
    if not isinstance(error, OSError):
        logger.warning("NATS: %r", error)


class NatsChannelLayer(ChannelLayer):
    """The channel layer for `CHANNEL_LAYER=nats`."""

    connect = NatsConnection
