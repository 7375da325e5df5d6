"""Faults injected into a whole site while people play at it: `bin/chaos --kills 500`.

bin/run is started in a folder of its own; players written from docs/protocol.md play against each
other and against practice bots. One process after another is killed, stopped or replaced, Valkey
emptied and paused, rows held. Every minute the database is asked whether each acknowledged move is
stored once and in order, replays lead to the stored states, the ledger balances and nothing is
out of order. At the end: how long players were away and how late timers were, by kind of fault.
Exit status 1 if anything is wrong; goals that a busy machine misses are only said.
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from bench.chaos.site import OF_ANOTHER_SITE, Site


def main() -> None:
    options = arguments()
    var = Path(tempfile.mkdtemp(prefix="openrummy-chaos-"))
    var.chmod(0o755)
    site = Site(var)
    try:
        site.start()
        site.await_ready()
        given = site.environment()
        for name in OF_ANOTHER_SITE:
            os.environ.pop(name, None)
        os.environ.update(
            DATABASE_URL=given["DATABASE_URL"],
            REDIS_URL=given["REDIS_URL"],
            SECRET_KEY=given["SECRET_KEY"],
            DJANGO_SETTINGS_MODULE="config.settings.local",
            DATABASE_POOL="0",
        )
        import django  # noqa: PLC0415 - the site's address is known only now

        django.setup()
        from bench.chaos.course import run  # noqa: PLC0415 - needs the settings

        found = asyncio.run(run(site, options))
    finally:
        left = site.stop()
        if options.keep_log:
            shutil.copy(site.log, options.keep_log)
        shutil.rmtree(var, ignore_errors=True)
    print("\n".join(left))
    sys.exit(1 if found or left else 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=120, help="no longer than this")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", help="only these kinds of faults")
    parser.add_argument("--quiet", type=float, default=2, help="seconds after everybody is back")
    parser.add_argument("--whole", action="store_true", help="then wait until nothing is missing")
    parser.add_argument("--keep-log", help="where to copy the site's log")
    return parser.parse_args()


if __name__ == "__main__":
    main()
