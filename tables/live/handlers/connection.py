"""Frames that bring a socket up to date and keep it."""

from typing import TYPE_CHECKING

from core.threads import in_thread
from tables.chat.selectors import chat_for
from tables.live import presence
from tables.live.close_codes import NOT_FOUND
from tables.live.frames import outgoing
from tables.live.frames.incoming import Hello, Me, Ping
from tables.live.frames.parsing import too_many
from tables.live.limits import (
    HELLOS,
)
from tables.play import broadcast
from tables.refusals import (
    TableNotFound,
)

if TYPE_CHECKING:
    from tables.live.consumers import TableConsumer


async def hello(socket: "TableConsumer", frame: Hello) -> None:
    """Bring this socket up to date."""
    if socket.user_id is not None and not HELLOS.take(socket.user_id):
        await socket.refuse_frame(too_many())
        return
    async with socket.delivering:
        # Who has no account can have no seat, and is shown what others are.
        is_same = socket.user_id is None and socket.is_delayed
        place = socket.admitted if is_same else await socket.place()
        if place is None:
            await socket.part_with(NOT_FOUND, TableNotFound())
            return
        await socket.bring_up_to(place, epoch=frame.epoch, version=frame.version)
    await _take_over(socket)
    await _send_chat(socket)


async def _take_over(socket: "TableConsumer") -> None:
    """A player's newest connection is the one that plays; the ones before it are told so."""
    if socket.seat is None or socket.user_id is None:
        return
    presence.heard(socket.table_id, socket.seat, socket.channel_name)
    await presence.write([socket.table_id])
    if socket.claim is not None:
        return
    socket.claim = [presence.database_time(), socket.channel_name]
    await broadcast.announce_claim(socket.table_id, socket.user_id, socket.claim)


async def _send_chat(socket: "TableConsumer") -> None:
    """Send the lines that were said before this socket came."""
    if socket.seat is None or socket.user_id is None:
        return
    socket.ignored, lines = await in_thread(chat_for, socket.table_id, socket.user_id)
    if lines:
        await socket.deliver(outgoing.Chat([outgoing.ChatLine(**line) for line in lines]))


async def ping(socket: "TableConsumer", frame: Ping) -> None:
    await socket.deliver(outgoing.Pong(clock=frame.clock, now=presence.database_time()))


async def me(socket: "TableConsumer", frame: Me) -> None:
    await socket.hear_of_oneself(frame)
