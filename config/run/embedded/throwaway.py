"""Runs one command with a PostgreSQL and a Valkey of its own, which are deleted afterwards.

`python -m config.run.embedded.throwaway COMMAND ARGUMENT...`

With TEST_PROCESSES=N in the environment it starts N such pairs, one for each worker of `pytest -n N`.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from config.run.embedded.servers import SERVER_ERRORS, plan_servers, run_servers
from config.settings.pairs import as_environment, pairs_wanted


def main(command: list[str]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="ort-"))
    folder.chmod(0o755)  # root's PostgreSQL runs as another user, who has to reach it
    try:
        durable = os.environ.get("THROWAWAY_DURABLE") == "1"
        with ExitStack() as until_the_end:
            pairs = [
                until_the_end.enter_context(
                    run_servers(plan_servers(folder / f"var{number}", os.environ, durable=durable))
                )
                for number in range(pairs_wanted(os.environ))
            ]
            environment = {**os.environ, **as_environment(pairs)}
            return subprocess.run(  # noqa: S603 - the caller's own command
                command, check=False, env=environment
            ).returncode
    except SERVER_ERRORS as error:
        sys.stderr.write(f"openrummy: {error}\n")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _stop(_signum: int, _frame: object) -> None:
    raise SystemExit(143)  # so that the servers are stopped on the way out


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    sys.exit(main(sys.argv[1:]))
