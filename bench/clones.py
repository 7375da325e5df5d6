"""Rows copied many times by SQL, for benches of large databases, and the pages read over them."""

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import models

from accounts.models import User
from bench.sitting import open_tables, people_at
from tables.models import Change, Deal, Match
from tests.tables.driving import act, game_view, play_a_turn

TURNS = 40
# Clones of a match that the same two people have played; nobody has played the others.
MATCHES_OF_ONE = 500
# Every clone of a match has versions of its own.
VERSIONS = 10_000
READINGS = 9
OK = 200


@contextmanager
def owner() -> Iterator[psycopg.Connection]:
    """Yield a connection that may write everything and take its time."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as database:
        database.execute(b"SET statement_timeout = 0")
        yield database


def clone(
    database: psycopg.Connection,
    model: type[models.Model],
    where: str,
    times: str,
    values: Mapping[str, str | None],
) -> None:
    """Copy the rows once for each `n` of `times`, with other `values`.

    The database fills a column whose value is None.
    """
    meta = model._meta  # noqa: SLF001 - Django's own
    names = [str(field.column) for field in meta.concrete_fields if not field.generated]
    names = [name for name in names if values.get(name, "") is not None]
    columns = ", ".join(f'"{name}"' for name in names)
    selected = ", ".join(values.get(name) or f'"{name}"' for name in names)
    database.execute(
        f"INSERT INTO {meta.db_table} ({columns})"  # noqa: S608 - our own names
        f" SELECT {selected} FROM {meta.db_table}, generate_series({times}) AS n"
        f" WHERE {where}".encode()
    )


def play_match() -> tuple[Match, list[User]]:
    """Play a deal in which everybody throws away what was drawn, until one drops."""
    [table] = open_tables(1, 2, "Growth")
    for _turn in range(TURNS):
        play_a_turn(table)
    act(table, game_view(table)["turn"], kind="drop")
    return Match.objects.get(table=table), people_at(table)


def clone_match(match: Match, number: int) -> None:
    """Copy the match with its deal and its changes."""
    ended = "now() - interval '200 days' + n * interval '1 minute'"
    times = f"{match.pk + 1}, {match.pk + number}"
    of_match = f"match_id = {match.pk}"
    with owner() as database:
        clone(database, Match, f"id = {match.pk}", times, {
            "id": "n",
            "participants": f"CASE WHEN n % {max(number // MATCHES_OF_ONE, 1)} = 0"
            " THEN participants ELSE ARRAY[-n]::bigint[] END",
            "started_at": ended,
            "ended_at": ended,
        })  # fmt: skip
        clone(database, Deal, of_match, times, {"id": None, "match_id": "n"})
        clone(database, Change, of_match, times, {
            "id": None,
            "match_id": "n",
            "version": f"version + (n - {match.pk}) * {VERSIONS}",
            "move_id": "CASE WHEN move_id IS NULL THEN NULL ELSE gen_random_uuid() END",
        })  # fmt: skip
        database.execute("VACUUM ANALYZE")


def milliseconds(get: Callable[[], Any]) -> str:
    """Return how long a page takes: the middle of some readings, and the slowest."""
    times = []
    for _ in range(READINGS):
        began = time.perf_counter()
        if get().status_code != OK:
            sys.exit("a page does not answer")
        times.append(1000 * (time.perf_counter() - began))
    return f"{statistics.median(times):6.1f} ms (slowest {max(times):.1f})"
