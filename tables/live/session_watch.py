"""The validity of the sessions of this process's sockets: one query for all of them."""

import logging
from typing import Protocol

from accounts.sessions.revocation import ended
from core.threads import in_thread
from tables.live.watch_loop import WatchLoop

logger = logging.getLogger(__name__)

# Together with the time of a look well under the 5 seconds that docs/protocol.md promises.
SECONDS_BETWEEN_LOOKS = 3


class Guest(Protocol):
    """A socket. `signed_in` is the user and the session's key, or None for nobody."""

    signed_in: tuple[int, str] | None

    async def show_out(self) -> None: ...


class SessionWatch(WatchLoop[tuple[int, str], Guest]):
    """Knows the sockets of this process by who is signed in."""

    seconds_between_looks = SECONDS_BETWEEN_LOOKS

    def add(self, guest: Guest) -> None:
        if guest.signed_in is not None:
            self.keep(guest.signed_in, guest)

    def remove(self, guest: Guest) -> None:
        if guest.signed_in is not None:
            self.let_go(guest.signed_in, guest)

    async def look(self) -> None:
        """A look touches no socket that may stay."""
        for over in await in_thread(ended, self.keys()):
            for guest in self.sockets_of(over):
                await self._show_out(guest)

    async def _show_out(self, guest: Guest) -> None:
        self.remove(guest)
        try:
            await guest.show_out()
        except Exception:  # a tick's loop: one socket does not stop the others
            logger.exception("a socket could not be closed")


watch = SessionWatch()
