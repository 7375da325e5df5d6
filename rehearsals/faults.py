"""docs/watch.md: the site recovers from killed and stopped processes, full disks and power cuts.

No acknowledged move is lost. The clock of a machine cannot be changed here, because machines of systemd-nspawn have the
clock of this host.
"""

import asyncio
import time
from functools import partial

from rehearsals.install import MAIL_PORT, installed_machine
from rehearsals.machines import Machine
from rehearsals.play import hit, playing
from rehearsals.report import Report
from rehearsals.site import await_ready, check_pages, check_units
from tests.core.emails.mail_sink import MailSink, mail_sink

# The processes that are killed, by name and command line.
KILLED = {
    "PostgreSQL": r"^postgres \S+/bin/postgres -D",
    "Redis": r"^redis-server ",
    "nginx": r"^nginx nginx: master",
    "the supervisor": r"config\.run\.supervisor",
    "a web process": r"^web\.1 ",
    "a clock": r"^clock\.1 ",
    "a worker": r"^worker\.1 ",
}
# Units that are stopped, and for how many seconds. An alarm is sent after one minute.
STOPPED = {"postgresql": 120, "redis-server": 60, "nginx": 60, "openrummy": 60}
DATABASE_MB = 400


def rehearse(suite: str, report: Report) -> None:
    with mail_sink(MAIL_PORT) as mails, installed_machine("faults", suite) as machine:
        await_ready(machine)
        asyncio.run(break_everything(machine, report, mails))
        report.check("units", check_units(machine))
        report.check("pages", check_pages())


async def break_everything(machine: Machine, report: Report, mails: MailSink) -> None:
    async with playing(machine, report) as course:
        for what, pattern in KILLED.items():
            await hit(course, report, f"{what} is killed", partial(kill, machine, pattern))
        for unit, seconds in STOPPED.items():
            await hit(
                course,
                report,
                f"{unit} is stopped for a while",
                partial(stop, machine, unit, seconds),
                is_outage=True,
            )
        await hit(course, report, "the disk is full", partial(fill, machine), is_outage=True)
        alarms = [text for text in mails.messages if "alarms@example.com" in text]
        report.check("alarms by mail", [] if alarms else ["there was none"])
        await hit(course, report, "the power is cut", partial(cut, machine), is_outage=True)
        report.figure("ready after the power cut", f"{await_ready(machine):.0f} s")


def kill(machine: Machine, pattern: str) -> None:
    """Kill the first process whose name and command line match. SIGKILL gives it no chance to clean up."""
    machine.run(f"kill -KILL {min(machine.processes(pattern))}")


def stop(machine: Machine, unit: str, seconds: float) -> None:
    machine.run(f"systemctl stop {unit}")
    time.sleep(seconds)
    machine.run(f"systemctl start {unit}")


def fill(machine: Machine) -> None:
    """Move the database to a small disk, fill that for half a minute, free it, and move the database back."""
    machine.run(
        "set -e; version=$(pg_lsclusters --no-header | cut -d ' ' -f 1); data=/var/lib/postgresql/$version/main;"
        " systemctl stop postgresql@$version-main; mv $data $data.kept; mkdir $data;"
        f" mount -t tmpfs -o size={DATABASE_MB}m,mode=700,uid=$(id -u postgres),gid=$(id -g postgres) tmpfs $data;"
        " cp -a $data.kept/. $data/; systemctl start postgresql@$version-main"
    )
    await_ready(machine)
    machine.run(
        "data=$(ls -d /var/lib/postgresql/*/main);"
        " dd if=/dev/zero of=$data/filler bs=1M 2>/dev/null; sleep 30; rm $data/filler"
    )
    machine.run(
        "set -e; version=$(pg_lsclusters --no-header | cut -d ' ' -f 1); data=/var/lib/postgresql/$version/main;"
        " systemctl stop postgresql@$version-main || true; rm -rf $data.kept; cp -a $data $data.kept; umount $data;"
        " rmdir $data; mv $data.kept $data; systemctl reset-failed postgresql@$version-main || true;"
        " systemctl start postgresql@$version-main"
    )


def cut(machine: Machine) -> None:
    machine.cut()
    machine.start()
