"""A client of a table's socket, which validates all frames against the schema."""

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.models import User
from config.api.problems import list_error_codes
from tests.given import require

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/protocol.schema.json").read_text())


def compile_frames(name: str, schema: dict[str, Any] = SCHEMA) -> Draft202012Validator:
    """Return the schema validator for one kind of frames."""
    return Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


FROM_SERVER = compile_frames("fromServer")
FROM_CLIENT = compile_frames("fromClient")
# Frames of /ws/me/ and /ws/tournaments/<id>/, and frames from pages.
TO_ME = compile_frames("whatMeHears")
TO_TOURNAMENT_PAGES = compile_frames("whatTournamentHears")
FROM_LISTENER = compile_frames("listenerSends")


def session_of(user: User) -> str:
    """Sign the user in and return the session cookie. Uses the database."""
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


class TableSocket:
    """A connection with all frames received and the state built from their patches."""

    def __init__(
        self,
        address: str,
        table_id: int,
        session: str | None,
        *,
        token: str | None = None,
        invite: str = "",
    ) -> None:
        query = f"?invite={invite}" if invite else ""
        self._url = f"{address.replace('http', 'ws', 1)}/ws/tables/{table_id}/{query}"
        self._headers = {"Cookie": f"sessionid={session}"} if session else {}
        self._origin: str | None = address
        if token is not None:
            self._headers, self._origin = {"Authorization": f"Bearer {token}"}, None
        self._socket: ClientConnection | None = None
        self.received: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.epoch = ""
        self.version = 0

    async def __aenter__(self) -> "TableSocket":
        self._socket = await connect(
            self._url,
            origin=self._origin,  # type: ignore[arg-type]
            additional_headers=self._headers,
            proxy=None,
        )
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._socket is not None
        await self._socket.close()

    async def send_text(self, text: str) -> None:
        assert self._socket is not None
        await self._socket.send(text)

    async def send(self, **message: Any) -> None:
        FROM_CLIENT.validate(message)
        await self.send_text(json.dumps(message))

    async def hello(self) -> dict[str, Any]:
        await self.send(type="hello", epoch=self.epoch, v=self.version)
        return await self.receive_until("snap", "ev")

    def resume(self, other: "TableSocket") -> None:
        """Continue from the state and version of another connection."""
        self.epoch, self.version, self.state = other.epoch, other.version, other.state

    async def ping(self) -> None:
        """Wait until the server has answered every frame sent so far."""
        await self.send(type="ping", c=1)
        await self.receive_until("pong")

    async def read_close_code(self) -> int:
        """Read until the server closes the connection. Return the close code."""
        with pytest.raises(ConnectionClosed) as closed:
            await self.receive_until("never")
        return require(closed.value.rcvd).code

    async def read_refusal(self) -> int:
        """Expect the handshake to be refused. Return the HTTP status."""
        with pytest.raises(InvalidStatus) as refused:
            await self.__aenter__()
        return refused.value.response.status_code

    async def read_problem(self) -> dict[str, Any]:
        """Expect the handshake to be refused. Return the problem document in the answer."""
        with pytest.raises(InvalidStatus) as refused:
            await self.__aenter__()
        answer = refused.value.response
        assert answer.headers["Content-Type"] == "application/problem+json"
        problem: dict[str, Any] = json.loads(answer.body or "")
        assert problem["status"] == answer.status_code
        assert problem["title"] == list_error_codes()[problem["code"]]
        assert problem["fields"] == {}
        return problem

    async def act(self, move_id: str | None = None, **move: Any) -> dict[str, Any]:
        """Send a move. Return the ack once all its changes are applied, or the refusal."""
        move_id = move_id or str(uuid4())
        await self.send(type="act", id=move_id, v=self.version, move=move)
        answer = await self.receive_until("ack", "rej")
        assert answer["id"] == move_id
        while answer["type"] == "ack" and self.version < answer["v"]:
            await self.receive()
        return answer

    async def receive_until(self, *types: str) -> dict[str, Any]:
        while True:
            message = await self.receive()
            if message["type"] in types:
                return message

    async def answer(self) -> dict[str, Any]:
        """Return the next frame that is not a `here`."""
        while (message := await self.receive())["type"] == "here":
            pass
        return message

    async def receive_until_version(self, version: int) -> None:
        while self.version < version:
            await self.receive()

    async def receive_any_version(self, seconds: float = 30) -> dict[str, Any]:
        assert self._socket is not None
        async with asyncio.timeout(seconds):
            message: dict[str, Any] = json.loads(await self._socket.recv())
        return message

    async def receive(self, seconds: float = 30) -> dict[str, Any]:
        message = await self.receive_any_version(seconds)
        FROM_SERVER.validate(message)
        self.received.append(message)
        self._apply(message)
        return message

    def _apply(self, message: dict[str, Any]) -> None:
        if message["type"] == "snap":
            self.state = message["state"]
            self.epoch, self.version = message["epoch"], message["v"]
        elif message["type"] == "ev":
            for change in message["changes"]:
                assert change["v"] == self.version + 1, "versions come one by one, in order"
                self.version = change["v"]
                self.state = merge_patch(self.state, change["patch"])
                self.state["you"] = {**self.state["you"], **change.get("you", {})}


def merge_patch(state: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """Return the state after a patch. This is all the merging that the protocol needs."""
    result = dict(state)
    for key, value in patch.items():
        old = result.get(key)
        is_merged = isinstance(old, dict) and isinstance(value, dict)
        result[key] = old | value if is_merged else value
    return result
