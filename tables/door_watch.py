"""Whether the sessions of this process's sockets are still good: one look for all of them."""

import asyncio
import logging
from collections import defaultdict
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
        # By who is signed in, so that a look touches no socket that may stay.
        self._guests: defaultdict[tuple[int, str], set[Guest]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None

    def add(self, guest: Guest) -> None:
        if guest.signed_in is None:
            return
        self._guests[guest.signed_in].add(guest)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def remove(self, guest: Guest) -> None:
        who = guest.signed_in
        if who is None or who not in self._guests:
            return
        self._guests[who].discard(guest)
        if not self._guests[who]:
            del self._guests[who]

    async def _run(self) -> None:
        while self._guests:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            try:
                await self._look()
            except Error as error:  # the next look may succeed
                logger.warning("the sessions of the sockets could not be read: %s", error)

    async def _look(self) -> None:
        for over in await in_thread(ended, list(self._guests)):
            for guest in list(self._guests.get(over, ())):
                await self._show_out(guest)

    async def _show_out(self, guest: Guest) -> None:
        self.remove(guest)
        try:
            await guest.show_out()
        except Exception:  # a tick's loop: one socket does not stop the others
            logger.exception("a socket could not be closed")


watch = DoorWatch()
