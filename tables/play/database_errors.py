"""Errors of the database that say nothing of the table or the tournament in hand: it is left as it
is, and tried again."""

from typing import Final

from django.db import InterfaceError, InternalError, OperationalError

# A lock or a statement that took too long, a lost connection; a connection that had been closed; a
# transaction that the server has ended because this process stood still in it (25P03), or a server
# that may not write, as it has become a standby (25006).
DATABASE_FAILED: Final = (OperationalError, InterfaceError, InternalError)
