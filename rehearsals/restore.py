"""docs/restore.md and docs/recovery.md: lost data is restored from a nightly backup, and to any second."""

import re
import time
from collections.abc import Mapping

from rehearsals.documents import Instructions
from rehearsals.install import MAIL_PORT, installed_machine, owner_answers
from rehearsals.machines import Machine, MachineError
from rehearsals.play import WITHOUT_DOCKER, Deployment
from rehearsals.report import Report
from rehearsals.site import await_ready, check_pages
from rehearsals.terminal import Terminal
from tests.core.emails.mail_sink import mail_sink

MOMENT = "2026-11-21 17:53:59 +0530"
SECONDS_TO_RECOVER = 120
EMAILS = "'SELECT email FROM accounts_user'"


def rehearse(suite: str, report: Report) -> None:
    with mail_sink(MAIL_PORT), installed_machine("restore", suite) as machine:
        await_ready(machine)
        version = machine.run("psql --version").split()[2]
        report.figure("PostgreSQL", version)
        from_last_night(machine, report)
        to_a_moment(machine, report)


def from_last_night(machine: Machine, report: Report) -> None:
    """Make a backup with the nightly unit, delete the database's folder, and restore."""
    add_account(machine, "before")
    report.step("the nightly unit", lambda: machine.run("systemctl start openrummy-backup.service"))
    add_account(machine, "after")
    backup = machine.run("ls -d /srv/backups/nightly/20*Z | tail -n 1").strip()
    machine.run("systemctl kill -s KILL postgresql@*; rm -rf /var/lib/postgresql/*/main")
    [password] = re.findall(r":([^:@]+)@", machine.read("/srv/openrummy-owner.env"))
    terminal = Terminal(machine, owner_answers(password), "/srv/openrummy")
    report.follow(terminal, "docs/restore.md", "When the database itself is gone")
    terminal.type(f"backup={backup}")
    report.follow(terminal, "docs/restore.md", "Restore without Docker")
    report.figure("ready", f"{await_ready(machine):.0f} s")
    report.check(
        "accounts after the restore", expect_accounts(machine, "before", without=("after",))
    )
    report.check("pages", check_pages())


def to_a_moment(machine: Machine, report: Report) -> None:
    """Archive, drop a table, and restore the database, first to a moment too early and then to the right one."""
    terminal = Terminal(machine, {}, "/srv/openrummy")
    steps = Instructions(terminal, "docs/recovery.md", "Without Docker")
    steps.follow()  # once
    await_ready(machine)
    steps.follow()  # each night
    too_early = pass_a_moment(machine)
    add_account(machine, "wanted")
    right = pass_a_moment(machine)
    machine.run(f"{WITHOUT_DOCKER.psql} 'DROP TABLE core_backup CASCADE'")
    go_back(machine, steps, {MOMENT: too_early})
    wrong = expect_accounts(machine, "before", without=("wanted",))
    report.check("the wrong moment", wrong)
    steps.follow()  # put the previous folder back
    steps.end()

    again = Instructions(terminal, "docs/recovery.md", "Without Docker")
    again.skip(2)
    later = {"BACKUPS=/srv/backups ": "BACKUPS=/srv/backups TIMELINE=1 "}
    go_back(machine, again, {MOMENT: right} | later)
    report.count(terminal)
    report.check("the right moment", expect_accounts(machine, "before", "wanted"))
    machine.run(f"{WITHOUT_DOCKER.psql} 'TABLE core_backup'")
    report.check("pages", check_pages())
    terminal.end()


def go_back(machine: Machine, steps: Instructions, instead: Mapping[str, str]) -> None:
    steps.follow(instead=instead)
    await_online(machine)
    steps.follow()  # look, and start
    await_ready(machine)


def pass_a_moment(machine: Machine) -> str:
    """Return a point in time, and wait some seconds before and after it, so that nothing else happens then."""
    time.sleep(2)
    moment = machine.run("date -u '+%Y-%m-%d %H:%M:%S +0000'").strip()
    time.sleep(2)
    return moment


def await_online(machine: Machine) -> None:
    """Wait until pg_lsclusters prints `online`, as the document says."""
    until = time.monotonic() + SECONDS_TO_RECOVER
    while (state := machine.run("pg_lsclusters --no-header").split()[3]) != "online":
        if time.monotonic() > until or state == "down":
            raise MachineError(
                f"PostgreSQL is {state}: {machine.run('tail -n 20 /var/log/postgresql/*.log')}"
            )
        time.sleep(0.5)


def add_account(machine: Machine, name: str, deployment: Deployment = WITHOUT_DOCKER) -> None:
    machine.run(
        f'{deployment.python} manage.py shell -c "from accounts.models import User; '
        f"User.objects.create_user('{name}@example.com', None, player_name='{name.title()} All')\""
    )


def expect_accounts(
    machine: Machine,
    *names: str,
    without: tuple[str, ...] = (),
    deployment: Deployment = WITHOUT_DOCKER,
) -> list[str]:
    """Return the problems of the accounts: `names` that are gone, and names in `without` that are there."""
    emails = machine.run(f"{deployment.psql} {EMAILS}").split()
    lost = [f"{name} is gone" for name in names if f"{name}@example.com" not in emails]
    return lost + [f"{name} is there" for name in without if f"{name}@example.com" in emails]
