"""One person's socket, open on every page: `/ws/me/` carries what concerns nobody else."""

import json
from typing import Any

from accounts.notices import group_of
from tables.threads import in_thread
from tournaments.broadcast import message_of
from tournaments.consumers import Listening
from tournaments.selectors import invitations_of

SIGNED_OUT = 4401


class MeConsumer(Listening):
    """Passes on what `accounts.notices.tell` sends; a ping is answered with what may be missed."""

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user_id: int | None = None if user is None else user.pk
        await self.accept()
        if self.user_id is None:
            self.is_over = True
            await self.close(code=SIGNED_OUT)
            return
        # In the group before the database is asked, so that nothing falls between the two.
        await self.join(group_of(self.user_id))
        await self.tell_what_is_there()

    async def me_message(self, message: dict[str, Any]) -> None:
        await self.deliver(json.dumps(message["message"]))

    async def tell_what_is_there(self) -> None:
        if self.user_id is not None:
            for invitation in await in_thread(invitations_of, self.user_id):
                await self.deliver(json.dumps(message_of(invitation)))
