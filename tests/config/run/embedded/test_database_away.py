"""PostgreSQL is unavailable for a while. Everything recovers at once when it is back."""

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests

from config.run.embedded.place import EmbeddedFolders
from config.run.embedded.postgres import Postgres
from config.run.embedded.valkey import Valkey
from tests.config.run.embedded.migrated import Migrated, short_folder
from tests.ports import find_free_port
from tests.programs import ROOT, answers, run_python
from tests.workers import wait_until

PROCESSES = 3  # two web processes and a clock
# If the pool doubled its pauses, it would try after 1, 3, 7 and 15 seconds, long after the server is back.
AWAY_SECONDS = 9
DUE = "UPDATE tables_table SET deadline_at = clock_timestamp() WHERE id = %s"
STATUS = "SELECT status FROM tables_table WHERE id = %s"
# Opens a table with two players, whose match begins once a deadline is set, and prints its id.
TABLE = """
import django; django.setup()
from django.db import transaction
from django.utils import timezone
from accounts.models import User
from tables.models import Table
from tables.seating.opening import TableTerms, open_table
from tests.tables.driving import seat_all
from wallet import api as wallet
people = []
for name in ("Player 1", "Player 2"):
    people.append(User.objects.create_user(f"{name[-1]}@example.com", None, player_name=name))
    wallet.grant_welcome_chips(user_id=people[-1].pk)
wallet.set_starting_fees(valid_from=timezone.now())
with transaction.atomic():
    table = open_table(TableTerms(game="indian", preset="points", name="Peepal Room", max_seats=2, point_value=1))
    seat_all(table, *people)
    Table.objects.filter(pk=table.pk).update(deadline_at=None)
print(table.pk)
"""


@dataclass
class Site:
    """A site with its own servers: web processes and a clock under a supervisor."""

    address: str
    postgres: Postgres
    environment: dict[str, str]
    log: Path

    def ask(self, statement: str, *values: Any) -> Any:
        with psycopg.connect(self.postgres.owner_url, autocommit=True) as database:
            cursor = database.execute(statement, values)
            return cursor.fetchone() if cursor.description else None


@pytest.fixture(scope="module")
def site(migrated: Migrated) -> Iterator[Site]:
    port = find_free_port()
    with ExitStack() as at_the_end:
        var = at_the_end.enter_context(short_folder())
        passwords, place = migrated.copy_to(var), EmbeddedFolders.under(var)
        postgres, valkey = Postgres(place, passwords, durable=False), Valkey(place)
        for server in (postgres, valkey):
            at_the_end.callback(server.stop)
            server.start()
        postgres.make_roles()
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings.local",
            "DATABASE_URL": postgres.application_url,
            "DATABASE_OWNER_URL": postgres.owner_url,
            "REDIS_URL": valkey.url,
            "OPENRUMMY_VAR": str(var),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PORT": str(port),
            **{f"{kind}_PROCESSES": "0" for kind in ("WORKER", "MAILER", "SLOW", "COACH", "BEAT")},
        }
        log = at_the_end.enter_context((var / "log").open("w"))
        supervisor = subprocess.Popen(
            [sys.executable, "-m", "config.run.supervisor"], env=environment, cwd=ROOT, stderr=log
        )
        at_the_end.callback(supervisor.wait, 40)
        at_the_end.callback(supervisor.terminate)
        running = Site(f"http://127.0.0.1:{port}/", postgres, environment, Path(log.name))
        wait_until(lambda: answers(running.address))
        wait_until(lambda: running.ask("SELECT 1 FROM tables_clockbeat"))
        yield running


def test_an_outage_is_said_soon_and_fills_no_log(site: Site) -> None:
    before = len(site.log.read_text())
    site.postgres.stop()
    slowest = 0.0
    for path in ("healthz", "readyz", "ledgerz") * 2:
        began = time.monotonic()
        answer = requests.get(f"{site.address}{path}", timeout=10)
        slowest = max(slowest, time.monotonic() - began)
        assert (answer.status_code, "database" in answer.text) == (503, True), path
    assert slowest < 2  # 0.8 s, and a margin for other tests that run at the same time
    page = requests.get(f"{site.address}tables/", timeout=20, cookies={"sessionid": "a" * 32})
    assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert "The site is temporarily out of order" in page.text
    call = requests.get(
        f"{site.address}api/v1/lobby/", timeout=20, headers={"Authorization": "Bearer none"}
    )
    assert (call.status_code, call.json()["code"]) == (503, "unavailable")
    time.sleep(3)
    site.postgres.start()
    wait_until(lambda: requests.get(f"{site.address}healthz", timeout=10).ok, seconds=30)
    said = site.log.read_text()[before:].splitlines()
    lines = [line for line in said if "supervisor" not in line]
    kinds = Counter(line.partition(": ")[0] for line in lines)
    assert kinds["WARNING psycopg.pool"] <= PROCESSES * 2, (
        kinds
    )  # the pool also logs that it stops trying
    assert 0 < len(lines) <= PROCESSES * 6, lines
    assert not [line for line in lines if line.startswith(("Traceback", " "))]


def test_pages_and_the_clock_recover_within_two_seconds(site: Site) -> None:
    opened = run_python("-c", TABLE, env=site.environment, check=True)
    table_id = int(opened.stdout)
    site.postgres.stop()
    is_over = threading.Event()

    def visit() -> None:
        while not is_over.is_set():
            answers(site.address, 10)
            time.sleep(0.1)

    visitors = [threading.Thread(target=visit) for _ in range(4)]
    for visitor in visitors:
        visitor.start()
    time.sleep(AWAY_SECONDS)
    site.postgres.start()
    began = time.monotonic()
    site.ask(DUE, table_id)
    wait_until(lambda: site.ask(STATUS, table_id) == ("PLAYING",), seconds=30)
    clock_seconds = time.monotonic() - began
    wait_until(lambda: answers(site.address, 2), seconds=30)
    web_seconds = time.monotonic() - began
    is_over.set()
    for visitor in visitors:
        visitor.join()
    assert (clock_seconds < 2, web_seconds < 2) == (True, True), (clock_seconds, web_seconds)
