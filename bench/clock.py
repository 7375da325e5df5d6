"""How late deadlines fire when many tables are due in the same second.

`bin/bench clock` has 300 such tables and two clocks, then the same with one of the clocks killed in the
middle. `bin/bench clock --overload` has 900 tables and one clock with more to do than it can: 60 tables are
people's, the others bots' tables of a tournament that starts at once, every act of the clock takes 100 ms
more, and the row of one table is held for 20 seconds. It also prints how fast bots play, and whether
anything was taken for an outage. Lateness is by the database's clock.
"""

import argparse
import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta

import django

django.setup()

from django.db import connection, transaction
from django.utils import timezone

from accounts.people.bots import practice_bots
from bench.figures import spread
from bench.processes import ROOT
from bench.sitting import open_tables
from games.registry import get_game
from tables.models import Change, ChangeKind, ClockOutage, Table
from tables.play.faults import beat
from tables.play.lock import lock_table
from tables.seating.events import EventTable, EventTerms, Guest, open_event_tables
from wallet.money import Currency

SECONDS_AHEAD = 5
SECONDS_TO_START = 3
PEOPLES = 60
HELD_SECONDS = 20
FREED_SECONDS = 12
WAVES = 3
CLOCK = ("manage.py", "clock")
# A clock process whose every act takes longer; seconds in its argument.
SLOW_CLOCK = """
import asyncio, sys, time
import django
django.setup()
from tables.live import clock
act = clock.act_on_table
def act_slowly(table_id):
    time.sleep(float(sys.argv[1]))
    return act(table_id)
clock.act_on_table = act_slowly
asyncio.run(clock.Clock().run())
"""


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


def lateness(due: dict[int, int], since: int) -> list[float]:
    """Wait until every table has acted after this change. Returns milliseconds."""
    while True:
        fired = Change.objects.filter(kind=ChangeKind.EXPIRY, pk__gt=since)
        at = dict(fired.order_by("-pk").values_list("table_id", "at_ms"))
        if set(at) >= set(due):
            return [at[table_id] - wanted for table_id, wanted in due.items()]
        time.sleep(0.2)


def newest_change() -> int:
    return Change.objects.order_by("-pk").values_list("pk", flat=True)[0]


@contextlib.contextmanager
def running_clocks(number: int, *command: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    clocks = [subprocess.Popen([sys.executable, *command], cwd=ROOT) for _ in range(number)]
    try:
        yield clocks
    finally:
        for clock in clocks:
            clock.terminate()
            clock.wait(15)


def measure(number: int) -> None:
    tables = [table.pk for table in open_tables(number, 2, "Clock")]
    with running_clocks(2, *CLOCK) as clocks:
        time.sleep(SECONDS_TO_START)
        for name, is_killed in (("two clocks", False), ("one of them killed", True)):
            since = newest_change()
            due = bring_deadlines(tables)
            if is_killed:
                time.sleep(max(0.0, min(due.values()) / 1000 - time.time() + 0.3))
                clocks[0].kill()
            late = lateness(due, since)
            print(f"{name}: {len(late)} deadlines late by {spread(late)}", flush=True)


def measure_overload(number: int, slower_ms: int) -> None:
    people = [table.pk for table in open_tables(PEOPLES, 2, "Storm")]
    beat()
    bots = open_tournament(number - PEOPLES)
    with running_clocks(1, "-c", SLOW_CLOCK, str(slower_ms / 1000)):
        holder = threading.Thread(target=hold, args=[bots[0]])
        holder.start()
        while Change.objects.filter(table__in=bots).count() < len(bots) // 4:
            time.sleep(0.1)
        since, began, late = newest_change(), time.monotonic(), []
        for _wave in range(WAVES):
            wave = newest_change()
            late += lateness(bring_deadlines(people), wave)
        played = Change.objects.filter(table__in=bots, pk__gt=since).count()
        rate = played / (time.monotonic() - began)
        holder.join()
        time.sleep(FREED_SECONDS)
        since_ms = (time.time() - FREED_SECONDS) * 1000
        is_freed = Change.objects.filter(table=bots[0], at_ms__gt=since_ms).exists()
    postponed = Change.objects.filter(kind=ChangeKind.POSTPONED).count()
    print(
        f"{len(late)} deadlines of people late by {spread(late)}; {len(bots)} bots' tables:"
        f" {rate:.0f} changes/s, one a table in {len(bots) / rate:.1f} s; outages"
        f" {ClockOutage.objects.count()}, tables postponed {postponed}\n"
        f"the table whose row was held goes on: {is_freed}"
    )


def open_tournament(number: int) -> list[int]:
    """Open tables of two bots each, all of which start now."""
    game = get_game("indian")
    terms = EventTerms(
        game="indian",
        event_url="/tournaments/1/",
        rules=game.rules.json(game.rules.preset("deals6")) | {"qualifiers": 1},
        currency=Currency.CHIPS,
        starts_at=timezone.now(),
        bot_strength="easy",
    )
    guests = [Guest(bot.pk, is_bot=True) for bot in practice_bots()[:2]]
    opened = open_event_tables(terms, [EventTable(f"Storm {n}", guests) for n in range(number)])
    return [table.pk for table in opened]


def hold(table_id: int) -> None:
    """Keep a table's row, as an administrator's long transaction would."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 60000")
        lock_table(table_id)
        time.sleep(HELD_SECONDS)
    connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, help="300; 900 with --overload")
    parser.add_argument("--overload", action="store_true")
    parser.add_argument("--slower", type=int, default=100, help="ms that each act takes more then")
    chosen = parser.parse_args()
    if chosen.overload:
        measure_overload(chosen.tables or 900, chosen.slower)
    else:
        measure(chosen.tables or 300)


if __name__ == "__main__":
    main()
