"""Which lines are kept out of the log.

`ClientLimit`: how many warnings one client may cause, so many a minute, then none for its rest. For
lines that a socket causes (log_context binds `client` there) and for those of uvicorn's own, which
know nobody. `NotOfProbes`: answers of 503 to probes.
"""

import logging
import time
from collections import OrderedDict
from typing import Final

LINES_A_MINUTE: Final = 20
LINES_OF_THE_SERVER: Final = 60
# Pages that say by their status whether something works (config/monitoring/access.py).
PROBES: Final = frozenset({"/healthz", "/readyz", "/ledgerz"})
_MINUTE: Final = 60
_CLIENTS_KEPT: Final = 5_000
_SERVER: Final = "uvicorn.error"


class NotOfProbes(logging.Filter):
    """Drops what Django says of an answer of 503 to a probe: it is what the probe asks for, and a
    process that starts has many of them."""

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path", "")
        return path not in PROBES


class ClientLimit(logging.Filter):
    """Lets the first lines of a client and minute pass; the last of them says so."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        client = getattr(record, "client", None)
        if record.levelno < logging.WARNING or (client is None and record.name != _SERVER):
            return True
        most = LINES_A_MINUTE if client is not None else LINES_OF_THE_SERVER
        count = self._count(str(client))
        if count == most:
            record.msg = f"{record.msg} (no more of this client for a minute)"
        return count <= most

    def _count(self, client: str) -> int:
        now = time.monotonic()
        began, count = self._counts.pop(client, (now, 0))
        if now - began >= _MINUTE:
            began, count = now, 0
        self._counts[client] = (began, count + 1)
        if len(self._counts) > _CLIENTS_KEPT:
            self._counts.popitem(last=False)
        return count + 1
