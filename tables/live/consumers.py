"""One socket at one table: a player's or a spectator's."""

import asyncio
from typing import Any

from django.db import OperationalError

from core.threads import aside
from tables.live import limits, presence
from tables.live.admission import Admission
from tables.live.close_codes import TAKEN_OVER, TOO_MANY_MESSAGES
from tables.live.frames import outgoing, parsing
from tables.live.frames.incoming import Act, Ask, Frame, Hello, Me, Ping
from tables.live.frames.parsing import BadFrame, too_many, unknown_type
from tables.live.handlers import HANDLERS
from tables.live.limits import (
    BAD_FRAMES_ALLOWED,
    BAD_FRAMES_AT_ONCE,
    FRAMES_OF_A_PLAYER,
    FRAMES_OF_AN_ADDRESS,
    OF_A_PLAYERS_SOCKET,
    OF_A_WATCHERS_SOCKET,
    SEATS_LOOKED_UP,
)
from tables.play.lock import was_undone
from tables.play.reading import standing
from tables.refusals import (
    NoHello,
    NotSeated,
    Refusal,
    TableBusy,
)


class TableConsumer(Admission):
    """Reads what the client sends and gives it to the handler of its type."""

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            self._count_frame()
            frame = parsing.parse(text_data)
        except BadFrame as bad:
            await self.refuse_frame(bad)
            return
        self._is_heard()
        if isinstance(frame, Ping | Hello | Me) or await self._is_seated():
            await self._answer(frame)
        else:
            await self.refuse(frame, NoHello() if self.version is None else NotSeated())

    async def _answer(self, frame: Frame) -> None:
        try:
            await HANDLERS[type(frame)](self, frame)
        except OperationalError as error:
            # Somebody held the row for too long: the transaction is undone, nothing has changed.
            if isinstance(frame, Hello) or not was_undone(error):
                raise
            await self.refuse(frame, TableBusy())

    def _count_frame(self) -> None:
        """Raises BadFrame for a message too many: of this socket, or of all of this person."""
        self.count_message(OF_A_PLAYERS_SOCKET if self.seat is not None else OF_A_WATCHERS_SOCKET)
        if self.user_id is None:
            is_fit = FRAMES_OF_AN_ADDRESS.take(self.address)
        else:
            is_fit = FRAMES_OF_A_PLAYER.take(self.user_id)
        if not is_fit:
            raise too_many()

    async def _is_seated(self) -> bool:
        """From memory, so that people without a seat cost a table nothing."""
        if self.version is None or self.user_id is None:
            return False
        if self.seat is None and SEATS_LOOKED_UP.take(self.user_id):
            place = await aside(standing, table_id=self.table_id, user_id=self.user_id)
            if place is not None and place.seat is not None:
                async with self.delivering:
                    await self.send_snapshot()  # the word that they have sat down was lost
        return self.seat is not None

    def _is_heard(self) -> None:
        """Any frame of the browser shows that it is there."""
        if self.seat is not None and not self.is_taken_over:
            presence.heard(self.table_id, self.seat, self.channel_name)

    async def refuse_frame(self, bad: BadFrame) -> None:
        await self.deliver(outgoing.Error(code=bad.code, message=bad.message))
        await self.count_bad(bad.code)

    async def count_bad(self, code: str) -> None:
        self.bad_messages += 1
        if self.bad_messages > BAD_FRAMES_ALLOWED:
            await self.part(TOO_MANY_MESSAGES, code, "Too many messages were refused.")
        elif self.bad_messages > BAD_FRAMES_AT_ONCE:
            await asyncio.sleep(limits.SECONDS_SLOWED)  # frames wait in the client's own buffers

    async def refuse(self, frame: Frame, refusal: Refusal) -> None:
        code, sentence = refusal.code, str(refusal.sentence)
        if isinstance(frame, Act | Ask):
            await self.deliver(outgoing.Rej(id=frame.id, code=code, message=sentence))
        else:
            await self.deliver(outgoing.Error(code=code, message=sentence))

    async def table_taken_over(self, message: dict[str, Any]) -> None:
        # A connection without a claim has yet to say hello, and will then take over itself.
        if self.seat is None or self.claim is None or message["claim"] <= self.claim:
            return
        self.is_taken_over = True
        text = "You have opened this table somewhere else. It goes on there."
        await self.part(TAKEN_OVER, "taken_over", text)

    async def table_said(self, message: dict[str, Any]) -> None:
        """Talk is for those who play."""
        line = message["line"]
        if self.seat is not None and line["player"] not in self.ignored:
            await self.deliver(outgoing.Chat([outgoing.ChatLine(**line)]))

    async def hear_of_oneself(self, _me: Me) -> None:
        """Take a message of the user's own (config/sockets/consumers.py). A program has no use for it."""
        await self.refuse_frame(unknown_type())

    @property
    def player(self) -> int:
        assert self.user_id is not None  # noqa: S101 - who has a seat has an account
        return self.user_id
