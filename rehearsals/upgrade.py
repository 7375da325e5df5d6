"""docs/upgrade.md: an older version is upgraded to this one while people play, and no player notices it."""

import asyncio
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from bench.processes import ROOT
from rehearsals.documents import Instructions
from rehearsals.install import ANSWERS, MAIL_PORT, install, put_repository
from rehearsals.machines import Machine, MachineError
from rehearsals.play import hit, playing
from rehearsals.report import Report
from rehearsals.site import await_ready, check_pages
from rehearsals.terminal import Terminal
from tests.core.emails.mail_sink import mail_sink
from tests.upgrade.__main__ import release_before

DOCUMENT = "docs/upgrade.md"
# The first commit whose migrations are kept for ever: a site that it made can be upgraded to any later one.
OLDEST = "20c03a3a"
SECONDS_AWAY = 2.0
BROKEN = "SELECT 1 / 0"
MIGRATION = """from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("core", "{last}")]
    operations = [migrations.RunSQL("{statement}")]
"""


def rehearse(suite: str, report: Report) -> None:
    """Upgrade from the last release or, before there is one, from the oldest commit that can be upgraded."""
    machine = Machine(f"upgrade-{suite}")
    before = release_before() or OLDEST
    machine.make(suite)
    put_repository(machine, before)
    machine.start()
    try:
        with mail_sink(MAIL_PORT):
            report.figure("from", before)
            install(machine, report)
            asyncio.run(upgrade(machine, report))
            report.check("pages", check_pages())
    finally:
        machine.remove()


async def upgrade(machine: Machine, report: Report) -> None:
    async with playing(machine, report) as course:
        with changed_repository(partial(add_migration, statement=BROKEN)) as folder:
            put_repository(machine, "HEAD", folder)
        await hit(
            course,
            report,
            "an upgrade that fails",
            lambda: fail(machine, report),
            at_most=SECONDS_AWAY,
        )
        put_repository(machine, "HEAD")
        await hit(
            course, report, "the upgrade", lambda: follow(machine, report), at_most=SECONDS_AWAY
        )
        report.figure("ready", f"{await_ready(machine):.0f} s")


def fail(machine: Machine, report: Report) -> None:
    """Follow the document into a migration that fails, and go back as it says."""
    before = commit_of(machine)
    terminal = Terminal(machine, ANSWERS, "/srv/openrummy")
    with suppress(MachineError):
        Instructions(terminal, DOCUMENT, "Without Docker").follow()
        report.check("the migration", ["it did not fail"])
    terminal = Terminal(machine, ANSWERS, "/srv/openrummy")
    report.follow(terminal, DOCUMENT, "If a migration fails")
    terminal.end()
    if commit_of(machine) != before:
        report.check("the code of before", [f"{commit_of(machine)} instead of {before}"])


def follow(machine: Machine, report: Report) -> None:
    terminal = Terminal(machine, ANSWERS, "/srv/openrummy")
    report.follow(terminal, DOCUMENT, "Without Docker")
    terminal.end()
    await_replaced(machine)


def await_replaced(machine: Machine) -> None:
    """Wait until the log contains the sentence that the document names."""
    machine.run(
        "for i in $(seq 240); do"
        " if journalctl -u 'openrummy*' | grep -q 'every process has been replaced'; then exit; fi; sleep .5;"
        " done; journalctl -u 'openrummy*' -n 30; exit 1"
    )


def commit_of(machine: Machine) -> str:
    return machine.run("git -C /srv/openrummy rev-parse HEAD").strip()


def add_migration(folder: Path, statement: str) -> None:
    migrations = folder / "core/migrations"
    last = max(path.stem for path in migrations.glob("0*.py"))
    number = int(last[:4]) + 1
    text = MIGRATION.format(last=last, statement=statement)
    (migrations / f"{number:04}_rehearsed.py").write_text(text)


@contextmanager
def changed_repository(change: Callable[[Path], None]) -> Iterator[Path]:
    """Clone this repository, and add a commit with a change."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "changed"
        subprocess.run(["git", "clone", "-q", "--shared", ROOT, folder], check=True)
        change(folder)
        git = [
            "git",
            "-C",
            str(folder),
            "-c",
            "user.name=Rehearsal",
            "-c",
            "user.email=rehearsal@example.com",
        ]
        subprocess.run([*git, "add", "--all"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "Change"], check=True)
        yield folder
