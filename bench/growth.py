"""Ten million ledger entries and ten million changes of tables: `bin/bench growth`.

Makes them (`--millions 10`), the entries in parts that are set apart (`--parts 4`), then reads the
pages that people open most as one player of many, and packs matches that are long over. Prints
milliseconds of each page, through Django, templates included.

`bin/bench growth --players 1000000` makes this many players at their tables instead, measures every job of
the schedule on them, reads the lobby, and says how many workers the jobs need in a day (bench/day/report.py).
"""

import argparse
import os
import statistics
import time
from datetime import timedelta
from functools import partial

import django

os.environ["DATABASE_POOL"] = "0"  # no limit of time to a statement
django.setup()

from django.conf import settings
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bench.clones import clone_match, milliseconds, owner, play_match
from bench.day.report import report_a_day
from bench.ledger import BATCH, CHIPS, post_batch
from tables.history.archiving import archive_matches
from tables.models import Change, Match, MatchArchive
from wallet import api as wallet
from wallet.ledger.chart import Line, mint, player
from wallet.models import Reason


def fill_ledger(account: int, transfers: int, parts: int) -> None:
    """Write transfers, a twentieth of them one player's, and set each part of them apart."""
    others = [Line(mint(CHIPS, 0), player(n, CHIPS), 1, Reason.ADJUSTMENT) for n in range(1, BATCH)]
    mine = [Line(mint(CHIPS, 0), player(account, CHIPS), 1, Reason.ADJUSTMENT)] * (BATCH - 1)
    batches = transfers // BATCH
    for batch in range(batches):
        post_batch(mine if batch % 20 == 0 else others)
        if (batch + 1) % (batches // parts) == 0 and batch + 1 < batches:
            with owner() as database:
                database.execute("SELECT wallet_partition_ledger()")
                database.execute(
                    f"GRANT SELECT ON wallet_entry TO {settings.DATABASE_APP_ROLE}".encode()
                )


def print_size(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - our own names
        (rows,) = cursor.fetchone()
        cursor.execute(
            """SELECT pg_total_relation_size(%(table)s) + coalesce(sum(
                 pg_total_relation_size(inhrelid)), 0)
               FROM pg_inherits WHERE inhparent = %(table)s::regclass""",
            {"table": table},
        )
        (size,) = cursor.fetchone()
    print(f"{table}: {rows} rows, {float(size) / 1e9:.1f} GB with indexes", flush=True)


def read_pages(user: User, match: Match) -> None:
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    pages = {
        "statement, newest": "/wallet/",
        "my matches": "/matches/",
        "one match": f"/matches/{match.pk}/",
        "its replay": f"/matches/{match.pk}/deals/1/",
    }
    for name, address in pages.items():
        print(f"{name:20} {milliseconds(partial(client.get, address))}", flush=True)


def measure_growth(millions: float, parts: int) -> None:
    match, people = play_match()
    changes = Change.objects.filter(match=match).count()
    clone_match(match, int(millions * 1e6) // changes)
    print_size("tables_change")
    fill_ledger(people[0].pk, int(millions * 1e6) // 2, parts)
    print_size("wallet_entry")
    read_pages(people[0], match)
    long_ago = Now() - timedelta(days=365)
    Match.objects.filter(pk=match.pk).update(started_at=long_ago, ended_at=long_ago)
    began = time.perf_counter()
    packed = archive_matches(2_000)
    seconds = time.perf_counter() - began
    archives = MatchArchive.objects.values_list("changes", flat=True)[:200]
    size = statistics.mean(len(bytes(one)) for one in archives)
    print(
        f"archive: {packed / seconds:.0f} matches/s of {changes} changes, {size / 1000:.1f} KB each"
    )
    read_pages(people[0], match)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", type=float, default=10)
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--players", type=int, help="a day of so many at once, when most play")
    chosen = parser.parse_args()
    wallet.set_starting_fees(valid_from=timezone.now())
    if chosen.players:
        report_a_day(chosen.players)
    else:
        measure_growth(chosen.millions, chosen.parts)


if __name__ == "__main__":
    main()
