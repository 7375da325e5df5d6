"""docs/several-machines.md and docs/replica.md: six machines from an empty Debian. Each loses power during play."""

import asyncio
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from secrets import token_hex

from rehearsals.documents import Instructions, read_blocks
from rehearsals.install import (
    ANSWERS,
    MAIL_PORT,
    REPOSITORY,
    fill_in,
    make_certificate,
    owner_answers,
    put_repository,
)
from rehearsals.machines import MACHINES, Machine, MachineError
from rehearsals.network import GATEWAY, network_of_machines
from rehearsals.play import WITHOUT_DOCKER, hit, playing
from rehearsals.report import Report
from rehearsals.site import await_ready, check_pages
from rehearsals.terminal import Terminal
from tests.core.emails.mail_sink import mail_sink

SEVERAL, REPLICA, DEBIAN = (
    f"docs/{name}.md" for name in ("several-machines", "replica", "install-debian")
)
ADDRESSES = {
    name: f"10.77.0.{number}"
    for number, name in enumerate(("proxy", "web-1", "web-2", "db-1", "db-2", "redis"), 11)
}
WITH_ETCD = "proxy", "web-2", "redis"
# The storage that the machines of PostgreSQL mount, and that of the web hosts.
SHARED = {"db": "/srv/backups", "web": "/srv/private"}
TABLES = 40
# Machines whose work no other one does. Without them nobody can play, so absences are measured from their return.
ALONE = ("proxy",)
SECONDS_WITHOUT_POWER = 60
SECONDS_TO_BE_WHOLE = 180
PATRONICTL = (
    "set -a; . /srv/patroni.env; set +a; /srv/patroni/bin/patronictl -c /srv/patroni.yml list"
)


class Site:
    """The six machines with a shell on each, and a record of the documents' blocks that were run."""

    def __init__(self, suite: str, report: Report) -> None:
        self.machines = {name: Machine(name, address) for name, address in ADDRESSES.items()}
        self._suite, self._report = suite, report
        self._terminals: dict[str, Terminal] = {}
        self._done: set[tuple[str, int]] = set()
        self._secrets = {name: token_hex(16) for name in ("owner", "patroni", "redis")}

    def boot(self) -> None:
        for kind in SHARED:
            shutil.rmtree(MACHINES / f"shared-{kind}", ignore_errors=True)
            (MACHINES / f"shared-{kind}").mkdir(parents=True)
        answers = ANSWERS | owner_answers(self._secrets["owner"])
        for name, machine in self.machines.items():
            machine.make(self._suite)
            put_repository(machine, "HEAD")
            self.start(name)
            self._terminals[name] = Terminal(machine, answers)

    def start(self, name: str) -> None:
        kind = name.partition("-")[0]
        folder = MACHINES / f"shared-{kind}"
        self.machines[name].start(*([f"--bind={folder}:{SHARED[kind]}"] if kind in SHARED else []))

    def follow(
        self, name: str, document: str, number: int, instead: Mapping[str, str] | None = None
    ) -> None:
        """Run one block of a document on a machine. `number` is the number of blocks before it."""
        steps = Instructions(self._terminals[name], document)
        steps.skip(number)
        steps.follow(instead=instead)
        self._report.count(self._terminals[name])
        self._done.add((document, number))

    def set_up(self) -> None:
        """Follow the documents. Each block is run on the machines for which its text says that it is meant."""
        addresses = {address.replace("10.77", "10.0"): address for address in ADDRESSES.values()}
        clone = {"ADDRESS_OF_THIS_REPOSITORY": REPOSITORY}
        for name in ADDRESSES:
            self.follow(name, SEVERAL, 0, addresses)
        for name in WITH_ETCD:
            self.follow(name, REPLICA, 0)
        for name in ("db-1", "db-2"):
            self.follow(name, REPLICA, 1, clone)
            self.follow(name, REPLICA, 2, {"=PASSWORD": f"={self._secrets['patroni']}"})
        self.follow("db-1", REPLICA, 3)
        self.follow("db-2", REPLICA, 4)
        self.follow("redis", SEVERAL, 1, {"PASSWORD": self._secrets["redis"]})
        programs = {"postgresql redis-server nginx": "postgresql-client"}
        self.follow("web-1", DEBIAN, 0, clone | programs)
        self.follow("web-1", DEBIAN, 2, {"PASSWORD@": f"{self._secrets['owner']}@"})
        proxy = {"=10.0.0.11": f"={ADDRESSES['proxy']}"}
        self.follow("web-1", SEVERAL, 2, {"=PASSWORD": f"={self._secrets['redis']}"} | proxy)
        fill_in(self.machines["web-1"], GATEWAY)
        self.follow("web-1", DEBIAN, 4)
        self.follow("web-2", DEBIAN, 0, clone | programs)
        self.machines["web-2"].write(
            "/srv/openrummy.env", self.machines["web-1"].read("/srv/openrummy.env")
        )
        self.follow("web-2", SEVERAL, 3)
        self.machines["proxy"].run("mkdir -p /etc/nginx")
        make_certificate(self.machines["proxy"])
        self.follow("proxy", SEVERAL, 4, clone)
        self.follow("db-1", SEVERAL, 5)
        first_table = Instructions(self._terminals["web-1"], "docs/install.md", "The first table")
        first_table.follow_all()
        self._report.count(self._terminals["web-1"])

    def end(self) -> None:
        """Close the shells. Raises LookupError if a block was not run."""
        for terminal in self._terminals.values():
            terminal.end()
        self._terminals.clear()
        known = {
            (document, number)
            for document in (SEVERAL, REPLICA)
            for number, _ in enumerate(read_blocks(document))
        }
        forgotten = [read_blocks(document)[number].place for document, number in known - self._done]
        self._report.check("commands", [f"{place} was not run" for place in sorted(forgotten)])

    def await_whole(self) -> float:
        """Wait until every machine works, the standby included. Return the seconds that this took."""
        began = time.monotonic()
        while wrong := self._look():
            if time.monotonic() - began > SECONDS_TO_BE_WHOLE:
                raise MachineError(f"after {SECONDS_TO_BE_WHOLE} s: {wrong}")
            time.sleep(0.5)
        return time.monotonic() - began

    def _look(self) -> str:
        for name in ("web-1", "web-2"):
            try:
                await_ready(self.machines[name], 1)
            except MachineError as error:
                return f"{name}: {error}"
        said = self.machines["db-1"].run(PATRONICTL, check=False)
        if "Leader" not in said or "Sync Standby" not in said or "streaming" not in said:
            return said
        for name in WITH_ETCD:
            url = f"http://{ADDRESSES[name]}:2379/health"
            if "true" not in self.machines["web-1"].run(f"curl -s -m 2 {url}", check=False):
                return f"etcd of {name} does not answer"
        return ""

    def primary(self) -> str:
        """Return the name of the machine whose PostgreSQL accepts writes."""
        said = self.machines["db-1"].run(PATRONICTL)
        return next(line.split()[1] for line in said.splitlines() if "Leader" in line)


@contextmanager
def six_machines(suite: str, report: Report) -> Iterator[Site]:
    with ExitStack() as stack:
        stack.enter_context(network_of_machines())
        site = Site(suite, report)
        for machine in site.machines.values():
            stack.callback(machine.remove)
        yield site


def rehearse(suite: str, report: Report) -> None:
    with six_machines(suite, report) as site:
        report.step(f"six machines of {suite}", site.boot)
        with mail_sink(MAIL_PORT, GATEWAY):
            site.set_up()
            site.end()
            report.figure("whole", f"{site.await_whole():.0f} s")
            report.check("pages", check_pages(ADDRESSES["proxy"]))
            asyncio.run(lose_each(site, report))
            report.check("pages after it", check_pages(ADDRESSES["proxy"]))
            report.check("ledger", check_ledger(site))


async def lose_each(site: Site, report: Report) -> None:
    """Cut the power of each machine in turn, and restore it when the site has recovered without the machine.

    If the site cannot work without the machine, the power is restored at once.
    """
    machines = site.machines
    async with playing(machines["web-1"], report, tables=TABLES, proxy=machines["proxy"]) as course:
        primary = site.primary()
        standby = next(name for name in ("db-1", "db-2") if name != primary)
        roles = {primary: "the primary", standby: "the standby"}
        for name in ("web-1", "web-2", standby, primary, "redis", "proxy"):
            what = f"{roles.get(name, name)} is without power"
            if name in ALONE:
                await hit(
                    course, report, what, partial(lose_and_return, site, name), is_outage=True
                )
            else:
                await hit(course, report, what, machines[name].cut)
                await asyncio.sleep(10)
                await hit(course, report, f"{name} returns", partial(site.start, name))
            report.figure("whole again", f"{await asyncio.to_thread(site.await_whole):.0f} s")
            if name == primary:
                report.figure("the primary is", site.primary())


def lose_and_return(site: Site, name: str) -> None:
    site.machines[name].cut()
    time.sleep(SECONDS_WITHOUT_POWER)
    site.start(name)


def check_ledger(site: Site) -> list[str]:
    said = site.machines["web-1"].run(
        f"{WITHOUT_DOCKER.python} manage.py check_ledger 2>&1; echo status $?"
    )
    return [] if said.rstrip().endswith("status 0") else [said[-500:]]
