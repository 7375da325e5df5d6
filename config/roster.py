"""Which processes a supervisor has started, in a file for whoever comes after its sudden end.

A process is known by its number and the time of its birth, as numbers are given out again.
"""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Final

SECONDS_TO_END: Final = 10


class Roster:
    """The processes of one supervisor; they lead process groups of their own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._births: dict[str, str] = {}

    def add(self, process_id: int) -> None:
        birth = birth_of(process_id)
        if birth is not None:
            self._births[str(process_id)] = birth
            self._write()

    def remove(self, process_id: int) -> None:
        if self._births.pop(str(process_id), None) is not None:
            self._write()

    def end_orphans(self) -> int:
        """End what is left of an earlier supervisor; returns how many processes there were."""
        left = [number for number, birth in self._stored().items() if birth_of(number) == birth]
        for number in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGTERM)
        until = time.monotonic() + SECONDS_TO_END
        while any(birth_of(number) for number in left) and time.monotonic() < until:
            time.sleep(0.05)
        for number in left:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(number, signal.SIGKILL)  # with its children, if it had any left
        self._write()
        return len(left)

    def _stored(self) -> dict[int, str]:
        try:
            stored = json.loads(self._path.read_text())
        except FileNotFoundError:
            return {}
        return {int(number): str(birth) for number, birth in stored.items()}

    def _write(self) -> None:
        written = self._path.with_suffix(".new")
        written.write_text(json.dumps(self._births))
        written.replace(self._path)


def birth_of(process_id: int) -> str | None:
    """What tells this process from others that had its number; None if it has ended."""
    if Path("/proc/self/stat").exists():
        try:
            after_name = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return None
        return None if after_name[0] == "Z" else after_name[19]
    asked = subprocess.run(  # noqa: S603 - macOS
        ["/bin/ps", "-o", "stat=,lstart=", "-p", str(process_id)],
        check=False,
        capture_output=True,
        text=True,
    )
    state, _, birth = asked.stdout.strip().partition(" ")
    return None if not birth or state.startswith("Z") else birth.strip()
