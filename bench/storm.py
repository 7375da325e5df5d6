"""Whether a clock with more to do than it can do still keeps the deadlines of people.

`bin/bench storm [tables] [milliseconds]`: so many tables (900) of which 60 are people's and all
others are bots' tables of a tournament that starts at once; every act of the clock takes 100 ms
more, and the row of one table is held for 20 seconds. Prints how late people's deadlines fired, how
fast bots play, and whether anything was taken for an outage.
"""

import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import django

django.setup()

from django.db import connection, transaction
from django.utils import timezone

from accounts.people.bots import practice_bots
from bench.clock import bring_deadlines, lateness
from bench.sitting import open_tables
from games.registry import get_game
from tables.models import Change, ChangeKind, ClockOutage
from tables.play.faults import beat
from tables.play.lock import lock_table
from tables.seating.events import EventTable, EventTerms, Guest, open_event_tables
from wallet.money import Currency

ROOT = Path(__file__).resolve().parents[1]
PEOPLES = 60
HELD_SECONDS = 20
FREED_SECONDS = 12
WAVES = 3
DEFAULTS = [900, 100]  # tables, milliseconds
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


def open_tournament(number: int) -> list[int]:
    """Tables of two bots each, all of which start now."""
    game = get_game("indian")
    rules = game.rules.json(game.rules.preset("deals6")) | {"qualifiers": 1}
    wish = EventTerms(
        game="indian",
        event_url="/tournaments/1/",
        rules=rules,
        currency=Currency.CHIPS,
        starts_at=timezone.now(),
        bot_strength="easy",
    )
    guests = [Guest(bot.pk, is_bot=True) for bot in practice_bots()[:2]]
    opened = open_event_tables(wish, [EventTable(f"Storm {n}", guests) for n in range(number)])
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
    given = [int(word) for word in sys.argv[1:]]
    number, slower = [*given, *DEFAULTS[len(given) :]]
    people = [table.pk for table in open_tables(PEOPLES, 2, "Storm")]
    beat()
    bots = open_tournament(number - PEOPLES)
    command = [sys.executable, "-c", SLOW_CLOCK, str(slower / 1000)]
    clock = subprocess.Popen(command, cwd=ROOT)
    holder = threading.Thread(target=hold, args=[bots[0]])
    try:
        holder.start()
        # The process has begun, and is in the midst of it.
        while Change.objects.filter(table__in=bots).count() < len(bots) // 4:
            time.sleep(0.1)
        since = Change.objects.order_by("-pk").values_list("pk", flat=True)[0]
        began, late = time.monotonic(), []
        for _ in range(WAVES):
            wave = Change.objects.order_by("-pk").values_list("pk", flat=True)[0]
            late += lateness(bring_deadlines(people), wave)
        seconds = time.monotonic() - began
        played = Change.objects.filter(table__in=bots, pk__gt=since).count()
        holder.join()
        time.sleep(FREED_SECONDS)
        report(late, played / seconds, len(bots))
        since_ms = (time.time() - FREED_SECONDS) * 1000
        freed = Change.objects.filter(table=bots[0], at_ms__gt=since_ms).exists()
        print(f"the table whose row was held goes on: {freed}")
    finally:
        clock.terminate()
        clock.wait(15)


def report(late: list[int], rate: float, bots: int) -> None:
    cut = statistics.quantiles(late, n=100)
    postponed = Change.objects.filter(kind=ChangeKind.POSTPONED).count()
    print(
        f"{len(late)} deadlines of people: late p50 {cut[49]:.0f} p99 {cut[98]:.0f} "
        f"longest {max(late)} ms; {bots} bots' tables: {rate:.0f} changes/s, "
        f"one a table in {bots / rate:.1f} s; outages {ClockOutage.objects.count()}, "
        f"tables postponed {postponed}",
        flush=True,
    )


if __name__ == "__main__":
    main()
