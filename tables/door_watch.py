"""Whether the sessions of this process's sockets are still good: one look for all of them."""

import asyncio
import logging
from typing import Protocol

from django.db import Error

from accounts.doors import ended
from tables.threads import in_thread

logger = logging.getLogger(__name__)

# Together with the time of a look well under the 5 seconds that docs/protocol.md promises.
SECONDS_BETWEEN_LOOKS = 3


class Guest(Protocol):
    """A socket. `signed_in` is the user and the session's key, or None for nobody."""

    signed_in: tuple[int, str] | None

    async def show_out(self) -> None: ...


class DoorWatch:
    """Knows the signed-in sockets of this process; runs while there are any."""

    def __init__(self) -> None:
        self._guests: set[Guest] = set()
        self._task: asyncio.Task[None] | None = None

    def add(self, guest: Guest) -> None:
        self._guests.add(guest)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def remove(self, guest: Guest) -> None:
        self._guests.discard(guest)

    async def _run(self) -> None:
        while self._guests:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            try:
                await self._look()
            except Error as error:  # the next look may succeed
                logger.warning("the sessions of the sockets could not be read: %s", error)

    async def _look(self) -> None:
        held = {guest.signed_in for guest in self._guests if guest.signed_in is not None}
        over = await in_thread(ended, held)
        for guest in [one for one in self._guests if one.signed_in in over]:
            await self._show_out(guest)

    async def _show_out(self, guest: Guest) -> None:
        self.remove(guest)
        try:
            await guest.show_out()
        except Exception:  # a tick's loop: one socket does not stop the others
            logger.exception("a socket could not be closed")


watch = DoorWatch()
