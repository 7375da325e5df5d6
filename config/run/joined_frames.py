"""Joins the frames that a socket is sent at the same moment, which uvicorn would write one by one."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MOST_JOINED: Final = 65_536


class JoinedWrites:
    """A transport that writes once in each turn of the event loop, because every write is a system call.

    A player's move is answered by two frames: one says that it is stored, the other what it has changed.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._unwritten: list[bytes] = []
        self._length = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._unwritten:
            self._loop.call_soon(self._write)
        self._unwritten.append(data)
        self._length += len(data)
        if self._length > MOST_JOINED:  # uvicorn is to learn of a client that does not read
            self._write()

    def close(self) -> None:
        self._write()
        self._transport.close()

    def _write(self) -> None:
        if self._unwritten:
            joined, self._unwritten, self._length = self._unwritten, [], 0
            self._transport.write(b"".join(joined))


class JoinedFrames(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol, joining frames that are sent at the same moment."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(JoinedWrites(transport))  # type: ignore[arg-type]
