"""PostgreSQL's own load generator with a script of ours: the floor of what a server has to do at least."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from django.conf import settings

from config.run.embedded.place import ProgramMissingError, postgres_programs


class Pgbench:
    def __init__(self, folder: Path) -> None:
        try:
            self._program = postgres_programs() / "pgbench"
        except ProgramMissingError as error:
            sys.exit(f"There is no pgbench to compare with: {error}")
        if not self._program.exists():
            sys.exit(f"There is no pgbench to compare with: {self._program} is missing.")
        self._script = folder / "script.sql"

    def run(
        self,
        script: str,
        *,
        clients: int,
        seconds: int,
        values: Mapping[str, object] = MappingProxyType({}),
    ) -> float:
        """Return the transactions a second. `values` are the script's variables."""
        self._script.write_text(script)
        database = settings.DATABASES["default"]
        command = [
            str(self._program), "-n", "-M", "prepared", "-T", str(seconds),
            "-c", str(clients), "-j", str(min(clients, 2)), "-f", str(self._script),
            *(f"-D{name}={value}" for name, value in values.items()),
            "-h", database["HOST"], "-U", database["USER"], database["NAME"],
        ]  # fmt: skip
        environment = {**os.environ, "PGPASSWORD": database["PASSWORD"]}
        out = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        rates = [line for line in out.stdout.splitlines() if line.startswith("tps")]
        if out.returncode or not rates:
            sys.exit(f"pgbench failed: {out.stderr.strip()[-500:]}")
        return float(rates[0].split()[2])
