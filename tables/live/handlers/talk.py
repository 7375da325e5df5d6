"""Frames that say something: to the others, or to the next shuffle."""

from typing import TYPE_CHECKING

from core.threads import in_thread
from tables.chat.moderation import Line
from tables.chat.services import say
from tables.live.frames.incoming import ClientSeed, Say
from tables.play.broadcast import announce_line
from tables.play.seeds import add_client_seed
from tables.refusals import (
    Refusal,
)

if TYPE_CHECKING:
    from tables.live.consumers import TableConsumer


async def say_line(socket: "TableConsumer", frame: Say) -> None:
    line = Line(phrase=frame.phrase, text=frame.text)
    place = {"table_id": socket.table_id, "user_id": socket.player}
    try:
        written = await in_thread(say, **place, line=line)
    except Refusal as refusal:
        await socket.refuse(frame, refusal)
    else:
        await announce_line(written)


async def client_seed(socket: "TableConsumer", frame: ClientSeed) -> None:
    """Too late is nothing to worry a player with: the deal goes on without their part."""
    place = {"table_id": socket.table_id, "user_id": socket.player}
    try:
        await in_thread(add_client_seed, **place, promise=frame.promise, seed=frame.seed)
    except Refusal as refusal:
        await socket.refuse(frame, refusal)
