"""The web application with one more socket: the floor with which bench/live.py compares the site.

`/ws/floor/<table>/` speaks a table's protocol. It runs the two statements of a move on a raw asynchronous
connection and publishes the change: no rules, no views, no checks.
"""

import json
from functools import cache
from typing import Any

import psycopg
from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from django.conf import settings
from django.urls import path
from psycopg_pool import AsyncConnectionPool

from config.asgi import application as product
from tables.live.sockets import GameConsumer

_LOCK = """
SELECT t.game, t.status, t.version, t.turn_version, t.state, t.match_id, t.next_seed,
       (SELECT s.number FROM tables_seat s
         WHERE s.table_id = t.id AND s.user_id = %s::bigint AND s.left_at IS NULL)
  FROM tables_table t WHERE t.id = %s::bigint FOR NO KEY UPDATE OF t"""
_SAVE = """
WITH saved AS (
  UPDATE tables_table SET state = %s::bytea, version = %s::bigint, turn_version = %s::bigint,
         deadline_at = now() + interval '1 day', bot_due_at = NULL WHERE id = %s::bigint)
INSERT INTO tables_change
  (table_id, match_id, version, kind, seat, move, move_id, at_ms, events, patch, private)
VALUES (%s::bigint, %s::bigint, %s::bigint, 'MOVE', 0, '{}', gen_random_uuid(), 0,
        %s::jsonb, %s::jsonb, %s::jsonb)"""
_EVENTS = json.dumps([{"kind": "discarded", "seat": 0, "card": "7H.0"}])
_PATCH_SENT = {"game": {"turn": 1, "step": "draw", "turn_number": 9, "open_pile": ["7H.0"]}}
_PATCH = json.dumps(_PATCH_SENT)
_PRIVATE = json.dumps({"0": {"hand": ["7H.0"] * 13, "drawn": None}})


@cache
def pool() -> AsyncConnectionPool[psycopg.AsyncConnection[Any]]:
    database = settings.DATABASES["default"]
    return AsyncConnectionPool(
        kwargs={
            "host": database["HOST"], "user": database["USER"], "password": database["PASSWORD"],
            "dbname": database["NAME"], "options": f"-c role={settings.DATABASE_APP_ROLE}",
            "prepare_threshold": 0,
        },
        min_size=8, open=False,
    )  # fmt: skip


class FloorConsumer(GameConsumer):
    """A socket that acknowledges every move after its SQL and sends it to the table, with a real table's frames."""

    async def connect(self) -> None:
        self.table_id = int(self.scope["url_route"]["kwargs"]["table_id"])
        await pool().open()
        await self.accept()
        await self.channel_layer.group_add(f"floor.{self.table_id}", self.channel_name)

    async def part_from_table(self) -> None:
        await self.channel_layer.group_discard(f"floor.{self.table_id}", self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        frame = json.loads(text_data or "{}")
        if frame["type"] not in ("hello", "act"):
            return
        async with pool().connection() as connection:
            found = await connection.execute(_LOCK, (1, self.table_id))
            row = await found.fetchone()
            assert row is not None  # noqa: S101 - the bench has made it
            version = row[2]
            if frame["type"] == "act":
                version += 1
                await connection.execute(
                    _SAVE,
                    (
                        row[4], version, version, self.table_id, self.table_id, row[5], version,
                        _EVENTS, _PATCH, _PRIVATE,
                    ),
                )  # fmt: skip
        if frame["type"] == "hello":
            await self._send(type="snap", v=version)
            return
        await self._send(type="ack", id=frame["id"], v=version)
        await self.channel_layer.group_send(
            f"floor.{self.table_id}", {"type": "floor.changed", "v": version}
        )

    async def floor_changed(self, message: dict[str, Any]) -> None:
        change = {"v": message["v"], "patch": _PATCH_SENT, "you": {"drawn": "7H.0"}}
        await self._send(type="ev", changes=[change])

    async def _send(self, **message: Any) -> None:
        await self.send(text_data=json.dumps(message))


_routes: list[Any] = [  # the stubs of path() only know views
    path("ws/floor/<int:table_id>/", FloorConsumer.as_asgi())  # type: ignore[arg-type]
]
_floor: Any = AuthMiddlewareStack(URLRouter(_routes))
_product: Any = product


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket" and scope["path"].startswith("/ws/floor/"):
        await _floor(scope, receive, send)
    else:
        await _product(scope, receive, send)
