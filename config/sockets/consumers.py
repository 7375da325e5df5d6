"""Messages to one person on all their open pages, over a table's socket or over `/ws/me/`."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

from accounts.models import Scope
from core.page_notices import name_group
from core.threads import TooMuchAsked, aside
from games.engine.base import Instant
from players.online import notify_friends
from players.selectors import invitations_for as friends_invitations
from players.services import INVITATION
from tables.live import presence
from tables.live.sockets import SIGNED_OUT, Budget, GameConsumer
from tables.play.change import OWN_TABLES
from tables.play.change import name_table_group as group_of_table
from tables.play.reading import read_database_time
from tables.seating.queue import KeptChair, chair_message, list_kept_chairs
from tables.seating.selectors import OwnTable, list_own_tables
from tournaments.live.consumers import Listening
from tournaments.store.announcements import Invitation, build_message
from tournaments.store.reading import list_invitations
from wallet.api import BALANCE, PlayerBalances, cash_is_on, get_player_balances

# How often a player's pages may ask for missed news; each page asks every 25 seconds.
NEWS_REQUESTS: Final = Budget(a_second=1, at_once=30)
# How often a player's pages are sent the player's tables.
TABLE_UPDATES: Final = Budget(a_second=6, at_once=60)
# News that a program receives, by the scope that its token needs; pages receive all.
OF_PROGRAMS: Final = {
    OWN_TABLES: Scope.PLAY,
    "table_ready": Scope.PLAY,
    "chair": Scope.PLAY,
    BALANCE: Scope.READ,
}


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables at which a person sits, and the database's time, which is 0 if there are none."""

    tables: Sequence[OwnTable]
    now: Instant


@dataclass(frozen=True, slots=True)
class _Found:
    """News that a page may have missed. `tables` is None if the person's pages have asked too often."""

    invitations: Sequence[Invitation]
    chairs: Sequence[KeptChair]
    balances: PlayerBalances
    tables: _Tables | None


class OwnNews:
    """Passes messages of `core.page_notices.notify_pages` to this person, over the socket of one of their pages.

    `own_table` is the table that the page shows, if any.
    """

    def __init__(self, socket: GameConsumer, user_id: int | None, own_table: int | None) -> None:
        self._socket = socket
        self._scope: Any = socket.scope
        self._user_id = user_id
        self._own_table = own_table
        self._group: str | None = None
        self._tables_heard: frozenset[int] = frozenset()
        self._told_balance = ""
        self._told_tables = ""

    @property
    def _is_page(self) -> bool:
        return "token_scopes" not in self._scope

    def _hears(self, kind: str) -> bool:
        return self._is_page or OF_PROGRAMS.get(kind) in self._scope["token_scopes"]

    async def begin(self) -> None:
        """Join the person's group, and send the news that the page may have missed."""
        if self._user_id is None:
            return
        if self._group is None:
            # Join the group before reading the database: news that comes after the read must not be missed.
            self._group = name_group(self._user_id)
            await self._socket.channel_layer.group_add(self._group, self._socket.channel_name)
        await self._send_current(self._user_id)

    async def end(self) -> None:
        """Leave all groups, and record that the page is closed."""
        await self._subscribe_to_tables(frozenset())
        if self._told_tables and self._user_id is not None and self._is_page:
            await presence.record_page(self._user_id, table_id=self._own_table, is_open=False)
        if self._group is not None:
            await self._socket.channel_layer.group_discard(self._group, self._socket.channel_name)

    async def pass_on(self, message: dict[str, Any]) -> None:
        """Pass on a message of the person's group. If it only says that something changed, send the current state."""
        kind = message["message"]["type"]
        if self._user_id is None or not self._hears(kind):
            return
        with suppress(TooMuchAsked):  # the next look finds it, and players go on in the meantime
            if kind == BALANCE:
                await self._send_balance(await aside(get_player_balances, self._user_id))
            elif kind == OWN_TABLES:
                await self.send_tables()
            elif kind == INVITATION:
                await self._send_invitation(self._user_id)
            else:
                await self._socket.deliver(json.dumps(message["message"]))

    async def _send_current(self, user_id: int) -> None:
        """Send the news that a page may have missed.

        All of it is read in one call, because thousands of pages ask at once after a server's failure.
        """
        if not NEWS_REQUESTS.take(user_id):
            return
        with suppress(TooMuchAsked):  # the next ping may find room
            found = await aside(self._find, user_id)
            await self._send_invitations(found.invitations)
            for chair in found.chairs:
                await self._socket.deliver(json.dumps(chair_message(chair)))
            if self._hears(BALANCE):
                await self._send_balance(found.balances)
            if found.tables is not None:
                await self._send_tables(user_id, found.tables)
        if self._is_page and await presence.record_page(user_id, table_id=self._own_table):
            with suppress(TooMuchAsked):  # friends see it with their next page
                await aside(notify_friends, user_id)

    async def _send_invitations(self, invitations: Sequence[Invitation]) -> None:
        if not invitations:
            return
        connected = await presence.present({invitation.table_id for invitation in invitations})
        for invitation in invitations:
            is_connected = invitation.chair in connected.get(invitation.table_id, ())
            message = build_message(invitation, is_connected=is_connected)
            await self._socket.deliver(json.dumps(message))

    def _find(self, user_id: int) -> _Found:
        return _Found(
            list_invitations(user_id),
            list_kept_chairs(user_id),
            get_player_balances(user_id),
            self._find_tables(user_id) if TABLE_UPDATES.take(user_id) else None,
        )

    def _find_tables(self, user_id: int) -> _Tables:
        user = self._scope["user"]
        language = None if user is None else user.language
        # Slow tables are not in the bar: the lobby lists them, and their clocks do not tick.
        tables = list_own_tables(user_id, but=self._own_table, is_slow=False, language=language)
        return _Tables(tables, read_database_time() if tables else 0)

    async def send_tables(self) -> None:
        """Send the person's tables and their states, except the table that the page shows."""
        if self._user_id is None or not TABLE_UPDATES.take(self._user_id):
            return
        with suppress(TooMuchAsked):  # the next change or ping may find room
            await self._send_tables(self._user_id, await aside(self._find_tables, self._user_id))

    async def _send_tables(self, user_id: int, found: _Tables) -> None:
        # Join the tables' groups before reading the tables, so that no later change is missed.
        if await self._subscribe_to_tables(frozenset(table.id for table in found.tables)):
            found = await aside(self._find_tables, user_id)
        told = [table.json() for table in found.tables]
        text = json.dumps(told)
        if text != self._told_tables:
            self._told_tables = text
            message = {"type": OWN_TABLES, "now": found.now, "tables": told}
            await self._socket.deliver(json.dumps(message))

    async def _subscribe_to_tables(self, tables: frozenset[int]) -> bool:
        """Join the groups of these tables, and leave those of all others. Return whether a group was joined."""
        new = tables - self._tables_heard
        layer, name = self._socket.channel_layer, self._socket.channel_name
        for table_id in new:
            await layer.group_add(group_of_table(table_id), name)
        for table_id in self._tables_heard - tables:
            await layer.group_discard(group_of_table(table_id), name)
        self._tables_heard = tables
        return bool(new)

    async def _send_invitation(self, user_id: int) -> None:
        """Send the newest table invitation that this person has received.

        The lobby also shows the invitation to a player who comes later.
        """
        if not NEWS_REQUESTS.take(user_id):
            return
        for one in (await aside(friends_invitations, user_id))[:1]:
            told = {"type": INVITATION, "sender": one.sender, "name": one.table, "url": one.url}
            await self._socket.deliver(json.dumps(told))

    async def _send_balance(self, balances: PlayerBalances) -> None:
        """Send the balances, unless they equal the balances that this page was sent last."""
        text = json.dumps(balance_message(balances))
        if text != self._told_balance:
            self._told_balance = text
            await self._socket.deliver(text)


class MeConsumer(Listening):
    """The socket of a page without a table, or of a program, which gets only messages that its token's scopes allow.

    A ping is answered with everything that the page may have missed.
    """

    news: OwnNews | None = None

    async def connect(self) -> None:
        user = self.scope["user"]
        await self.accept()
        if user is None or user.pk is None:
            await self.close(code=SIGNED_OUT)
            return
        self.news = OwnNews(self, user.pk, None)
        await self.news.begin()

    async def send_current(self) -> None:
        if self.news is not None:
            await self.news.begin()

    async def me_message(self, message: dict[str, Any]) -> None:
        if self.news is not None:
            await self.news.pass_on(message)

    async def table_changed(self, _message: dict[str, Any]) -> None:
        if self.news is not None:
            await self.news.send_tables()

    async def table_said(self, _message: dict[str, Any]) -> None:
        """Ignore chat: it is shown only at the table."""

    async def part_from_table(self) -> None:
        await super().part_from_table()
        if self.news is not None:
            await self.news.end()


def balance_message(balances: PlayerBalances) -> dict[str, Any]:
    """Return the message with the player's spendable amounts: chips and, with cash play, paise in each bucket."""
    cash = asdict(balances.cash) if cash_is_on() else None
    return {"type": BALANCE, "chips": balances.chips, "cash": cash}
