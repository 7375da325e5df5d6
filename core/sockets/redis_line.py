"""A connection to Redis that calls back with each answer as it arrives, for the channel layer.

With redis-py's streams, pool, pipeline and retries, sending and reading a message costs five times as much, which
was a tenth of a move. Only its parsing of the server's URL is used here.
"""

import asyncio
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self, cast

from redis.asyncio import ConnectionPool, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import InvalidResponse, ResponseError

# Bytes, a number, a list of both or nothing; a ResponseError, or the OSError with which the connection has ended.
Answer = Any
_END: Final = b"\r\n"


class RedisLine(asyncio.Protocol):
    """A connection to Redis. It calls `take` with each answer, and finally with the reason why they end."""

    def __init__(self, take: Callable[[Answer], None]) -> None:
        self._take = take
        self._transport: asyncio.Transport | None = None
        self._unread = b""

    @classmethod
    async def open(cls, url: str, take: Callable[[Answer], None]) -> Self:
        """Connect and sign in. Raises RedisError or OSError."""
        pool: Any = ConnectionPool.from_url(url)
        at = pool.make_connection()  # it connects only when it is used
        line = cls(take)
        try:
            await _connect(line, at)
            await line._sign_in(_write_greeting(at))
        except BaseException:
            line.close()
            raise
        return line

    async def _sign_in(self, commands: Sequence[Sequence[bytes]]) -> None:
        answers: asyncio.Queue[Answer] = asyncio.Queue()
        take, self._take = self._take, answers.put_nowait
        self.send(*commands)
        for _ in commands:
            answer = await answers.get()
            if isinstance(answer, Exception):
                raise answer
        self._take = take

    @property
    def is_lost(self) -> bool:
        return self._transport is None

    def send(self, *commands: Sequence[bytes]) -> None:
        """Send commands. Their answers come in the same order. On a lost connection the commands are dropped."""
        if self._transport is not None:
            self._transport.write(b"".join(map(_pack, commands)))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()
            self._transport = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        unread, at = self._unread + data, 0
        try:
            while at < len(unread):
                answer, at = _read(unread, at)
                self._take(answer)
        except _Incomplete:
            pass
        self._unread = unread[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._transport = None
            self._take(exc if isinstance(exc, OSError) else ConnectionError("Redis has gone"))


async def _connect(line: RedisLine, at: Any) -> None:
    """Connect the line to a Redis server.

    `at` is a connection object of redis-py, from which the address and options are read.
    """
    loop = asyncio.get_running_loop()
    if isinstance(at, UnixDomainSocketConnection):
        await loop.create_unix_connection(lambda: line, at.path)
        return
    encryption = at.ssl_context.get() if isinstance(at, SSLConnection) else None
    transport, _line = await loop.create_connection(lambda: line, at.host, at.port, ssl=encryption)
    here = transport.get_extra_info("socket")
    here.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in at.socket_keepalive_options.items():
        here.setsockopt(socket.IPPROTO_TCP, option, value)


def _write_greeting(at: Any) -> list[list[bytes]]:
    """Return the commands that sign in. They end with PING, so that a server that hangs is noticed."""
    person = [word.encode() for word in (at.username, at.password) if word]
    signing_in = [[b"AUTH", *person]] if at.password else []
    choosing = [[b"SELECT", b"%d" % at.db]] if at.db else []
    return [*signing_in, *choosing, [b"PING"]]


class _Incomplete(Exception):  # noqa: N818 - says what it is
    """The rest of an answer has not arrived yet."""


def _pack(words: Sequence[bytes]) -> bytes:
    parts = [b"*%d" % len(words)]
    for word in words:
        parts += (b"$%d" % len(word), word)
    return _END.join((*parts, b""))


def _read(data: bytes, at: int) -> tuple[Answer, int]:
    """Parse the answer that begins at this index. Return it with the index behind it."""
    end = data.find(_END, at)
    if end < 0:
        raise _Incomplete
    kind, text, behind = data[at : at + 1], data[at + 1 : end], end + 2
    if kind == b"$":
        return _read_bytes(data, behind, int(text))
    if kind == b"*":
        answers = []
        for _ in range(int(text)):
            answer, behind = _read(data, behind)
            answers.append(answer)
        return answers, behind
    if kind not in _SIMPLE:
        raise InvalidResponse(f"Redis answers {data[at:end]!r}")
    return _SIMPLE[kind](text), behind


def _read_bytes(data: bytes, at: int, length: int) -> tuple[bytes | None, int]:
    if length < 0:
        return None, at
    end = at + length
    if len(data) < end + len(_END):
        raise _Incomplete
    return data[at:end], end + len(_END)


_SIMPLE: Final[Mapping[bytes, Callable[[bytes], Answer]]] = {
    b":": int,
    b"+": bytes,
    b"-": lambda text: ResponseError(text.decode(errors="replace")),
}
