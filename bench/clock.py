"""How late deadlines fire when 300 tables are due in the same second, with two clocks at work.

`bin/bench clock [tables]` prints the lateness by the database's clock, and how the clocks shared
the work; then the same with one of them killed in the middle.
"""

import os
import signal
import statistics
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import django

django.setup()

from django.utils import timezone

from bench.sitting import open_tables
from games.registry import get_game
from tables.models import Change, ChangeKind, Table

ROOT = Path(__file__).resolve().parents[1]
SECONDS_AHEAD = 5


def bring_deadlines(tables: list[int]) -> dict[int, int]:
    """All are due in the same second, a few from now; milliseconds by table."""
    due = {}
    at = timezone.now() + timedelta(seconds=SECONDS_AHEAD)
    start = round(at.timestamp() * 1000)
    for count, table_id in enumerate(tables):
        table = Table.objects.get(pk=table_id)
        game = get_game(table.game)
        state = game.stored.load(bytes(table.state or b""))
        wanted = start + 1000 * count // len(tables)
        deadline = game.core.status(state).deadline
        assert deadline is not None  # noqa: S101 - a turn has one
        state = game.core.postpone(state, by_ms=wanted - deadline)
        moment = at + timedelta(milliseconds=wanted - start)
        Table.objects.filter(pk=table_id).update(state=game.stored.dump(state), deadline_at=moment)
        due[table_id] = wanted
    return due


def clocks(number: int) -> list[subprocess.Popen[bytes]]:
    command = [sys.executable, "manage.py", "clock"]
    return [subprocess.Popen(command, cwd=ROOT) for _ in range(number)]


def lateness(due: dict[int, int], since: int) -> list[int]:
    """Milliseconds, once every table has acted."""
    while True:
        fired = Change.objects.filter(kind=ChangeKind.EXPIRY, pk__gt=since)
        at = dict(fired.order_by("-pk").values_list("table_id", "at_ms"))
        if set(at) >= set(due):
            return [at[table_id] - wanted for table_id, wanted in due.items()]
        time.sleep(0.2)


def report(name: str, late: list[int]) -> None:
    cut = statistics.quantiles(late, n=100)
    print(
        f"{name:28} {len(late)} deadlines: late p50 {cut[49]:.0f} p99 {cut[98]:.0f} "
        f"longest {max(late)} ms",
        flush=True,
    )


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    tables = [table.pk for table in open_tables(number, 2, "Clock")]
    running = clocks(2)
    try:
        time.sleep(3)
        for name, is_killed in (("two clocks", False), ("one of them killed", True)):
            since = Change.objects.order_by("-pk").values_list("pk", flat=True)[0]
            due = bring_deadlines(tables)
            if is_killed:
                time.sleep(max(0.0, min(due.values()) / 1000 - time.time() + 0.3))
                os.kill(running[0].pid, signal.SIGKILL)
            report(name, lateness(due, since))
    finally:
        for process in running:
            process.terminate()
            process.wait(15)


if __name__ == "__main__":
    main()
