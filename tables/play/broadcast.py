"""Telling the sockets of a table that it has changed: a hint, after the commit.

The message holds what is public, and what a seat may do now where that is no secret; who has
something private to learn reads it from the database. A message that is lost costs a heartbeat:
every socket compares versions, see tables/live/version_watch.py.
"""

import logging
from collections.abc import Iterable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from core.observability import tracing
from core.page_notices import tell
from games.engine.base import JSON
from tables.models import ChatLine
from tables.play.change import Change, encode
from tables.play.seat_view import change_json, line_view

logger = logging.getLogger(__name__)

# The hint that somebody has sat down or got up, for their pages: they ask where they sit.
OWN_TABLES = "tables"


def group_of(table_id: int) -> str:
    return f"table.{table_id}"


def group_of_player(table_id: int, user_id: int) -> str:
    """This person's sockets at this table."""
    return f"table.{table_id}.player.{user_id}"


async def announce(steps: Iterable[Change]) -> None:
    """Publish committed steps; without Redis the tables go on and the heartbeat delivers."""
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    for step in steps:
        if step.version is None:
            continue
        try:
            with tracing.span("publish", version=step.version):
                await layer.group_send(group_of(step.table_id), _message(step))
            for user_id in players_of(step):
                await tell(user_id, {"type": OWN_TABLES})
        except (RedisError, OSError) as error:
            logger.warning("table %s: change %s not sent: %s", step.table_id, step.version, error)


async def announce_line(line: ChatLine) -> None:
    """Tell the table what somebody has said; lost without Redis, as it is only talk."""
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    message = {"type": "table.said", "table": line.table_id, "line": line_view(line)}
    try:
        await layer.group_send(group_of(line.table_id), message)
    except (RedisError, OSError) as error:
        logger.warning("table %s: a line was not sent: %s", line.table_id, error)


async def announce_claim(table_id: int, user_id: int, claim: list[int | str]) -> None:
    """Tell this person's other sockets at this table who plays; without Redis all of them do."""
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    message = {"type": "table.taken_over", "claim": claim}
    try:
        await layer.group_send(group_of_player(table_id, user_id), message)
    except (RedisError, OSError) as error:
        logger.warning("table %s: a connection was not taken over: %s", table_id, error)


announce_from_thread = async_to_sync(announce)


def players_of(step: Change) -> list[Any]:
    """Return the players whose sitting the events are about: their view of the table begins again."""
    return [event["player"] for event in step.events if "player" in event]


def chairs_of(step: Change) -> list[JSON] | None:
    """Return the player on each chair since this step, or None if it has changed no chair.

    A match that ends lets players go without an event of their own.
    """
    seats = step.patch.get("seats")
    if seats is None:
        return None
    return [None if chair["player"] is None else chair["player"]["id"] for chair in seats]


def _message(step: Change) -> dict[str, Any]:
    message = {
        "type": "table.changed",
        # A page hears of its player's other tables too.
        "table": step.table_id,
        "v": step.version,
        "change": change_json(step),
        "players": players_of(step),
        "chairs": chairs_of(step),
        "private": [seat for seat in step.private if seat not in step.open_seats],
        "own": {seat: encode(step.private[seat]) for seat in step.open_seats},
    }
    if (mark := tracing.mark()) is not None:
        message["trace"] = mark
    return message
