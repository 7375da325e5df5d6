"""One person's socket, open on every page: `/ws/me/` carries what concerns nobody else."""

import json
from dataclasses import asdict
from typing import Any

from accounts.notices import group_of
from tables.broadcast import chair_message
from tables.selectors import kept_chairs_of
from tables.sockets import SIGNED_OUT
from tables.threads import in_thread
from tournaments.broadcast import message_of
from tournaments.consumers import Listening
from tournaments.selectors import invitations_of
from wallet.cash import cash_is_on
from wallet.selectors import PlayerBalances, player_balances
from wallet.services.balance_notices import BALANCE


class MeConsumer(Listening):
    """Passes on what `accounts.notices.tell` sends; a ping is answered with what may be missed."""

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user_id: int | None = None if user is None else user.pk
        self.told_balance = ""
        await self.accept()
        if self.user_id is None:
            self.is_over = True
            await self.close(code=SIGNED_OUT)
            return
        # In the group before the database is asked, so that nothing falls between the two.
        await self.join(group_of(self.user_id))
        await self.tell_what_is_there()

    async def me_message(self, message: dict[str, Any]) -> None:
        if message["message"]["type"] == BALANCE:
            await self.tell_balance()
            return
        await self.deliver(json.dumps(message["message"]))

    async def tell_what_is_there(self) -> None:
        if self.user_id is not None:
            for invitation in await in_thread(invitations_of, self.user_id):
                await self.deliver(json.dumps(message_of(invitation)))
            for chair in await in_thread(kept_chairs_of, self.user_id):
                await self.deliver(json.dumps(chair_message(chair)))
            await self.tell_balance()

    async def tell_balance(self) -> None:
        """As it is now, unless this page has been told the same."""
        if self.user_id is None:
            return
        text = json.dumps(balance_message(await in_thread(player_balances, self.user_id)))
        if text != self.told_balance:
            self.told_balance = text
            await self.deliver(text)


def balance_message(balances: PlayerBalances) -> dict[str, Any]:
    """Chips, and paise in each bucket where cash is played for: what may be spent now."""
    cash = asdict(balances.cash) if cash_is_on() else None
    return {"type": BALANCE, "chips": balances.chips, "cash": cash}
