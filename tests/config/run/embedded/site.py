"""A site on servers of its own, which tests may stop and kill: web and clock under a supervisor."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from config.run.embedded.place import Place
from config.run.embedded.postgres import Postgres
from config.run.embedded.valkey import Valkey
from tests.config.run.embedded.migrated import Migrated, short_folder
from tests.ports import find_free_port
from tests.programs import ROOT, answers, run_python

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
    address: str
    postgres: Postgres
    supervisor: subprocess.Popen[bytes]
    table_id: int

    def answers(self, page: str = "/", seconds: float = 2) -> bool:
        return answers(self.address + page, seconds)

    def ask(self, statement: str, *values: Any) -> Any:
        with psycopg.connect(self.postgres.owner_url, autocommit=True) as database:
            cursor = database.execute(statement, values)
            return cursor.fetchone() if cursor.description else None


@contextmanager
def site(migrated: Migrated) -> Iterator[Site]:
    with short_folder() as var:
        passwords, place = migrated.copy_to(var), Place.under(var)
        postgres, valkey = Postgres(place, passwords, durable=False), Valkey(place)
        port = find_free_port()
        try:
            postgres.start()
            postgres.make_roles()
            valkey.start()
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
                "WORKER_PROCESSES": "0",
                "MAILER_PROCESSES": "0",
                "SLOW_PROCESSES": "0",
                "COACH_PROCESSES": "0",
                "BEAT_PROCESSES": "0",
            }
            opened = run_python("-c", TABLE, env=environment, check=True)
            supervisor = subprocess.Popen(
                [sys.executable, "-m", "config.run.supervisor"], env=environment, cwd=ROOT
            )
            try:
                made = Site(f"http://127.0.0.1:{port}", postgres, supervisor, int(opened.stdout))
                measure_until(made.answers, seconds=60)
                yield made
            finally:
                supervisor.terminate()
                supervisor.wait(40)
        finally:
            valkey.stop()
            postgres.stop()


def measure_until(reached: Callable[[], Any], *, seconds: float) -> float:
    """Return the seconds that it took."""
    began = time.monotonic()
    while time.monotonic() < began + seconds:
        if reached():
            return time.monotonic() - began
        time.sleep(0.05)
    raise AssertionError("it did not come to that")
