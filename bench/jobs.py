"""Do the jobs keep up with 200 matches a second? `bin/bench jobs`.

Makes matches of 82 changes that are over (`--matches 2000`), then lets the jobs count, trace,
pack, seal and forget. Prints what each does in a second, and the ratio to what 200 matches a second bring.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta

import django

os.environ["DATABASE_POOL"] = "0"  # as in a worker
django.setup()

from django.contrib.sessions.models import Session
from django.db.models.functions import Now
from django.utils import timezone

from accounts.expiry import forget_what_has_expired
from bench.growth import clone, play_match, seat_players
from bench.ledger import BATCH, CHIPS, post_batch
from tables.history.archiving import archive_matches
from tables.history.fairplay.tracing import trace_matches
from tables.models import Change, Match
from tables.ranking.ratings import count_matches
from wallet.ledger.chart import Line, mint, player
from wallet.ledger.checks import check_ledger, check_recent, seal_ledger
from wallet.models import Reason

MATCHES_A_SECOND = 200
# Stakes in, prizes and rake out, for two to six players.
TRANSFERS_A_SECOND = 6 * MATCHES_A_SECOND
BATCHES = 10
ARCHIVE = """
import django
django.setup()
from tables.history.archiving import archive_matches
print(archive_matches())
"""


def measure(name: str, job: Callable[[], int], *, wanted: float) -> None:
    began = time.perf_counter()
    done = job()
    rate = done / (time.perf_counter() - began)
    print(f"{name:34} {rate:9.0f} a second, {rate / wanted:7.2f} of what comes", flush=True)


def side_by_side(processes: int) -> int:
    command = [sys.executable, "-c", ARCHIVE]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)
    ]
    return sum(int(process.communicate()[0]) for process in running)


def measure_ledger(account: int) -> None:
    """Half of it was checked before; the hourly check reads the other half."""
    line = Line(mint(CHIPS, 0), player(account, CHIPS), 1, Reason.ADJUSTMENT)
    for _half in range(2):
        check_ledger()
        for _batch in range(BATCHES):
            post_batch([line] * (BATCH - 1))
        seal_ledger()  # notes how far
        measure("transfers sealed", seal_ledger, wanted=TRANSFERS_A_SECOND)
    began = time.perf_counter()
    findings = check_recent().findings
    seconds = time.perf_counter() - began
    if findings:
        sys.exit(f"the ledger is off: {findings[0]}")
    measured = BATCHES * (BATCH - 1) / seconds
    print(f"{'transfers checked, the new half':34} {measured:9.0f} a second,", end="")
    print(f" {measured / TRANSFERS_A_SECOND:7.2f} of what comes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=4000)
    matches = parser.parse_args().matches
    table, people = seat_players()
    match = play_match(table, people)
    print(f"{Change.objects.filter(match=match).count()} changes a match", flush=True)
    clone(match, matches)
    over = Match.objects.filter(pk__gte=match.pk)
    over.update(is_rated=True, counted_at=None, ended_at=Now() - timedelta(days=200))
    measure("matches counted", count_matches, wanted=MATCHES_A_SECOND)
    measure("matches traced by one process", trace_matches, wanted=MATCHES_A_SECOND)
    half = over.order_by("pk")[matches // 2].pk
    Match.objects.filter(pk__gte=half).update(ended_at=Now())
    measure("matches archived by one process", archive_matches, wanted=MATCHES_A_SECOND)
    over.update(ended_at=Now() - timedelta(days=200))
    measure("matches archived by two processes", lambda: side_by_side(2), wanted=MATCHES_A_SECOND)
    measure_ledger(people[0].pk)
    now = timezone.now()
    Session.objects.bulk_create(
        Session(session_key=f"bench{n}", expire_date=now - timedelta(1)) for n in range(20_000)
    )
    # More than one visitor for each match would be much.
    measure("sessions forgotten", lambda: forget_what_has_expired(now=now), wanted=MATCHES_A_SECOND)


if __name__ == "__main__":
    main()
