"""The process of bin/run that keeps its servers alive, and stops them when it ends.

It ends on SIGTERM, which the system also sends it when the supervisor is killed. If this process is killed
outright, the servers keep running and the next one takes them over.
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

from config.run.embedded.servers import SERVER_ERRORS, plan_servers, run_servers
from config.run.forking import READY_FD

# Names of the environment variables that lead to embedded servers, not to servers that the operator has named.
EMBEDDED: Final = "EMBEDDED_SERVERS"
ERROR: Final = "error"
RUNNING: Final = "running"


def main() -> None:
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    asked = threading.Event()
    # A server that is half started could not be stopped.
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: asked.set())
    own = os.environ.get(EMBEDDED, "").split()
    given = {name: value for name, value in os.environ.items() if name not in own}
    pipe = os.environ.pop(READY_FD, None)
    try:
        planned = plan_servers(Path(os.environ["OPENRUMMY_VAR"]), given)
        _report(pipe, planned[0])
        with run_servers(planned, kept=True):
            _report(pipe, {RUNNING: ""})
            if planned[1]:
                asked.wait()
    except SERVER_ERRORS as error:
        _report(pipe, {ERROR: str(error)})
        if pipe is None:
            sys.exit(f"openrummy: {error}")


def _report(pipe: str | None, said: Mapping[str, str]) -> None:
    """Write a line to the process that waits for the servers, if one waits.

    The first line has the servers' environment variables. The second line says that the servers run.
    """
    if pipe is not None:
        os.write(int(pipe), json.dumps(said).encode() + b"\n")


if __name__ == "__main__":
    main()
