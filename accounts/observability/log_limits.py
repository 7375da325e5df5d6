"""Which lines are kept out of the log.

`ClientLimit`: how many warnings one client may cause, so many a minute, then none for its rest. For
lines that a socket causes (log_context binds `client` there) and for those of uvicorn's own, which
know nobody. `ChosenAnswers`: answers of 503.
"""

import logging
import time
from collections import OrderedDict
from http import HTTPStatus
from typing import Final

LINES_A_MINUTE: Final = 20
LINES_OF_THE_SERVER: Final = 60
_MINUTE: Final = 60
_CLIENTS_KEPT: Final = 5_000
_SERVER: Final = "uvicorn.error"


class ChosenAnswers(logging.Filter):
    """Drop Django's ERROR for an answer of 503.

    The site chooses this answer: a probe asks for it, and a page that is given up as busy has a
    warning with the reason. A defect is answered with 500.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != HTTPStatus.SERVICE_UNAVAILABLE


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
