"""Ten million ledger entries and ten million changes of tables: `bin/bench growth`.

Makes them (`--millions 10`), the entries in parts that are set apart (`--parts 4`), then reads the
pages that people open most as one player of many, and packs matches that are long over. Prints
milliseconds of each page, through Django, templates included; the middle of 9 readings.

`bin/bench growth --players 1000000` makes so many players at their tables instead, runs every job of
the schedule on them, reads the lobby, and then lets a day pass, second by second, with what these
runs took and what the jobs' own limits are: bench/day.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import django

os.environ["DATABASE_POOL"] = "0"  # no limit of time to a statement
django.setup()

import psycopg
from django.conf import settings
from django.db import connection, models
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bench.ledger import BATCH, CHIPS, post_batch
from bench.sitting import open_tables, people_at
from tables.history.archiving import archive_matches
from tables.models import Change, Deal, Match, MatchArchive, Table
from tables.play.move import MoveRequest, play_move
from wallet import api as wallet
from wallet.ledger.chart import Line, mint, player
from wallet.models import Reason

TURNS = 20
MATCHES_OF_ONE = 500
READINGS = 9
OK = 200
# Every clone of a match has versions of its own.
VERSIONS = 10_000


def seat_players() -> tuple[Table, list[User]]:
    [table] = open_tables(1, 2, "Growth")
    return table, people_at(table)


def play_match(table: Table, people: list[User]) -> Match:
    """A deal in which everybody throws away what was drawn, until one drops."""
    for turn in range(2 * TURNS + 1):
        user = people[at_turn(table)]
        if turn == 2 * TURNS:
            move(table, user, {"kind": "drop"})
            break
        move(table, user, {"kind": "draw", "source": "closed"})
        newest = Change.objects.filter(table=table).latest("pk")
        (private,) = newest.private.values()
        move(table, user, {"kind": "discard", "card": private["drawn"]})
    return Match.objects.get(table=table)


def at_turn(table: Table) -> int:
    for change in Change.objects.filter(table=table).order_by("-pk"):
        turn = change.patch.get("game", {}).get("turn")
        if turn is not None:
            return int(turn)
    raise RuntimeError("nobody is at turn")


def move(table: Table, user: User, wanted: dict[str, str]) -> None:
    played = play_move(MoveRequest(table_id=table.pk, user_id=user.pk, move=wanted))
    if played.refusal is not None:
        raise RuntimeError(played.refusal.sentence)


def clone(match: Match, number: int) -> None:
    """The match again and again: some of the same two people, the others of nobody."""
    copied: dict[type[models.Model], dict[str, str | None]] = {
        Match: {
            "id": "n",
            "participants": f"CASE WHEN n % {max(number // MATCHES_OF_ONE, 1)} = 0"
            " THEN participants ELSE ARRAY[-n]::bigint[] END",
            "started_at": "now() - interval '200 days' + n * interval '1 minute'",
            "ended_at": "now() - interval '200 days' + n * interval '1 minute'",
        },
        Deal: {"id": None, "match_id": "n"},
        Change: {
            "id": None,
            "match_id": "n",
            "version": f"version + (n - {match.pk}) * {VERSIONS}",
            "move_id": "CASE WHEN move_id IS NULL THEN NULL ELSE gen_random_uuid() END",
        },
    }
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        for model, values in copied.items():
            table, fields = model._meta.db_table, model._meta.concrete_fields  # noqa: SLF001 - Django's own
            names = [str(field.column) for field in fields]
            names = [name for name in names if values.get(name, "") is not None]
            columns = ", ".join(f'"{name}"' for name in names)
            selected = ", ".join(values.get(name) or f'"{name}"' for name in names)
            own = "id" if model is Match else "match_id"
            owner.execute(
                f"INSERT INTO {table} ({columns}) SELECT {selected}"  # noqa: S608 - our own names
                f" FROM {table}, generate_series({match.pk + 1}, {match.pk + number}) AS n"
                f" WHERE {own} = {match.pk}".encode()
            )
        owner.execute("VACUUM ANALYZE")


def fill_ledger(account: int, transfers: int, parts: int) -> None:
    """A twentieth of it is one player's; set apart each time that another part of it is written."""
    others = [Line(mint(CHIPS, 0), player(n, CHIPS), 1, Reason.ADJUSTMENT) for n in range(1, BATCH)]
    mine = [Line(mint(CHIPS, 0), player(account, CHIPS), 1, Reason.ADJUSTMENT)] * (BATCH - 1)
    batches = transfers // BATCH
    for batch in range(batches):
        post_batch(mine if batch % 20 == 0 else others)
        if (batch + 1) % (batches // parts) == 0 and batch + 1 < batches:
            with psycopg.connect(os.environ["DATABASE_OWNER_URL"]) as owner:
                owner.execute("SELECT wallet_partition_ledger()")
                owner.execute(
                    f"GRANT SELECT ON wallet_entry TO {settings.DATABASE_APP_ROLE}".encode()
                )


def milliseconds(get: Callable[[], Any]) -> str:
    times = []
    for _ in range(READINGS):
        began = time.perf_counter()
        if get().status_code != OK:
            sys.exit("a page does not answer")
        times.append(1000 * (time.perf_counter() - began))
    return f"{statistics.median(times):6.1f} ms (slowest {max(times):.1f})"


def count(table: str) -> int:
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
    return int(rows)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", type=float, default=10)
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--players", type=int, help="a day of so many at once, when most play")
    parser.add_argument("--keep", type=Path, help="a file for what was measured of the jobs")
    chosen = parser.parse_args()
    wallet.set_starting_fees(valid_from=timezone.now())
    if chosen.players:
        from bench.day.report import let_a_day_pass  # noqa: PLC0415 - it needs what is above

        let_a_day_pass(chosen.players, chosen.keep)
        return
    table, people = seat_players()
    match = play_match(table, people)
    changes = Change.objects.filter(match=match).count()
    clone(match, int(chosen.millions * 1e6) // changes)
    count("tables_change")
    fill_ledger(people[0].pk, int(chosen.millions * 1e6) // 2, chosen.parts)
    count("wallet_entry")
    read_pages(people[0], match)
    long_ago = Now() - timedelta(days=365)
    Match.objects.filter(pk=match.pk).update(started_at=long_ago, ended_at=long_ago)
    began = time.perf_counter()
    packed = archive_matches(2_000)
    seconds = time.perf_counter() - began
    size = statistics.mean(
        len(bytes(one)) for one in MatchArchive.objects.values_list("changes", flat=True)[:200]
    )
    print(
        f"archive: {packed / seconds:.0f} matches/s of {changes} changes, {size / 1000:.1f} KB each"
    )
    read_pages(people[0], match)


if __name__ == "__main__":
    main()
