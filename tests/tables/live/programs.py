"""Programs that play at a table with the client library."""

import asyncio
from collections.abc import Callable
from typing import Any

from openrummy_client import Api, Table

from accounts.api_tokens.services import make_token
from accounts.models import ApiToken, Scope
from tables.models import Table as Row
from tests.tables.driving import player_at

SECONDS = 60


def make_tokens(row: Row) -> list[tuple[ApiToken, str]]:
    """Return a token row and its text for each of the players at seats 0 and 1."""
    return [
        make_token(user_id=player_at(row, seat).pk, name="bot", scopes=[*Scope]) for seat in (0, 1)
    ]


def connect(address: str, row: Row, token: tuple[ApiToken, str]) -> Table:
    return Table(Api(address, token[1]), f"/ws/tables/{row.pk}/")


async def await_state(
    table: Table, holds: Callable[[dict[str, Any]], object] = bool
) -> dict[str, Any]:
    """Return the first state that satisfies the condition. Without a condition, return the first state."""
    async with asyncio.timeout(SECONDS):
        async for state in table.changes():
            if holds(state):
                return state
    raise AssertionError("unreachable")


def is_own_turn(state: dict[str, Any]) -> bool:
    return bool(state["game"] and state["game"]["turn"] == state["you"]["seat"])
