"""Messages to one person alone, on every page: over a table's socket, elsewhere over `/ws/me/`."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

from accounts.models import Scope
from core.page_notices import group_of
from core.threads import TooMuchAsked, aside
from games.engine.base import Instant
from tables.live import open_pages
from tables.live.close_codes import SIGNED_OUT
from tables.live.consumers import TableConsumer
from tables.live.frames.incoming import Me
from tables.live.frames.parsing import unknown_type
from tables.live.limits import Budget
from tables.live.sockets import GameConsumer
from tables.play.broadcast import OWN_TABLES
from tables.play.broadcast import group_of as group_of_table
from tables.play.reading import database_now
from tables.ranking.people.selectors import invitations_for as friends_invitations
from tables.ranking.people.services import INVITATION
from tables.seating.own_tables import OwnTable, own_tables
from tables.seating.queue import KeptChair, chair_message, kept_chairs_of
from tournaments.core.after_commit import Invitation
from tournaments.core.reading import invitations_of
from tournaments.live.broadcast import message_of
from tournaments.live.consumers import Listening
from wallet.api import BALANCE, PlayerBalances, cash_is_on, player_balances

# How often the pages of a player may ask for what they missed; each does so every 25 seconds.
LOOKS: Final = Budget(a_second=1, at_once=30)
# How often they are told what goes on at the player's tables.
LOOKS_AT_TABLES: Final = Budget(a_second=6, at_once=60)
# What a program hears of its player, by the right that its token needs; pages hear everything.
OF_PROGRAMS: Final = {
    OWN_TABLES: Scope.PLAY,
    "table_ready": Scope.PLAY,
    "chair": Scope.PLAY,
    BALANCE: Scope.READ,
}


@dataclass(frozen=True, slots=True)
class _Tables:
    """Those where one person sits, and the database's time; 0 where there is none."""

    tables: Sequence[OwnTable]
    now: Instant


@dataclass(frozen=True, slots=True)
class _Found:
    """The facts that a page may have missed; no tables if it asked too often."""

    invitations: Sequence[Invitation]
    chairs: Sequence[KeptChair]
    balances: PlayerBalances
    tables: _Tables | None


class AboutOneself(GameConsumer):
    """Passes on what `core.page_notices.tell` sends to this person."""

    user_id: int | None
    told_balance = ""
    told_tables = ""
    # The table that this page shows, if it shows one.
    own_table: int | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tables_heard: frozenset[int] = frozenset()

    @property
    def is_page(self) -> bool:
        return "token_scopes" not in self.scope

    def hears(self, kind: str) -> bool:
        scope: Any = self.scope
        return self.is_page or OF_PROGRAMS.get(kind) in scope["token_scopes"]

    async def me_message(self, message: dict[str, Any]) -> None:
        kind = message["message"]["type"]
        if not self.hears(kind):
            return
        with suppress(TooMuchAsked):  # the next look finds it, and whoever plays goes on meanwhile
            if kind == BALANCE:
                await self.tell_balance()
            elif kind == OWN_TABLES:
                await self.tell_tables()
            elif kind == INVITATION:
                await self.tell_invitation()
            else:
                await self.deliver(json.dumps(message["message"]))

    async def tell_what_is_there(self) -> None:
        """Tell the facts that a page may have missed, read in one call: after a lost server thousands
        of pages ask at once."""
        if self.user_id is None or not LOOKS.take(self.user_id):
            return
        with suppress(TooMuchAsked):  # the next ping may find room
            found = await aside(self._what_is_there)
            for invitation in found.invitations:
                await self.deliver(json.dumps(message_of(invitation)))
            for chair in found.chairs:
                await self.deliver(json.dumps(chair_message(chair)))
            if self.hears(BALANCE):
                await self._tell_balance(found.balances)
            if found.tables is not None:
                await self._tell_tables(found.tables)
        if self.is_page:
            await open_pages.note_page(self.user_id)

    def _what_is_there(self) -> _Found:
        user_id = self._user_id
        return _Found(
            invitations_of(user_id),
            kept_chairs_of(user_id),
            player_balances(user_id),
            self._tables() if LOOKS_AT_TABLES.take(user_id) else None,
        )

    async def tell_tables(self) -> None:
        """Tell the person's tables and their state, except the table that the page shows."""
        if self.user_id is None or not LOOKS_AT_TABLES.take(self.user_id):
            return
        with suppress(TooMuchAsked):  # the next change or ping may find room
            await self._tell_tables(await aside(self._tables))

    async def _tell_tables(self, found: _Tables) -> None:
        # In their groups before they are read, so that nothing falls between the two.
        if await self.hear_of_tables(frozenset(table.id for table in found.tables)):
            found = await aside(self._tables)
        told = [table.json() for table in found.tables]
        text = json.dumps(told)
        if text != self.told_tables:
            self.told_tables = text
            message = {"type": OWN_TABLES, "now": found.now, "tables": told}
            await self.deliver(json.dumps(message))

    def _tables(self) -> _Tables:
        user = self.scope["user"]
        language = None if user is None else user.language
        tables = own_tables(self._user_id, but=self.own_table, language=language)
        return _Tables(tables, database_now() if tables else 0)

    @property
    def _user_id(self) -> int:
        assert self.user_id is not None  # noqa: S101 - callers have checked it
        return self.user_id

    async def hear_of_tables(self, tables: frozenset[int]) -> bool:
        """Be told when something happens there; whether there are new ones among them."""
        new = tables - self.tables_heard
        for table_id in new:
            await self.channel_layer.group_add(group_of_table(table_id), self.channel_name)
        for table_id in self.tables_heard - tables:
            await self.channel_layer.group_discard(group_of_table(table_id), self.channel_name)
        self.tables_heard = tables
        return bool(new)

    async def part_from_table(self) -> None:
        await self.hear_of_tables(frozenset())
        if self.told_tables and self.user_id is not None and self.is_page:
            await open_pages.note_page(self.user_id, is_open=False)
        await super().part_from_table()

    async def tell_invitation(self) -> None:
        """The latest one; who opens a page later finds it there."""
        if self.user_id is None or not LOOKS.take(self.user_id):
            return
        for one in (await aside(friends_invitations, self.user_id))[:1]:
            told = {"type": INVITATION, "sender": one.sender, "name": one.table, "url": one.url}
            await self.deliver(json.dumps(told))

    async def tell_balance(self) -> None:
        """As it is now, unless this page has been told the same."""
        if self.user_id is None:
            return
        await self._tell_balance(await aside(player_balances, self.user_id))

    async def _tell_balance(self, balances: PlayerBalances) -> None:
        text = json.dumps(balance_message(balances))
        if text != self.told_balance:
            self.told_balance = text
            await self.deliver(text)


class MeConsumer(AboutOneself, Listening):
    """For pages and, as far as its token goes, for a program; a ping is answered with what may be
    missed."""

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user_id = None if user is None else user.pk
        await self.accept()
        if self.user_id is None:
            await self.close(code=SIGNED_OUT)
            return
        # In the group before the database is asked, so that nothing falls between the two.
        await self.join(group_of(self.user_id))
        await self.tell_what_is_there()

    async def table_changed(self, _message: dict[str, Any]) -> None:
        await self.tell_tables()

    async def table_said(self, _message: dict[str, Any]) -> None:
        """It is read at the table."""


class TablePageConsumer(AboutOneself, TableConsumer):
    """The socket of a table's page, which needs no other one."""

    async def connect(self) -> None:
        await super().connect()
        self.own_table = self.table_id

    async def table_changed(self, message: dict[str, Any]) -> None:
        if message["table"] == self.table_id:
            await super().table_changed(message)
        else:
            await self.tell_tables()

    async def table_said(self, message: dict[str, Any]) -> None:
        if message["table"] == self.table_id:
            await super().table_said(message)

    async def hear_of_oneself(self, me: Me) -> None:
        if self.user_id is None:
            await self.refuse_frame(unknown_type())
            return
        group = group_of(self.user_id)
        if group not in self.joined:
            self.joined.append(group)
            await self.channel_layer.group_add(group, self.channel_name)
        await self.tell_what_is_there()


def balance_message(balances: PlayerBalances) -> dict[str, Any]:
    """Chips, and paise in each bucket where cash is played for: what may be spent now."""
    cash = asdict(balances.cash) if cash_is_on() else None
    return {"type": BALANCE, "chips": balances.chips, "cash": cash}
