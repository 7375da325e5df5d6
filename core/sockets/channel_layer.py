"""The channel layer of the sockets: groups, whose messages a server carries between processes.

This process remembers its subscriptions, and subscribes again once a lost server is back. The heartbeats
(tables/live/heartbeat.py) find in the database what missed messages would have said.
"""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Protocol

import msgspec
from redis.exceptions import RedisError

from core.circuit_breaker import CircuitBreaker
from core.sockets.redis_line import Answer, RedisLine

logger = logging.getLogger(__name__)

SECONDS_TO_ANSWER: Final = 1.0
# Pause between two attempts to reach a Redis that did not answer. No caller waits for it.
SECONDS_BETWEEN_TRIES: Final = 0.5
_AWAY: Final = (RedisError, OSError)
Deliver = Callable[[str, bytes], None]
# Event loops keep only weak references to their tasks, and a layer may be replaced while its loop goes on.
_keepers: set[asyncio.Task[None]] = set()


class Connection(Protocol):
    """A connection of one event loop to the server.

    Subscribing never fails. Publishing fails if the server does not answer within SECONDS_TO_ANSWER.
    """

    def __init__(self, hosts: Sequence[str], deliver: Deliver) -> None: ...
    async def publish(self, name: str, message: bytes) -> None: ...
    async def subscribe(self, name: str) -> None: ...
    async def unsubscribe(self, name: str) -> None: ...
    async def flush(self) -> None: ...


class RedisConnection:
    """A connection to Redis, kept alive by one task. The task ends with its event loop, or on `flush`."""

    def __init__(self, hosts: Sequence[str], deliver: Deliver) -> None:
        [self._url] = hosts
        self._deliver = deliver
        self._keeping: asyncio.Task[None] | None = None
        self._wanted: set[str] = set()
        self._subscribed: set[str] = set()  # by the connection of the moment
        # The names that were wanted or released since the last commands, and the event that is set once the
        # next commands are sent.
        self._changed: set[str] = set()
        self._has_changes = asyncio.Event()
        self._followed = asyncio.Event()
        self._is_away = False
        self._is_ended = (
            False  # True once the event loop ends: its last tasks must open no connection
        )
        self._unsent: list[tuple[str, bytes, asyncio.Future[None]]] = []
        self._has_unsent = asyncio.Event()
        self._breaker = CircuitBreaker(SECONDS_BETWEEN_TRIES)
        # The connection that publishes, and the answers that it owes.
        self._publishing: RedisLine | None = None
        self._unanswered = 0
        self._answered: asyncio.Future[None] | None = None

    async def publish(self, name: str, message: bytes) -> None:
        """Publish a message. Raises RedisError or OSError; the message is then lost, like any hint."""
        if self._is_ended:
            raise ConnectionError("the event loop ends")
        sent = asyncio.get_running_loop().create_future()
        self._unsent.append((name, message, sent))
        self._has_unsent.set()
        self._keep()
        await sent

    async def subscribe(self, name: str) -> None:
        """Subscribe to a name. Return once the command is sent, or at once while Redis is down."""
        self._wanted.add(name)
        if name not in self._subscribed and not self._is_ended:
            sent = self._record(name)
            self._keep()
            if not self._is_away:
                await sent.wait()

    async def unsubscribe(self, name: str) -> None:
        self._wanted.discard(name)
        self._record(name)

    async def flush(self) -> None:
        """Close the connection. The next call opens another one."""
        self._wanted.clear()
        keeping, self._keeping = self._keeping, None
        if keeping is not None:
            keeping.cancel()
            await asyncio.wait([keeping])
        self._is_ended = False

    def _record(self, name: str) -> asyncio.Event:
        """Let the task update a name's subscription soon. Return an event that is set when the task has done so."""
        self._changed.add(name)
        self._has_changes.set()
        return self._followed

    def _keep(self) -> None:
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.create_task(self._keep_connected())
            _keepers.add(self._keeping)
            self._keeping.add_done_callback(_keepers.discard)

    async def _keep_connected(self) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._keep_sending())
                tasks.create_task(self._keep_receiving())
        except asyncio.CancelledError:
            self._is_ended = True
            raise
        finally:
            if self._keeping is asyncio.current_task():
                self._keeping = None  # callers from now on need another one
            self._lose()
            self._end(self._take_unsent(), ConnectionError("the channel layer was closed"))

    # Sending: messages that wait while others are sent go with the next command, in order.

    async def _keep_sending(self) -> None:
        try:
            while True:
                await self._has_unsent.wait()
                unsent = self._take_unsent()
                error: Exception | None = None
                try:
                    await self._send([(name, message) for name, message, _sent in unsent])
                except Exception as failed:  # noqa: BLE001 - the callers get it
                    error = failed
                except BaseException:
                    self._end(unsent, ConnectionError("the channel layer was closed"))
                    raise
                self._end(unsent, error)
        finally:
            self._stop_publishing()

    async def _send(self, messages: Sequence[tuple[str, bytes]]) -> None:
        if not self._breaker.allows():
            raise ConnectionError("Redis did not answer a moment ago")
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                line = self._publishing
                if line is None or line.is_lost:
                    self._stop_publishing()
                    line = await RedisLine.open(self._url, self._take_answer)
                    self._publishing = line
                self._unanswered = len(messages)
                self._answered = asyncio.get_running_loop().create_future()
                line.send(*((b"PUBLISH", name.encode(), message) for name, message in messages))
                await self._answered
        except BaseException as error:
            self._stop_publishing()  # its next answers would belong to these messages
            if isinstance(error, _AWAY):
                self._breaker.fail()
            raise
        self._breaker.succeed()

    def _take_answer(self, answer: Answer) -> None:
        if self._answered is None or self._answered.done():
            return
        if isinstance(answer, Exception):
            self._answered.set_exception(answer)
            return
        self._unanswered -= 1
        if not self._unanswered:
            self._answered.set_result(None)

    def _stop_publishing(self) -> None:
        line, self._publishing, self._answered = self._publishing, None, None
        if line is not None:
            line.close()

    def _take_unsent(self) -> list[tuple[str, bytes, "asyncio.Future[None]"]]:
        unsent, self._unsent = self._unsent, []
        self._has_unsent.clear()
        return unsent

    def _end(
        self, unsent: Sequence[tuple[str, bytes, "asyncio.Future[None]"]], error: Exception | None
    ) -> None:
        for *_message, sent in unsent:
            if sent.done():  # its caller was cancelled
                continue
            if error is None:
                sent.set_result(None)
            else:
                sent.set_exception(error)

    # Receiving.

    async def _keep_receiving(self) -> None:
        while True:
            await self._has_changes.wait()
            ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            line: RedisLine | None = None
            try:
                async with asyncio.timeout(SECONDS_TO_ANSWER):
                    take = partial(self._take_told, ended)
                    line = await RedisLine.open(self._url, take)
                following = asyncio.create_task(self._follow(line))
                try:
                    await asyncio.wait({following, ended}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    following.cancel()
                await (ended if ended.done() else following)
            except _AWAY as error:
                if not self._is_away:
                    logger.warning(
                        "Redis does not answer, so sockets receive changes by their heartbeats: %r",
                        error,
                    )
            except Exception:  # the task that all sockets of this process depend on
                logger.exception("subscriptions failed")
            finally:
                if line is not None:
                    line.close()
            self._is_away = True
            self._lose()
            await asyncio.sleep(SECONDS_BETWEEN_TRIES)

    def _lose(self) -> None:
        """Forget the subscriptions of a lost connection, and mark all wanted names for the next one."""
        self._subscribed.clear()
        self._take_changes()[1].set()
        for name in self._wanted:
            self._record(name)

    def _take_changes(self) -> tuple[set[str], asyncio.Event]:
        changes = self._changed, self._followed
        self._changed, self._followed = set(), asyncio.Event()
        self._has_changes.clear()
        return changes

    async def _follow(self, line: RedisLine) -> None:
        """Send subscription changes as they come, with one command for all new names and one for all released names."""
        while True:
            await self._has_changes.wait()
            names, followed = self._take_changes()
            if released := (names & self._subscribed) - self._wanted:
                self._subscribed -= released
                line.send([b"UNSUBSCRIBE", *map(str.encode, released)])
            if new := (names & self._wanted) - self._subscribed:
                line.send([b"SUBSCRIBE", *map(str.encode, new)])
                self._subscribed |= new
            followed.set()
            if self._is_away:
                self._is_away = False
                logger.warning("Redis answers again: sockets receive changes at once")

    def _take_told(self, ended: "asyncio.Future[None]", told: Answer) -> None:
        if isinstance(told, Exception):
            if not ended.done():
                ended.set_exception(told)
        elif told[0] == b"message":
            self._deliver(told[1].decode(), told[2])


class Groups:
    """The groups of the sockets of one event loop, and the connection that brings their messages."""

    def __init__(self, connect: type[Connection], hosts: Sequence[str]) -> None:
        self.channels: dict[str, asyncio.Queue[Any]] = {}
        self.members: defaultdict[str, set[str]] = defaultdict(set)
        self.connection = connect(hosts, self._receive)
        # Part of each message that is sent from here. When the server brings such a message back, the sockets of
        # this event loop already have it.
        self.mark = uuid.uuid4().hex
        self._marked = self.mark.encode()

    def _receive(self, name: str, message: bytes) -> None:
        if self._marked not in message:
            self.deliver(name, message)

    def deliver(self, name: str, message: bytes) -> None:
        """Deliver a message to every socket of a group. All sockets share the object, so nobody may change it."""
        channels = [self.channels.get(channel) for channel in self.members.get(name, ())]
        if channels:
            told = deserialize(message)
            for channel in channels:
                if channel is not None:
                    channel.put_nowait(told)


class ChannelLayer:
    """A channel layer that only has groups. Each event loop has its own connection to the server."""

    extensions: ClassVar = ["groups", "flush"]
    connect: ClassVar[type[Connection]]

    def __init__(self, hosts: Sequence[str]) -> None:
        self._hosts = hosts
        self._groups: dict[asyncio.AbstractEventLoop, Groups] = {}

    @property
    def here(self) -> Groups:
        """Return the groups of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._groups:
            for one in [one for one in list(self._groups) if one.is_closed()]:
                self._groups.pop(one, None)  # another thread may be doing the same
            self._groups[loop] = Groups(self.connect, self._hosts)
        return self._groups[loop]

    async def new_channel(self) -> str:
        """Open a socket's channel and return its name. The socket closes it with `forget`."""
        return self.open()[0]

    def open(self) -> tuple[str, asyncio.Queue[Any]]:
        """Open a socket's channel. Return its name and the queue of the messages to its groups."""
        name, queue = uuid.uuid4().hex, asyncio.Queue[Any]()
        self.here.channels[name] = queue
        return name, queue

    def forget(self, channel: str) -> None:
        self.here.channels.pop(channel, None)

    async def receive(self, channel: str) -> Any:
        """Wait for the next message of a socket's groups."""
        return await self.here.channels[channel].get()

    async def group_add(self, group: str, channel: str) -> None:
        self.here.members[name_on_server(group)].add(channel)
        await self.here.connection.subscribe(name_on_server(group))

    async def group_discard(self, group: str, channel: str) -> None:
        members = self.here.members[name_on_server(group)]
        members.discard(channel)
        if not members:
            del self.here.members[name_on_server(group)]
            await self.here.connection.unsubscribe(name_on_server(group))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send a message to every socket of a group. Sockets of this event loop get it at once.

        Raises RedisError or OSError if the server is away.
        """
        here, name = self.here, name_on_server(group)
        told = serialize({**message, "from": here.mark})
        here.deliver(name, told)
        await here.connection.publish(name, told)

    async def flush(self) -> None:
        """Close the connection of the running event loop, and forget its sockets."""
        groups = self._groups.pop(asyncio.get_running_loop(), None)
        if groups is not None:
            await groups.connection.flush()


serialize: Final = msgspec.msgpack.Encoder().encode
deserialize: Final = msgspec.msgpack.Decoder(dict[str, Any]).decode


def name_on_server(group: str) -> str:
    """Return the name of a group on the server."""
    return f"group.{group}"


class RedisChannelLayer(ChannelLayer):
    """The channel layer on one Redis server."""

    connect = RedisConnection
