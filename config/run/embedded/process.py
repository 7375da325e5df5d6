"""The process of bin/run that keeps its servers alive, and stops them when it ends.

It ends on SIGTERM, which the system also sends it when the supervisor is killed. If it is killed itself, its successor
joins the servers that it has left.
"""

import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from config.run.embedded.servers import SERVER_ERRORS, run_servers
from config.run.forking import READY_FD

# Variables of the environment that name a server of this process, not one that was given.
EMBEDDED: Final = "EMBEDDED_SERVERS"
ERROR: Final = "error"


def main() -> None:
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    asked = threading.Event()
    # A server that is half started could not be stopped.
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: asked.set())
    own = os.environ.get(EMBEDDED, "").split()
    given = {name: value for name, value in os.environ.items() if name not in own}
    try:
        with run_servers(Path(os.environ["OPENRUMMY_VAR"]), given, kept=True) as environment:
            _report(environment)
            if not (given.get("DATABASE_URL") and given.get("REDIS_URL")):
                asked.wait()
    except SERVER_ERRORS as error:
        if not _report({ERROR: str(error)}):
            sys.exit(f"openrummy: {error}")


def _report(said: Mapping[str, str]) -> bool:
    """Tell the one who waits for the servers, if anybody does."""
    pipe = os.environ.pop(READY_FD, None)
    if pipe is not None:
        with os.fdopen(int(pipe), "w") as telling:
            json.dump(said, telling)
    return pipe is not None


if __name__ == "__main__":
    main()
