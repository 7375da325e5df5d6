"""The processes that a supervisor has started, in a file for its successor after a sudden end.

The successor takes them over and replaces them one after another, so that players notice little. A process is
identified by its number and start time, because numbers are reused.
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
SECONDS_BETWEEN_CHECKS: Final = 0.05


class Orphan:
    """A process of an earlier supervisor, handled like a child process."""

    def __init__(self, process_id: int, birth: str, name: str) -> None:
        self.pid = process_id
        self.name = name
        self._birth = birth

    @property
    def returncode(self) -> int | None:
        """Return None while the process runs, SIGKILL when it has ended: its real code is unknown."""
        return None if birth_of(self.pid) == self._birth else -signal.SIGKILL

    def poll(self) -> int | None:
        return self.returncode

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def wait(self, timeout: float = SECONDS_TO_END) -> int:
        until = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(self.name, timeout)
            time.sleep(SECONDS_BETWEEN_CHECKS)
        return code


class Roster:
    """The processes of one supervisor, each the leader of a process group."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Process numbers with their start times. Processes of an earlier supervisor stay listed until they
        # end.
        self._noted = {
            number: (name, birth)
            for number, (name, birth) in self._read_stored().items()
            if birth_of(int(number)) == birth
        }
        self.orphans = [
            Orphan(int(number), birth, name) for number, (name, birth) in self._noted.items()
        ]

    def add(self, process_id: int, name: str) -> None:
        birth = birth_of(process_id)
        if birth is not None:
            self._noted[str(process_id)] = (name, birth)
            self._write()

    def remove(self, process_id: int) -> None:
        if self._noted.pop(str(process_id), None) is not None:
            self._write()

    def end_orphans(self) -> None:
        """End processes that were not taken over, or not replaced yet."""
        left = [orphan for orphan in self.orphans if orphan.poll() is None]
        for orphan in left:
            orphan.terminate()
        until = time.monotonic() + SECONDS_TO_END
        for orphan in left:
            with contextlib.suppress(subprocess.TimeoutExpired):
                orphan.wait(max(0, until - time.monotonic()))
            with contextlib.suppress(ProcessLookupError):
                os.killpg(orphan.pid, signal.SIGKILL)  # with its children, if it had any left
            self.remove(orphan.pid)
        self.orphans = []

    def _read_stored(self) -> dict[str, tuple[str, str]]:
        try:
            stored = json.loads(self._path.read_text())
        except FileNotFoundError:
            return {}
        # Older versions stored only the start times.
        return {
            number: ("", noted) if isinstance(noted, str) else (noted[0], noted[1])
            for number, noted in stored.items()
        }

    def _write(self) -> None:
        written = self._path.with_suffix(".new")
        written.write_text(json.dumps(self._noted))
        written.replace(self._path)


def birth_of(process_id: int) -> str | None:
    """Return a mark that distinguishes this process from earlier ones of its number, or None if it has ended."""
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
