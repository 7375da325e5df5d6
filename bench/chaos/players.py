"""Players written only from docs/protocol.md. They reconnect and repeat their moves automatically."""

import asyncio
import contextlib
import json
import random
import re
import time
import zlib
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

# More often than the protocol asks for, to see when the server answers again.
PING_SECONDS = 0.25
# A player who waited no longer than this for an answer or beyond the next ping has noticed nothing.
NOTICED_SECONDS = 0.6
# Give the connection up after this silence, then pause before each reconnect.
SILENT_SECONDS = 9.0
FIRST_PAUSE, LONGEST_PAUSE = 0.4, 8.0
# Resend a move on the same socket after this time.
ANSWER_SECONDS = 3.0
PAUSES = (0.05, 0.4)  # seconds before each move
DROPS = 0.01  # of the turns
CARD = re.compile(r"(?:[A23456789TJQK][SHDC]|PJ)\.[0-9]")
# Keys of the public state that may contain cards.
OPEN_KEYS = {"open_pile", "discards", "wild", "toss", "finish", "declaration", "result"}
UNANSWERED: dict[str, Any] = {}  # the connection was lost first
LOOPBACK = IPv4Network("127.1.0.0/16")
LOST = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, TimeoutError, EOFError)


def address_of(session: str, network: IPv4Network = LOOPBACK) -> str:
    """Return the local address from which a player connects. Each session has its own, because of rate limits."""
    return str(network[1 + zlib.crc32(session.encode()) % (network.num_addresses - 2)])


@dataclass(eq=False)
class Player:
    address: str
    table_id: int
    user_id: int
    session: str
    rng: random.Random
    # The site's own address, if its name leads elsewhere, and this machine's from which it is reached.
    ip: str = ""
    network: IPv4Network = LOOPBACK
    state: dict[str, Any] = field(default_factory=dict)
    epoch: str = ""
    version: int = 0
    # Id and version of each acknowledged move, in the order of the answers.
    acked: list[tuple[str, int]] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)
    # When the server was last heard from, by this process's clock.
    heard_at: float | None = None
    # When each answered move was first sent and when the answer came; and the pending move.
    waits: list[tuple[float, float]] = field(default_factory=list)
    waits_since: float | None = None
    # When a connection was lost or the server fell silent, and when it was back; and the current loss.
    absences: list[tuple[float, float]] = field(default_factory=list)
    lost_at: float | None = None
    _failures: int = 0
    _lacks_something: bool = False
    _socket: ClientConnection | None = None
    _answers: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def stack(self) -> int | None:
        """Return the player's stack, or None without a seat."""
        seat = self.state.get("you", {}).get("seat")
        return None if seat is None else int(self.state["seats"][seat]["stack"])

    def is_back(self, now: float) -> bool:
        """Return whether the player is connected and has no move that has waited noticeably long for its answer."""
        if self.heard_at is None or self.lost_at is not None or self._is_silent(now):
            return False
        return self.waits_since is None or now - self.waits_since < NOTICED_SECONDS

    def _is_silent(self, now: float) -> bool:
        """Return whether the server's answer to a ping is overdue."""
        return self.heard_at is not None and now - self.heard_at > PING_SECONDS + NOTICED_SECONDS

    def seconds_away(self, since: float, until: float) -> float:
        """Return the longest absence or noticeable wait between `since` and `until`; 0 if there is none."""

        def clip(spans: list[tuple[float, float]]) -> list[float]:
            return [min(end, until) - max(begin, since) for begin, end in spans]

        waits = (seconds for seconds in clip(self.waits) if seconds > NOTICED_SECONDS)
        return max([0.0, *clip(self.absences), *waits])

    async def play(self, over: asyncio.Event) -> None:
        """Play until `over`. Reconnect after a lost connection, with growing pauses."""
        playing = asyncio.create_task(self._decide(over))
        while not over.is_set():
            try:
                await self._be_connected(over)
            except LOST:
                if self.lost_at is None:
                    now = time.monotonic()
                    self.lost_at = self.heard_at if self._is_silent(now) else now
                pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**self._failures)
                self._failures += 1
                await asyncio.sleep(pause * self.rng.uniform(0.6, 1.4))
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing

    async def _be_connected(self, over: asyncio.Event) -> None:
        async with asyncio.timeout(SILENT_SECONDS):
            socket = await connect(
                f"ws{self.address.removeprefix('http')}/ws/tables/{self.table_id}/",
                origin=self.address,  # type: ignore[arg-type]
                additional_headers={"Cookie": f"sessionid={self.session}"},
                proxy=None, compression=None, ping_interval=None, close_timeout=0.2,
                host=self.ip or urlsplit(self.address).hostname, local_addr=(address_of(self.session, self.network), 0),
            )  # fmt: skip
        pinging = asyncio.create_task(self._ping(socket))
        try:
            await self._send(socket, type="hello", epoch=self.epoch, v=self.version)
            self._socket = socket
            while not over.is_set():
                async with asyncio.timeout(SILENT_SECONDS):
                    message = json.loads(await socket.recv())
                self._take(message)
                if self._lacks_something:
                    self._lacks_something = False
                    await self._send(socket, type="hello", epoch=self.epoch, v=self.version)
        finally:
            self._socket = None
            pinging.cancel()
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_result(UNANSWERED)
            await socket.close()

    async def _ping(self, socket: ClientConnection) -> None:
        with contextlib.suppress(*LOST):
            while True:
                await self._send(socket, type="ping", c=time.monotonic())
                await asyncio.sleep(PING_SECONDS)

    async def _send(self, socket: ClientConnection, **message: Any) -> None:
        await socket.send(json.dumps(message))

    # --- what the server says ---------------------------------------------------------------------

    def _take(self, message: dict[str, Any]) -> None:
        now = time.monotonic()
        if self.lost_at is None and self._is_silent(now):
            self.absences.append((self.heard_at or now, now))
        self.heard_at = now
        if message["type"] == "snap":
            self._look_for_secrets(message["state"])
            self.state, self.epoch, self.version = message["state"], message["epoch"], message["v"]
            self._is_back()
        elif message["type"] == "ev":
            self._is_back()
            for change in message["changes"]:
                self._change(change)
        elif message["type"] in ("ack", "rej") and message["id"] in self._answers:
            answer = self._answers[message["id"]]
            if not answer.done():
                answer.set_result(message)
        self._changed.set()

    def _is_back(self) -> None:
        self._failures = 0
        if self.lost_at is not None:
            self.absences.append((self.lost_at, time.monotonic()))
            self.lost_at = None

    def _change(self, change: dict[str, Any]) -> None:
        if change["v"] <= self.version:
            return
        if change["v"] > self.version + 1:
            self._lacks_something = True
            return
        self.version = change["v"]
        self._look_for_secrets(change["patch"])
        for key, value in change["patch"].items():
            old = self.state.get(key)
            both = isinstance(old, dict) and isinstance(value, dict)
            self.state[key] = {**(old or {}), **value} if both else value
        self.state["you"] = {**self.state.get("you", {}), **change.get("you", {})}

    def _look_for_secrets(self, part: dict[str, Any]) -> None:
        """Record a problem if a public message contains cards that are not open."""
        game = part.get("game") or {}
        hidden = {key: value for key, value in game.items() if key not in OPEN_KEYS}
        others = {key: value for key, value in part.items() if key not in ("game", "you", "rules")}
        found = CARD.findall(json.dumps([hidden, others]))
        if found:
            self.secrets.append(f"table {self.table_id}, version {self.version}: {found}")

    # --- playing ----------------------------------------------------------------------------------

    async def _decide(self, over: asyncio.Event) -> None:
        while not over.is_set():
            self._changed.clear()
            move = self._move()
            if self._is_asked() and self._socket is not None:
                with contextlib.suppress(*LOST):
                    await self._send(self._socket, type="again", id=str(uuid4()), amount=0)
            if move is None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        await self._changed.wait()
                continue
            await asyncio.sleep(self.rng.uniform(*PAUSES))
            # An earlier move may have been announced in the meantime.
            move = self._move()
            if move is not None:
                await self._act(move, over)

    def _is_asked(self) -> bool:
        """Return whether the next deal waits until this player, who only faces a practice bot, asks for it."""
        is_seated = self.state.get("you", {}).get("seat") is not None
        return is_seated and self.state["table"]["awaits_press"]

    def _move(self) -> dict[str, Any] | None:
        """Return a move, or None. Draw and discard, sometimes drop, and show the hand after another player declares."""
        game, you = self.state.get("game"), self.state.get("you", {})
        if not game or you.get("seat") is None or not you.get("hand"):
            return None
        own = game["players"].get(str(you["seat"]), {})
        if game["phase"] == "show" and own.get("status") == "playing":
            return {"kind": "show", "groups": you["groups"]}
        if game["phase"] != "turn" or game["turn"] != you["seat"]:
            return None
        if game["step"] == "discard":
            return {"kind": "discard", "card": you["drawn"]} if you.get("drawn") else None
        if self.rng.random() < DROPS:
            return {"kind": "drop"}
        return {"kind": "draw", "source": "closed"}

    async def _act(self, move: dict[str, Any], over: asyncio.Event) -> None:
        """Send a move again, under the same id, until it is answered."""
        move_id = str(uuid4())
        seen = self.version
        self.waits_since = began = time.monotonic()
        while not over.is_set():
            answer = asyncio.get_running_loop().create_future()
            self._answers[move_id] = answer
            try:
                if self._socket is None:
                    await asyncio.sleep(0.05)
                    continue
                await self._send(self._socket, type="act", id=move_id, v=seen, move=move)
                async with asyncio.timeout(ANSWER_SECONDS):
                    said = await answer
                if said is UNANSWERED:
                    continue
            except LOST:
                await asyncio.sleep(0.05)
                continue
            finally:
                self._answers.pop(move_id, None)
            self.waits.append((began, time.monotonic()))
            if said["type"] == "ack":
                self.acked.append((move_id, said["v"]))
            else:
                self.refused[said["code"]] = self.refused.get(said["code"], 0) + 1
            break
        self.waits_since = None
