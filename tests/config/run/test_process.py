"""A single process of the Procfile, started as its systemd unit starts it."""

import configparser
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from config.run.supervisor import read_procfile
from tests.given import require
from tests.ports import find_free_port
from tests.programs import ROOT, answers, run_python
from tests.separate_processes import separate_processes
from tests.workers import wait_until

KINDS = read_procfile((ROOT / "Procfile").read_text())


def test_the_unit_starts_one_process_and_the_document_lists_them():
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy/openrummy@.service")
    command = "python -m config.run.process wait && exec python -m config.run.supervisor %i'"
    assert unit["Service"]["ExecStart"].endswith(command)
    assert unit["Service"]["Restart"] == "always"
    named = "openrummy@{" + ",".join(sorted(KINDS, key=list(KINDS).index)) + "}"
    text = (ROOT / "docs/install-debian.md").read_text()
    listed = text[text.index("openrummy@{") :].partition("}")[0].removeprefix("openrummy@{")
    assert set(listed.split(",")) == set(KINDS), named


@pytest.mark.parametrize("arguments", [["none"], ["web", "clock"]])
def test_the_supervisor_of_an_unknown_kind_is_refused_with_the_names(arguments):
    finished = run_python("-m", "config.run.supervisor", *arguments)
    assert finished.returncode == 1
    assert finished.stderr == f"openrummy: name none or one of {', '.join(KINDS)}\n"


@pytest.mark.parametrize("arguments", [[], ["none"], ["web", "clock"]])
def test_an_unknown_process_is_refused_with_the_names(arguments):
    finished = run_python("-m", "config.run.process", *arguments)
    assert finished.returncode == 1
    assert finished.stderr == f"openrummy: name one of {', '.join(KINDS)}, wait\n"


def command_of(running: subprocess.Popen[str]) -> list[bytes]:
    """Return the command line of this process id, which systemd takes for the service's main process."""
    return Path(f"/proc/{running.pid}/cmdline").read_bytes().split(b"\0")


def as_owner(statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        cursor.execute(f"SET ROLE {settings.DATABASE_APP_ROLE}")
    return rows


@pytest.fixture
def missing_migration(transactional_db):
    """Remove the record of the wallet's last migration. Yields a function that restores it."""
    [row] = as_owner(
        "DELETE FROM django_migrations WHERE id ="
        " (SELECT max(id) FROM django_migrations WHERE app = 'wallet')"
        " RETURNING id, app, name, applied"
    )

    def note() -> None:
        as_owner(
            "INSERT INTO django_migrations (id, app, name, applied) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT DO NOTHING RETURNING id",
            row,
        )

    yield note
    note()


def test_a_process_waits_for_its_migrations_and_replaces_its_unit(missing_migration):
    """A pod may start while the migration job still runs. SIGTERM ends the process."""
    port = find_free_port()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with separate_processes(PATH=path, PYTHONPATH=str(ROOT), PORT=str(port)) as site:
        running = subprocess.Popen(
            [sys.executable, "-m", "config.run.process", "web"],
            cwd=ROOT.parent,
            env=site.environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert "openrummy: waits for the database" in require(running.stderr).readline()
            assert b"config.run.process" in command_of(running)
            missing_migration()
            wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"))
            assert command_of(running)[1:3] == [b"-m", b"config.run.web"]
        finally:
            running.send_signal(signal.SIGTERM)
            _said, errors = running.communicate(timeout=20)
    assert running.returncode in {0, -signal.SIGTERM}, errors
