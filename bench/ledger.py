"""Postings per second, compared with the same movement in plain SQL under pgbench, in one run.

`bin/bench ledger` prints the ratios to two floors. The first floor is the least that any ledger has to do:
BEGIN, update two balances in order, insert a transfer and two entries, COMMIT, without any guard. There the
client sends each statement separately, but `ledger_post` takes one call. So the second floor is one SQL
function that stores as much (a journal, a transfer, two entries, two balances) in one call: no lock by key,
no guard, no refusal.
"""

import itertools
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import django

django.setup()

import psutil  # type: ignore[import-untyped]
import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql

from bench.figures import compute_ratios
from config.run.embedded.place import find_postgres_programs
from wallet.ledger.chart import PostingLine, mint, player
from wallet.ledger.checks import reconcile
from wallet.ledger.posting import lines_literal, post_transfers
from wallet.models import Reason
from wallet.money import Currency

CHIPS = Currency.CHIPS
PLAYERS = 10_000
BATCH = 10_000
SECONDS = 2
ROUNDS = 7

FLOOR_TABLES = """
CREATE SCHEMA floor;
CREATE TABLE floor.account (id bigint PRIMARY KEY, balance bigint NOT NULL) WITH (fillfactor = 70);
CREATE TABLE floor.transfer (id bigserial PRIMARY KEY, source_id bigint, destination_id bigint,
                             amount bigint, happened_at timestamptz DEFAULT now());
CREATE TABLE floor.entry (id bigserial PRIMARY KEY, account_id bigint, transfer_id bigint,
                          amount bigint);
CREATE TABLE floor.journal (id bigserial PRIMARY KEY, key text,
                            created_at timestamptz DEFAULT now());
INSERT INTO floor.account SELECT n, 1000000 FROM generate_series(1, PLAYERS) AS n;
CREATE FUNCTION floor.post(_key text, _one bigint, _two bigint, _amount bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  _journal bigint;
  _transfer bigint;
BEGIN
  INSERT INTO floor.journal (key) VALUES (_key) RETURNING id INTO _journal;
  INSERT INTO floor.transfer (source_id, destination_id, amount) VALUES (_one, _two, _amount)
  RETURNING id INTO _transfer;
  INSERT INTO floor.entry (account_id, transfer_id, amount)
  VALUES (_one, _transfer, -_amount), (_two, _transfer, _amount);
  UPDATE floor.account SET balance = balance - _amount WHERE id = _one;
  UPDATE floor.account SET balance = balance + _amount WHERE id = _two;
  RETURN _journal;
END $$;
"""
FLOOR = r"""
\set one random(1, PLAYERS - 1)
\set two random(:one + 1, PLAYERS)
BEGIN;
UPDATE floor.account SET balance = balance - 1 WHERE id = :one;
UPDATE floor.account SET balance = balance + 1 WHERE id = :two;
INSERT INTO floor.transfer (source_id, destination_id, amount) VALUES (:one, :two, 1)
RETURNING id \gset
INSERT INTO floor.entry (account_id, transfer_id, amount) VALUES (:one, :id, -1), (:two, :id, 1);
COMMIT;
"""
FUNCTION_FLOOR = r"""
\set one random(1, PLAYERS - 1)
\set two random(:one + 1, PLAYERS)
\set key random(1, 1000000000000000000)
SELECT floor.post('bench/' || :key, :one, :two, 1);
"""
POST = r"""
\set one random(1, PLAYERS - 1)
\set two random(:one + 1, PLAYERS)
\set key random(1, 1000000000000000000)
SELECT ledger_post_line(
  'bench/' || :key, 'PLAYER', :one, 0, 'PLAYER', :two, 0, 'CHIPS', 1, 'ADJUSTMENT');
"""
# The house's income: a rake of one chip to the account of one of 32 tables.
RAKE = r"""
\set one random(1, PLAYERS)
\set table random(1, 32)
\set key random(1, 1000000000000000000)
SELECT ledger_post_line(
  'bench/' || :key, 'PLAYER', :one, 0, 'RAKE', :table, 0, 'CHIPS', 1, 'RAKE');
"""
# A deal of six: five stakes into the pot, the winnings and the rake out of it.
STAKES = ",".join(
    f"ROW('PLAYER', :first + {n}, 0, 'POT', :pot, 0, 'CHIPS', 10, 'STAKE')::wallet_line"
    for n in range(5)
)
SETTLE = r"""
\set first random(1, PLAYERS - 6)
\set pot random(1, 1000000)
\set key random(1, 1000000000000000000)
SELECT ledger_post('bench/' || :key, ARRAY[STAKES,
  ROW('POT', :pot, 0, 'PLAYER', :first + 5, 0, 'CHIPS', 45, 'WINNINGS')::wallet_line,
  ROW('POT', :pot, 0, 'RAKE', :pot % 32 + 1, 0, 'CHIPS', 5, 'RAKE')::wallet_line]);
"""

_keys = itertools.count(1)


def main() -> None:
    prepare()
    measures: dict[str, tuple[int, Callable[[], float]]] = {
        "post through Django, 1 process": (1, measure_posts_per_second),
        "post, 8 clients": (8, partial(run, POST, clients=8)),
        "rake of 32 tables, 8 clients": (8, partial(run, RAKE, clients=8)),
        "deals of six settled, 8 clients": (8, partial(run, SETTLE, clients=8)),
        f"batch of {BATCH}": (1, measure_batch_per_second),
    }
    for name, (clients, measure) in measures.items():
        busy, rounds = [], []
        for _round in range(ROUNDS):
            busy.append(psutil.cpu_percent(interval=0.3) / 100 * psutil.cpu_count())
            floors = [run(floor, clients=clients) for floor in (FLOOR, FUNCTION_FLOOR)]
            rounds.append((floors[0], floors[1], measure()))
        report(name, rounds, busy)
    if findings := reconcile().findings:
        sys.exit(f"the ledger is off: {findings[:3]}")


def run(script: str, *, clients: int) -> float:
    """Return the transactions per second measured by pgbench, PostgreSQL's own load generator."""
    database = settings.DATABASES["default"]
    command = [
        str(find_postgres_programs() / "pgbench"), "-n", "-M", "prepared", "-T", str(SECONDS),
        "-c", str(clients), "-j", str(min(clients, 2)), "-f", "/dev/stdin",
        "-h", database["HOST"], "-U", database["USER"], database["NAME"],
    ]  # fmt: skip
    out = subprocess.run(
        command,
        env={**os.environ, "PGPASSWORD": database["PASSWORD"]},
        input=fill_in(script),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return next(float(line.split()[2]) for line in out.stdout.splitlines() if line[:3] == "tps")


def report(name: str, rounds: list[tuple[float, float, float]], busy: list[float]) -> None:
    """Print each rate next to the floors measured in the same seconds, because the machine is seldom quiet."""
    floors, functions, rates = (list(each) for each in zip(*rounds, strict=True))
    print(
        f"{name:34} {statistics.median(rates):9.0f}/s   floor {statistics.median(floors):6.0f}/s"
        f"   unguarded function {statistics.median(functions):6.0f}/s"
        f"   (others used {statistics.median(busy):.1f} cores)"
    )
    print(f"    {'of the floor':30} {compute_ratios(rates, floors)}")
    print(f"    {'of the function':30} {compute_ratios(rates, functions)}", flush=True)


def measure_posts_per_second() -> float:
    others = [player((n * 7 + 3) % PLAYERS + 1, CHIPS) for n in range(2_000)]
    done, began = 0, time.perf_counter()
    while time.perf_counter() < began + SECONDS:
        number = done % len(others)
        line = PostingLine(player(number + 1, CHIPS), others[number], 1, Reason.ADJUSTMENT)
        post_transfers(key=f"bench:{next(_keys)}", lines=[line])
        done += 1
    return done / (time.perf_counter() - began)


def measure_batch_per_second() -> float:
    pool = player(PLAYERS + 1, CHIPS)
    lines = [
        PostingLine(player(n, CHIPS), pool, 1, Reason.ADJUSTMENT) for n in range(1, PLAYERS + 1)
    ]
    began = time.perf_counter()
    post_batch(lines)
    return len(lines) / (time.perf_counter() - began)


def post_batch(lines: Sequence[PostingLine]) -> None:
    keys = [f"bench:{next(_keys)}" for _line in lines]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM ledger_post_batch(%s, %s::int[], %s::wallet_line[])",
            [keys, list(range(1, len(lines) + 1)), lines_literal(lines)],
        )


def fill_in(script: str) -> str:
    return script.replace("PLAYERS", str(PLAYERS)).replace("STAKES", STAKES)


def prepare() -> None:
    """Create the tables of the floors, and give every player chips."""
    role = sql.Identifier(settings.DATABASE_APP_ROLE)
    welcome = [
        PostingLine(mint(CHIPS, 0), player(n, CHIPS), 10**6, Reason.WELCOME)
        for n in range(1, PLAYERS + 1)
    ]
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute(fill_in(FLOOR_TABLES))
        for kind in ("TABLES", "SEQUENCES"):
            grant = sql.SQL("GRANT ALL ON ALL {} IN SCHEMA floor TO {}")
            owner.execute(grant.format(sql.SQL(kind), role))
        owner.execute(sql.SQL("GRANT USAGE ON SCHEMA floor TO {}").format(role))
        post_batch(welcome)
        owner.execute("VACUUM ANALYZE")


if __name__ == "__main__":
    main()
