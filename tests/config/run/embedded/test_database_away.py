"""PostgreSQL is away for a while: everything goes on at once when it is back."""

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import requests

from config.run.embedded.place import EmbeddedFolders
from config.run.embedded.postgres import Postgres
from config.run.embedded.valkey import Valkey
from tests.config.run.embedded.migrated import Migrated
from tests.ports import find_free_port
from tests.programs import ROOT, answers, run_python
from tests.workers import wait_until

PROCESSES = 3  # two of web, a clock
# The pauses of the pool, if it doubled them: tries after 1, 3, 7 and 15 seconds.
AWAY_SECONDS = 9
DUE = "UPDATE tables_table SET deadline_at = clock_timestamp() WHERE id = %s"
STATUS = "SELECT status FROM tables_table WHERE id = %s"
# A table at which two people sit and whose match has not begun; its number is printed.
TABLE = """
import django; django.setup()
from django.utils import timezone
from accounts.models import User
from tables.seating.opening import TableTerms, open_table
from tests.tables.driving import seat_all
from wallet import api as wallet
people = []
for name in ("Player 1", "Player 2"):
    people.append(User.objects.create_user(f"{name[-1]}@example.com", None, player_name=name))
    wallet.grant_welcome_chips(user_id=people[-1].pk)
wallet.set_starting_fees(valid_from=timezone.now())
table = open_table(TableTerms(game="indian", preset="points", name="Peepal Room", max_seats=2, point_value=1))
seat_all(table, *people)
print(table.pk)
"""


@dataclass
class Site:
    """A site on servers of its own: web and clock under a supervisor."""

    address: str
    postgres: Postgres
    table_id: int

    def ask(self, statement: str, *values: Any) -> Any:
        with psycopg.connect(self.postgres.owner_url, autocommit=True) as database:
            cursor = database.execute(statement, values)
            return cursor.fetchone() if cursor.description else None


@contextmanager
def run_site(migrated: Migrated, var: Path) -> Iterator[Site]:
    passwords, place = migrated.copy_to(var), EmbeddedFolders.under(var)
    postgres, valkey = Postgres(place, passwords, durable=False), Valkey(place)
    port = find_free_port()
    with ExitStack() as at_the_end:
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
        opened = run_python("-c", TABLE, env=environment, check=True)
        log = at_the_end.enter_context((var / "log").open("w"))
        supervisor = subprocess.Popen(
            [sys.executable, "-m", "config.run.supervisor"], env=environment, cwd=ROOT, stderr=log
        )
        at_the_end.callback(supervisor.wait, 40)
        at_the_end.callback(supervisor.terminate)
        yield Site(f"http://127.0.0.1:{port}/", postgres, int(opened.stdout))


def test_an_outage_is_said_soon_and_fills_no_log(migrated: Migrated, var: Path) -> None:
    with run_site(migrated, var) as site:
        wait_until(lambda: answers(site.address))
        wait_until(lambda: site.ask("SELECT 1 FROM tables_clockbeat"))
        site.postgres.stop()
        slowest = 0.0
        for path in ("healthz", "readyz", "ledgerz") * 2:
            began = time.monotonic()
            answer = requests.get(f"{site.address}{path}", timeout=10)
            slowest = max(slowest, time.monotonic() - began)
            assert (answer.status_code, "database" in answer.text) == (503, True), path
        assert slowest < 2  # 0.8 s, and what other tests take beside it
        page = requests.get(f"{site.address}tables/", timeout=20, cookies={"sessionid": "a" * 32})
        assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
        assert "The site is out of order for a moment" in page.text
        call = requests.get(
            f"{site.address}api/v1/lobby/", timeout=20, headers={"Authorization": "Bearer none"}
        )
        assert (call.status_code, call.json()["code"]) == (503, "unavailable")
        time.sleep(3)
        site.postgres.start()
        wait_until(lambda: requests.get(f"{site.address}healthz", timeout=10).ok, seconds=30)
    lines = [line for line in (var / "log").read_text().splitlines() if "supervisor" not in line]
    kinds = Counter(line.partition(": ")[0] for line in lines)
    assert kinds["WARNING psycopg.pool"] <= PROCESSES * 2, (
        kinds
    )  # it also says that it connects no more
    assert 0 < len(lines) <= PROCESSES * 6, lines
    assert not [line for line in lines if line.startswith(("Traceback", " "))]


def test_pages_and_the_clock_recover_within_two_seconds(migrated: Migrated, var: Path) -> None:
    with run_site(migrated, var) as site:
        wait_until(lambda: answers(site.address))
        wait_until(lambda: site.ask("SELECT 1 FROM tables_clockbeat"))
        site.ask("UPDATE tables_table SET deadline_at = NULL WHERE id = %s", site.table_id)
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
        site.ask(DUE, site.table_id)
        wait_until(lambda: site.ask(STATUS, site.table_id) == ("PLAYING",), seconds=30)
        clock_seconds = time.monotonic() - began
        wait_until(lambda: answers(site.address, 2), seconds=30)
        web_seconds = time.monotonic() - began
        is_over.set()
        for visitor in visitors:
            visitor.join()
    assert (clock_seconds < 2, web_seconds < 2) == (True, True), (clock_seconds, web_seconds)
