"""Ports for the servers that tests start."""

import itertools
import os
import random
import socket
from typing import Final

# Below the kernel's ephemeral ports, which outgoing connections take.
_FIRST: Final = 20_000
_OF_A_WORKER: Final = 1_000
_turns: Final = itertools.count(random.randrange(_OF_A_WORKER))


def find_free_port() -> int:
    """Return a free port of 127.0.0.1. Other test processes never get it, and this one not again soon."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        port = _FIRST + worker % 10 * _OF_A_WORKER + next(_turns) % _OF_A_WORKER
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
