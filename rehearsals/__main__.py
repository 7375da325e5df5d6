"""Runs rehearsals of the documents for operators on real Debian machines: `bin/rehearse install`.

Each rehearsal runs the commands that a document marks as shell (```sh), in the order of the document, and checks the
promised results. A machine is a folder in REHEARSAL_MACHINES (/var/tmp/openrummy-machines). The machines of `growth`
and `images` have a network of their own. The others share this host's network, in which some ports must be free. The
exit status is 1 if a check fails.
"""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable

from rehearsals import faults, growth, images, install, restore, upgrade
from rehearsals.machines import missing_programs, taken_ports
from rehearsals.report import Report

REHEARSALS: dict[str, Callable[[str, Report], None]] = {
    "install": install.rehearse,
    "upgrade": upgrade.rehearse,
    "restore": restore.rehearse,
    "faults": faults.rehearse,
    "growth": growth.rehearse,
    "images": images.rehearse,
}
# The ports of the proxy, the mail sink, PostgreSQL, Redis and the site.
PORTS = (80, 443, 2525, 5432, 6379, 8000)
# These rehearsals have a network of their own.
APART = ("growth", "images")
SUITES = ("bookworm", "trixie")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=[*REHEARSALS, "all"])
    parser.add_argument(
        "suites", nargs="*", default=SUITES, metavar="suite", help="bookworm, trixie"
    )
    options = parser.parse_args()
    if missing := missing_programs():
        sys.exit(
            f"openrummy: a rehearsal needs {', '.join(missing)}"
            " (apt install systemd-container mmdebstrap iptables)"
        )
    if options.name not in APART and (taken := taken_ports(PORTS)):
        sys.exit(
            f"openrummy: a machine shares this host's ports, and somebody listens at {taken}. End that first."
        )
    os.umask(0o022)
    names = REHEARSALS if options.name == "all" else [options.name]
    runs = [(name, suite) for suite in options.suites for name in names]
    sys.exit(rehearse(*runs[0]) if len(runs) == 1 else rehearse_each(runs))


def rehearse(name: str, suite: str) -> int:
    # Leave no machine behind when a rehearsal is interrupted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("openrummy: the rehearsal was ended"))
    report = Report(f"{name} {suite}")
    REHEARSALS[name](suite, report)
    report.end()
    return 1 if report.failed else 0


def rehearse_each(runs: Iterable[tuple[str, str]]) -> int:
    """Run each rehearsal in a process of its own, because Django keeps the settings of one machine."""
    failed = 0
    for run in runs:
        with subprocess.Popen([sys.executable, "-m", "rehearsals", *run]) as child:

            def end(*_: object, child: subprocess.Popen[bytes] = child) -> None:
                child.terminate()
                sys.exit(1)

            signal.signal(signal.SIGTERM, end)
            failed |= child.wait()
    return 1 if failed else 0


if __name__ == "__main__":
    main()
