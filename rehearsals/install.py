"""docs/install-debian.md, docs/install.md and docs/restore.md, followed from an empty Debian to a played deal."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from bench.processes import ROOT
from rehearsals.documents import Instructions
from rehearsals.machines import MACHINES, Machine
from rehearsals.report import Report
from rehearsals.site import (
    ADDRESS,
    HOST,
    await_ready,
    browser,
    check_pages,
    check_units,
    confirm_address,
    play_first_deal,
    visitor,
)
from rehearsals.terminal import Terminal
from tests.core.emails.mail_sink import MailSink, mail_sink

SUPERUSER = "root@example.com", "Boss", "seven-lemons-in-a-row"
# The prompts of programs, and the answers to type.
ANSWERS = {
    "ontinue? [Y/n]": "y",
    "E-mail address:": SUPERUSER[0],
    "Player name:": SUPERUSER[1],
    "Password:": SUPERUSER[2],
    "Password (again):": SUPERUSER[2],
}
REPOSITORY = "/srv/repository.git"
CERTIFICATES = "/etc/nginx/certificates"
MAIL_PORT = 2525
TIMER = "openrummy-backup.timer"


def rehearse(suite: str, report: Report) -> None:
    """Install, play, reboot, and install one unit for each process. Other rehearsals get a copy of the machine."""
    machine = Machine(f"install-{suite}")
    report.step(f"a fresh {suite}", lambda: machine.make(suite))
    put_repository(machine, "HEAD")
    machine.start()
    try:
        with mail_sink(MAIL_PORT) as mails:
            install(machine, report)
            check(machine, report, mails)
            report.step("reboot", machine.reboot)
            report.figure("ready after the boot", f"{await_ready(machine):.0f} s")
            report.check("units after the boot", check_units(machine, TIMER))
            report.check("pages after the boot", check_pages())
            machine.stop()
            keep(machine, suite)
            machine.start()
            await_ready(machine)
            units = Terminal(machine, ANSWERS, "/srv/openrummy")
            report.follow(units, "docs/install-debian.md", "One unit for each process")
            report.figure("ready as units", f"{await_ready(machine):.0f} s")
            report.check("pages by units", check_pages())
    finally:
        machine.remove()


def install(machine: Machine, report: Report) -> None:
    """Follow the three documents exactly as they are written."""
    password = token_hex(16)
    terminal = Terminal(machine, ANSWERS | owner_answers(password))
    steps = Instructions(terminal, "docs/install-debian.md")
    steps.follow(instead={"ADDRESS_OF_THIS_REPOSITORY": REPOSITORY})
    steps.follow()  # the database
    steps.follow(instead={"PASSWORD@": f"{password}@"})
    fill_in(machine)
    steps.follow()  # Redis
    steps.follow()  # migrate and start
    make_certificate(machine)
    steps.follow_all()
    report.follow(terminal, "docs/install.md", "The first table")
    report.follow(terminal, "docs/restore.md", "Each night")
    report.count(terminal)
    terminal.end()
    report.figure("ready", f"{await_ready(machine):.0f} s")


def owner_answers(password: str) -> dict[str, str]:
    """Return the prompts of createuser, each with the password of openrummy_owner as its answer."""
    return {"Enter password for new role:": password, "Enter it again:": password}


def check(machine: Machine, report: Report, mails: MailSink) -> None:
    report.check("units", check_units(machine, TIMER))
    report.check("pages", check_pages())
    report.check("doctor", list_red_lines(machine))
    errors = report.step("a deal won, an account", play_first_deal)
    report.check("console", errors)
    with browser() as opened:
        report.check("confirmed by mail", confirm_address(opened, mails))
        with visitor(opened) as (page, _):
            page.goto(f"{ADDRESS}/admin/")
            report.check("administration", [] if "/login/" in page.url else [page.url])


def list_red_lines(machine: Machine) -> list[str]:
    """Return the problems that `manage.py doctor` finds on the machine, which trusts its own certificate."""
    said = machine.run(
        "cd /srv/openrummy; set -a; . /srv/openrummy.env;"
        f" SSL_CERT_FILE={CERTIFICATES}/fullchain.pem python manage.py doctor --machine",
        check=False,
    )
    # A machine has the clock of this host and sets none of its own.
    reds = [line for line in said.splitlines() if line.startswith("red")]
    return [line for line in reds if "Time by NTP" not in line]


def put_repository(machine: Machine, revision: str, source: Path = ROOT) -> None:
    """Push a revision of a repository (by default this one) to the machine, as the branch `main`."""
    place = machine.root / REPOSITORY.lstrip("/")
    if not place.exists():
        subprocess.run(["git", "init", "-q", "--bare", "--initial-branch=main", place], check=True)
    command = ["git", "-C", str(source), "push", "-q", "--force", str(place)]
    subprocess.run([*command, f"{revision}^{{commit}}:refs/heads/main"], check=True)


def fill_in(
    machine: Machine,
    mail_server: str = "127.0.0.1",
    *,
    settings: str = "/srv/openrummy.env",
    **others: str,
) -> None:
    """Write into the settings the values that only an operator knows."""
    own = {
        "ALLOWED_HOSTS": f"{HOST},127.0.0.1",
        "WEBSOCKET_ORIGINS": ADDRESS,
        "EMAIL_HOST": mail_server,
        "EMAIL_PORT": str(MAIL_PORT),
        "EMAIL_USE_TLS": "0",
        "SUPPORT_EMAIL": "support@example.com",
        "DEFAULT_FROM_EMAIL": '"OpenRummy <no-reply@example.com>"',
        "ALERT_EMAILS": "alarms@example.com",
    } | others
    lines = []
    for line in machine.read(settings).splitlines():
        name = line.partition("=")[0]
        lines.append(f"{name}={own.pop(name)}" if name in own else line)
    machine.write(
        settings,
        "\n".join([*lines, *(f"{name}={text}" for name, text in own.items()), ""]),
    )


def make_certificate(machine: Machine) -> None:
    machine.run(
        f"mkdir -p {CERTIFICATES} && cd {CERTIFICATES} && openssl req -x509 -newkey rsa:2048 -nodes -days 30"
        f" -subj /CN={HOST} -addext subjectAltName=DNS:{HOST} -keyout privkey.pem -out fullchain.pem"
    )


def keep(machine: Machine, suite: str) -> None:
    """Store a copy of the installed machine, which is stopped, for the other rehearsals."""
    place = installed(suite)
    subprocess.run(["rm", "-rf", "--one-file-system", place], check=True)
    subprocess.run(["cp", "-a", "--reflink=auto", machine.root, place], check=True)


def installed(suite: str) -> Path:
    return MACHINES / f".installed-{suite}"


@contextmanager
def installed_machine(name: str, suite: str) -> Iterator[Machine]:
    """Run a copy of the machine that the rehearsal `install` has stored."""
    machine = Machine(f"{name}-{suite}")
    if not installed(suite).exists():
        raise SystemExit(
            f"Run bin/rehearse install {suite} first: it leaves the machine that {name} begins with."
        )
    machine.copy(installed(suite))
    machine.start()
    try:
        yield machine
    finally:
        machine.remove()
