"""Restarts an embedded server that dies while the site uses it."""

import logging
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from config.run.embedded.place import ProgramMissingError
from config.run.embedded.postgres import PostgresError
from config.run.embedded.valkey import ValkeyError

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_CHECKS: Final = 0.5
DOES_NOT_START = (
    PostgresError,
    ProgramMissingError,
    ValkeyError,
    OSError,
    subprocess.SubprocessError,
)


class Server(Protocol):
    def is_gone(self) -> bool: ...

    def start(self) -> None: ...


@contextmanager
def keep_alive(servers: Iterable[Server]) -> Iterator[None]:
    """Restart each server that dies within the block."""
    is_over = threading.Event()
    keepers = [
        threading.Thread(target=_keep, args=(server, is_over), name="keeper", daemon=True)
        for server in servers
    ]
    try:
        for keeper in keepers:
            keeper.start()
        yield
    finally:
        is_over.set()
        for keeper in keepers:  # a server that is being started must not outlive the end
            if keeper.ident is not None:
                keeper.join()


def _keep(server: Server, is_over: threading.Event) -> None:
    name = type(server).__name__
    while not is_over.wait(SECONDS_BETWEEN_CHECKS):
        if not server.is_gone():
            continue
        logger.error("%s is gone; it is started again", name)
        try:
            server.start()
        except DOES_NOT_START as error:
            # Remains of the previous server may still be shutting down.
            logger.error("%s does not start yet: %s", name, error)  # noqa: TRY400 - no defect of ours
