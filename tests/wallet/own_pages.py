"""A player's open page, which receives balances and withdrawals over `/ws/me/`."""

import asyncio
import json

from websockets.asyncio.client import connect

from tests.tables.socket_client import TO_ME

SECONDS = 30


def open_page(address, session):
    return connect(
        f"{address.replace('http', 'ws', 1)}/ws/me/",
        origin=address,
        additional_headers={"Cookie": f"sessionid={session}"},
        proxy=None,
    )


async def receive(socket):
    """Return the next message that is not about the player's tables, after validating it by the schema."""
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), SECONDS))
        TO_ME.validate(message)
        if message["type"] != "tables":
            return message
