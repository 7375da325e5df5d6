"""Simulated people who play on a machine's site through its proxy while something happens to the machine."""

import asyncio
import json
import os
import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bench.chaos.course import Course
from bench.chaos.players import LOOPBACK, Player
from bench.figures import compute_percentile
from bench.processes import ROOT
from rehearsals.machines import Machine
from rehearsals.network import PEOPLE
from rehearsals.report import Report
from rehearsals.site import ADDRESS

TABLES = 6  # nine people
SETTINGS = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")


@dataclass(frozen=True, slots=True)
class Deployment:
    """How commands in a machine's shell reach the site.

    The fields are its Python, the psql command before a statement, commands that set its settings as variables, and the
    issuer of its certificate.
    """

    python: str
    psql: str
    settings: str
    certificate: str


WITHOUT_DOCKER = Deployment(
    python="cd /srv/openrummy; set -a; . /srv/openrummy.env; python",
    psql="runuser -u postgres -- psql -d openrummy -Atc",
    settings=". /srv/openrummy.env",
    certificate="etc/nginx/certificates/fullchain.pem",
)


def seat_players(
    machine: Machine, tables: int, proxy: Machine, deployment: Deployment
) -> list[Player]:
    """Seat people with the code on the machine. They connect through the proxy."""
    machine.write("/root/seat_people.py", (ROOT / "rehearsals/seat_people.py").read_text())
    said = machine.run(f"{deployment.python} - {tables} </root/seat_people.py")
    chance = random.Random(1)  # noqa: S311 - no secret
    network = PEOPLE if proxy.address else LOOPBACK
    return [
        Player(
            ADDRESS, table, user, session, random.Random(chance.random()),  # noqa: S311
            ip=proxy.address, network=network,
        )
        for table, user, session in json.loads(said.splitlines()[-1])
    ]  # fmt: skip


def use_database_of(machine: Machine, proxy: Machine, deployment: Deployment) -> None:
    """Connect this process to the machine's database as the site does, with the code of this tree."""
    said = machine.run("; ".join([deployment.settings, *(f'echo "${name}"' for name in SETTINGS)]))
    if machine.address:  # this host cannot resolve the names of machines
        said = re.sub(
            r"(?<=[@,])[a-z][\w-]*(?=[,/:])",
            lambda name: machine.run(f"getent hosts {name[0]}").split()[0],
            said,
        )
    os.environ |= dict(zip(SETTINGS, said.splitlines(), strict=True))
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "DATABASE_POOL": "0",
        "SSL_CERT_FILE": str(proxy.root / deployment.certificate),
    }
    import django  # noqa: PLC0415 - the database is known only now
    from django.conf import settings  # noqa: PLC0415

    if not settings.configured:
        django.setup()


@asynccontextmanager
async def playing(
    machine: Machine, report: Report, *, tables: int = TABLES, proxy: Machine | None = None,
    deployment: Deployment = WITHOUT_DOCKER,
) -> AsyncIterator[Course]:  # fmt: skip
    """Let people play. At the end, check that each acknowledged move is stored once and in order."""
    proxy = proxy or machine
    use_database_of(machine, proxy, deployment)
    course = Course(seat_players(machine, tables, proxy, deployment))
    async with course.play():
        await asyncio.sleep(5)
        yield course
    acked = sum(len(player.acked) for player in course.players)
    report.figure(
        "moves acknowledged",
        f"{acked}, {count(course, 'lost')} lost, {count(course, 'doubled')} doubled",
    )
    report.check("stored moves, replays, ledger", list(course.wrong))


def count(course: Course, word: str) -> int:
    return sum(sentence.startswith(word) for sentence in course.wrong)


async def hit(
    course: Course, report: Report, what: str, act: Callable[[], object], *, is_outage: bool = False,
    at_most: float | None = None,
) -> None:  # fmt: skip
    """Call `act` while people play, and print for how long players were cut off or had to wait.

    With `at_most` it is an error if that was longer for any player.
    """
    known = len(course.faults)
    await course.hit(what, act, is_outage=is_outage)
    [fault] = course.faults[known:]
    times = course.seconds_away(fault) or [0.0]
    longest = times[-1]
    report.figure(
        what,
        f"{fault.done - fault.began:.1f} s, players away {longest:.1f} s at the longest, "
        f"p95 {compute_percentile(times, 95):.1f} s",
    )
    if at_most is not None and longest > at_most:
        report.check(what, [f"away for {longest:.1f} s, {at_most:.0f} s at most"])
