"""Measure the delay of deadlines when many tables are due in the same second: `bin/bench clock`.

300 such tables and two clocks, then the same with one of the clocks killed in the middle. Lateness is by
the database's clock. A clock with more to do than it can is in tests/tables/clock/test_clock_storm.py.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import timedelta

import django

django.setup()

from django.utils import timezone

from bench.figures import spread
from bench.processes import ROOT
from bench.sitting import open_tables
from games.registry import get_game
from tables.models import Change, ChangeKind, Table

SECONDS_AHEAD = 5
SECONDS_TO_START = 3


def bring_deadlines(tables: Sequence[int]) -> dict[int, int]:
    """Spread the tables' deadlines over one second, a few seconds from now. Returns ms by table."""
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


def measure_lateness(due: dict[int, int], since: int) -> list[float]:
    """Wait until every table has acted after this change. Returns milliseconds."""
    while True:
        fired = Change.objects.filter(kind=ChangeKind.EXPIRY, pk__gt=since)
        at = dict(fired.order_by("-pk").values_list("table_id", "at_ms"))
        if set(at) >= set(due):
            return [at[table_id] - wanted for table_id, wanted in due.items()]
        time.sleep(0.2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    tables = [table.pk for table in open_tables(parser.parse_args().tables, 2, "Clock")]
    command = [sys.executable, "manage.py", "clock"]
    clocks = [subprocess.Popen(command, cwd=ROOT) for _ in range(2)]
    try:
        time.sleep(SECONDS_TO_START)
        for name, is_killed in (("two clocks", False), ("one of them killed", True)):
            since = Change.objects.order_by("-pk").values_list("pk", flat=True)[0]
            due = bring_deadlines(tables)
            if is_killed:
                time.sleep(max(0.0, min(due.values()) / 1000 - time.time() + 0.3))
                clocks[0].kill()
            late = measure_lateness(due, since)
            print(f"{name}: {len(late)} deadlines late by {spread(late)}", flush=True)
    finally:
        for clock in clocks:
            clock.terminate()
            clock.wait(15)


if __name__ == "__main__":
    main()
