"""The channel layer of the sockets, which survives outages of Redis.

The process keeps its own list of subscriptions, and subscribes again when Redis is back. Messages that were
missed until then are found in the database by the heartbeats (tables/live/heartbeat.py).
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from channels_redis.pubsub import (
    RedisPubSubChannelLayer,
    RedisPubSubLoopLayer,
    RedisSingleShardConnection,
)
from channels_redis.utils import _wrap_close, decode_hosts
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from core.circuit_breaker import CircuitBreaker

logger = logging.getLogger(__name__)

SECONDS_TO_ANSWER: Final = 1.0
# Pause between two attempts to reach a Redis that did not answer; nobody waits for it meanwhile.
SECONDS_BETWEEN_TRIES: Final = 0.5
_AWAY: Final = (RedisError, OSError)


class _Subscriptions(PubSub):
    """The subscriptions of one connection; a new connection begins with none.

    redis-py would subscribe again to each name whose UNSUBSCRIBE was not confirmed, so a name released just
    before a connection was lost would stay subscribed for ever. It would also reconnect in whichever task
    finds the connection lost, while another task does the same: the second connection then replaces the
    first, which nobody closes. Here a lost connection is an error, and the caller reconnects under its lock.
    """

    connection: Any

    def __init__(self, pool: Any, on_reconnect: Callable[[], None]) -> None:
        super().__init__(pool)
        self._on_reconnect = on_reconnect

    async def connect(self) -> None:
        await super().connect()  # type: ignore[no-untyped-call]
        self.connection.retry = Retry(NoBackoff(), 0, supported_errors=())

    async def on_connect(self, connection: Any) -> None:
        self.channels.clear()
        await super().on_connect(connection)
        self._on_reconnect()


class LastingConnection(RedisSingleShardConnection):  # type: ignore[misc] # has no types
    """One Redis server: subscribing and unsubscribing never fail, publishing fails at once."""

    _pubsub: Any

    def __init__(self, host: Any, channel_layer: Any) -> None:
        super().__init__(host, channel_layer)
        self._wanted: set[str] = set()
        # Names that Redis may not know of; the first to reach it subscribes them all.
        self._untold: set[str] = set()
        self._telling = asyncio.Lock()
        self._catching_up: asyncio.Task[None] | None = None
        self._unsent: list[tuple[str, bytes, asyncio.Future[None]]] = []
        self._sending = asyncio.Lock()
        self._breaker = CircuitBreaker(SECONDS_BETWEEN_TRIES)

    async def publish(self, channel: str, message: bytes) -> None:
        """Publish a message. Raises RedisError or OSError; the message is lost then, as any hint may be."""
        told = asyncio.get_running_loop().create_future()
        self._unsent.append((channel, message, told))
        async with self._sending:
            if not told.done():
                await self._send_all()
        await told

    async def _send_all(self) -> None:
        """Send all messages that were queued while others were being sent, in one command."""
        sent, self._unsent = self._unsent, []
        try:
            await self._send([(channel, message) for channel, message, _told in sent])
        except _AWAY as error:
            for *_message, told in sent:
                _end(told, error)
        except BaseException:
            self._unsent = sent + self._unsent  # who sends was ended, and the next one does it
            raise
        else:
            for *_message, told in sent:
                _end(told)

    async def _send(self, messages: Sequence[tuple[str, bytes]]) -> None:
        if not self._breaker.allows():
            raise ConnectionError("Redis did not answer a moment ago")
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                self._ensure_redis()
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for channel, message in messages:
                        pipeline.publish(channel, message)
                    await pipeline.execute()
        except _AWAY:
            self._breaker.fail()
            raise
        self._breaker.succeed()

    async def subscribe(self, channel: str) -> None:
        """Subscribe to a name. Return once it is subscribed, or at once if Redis is down."""
        self._wanted.add(channel)
        await self._follow(channel)

    async def unsubscribe(self, channel: str) -> None:
        self._wanted.discard(channel)
        await self._follow(channel)

    async def flush(self) -> None:
        self._wanted.clear()
        self._untold.clear()
        if self._catching_up is not None:
            self._catching_up.cancel()
            self._catching_up = None
        await super().flush()

    async def _follow(self, channel: str) -> None:
        self._untold.add(channel)
        if self._catching_up is not None:
            return  # it is done with the others
        async with self._telling:
            # The first caller has subscribed the names of all callers that came in the meantime: thousands
            # come at once after another server's failure.
            if channel not in self._untold or self._catching_up is not None:
                return
            try:
                await asyncio.sleep(0)  # let the callers of this moment add their names
                await self._tell()
            except _AWAY as error:
                logger.warning("sockets hear of changes late: Redis does not answer: %s", error)
                self._catch_up_in(SECONDS_BETWEEN_TRIES)

    def _ensure_redis(self) -> None:
        super()._ensure_redis()
        if not isinstance(self._pubsub, _Subscriptions):
            self._pubsub = _Subscriptions(self._pubsub.connection_pool, self._forget_subscriptions)

    def _forget_subscriptions(self) -> None:
        self._subscribed_to.clear()
        self._catch_up_in(0)

    def _catch_up_in(self, seconds: float) -> None:
        if self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up(seconds))

    async def _catch_up(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            seconds = SECONDS_BETWEEN_TRIES
            try:
                async with self._telling:
                    while missing := self._wanted ^ self._subscribed_to:
                        self._untold |= missing
                        await self._tell()
            except _AWAY:
                continue
            self._catching_up = None
            logger.warning("sockets hear of changes again")
            return

    async def _tell(self) -> None:
        """Send one command to join all new names, and one to leave all unused ones."""
        names, self._untold = self._untold, set()
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER), self._lock:
                self._ensure_redis()
                self._ensure_receiver()
                if new := (names & self._wanted) - self._subscribed_to:
                    # Update before sending the command: a reconnect in the meantime removes them again.
                    self._subscribed_to |= new
                    try:
                        await self._pubsub.subscribe(*new)
                    except BaseException:
                        self._subscribed_to -= new
                        raise
                if old := (names - self._wanted) & self._subscribed_to:
                    await self._pubsub.unsubscribe(*old)
                    self._subscribed_to -= old
        except BaseException:
            self._untold |= names
            raise

    async def _do_receiving(self) -> None:
        # The loop of channels-redis ends for good when a connection times out, and logs a traceback a
        # second while Redis is down.
        while True:
            try:
                if self._pubsub is None or not self._pubsub.subscribed:
                    await asyncio.sleep(0.1)
                elif not self._pubsub.connection.is_connected:
                    await self._reconnect()
                else:
                    message = await self._pubsub.get_message(
                        ignore_subscribe_messages=True, timeout=0.1
                    )
                    self._receive_message(message)
            except _AWAY as error:
                logger.warning("sockets hear nothing: Redis does not answer: %s", error)
                await self._pubsub.connection.disconnect(nowait=True)
            except Exception:  # the loop of all sockets of this process
                logger.exception("a message of the channel layer was lost")
                await asyncio.sleep(SECONDS_BETWEEN_TRIES)

    async def _reconnect(self) -> None:
        """Connect again unless another task has, and pause if Redis is still down."""
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER), self._lock:
                await self._pubsub.connect()
        except _AWAY:
            await asyncio.sleep(SECONDS_BETWEEN_TRIES)


def _end(told: "asyncio.Future[None]", error: Exception | None = None) -> None:
    if told.done():
        return  # who asked has gone
    if error is None:
        told.set_result(None)
    else:
        told.set_exception(error)
        told.exception()  # nobody may be left to ask for it


class LastingLoopLayer(RedisPubSubLoopLayer):  # type: ignore[misc] # has no types
    """The groups of one event loop, on one connection."""

    channels: dict[str, asyncio.Queue[bytes]]
    groups: dict[str, set[str]]

    def __init__(self, *args: Any, hosts: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._shards = [self.channel_layer.connection_of(self, hosts)]

    def deliver(self, group: str, message: bytes) -> None:
        """Deliver a message to every socket of a group."""
        for channel in self.groups.get(group, ()):
            if channel in self.channels:
                self.channels[channel].put_nowait(message)

    async def _subscribe_to_channel(self, channel: str) -> None:
        # Sockets receive messages through their groups only. A Redis name for each would be half the cost
        # of opening one there.
        self.channels[channel] = asyncio.Queue()

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        raise NotImplementedError("sockets are told things by their groups")


class LastingChannelLayer(RedisPubSubChannelLayer):  # type: ignore[misc] # has no types
    """The channel layer on Redis."""

    def connection_of(self, layer: LastingLoopLayer, hosts: Sequence[str]) -> Any:
        """Return a connection for an event loop."""
        [host] = decode_hosts(hosts)
        return LastingConnection(host, layer)

    def forget(self, channel: str) -> None:
        """Forget the channel of a socket that has ended.

        The layer itself does so when it stops waiting for the channel's next message, so not if that
        message came at the same moment as the socket's end.
        """
        self._get_layer().channels.pop(channel, None)

    def _get_layer(self) -> LastingLoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            layer = LastingLoopLayer(*self._args, **self._kwargs, channel_layer=self)
            self._layers[loop] = layer
            _wrap_close(self, loop)
        loop_layer: LastingLoopLayer = self._layers[loop]
        return loop_layer
