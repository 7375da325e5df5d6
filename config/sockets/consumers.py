"""What concerns one person alone, on every page: over a table's socket, elsewhere `/ws/me/`."""

import json
from dataclasses import asdict
from typing import Any, Final

from accounts.notifications.page_notices import group_of
from tables.live.close_codes import SIGNED_OUT
from tables.live.consumers import TableConsumer
from tables.live.frames.incoming import Me
from tables.live.frames.parsing import unknown_type
from tables.live.limits import Budget
from tables.live.sockets import GameConsumer
from tables.play.broadcast import chair_message
from tables.play.reading import kept_chairs_of
from tables.play.threads import aside
from tournaments.core.reading import invitations_of
from tournaments.live.broadcast import message_of
from tournaments.live.consumers import Listening
from wallet.cash import cash_is_on
from wallet.ledger.balance_notices import BALANCE
from wallet.ledger.balances import PlayerBalances, player_balances

# How often the pages of a player may ask for what they missed; each does so every 25 seconds.
LOOKS: Final = Budget(a_second=1, at_once=30)


class AboutOneself(GameConsumer):
    """Passes on what `accounts.notifications.page_notices.tell` sends to this person."""

    user_id: int | None
    told_balance = ""

    async def me_message(self, message: dict[str, Any]) -> None:
        if message["message"]["type"] == BALANCE:
            await self.tell_balance()
            return
        await self.deliver(json.dumps(message["message"]))

    async def tell_what_is_there(self) -> None:
        """What somebody who missed a message still has to know."""
        if self.user_id is None or not LOOKS.take(self.user_id):
            return
        for invitation in await aside(invitations_of, self.user_id):
            await self.deliver(json.dumps(message_of(invitation)))
        for chair in await aside(kept_chairs_of, self.user_id):
            await self.deliver(json.dumps(chair_message(chair)))
        await self.tell_balance()

    async def tell_balance(self) -> None:
        """As it is now, unless this page has been told the same."""
        if self.user_id is None:
            return
        text = json.dumps(balance_message(await aside(player_balances, self.user_id)))
        if text != self.told_balance:
            self.told_balance = text
            await self.deliver(text)


class MeConsumer(AboutOneself, Listening):
    """A ping is answered with what may be missed."""

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


class TablePageConsumer(AboutOneself, TableConsumer):
    """The socket of a table's page, which needs no other one."""

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
