"""One process of the Procfile in place of this one: `python -m config.run.process clock`.

For a unit of systemd each. A web process listens at HOST and PORT by itself.
"""

import os
import sys
from pathlib import Path
from typing import NoReturn

from config.run.supervisor import read_procfile

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> NoReturn:
    commands = read_procfile((ROOT / "Procfile").read_text())
    if len(arguments) != 1 or arguments[0] not in commands:
        sys.exit(f"openrummy: name one of {', '.join(commands)}")
    os.chdir(ROOT)
    command = commands[arguments[0]]
    os.execv("/bin/sh", ["/bin/sh", "-c", f"exec {command}"])  # noqa: S606 - our own Procfile


if __name__ == "__main__":
    main(sys.argv[1:])
