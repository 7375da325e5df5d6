"""The socket of a table: the state as it changes, and moves that are played exactly once.

`/docs/protocol/` of the site describes the protocol. A lost connection is opened again, and the site then sends
what was missed. A move that was not answered is sent again under the same number.
"""

import asyncio
import json
import logging
import random
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from openrummy_client.rest import Api, BlockingApi

SECONDS_BETWEEN_PINGS: Final = 2.5
SECONDS_OF_SILENCE: Final = 9.0
# Then a move without an answer is sent again, under its number.
SECONDS_TO_ANSWER: Final = 5.0
FIRST_PAUSE: Final = 0.4
LONGEST_PAUSE: Final = 8.0
# Then the table gives up if nobody has listened in all this time.
SECONDS_UNREACHED: Final = 300.0
# Reconnecting would change nothing: invalid token, no such table, not open to programs, too many messages,
# played elsewhere.
FINAL: Final = frozenset({4401, 4403, 4404, 4408, 4410})
# Answers to the handshake: the token is no good, or has not the right to play.
_REFUSED: Final = frozenset({401, 403})
_TOO_MANY: Final = "too_many_messages"

State = dict[str, Any]

_log = logging.getLogger("openrummy_client")


class MoveRefused(Exception):  # noqa: N818 - a refusal is expected, not an error
    """The move was not played. `code` is for programs, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


async def _tell(socket: ClientConnection, text: str) -> None:
    """Send a frame. If the server has closed the connection, do nothing: its last frames are still to be read."""
    with suppress(ConnectionClosed):
        await socket.send(text)


def _read_detail(body: bytes | bytearray | None) -> str:
    """Return the site's reason for refusing the handshake."""
    try:
        return str(json.loads(body or b"")["detail"])
    except (ValueError, KeyError, TypeError):
        return "The token may not play here."


class Closed(Exception):  # noqa: N818 - says what has happened
    """The site has closed the table to this program. Connecting again would not help."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Unreachable(Exception):  # noqa: N818 - says what has happened
    """The site could not be reached for as long as the program was willing to wait."""


class Table:
    """A table that a program is connected to: `async with Table(api, socket) as table`.

    `socket` is the socket's address as the API returns it. If no connection succeeds for `give_up_after` seconds,
    `Unreachable` is raised.

    `state` is what the player sees, as `/docs/protocol/` describes it. It is empty before the first answer.
    """

    def __init__(
        self, api: Api | BlockingApi, socket: str, *, give_up_after: float = SECONDS_UNREACHED
    ) -> None:
        self._address = api.address.replace("http", "ws", 1) + socket
        self._headers = api.headers
        self._give_up_after = give_up_after
        self._socket: ClientConnection | None = None
        self._listening: asyncio.Task[None] | None = None
        self._changed = asyncio.Condition()
        self._waiting: dict[str, tuple[str, asyncio.Future[Any]]] = {}
        self._ended: Closed | Unreachable | None = None
        self._farewell = ""
        self._epoch = ""
        self.version = 0
        self.state: State = {}

    async def __aenter__(self) -> Self:
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    async def changes(self) -> AsyncIterator[State]:
        """Yield the state now, and again whenever it has changed. Several changes may come as one.

        Raises Closed or Unreachable, as do all methods below.
        """
        seen = -1
        while True:
            async with self._changed:
                await self._changed.wait_for(
                    lambda last=seen: self._ended or (self.state and self.version != last)  # type: ignore[misc]
                )
                if self._ended is not None:
                    raise self._ended
                seen = self.version
            yield self.state

    async def act(self, move: Mapping[str, Any]) -> None:
        """Play a move. Return when it is stored and the state shows it. Raises MoveRefused."""
        await self._do({"type": "act", "v": self.version, "move": dict(move)})

    async def play_again(self, amount: int = 0) -> None:
        """Ask for the next match when one is over, and add this amount to your stack for it.

        `amount` is in the smallest unit of the currency. If you are alone with practice bots, this also asks for
        the next deal. While the table's `awaits_press` is true, nothing begins before you ask. Raises MoveRefused.
        """
        await self._do({"type": "again", "amount": amount})

    async def start(self) -> None:
        """Start the next match of a private table, as its host, once all others have asked for it.

        Raises MoveRefused.
        """
        await self._do({"type": "start"})

    async def take_seat_back(self) -> None:
        """Take your seat back from the bot that has been playing for you. Raises MoveRefused."""
        await self._do({"type": "back"})

    async def _do(self, frame: dict[str, Any]) -> None:
        """Send a frame that changes the table. Return when the state shows the change."""
        stored = await self._ask(frame)
        async with self._changed:
            await self._changed.wait_for(lambda: self._ended or self.version >= stored["v"])

    async def ask(self, question: Mapping[str, Any]) -> Any:
        """Return the game's answer to a question about your hand. Raises MoveRefused."""
        answered = await self._ask({"type": "ask", "question": dict(question)})
        return answered["answer"]

    async def _ask(self, frame: dict[str, Any]) -> Any:
        if self._ended is not None:
            raise self._ended
        number = str(uuid.uuid4())
        text = json.dumps({**frame, "id": number})
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = text, answer
        try:
            while True:
                await self._send(text)
                await asyncio.wait([answer], timeout=SECONDS_TO_ANSWER)
                if answer.done():
                    return answer.result()
        finally:
            self._waiting.pop(number, None)

    async def _send(self, text: str) -> None:
        if self._socket is not None and self.state:
            await _tell(self._socket, text)  # or it is sent again on the next connection

    async def _listen(self) -> None:
        pause, loop = FIRST_PAUSE, asyncio.get_running_loop()
        reached_at: float | None = loop.time()
        while True:
            why = "the connection was lost"
            try:
                async with connect(
                    self._address,
                    additional_headers=self._headers,
                    user_agent_header=None,
                    ping_interval=None,
                ) as socket:
                    self._socket = socket
                    reached_at = None
                    await self._follow(socket)
            except InvalidStatus as error:
                status = error.response.status_code
                if status in _REFUSED:
                    await self._end(Closed(status, _read_detail(error.response.body)))
                    return
                why = f"status {status}"
            except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake) as error:
                why = str(error) or why  # a lost network: again, below
            closed = self._socket and self._socket.close_code
            if self._socket is not None and closed in FINAL:
                await self._end(Closed(int(closed or 0), self._farewell))
                return
            if self._socket is not None:
                pause = FIRST_PAUSE
            self._socket = None
            reached_at = loop.time() if reached_at is None else reached_at
            if loop.time() - reached_at >= self._give_up_after:
                await self._end(Unreachable(f"{self._address}: {why}"))
                return
            _log.info("%s: %s, again in about %s s", self._address, why, pause)
            await asyncio.sleep(pause * random.uniform(0.75, 1.25))  # noqa: S311 - not in step with others
            pause = min(LONGEST_PAUSE, 2 * pause)

    async def _follow(self, socket: ClientConnection) -> None:
        """Process frames until the connection is lost."""
        await _tell(socket, self._write_hello())
        pinging = asyncio.create_task(self._ping(socket))
        try:
            has_answered = False
            while True:
                async with asyncio.timeout(SECONDS_OF_SILENCE):
                    message = json.loads(await socket.recv())
                await self._take(socket, message)
                if not has_answered and message["type"] in {"snap", "ev"}:
                    has_answered = True
                    for text, _answer in list(self._waiting.values()):
                        await _tell(socket, text)
        finally:
            pinging.cancel()

    def _write_hello(self) -> str:
        return json.dumps({"type": "hello", "epoch": self._epoch, "v": self.version})

    async def _ping(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_PINGS)
            await _tell(socket, '{"type": "ping", "c": 0}')

    async def _take(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "bye":
            self._farewell = message["message"]
        if kind == "snap":
            self._epoch, self.version, self.state = (
                message["epoch"],
                message["v"],
                message["state"],
            )
        for change in message.get("changes", []):
            if change["v"] > self.version + 1:
                await _tell(socket, self._write_hello())  # something was missed
                break
            if change["v"] == self.version + 1:
                self._apply(change)
        self._answer(message)
        async with self._changed:
            self._changed.notify_all()

    def _answer(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind not in {"ack", "rej", "answer"} or message["id"] not in self._waiting:
            return
        _text, answer = self._waiting[message["id"]]
        if answer.done() or message.get("code") == _TOO_MANY:
            return  # it is sent again after a few seconds
        if kind == "rej":
            answer.set_exception(MoveRefused(message["code"], message["message"]))
        else:
            answer.set_result(message)

    def _apply(self, change: dict[str, Any]) -> None:
        state = dict(self.state)
        for key, new in {"you": change.get("you", {}), **change["patch"]}.items():
            old = state.get(key)
            state[key] = {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new
        self.state, self.version = state, change["v"]

    async def _end(self, closed: Closed | Unreachable) -> None:
        self._ended = closed
        for _text, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(closed)
        async with self._changed:
            self._changed.notify_all()
