"""The Docker parts of docs/install.md, upgrade.md, restore.md and recovery.md, rehearsed without a registry.

The machine has Debian 13, because the Docker of Debian 12 is too old. The suite is that of the site's base image. The
images of other services are built from Debian's packages (rehearsals/stand_ins).
"""

import asyncio
import json
import os
import shutil
import subprocess
import time
import tomllib
from collections.abc import Iterable
from functools import partial
from http import HTTPStatus
from pathlib import Path

import yaml

from bench.processes import ROOT
from rehearsals.documents import Instructions
from rehearsals.install import ANSWERS, MAIL_PORT, REPOSITORY, fill_in, put_repository
from rehearsals.machines import MACHINES, OF_THIS_HOST, Machine, MachineError, find_archive
from rehearsals.network import ADDRESS, own_network
from rehearsals.play import Deployment, hit, playing
from rehearsals.report import Report
from rehearsals.restore import MOMENT, add_account, expect_accounts, pass_a_moment
from rehearsals.site import (
    await_ready,
    browser,
    check_contents,
    check_way_to_https,
    confirm_address,
    play_first_deal,
)
from rehearsals.terminal import Terminal
from rehearsals.upgrade import BROKEN, SECONDS_AWAY, add_migration, changed_repository
from tests.core.emails.mail_sink import MailSink, mail_sink

CLONE = "/srv/openrummy"
MANAGE = "docker compose exec web python manage.py"
READYZ = "docker compose exec -T caddy wget -qO- http://web:8000/readyz"
# Debian's next release has the versions of compose.yaml.
SERVERS = "forky"
STAND_INS = ("postgres", "redis", "caddy")
OURS = ("web", "clock", "worker", "mailer", "slow", "coach", "beat")
RUN_ONCE = ("backups", "migrate")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
NEXT = f"{VERSION}.1"
LARGEST_MB = 300
SECONDS_TO_RECOVER = 120
BACKUPS = "/srv/backups"
# This process plays and checks from outside, and reads the database.
PORTS = """services:
  postgres: {ports: ["127.0.0.1:5432:5432"]}
  redis: {ports: ["127.0.0.1:6379:6379"]}
"""
DOCKER = Deployment(
    python=f"cd {CLONE}; docker compose exec -T web python",
    psql=f"cd {CLONE}; docker compose exec -T postgres psql -U openrummy_owner openrummy -Atc",
    settings=f". {CLONE}/.env; DATABASE_URL=${{DATABASE_URL/@postgres/@127.0.0.1}};"
    " REDIS_URL=${REDIS_URL/@redis/@127.0.0.1}",
    certificate="var/lib/docker/volumes/openrummy_certificates/_data/caddy/pki/authorities/local/root.crt",
)
# Control groups of the first version, which systemd-nspawn mounts so that nothing in them can be changed.
WRITABLE_GROUPS = """[Service]
ExecStartPre=/bin/sh -c 'for place in /sys/fs/cgroup/*/; do mount -o remount,bind,rw $place; done || true'
"""
UPLINK = Path("/run/systemd/resolve/resolv.conf")


OPTIONS = (
    "--capability=all",
    "--system-call-filter=add_key keyctl bpf",
    # The machine's network does not reach a name server at a loopback address of this host.
    *(["--resolv-conf=copy-uplink"] if UPLINK.exists() else []),
)


class DockerMachine(Machine):
    """A machine in which containers run."""

    def start(self, *options: str) -> None:
        os.environ["SYSTEMD_NSPAWN_API_VFS_WRITABLE"] = "yes"  # Docker forwards packets
        super().start(*OPTIONS, *options)

    def compose(self, command: str) -> str:
        return self.run(f"cd {CLONE}; {command}")


def rehearse(suite: str, report: Report) -> None:
    machine = DockerMachine(f"images-{suite}")
    with own_network(), mail_sink(MAIL_PORT, host=ADDRESS) as mails:
        report.step("a fresh trixie", lambda: machine.make("trixie"))
        put_repository(machine, "HEAD")
        machine.write("/etc/systemd/system/docker.service.d/rehearsal.conf", WRITABLE_GROUPS)
        machine.start()
        try:
            install(machine, report, suite)
            check(machine, report, mails)
            asyncio.run(upgrade_and_break(machine, report))
            from_last_night(machine, report)
            to_a_moment(machine, report)
        finally:
            machine.remove()


def install(machine: DockerMachine, report: Report, suite: str) -> None:
    terminal = Terminal(machine, ANSWERS)
    steps = Instructions(terminal, "docs/install.md", "With Docker")
    steps.follow()  # Docker
    report.step("images of Debian", lambda: make_images(machine, suite))
    steps.follow(instead={"ADDRESS_OF_THIS_REPOSITORY": REPOSITORY})
    fill_in(
        machine, ADDRESS, settings=f"{CLONE}/.env", SITE_ADDRESS="localhost", ALLOWED_HOSTS="localhost",
        BASE_IMAGE=f"debian:{suite}", BACKUPS=BACKUPS,
    )  # fmt: skip
    machine.write(f"{CLONE}/compose.override.yaml", PORTS)
    steps.follow_all()
    report.count(terminal)
    report.figure("ready", f"{wait(machine):.0f} s")
    steps = Instructions(terminal, "docs/install.md", "The first table")
    steps.follow(instead={"python manage.py": MANAGE})
    steps.follow(instead={"curl http://127.0.0.1:8000/readyz": READYZ})
    steps.end()
    report.follow(terminal, "docs/restore.md", "Each night")
    terminal.end()


def make_images(machine: DockerMachine, suite: str) -> None:
    """Import the base images, and build the other images that compose.yaml names."""
    for base in (suite, SERVERS):
        shutil.copy(make_base(base), machine.root / "root/base.tar")
        machine.run(f"docker import /root/base.tar debian:{base}")
    shutil.copytree(ROOT / "rehearsals/stand_ins", machine.root / "root/stand_ins")
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    for name in STAND_INS:
        image = services[name]["image"].partition("@")[0]
        machine.run(f"docker build --quiet --target {name} --tag {image} /root/stand_ins")


def make_base(suite: str) -> Path:
    """Build a minimal Debian of this suite, once. It contains this host's settings for reaching package archives."""
    base = MACHINES / f".image-{suite}.tar"
    if not base.exists():
        left_out = (
            f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "locale")
        )
        own = (
            f"--customize-hook=copy-in /{path} /{Path(path).parent}"
            for path in OF_THIS_HOST
            if Path("/", path).exists()
        )
        unfinished = base.with_suffix(".new")
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", "--include=ca-certificates",
             # Without Perl, which would only join /bin and /usr/bin.
             "--hook-dir=/usr/share/mmdebstrap/hooks/maybe-merged-usr",
             # A mirror may lag behind.
             '--aptopt=Acquire::Check-Valid-Until "false"',
             *left_out, *own, "--format=tar", suite, unfinished, find_archive()],
            check=True, capture_output=True,
        )  # fmt: skip
        unfinished.rename(base)
    return base


def wait(machine: DockerMachine) -> float:
    return await_ready(machine, readyz=f"cd {CLONE}; {READYZ}")


def check(machine: DockerMachine, report: Report, mails: MailSink) -> None:
    report.check("services", await_services(machine))
    report.check("the image", check_image(machine, report))
    report.check("rights of the processes", check_rights(machine))
    report.check("pages", check_pages())
    errors = report.step("a deal won, an account", play_first_deal)
    report.check("console", errors)
    with browser() as opened:
        report.check("confirmed by mail", confirm_address(opened, mails))


def check_pages() -> list[str]:
    """Return the problems of the site that an outsider sees through Caddy."""
    return [*check_contents(), *check_way_to_https(HTTPStatus.PERMANENT_REDIRECT)]


def await_services(machine: DockerMachine) -> list[str]:
    """Wait until every service is healthy. Return the problems that remain when time is up."""
    until = time.monotonic() + SECONDS_TO_RECOVER
    while (wrong := check_services(machine)) and time.monotonic() < until:
        time.sleep(1)
    return wrong


def check_services(machine: DockerMachine) -> list[str]:
    said = machine.compose("docker compose ps --all --format json")
    services = [json.loads(line) for line in said.splitlines()]
    missing = {*OURS, *STAND_INS, *RUN_ONCE} - {service["Service"] for service in services}
    return [f"{name} is not there" for name in sorted(missing)] + [
        f"{service['Name']}: {service['Status']}" for service in services if not is_well(service)
    ]


def is_well(service: dict[str, str | int]) -> bool:
    if service["Service"] in RUN_ONCE:
        return (service["State"], service["ExitCode"]) == ("exited", 0)
    return service["State"] == "running" and service["Health"] in ("", "healthy")


def check_image(machine: DockerMachine, report: Report) -> list[str]:
    """Return the problems of the image: its size, its user, and files that give this user rights."""
    image = f"openrummy:{VERSION}"
    size = int(machine.run(f"docker image inspect --format '{{{{.Size}}}}' {image}")) / 1e6
    packed = int(machine.run(f"docker save {image} | gzip -1 | wc -c")) / 1e6
    report.figure("the image", f"{size:.0f} MB, {packed:.0f} MB packed")
    wrong = [f"{size:.0f} MB, {LARGEST_MB} MB at most"] if size > LARGEST_MB else []
    inside = f"docker run --rm {image} sh -c"
    if (user := machine.run(f"{inside} 'id -u'").strip()) != "10001":
        wrong.append(f"runs as {user}")
    raised = machine.run(f"{inside} 'find / -xdev -type f -perm /6000 2>/dev/null || true'")
    writable = machine.run(
        f"{inside} 'find /srv /usr /etc -writable ! -type l 2>/dev/null || true'"
    )
    wrong += [f"{path} gives its caller more rights" for path in raised.split()]
    allowed = {"/srv/private", "/srv/served"}
    return wrong + [f"{path} can be written" for path in {*writable.split()} - allowed]


def check_rights(machine: DockerMachine) -> list[str]:
    """Return the main processes of the site's containers that have any privileges."""
    wrong = []
    for number in main_processes(machine, OURS):
        lines = machine.run(f"cat /proc/{number}/status").splitlines()
        status = {name: value.split() for name, _, value in (line.partition(":") for line in lines)}
        rights = status["Uid"][1], status["CapBnd"][0].strip("0"), status["NoNewPrivs"][0]
        if rights != ("10001", "", "1"):
            wrong.append(f"{status['Name'][0]}: {rights}")
    return wrong


def main_processes(machine: DockerMachine, services: Iterable[str]) -> list[int]:
    """Return the process ids, as the machine sees them, of the containers' first processes."""
    containers = f"$(docker compose ps --quiet {' '.join(services)})"
    said = machine.compose(f"docker inspect --format '{{{{.State.Pid}}}}' {containers}")
    return [int(number) for number in said.split()]


async def upgrade_and_break(machine: DockerMachine, report: Report) -> None:
    async with playing(machine, report, deployment=DOCKER) as course:
        for what, act, seconds in (
            ("an upgrade that fails", fail, SECONDS_AWAY),
            ("the upgrade", upgrade, SECONDS_AWAY),
            ("the older image", go_back, None),
        ):
            await hit(
                course, report, what, partial(act, machine, report), is_outage=seconds is None, at_most=seconds
            )  # fmt: skip
        for service in (*STAND_INS, *OURS):
            await hit(course, report, f"{service} is killed", partial(kill, machine, service))
            report.check(f"services after {service}", await_services(machine))
        await hit(course, report, "the power is cut", partial(cut, machine, report), is_outage=True)
        report.check("services after the power cut", await_services(machine))
    report.check("pages", check_pages())


def fail(machine: DockerMachine, report: Report) -> None:
    """Follow the upgrade document into a migration that fails, and go back as it says."""
    with changed_repository(partial(make_release, statement=BROKEN)) as folder:
        put_repository(machine, "HEAD", folder)
    before = running_images(machine)
    terminal = Terminal(machine, {}, CLONE)
    try:
        Instructions(terminal, "docs/upgrade.md", "With Docker").follow()
        report.check("the migration", ["it did not fail"])
    except MachineError:
        machine.compose("git reset --hard ORIG_HEAD")
    report.check("what runs", [] if running_images(machine) == before else ["another image"])


def upgrade(machine: DockerMachine, report: Report) -> None:
    with changed_repository(make_release) as folder:
        put_repository(machine, "HEAD", folder)
    terminal = Terminal(machine, {}, CLONE)
    steps = Instructions(terminal, "docs/upgrade.md", "With Docker")
    steps.follow()
    report.count(terminal)
    terminal.end()
    report.check("what runs", expect_version(machine, NEXT))


def go_back(machine: DockerMachine, report: Report) -> None:
    terminal = Terminal(machine, {}, CLONE)
    steps = Instructions(terminal, "docs/upgrade.md", "With Docker")
    steps.skip(1)
    steps.follow(instead={"0.1.0": VERSION})
    steps.end()
    report.count(terminal)
    terminal.end()
    report.check("what runs", expect_version(machine, VERSION))
    report.figure("ready with the older image", f"{wait(machine):.0f} s")


def make_release(folder: Path, statement: str = "SELECT 1") -> None:
    """Change a clone as a release does: its version, and a migration that runs `statement`."""
    for name in ("compose.yaml", "pyproject.toml"):
        path = folder / name
        path.write_text(path.read_text().replace(VERSION, NEXT))
    add_migration(folder, statement)


def expect_version(machine: DockerMachine, version: str) -> list[str]:
    images = {image for image in running_images(machine) if image.startswith("openrummy")}
    return [] if images == {f"openrummy:{version}"} else [f"{image} runs" for image in images]


def running_images(machine: DockerMachine) -> set[str]:
    return set(machine.run("docker ps --format '{{.Image}}'").split())


def kill(machine: DockerMachine, service: str) -> None:
    """Kill the first process of a container with SIGKILL, without telling Docker."""
    machine.run(f"kill -KILL {main_processes(machine, [service])[0]}")


def cut(machine: DockerMachine, report: Report) -> None:
    """Cut the machine's power, start it again, and wait until the site is ready. All processes start at once."""
    machine.cut()
    machine.start()
    report.figure("ready after the power cut", f"{wait(machine):.0f} s")


def from_last_night(machine: DockerMachine, report: Report) -> None:
    """Make a backup with the nightly unit, change the data after it, and restore."""
    add_account(machine, "before", DOCKER)
    report.step("the nightly unit", lambda: machine.run("systemctl start openrummy-backup.service"))
    add_account(machine, "after", DOCKER)
    backup = machine.run(f"ls -d {BACKUPS}/nightly/20*Z | tail -n 1").strip()
    terminal = Terminal(machine, {}, CLONE)
    terminal.type(f"backup={backup}")
    report.follow(terminal, "docs/restore.md", "Restore with Docker")
    terminal.end()
    report.figure("ready", f"{wait(machine):.0f} s")
    wrong = expect_accounts(machine, "before", without=("after",), deployment=DOCKER)
    report.check("last night's accounts", wrong)
    report.check("pages", check_pages())


def to_a_moment(machine: DockerMachine, report: Report) -> None:
    """Drop a table, and restore the database to just before that, in a volume of its own."""
    terminal = Terminal(machine, {}, CLONE)
    steps = Instructions(terminal, "docs/recovery.md", "With Docker")
    steps.follow()  # each night
    add_account(machine, "wanted", DOCKER)
    moment = pass_a_moment(machine)
    machine.run(f"{DOCKER.psql} 'DROP TABLE core_backup CASCADE'")
    steps.follow(instead={MOMENT: moment})
    machine.run(f"sed -i 's/^#POSTGRES_DATA=.*/POSTGRES_DATA=restored/' {CLONE}/.env")
    steps.follow_all()
    report.count(terminal)
    terminal.end()
    report.figure("ready", f"{wait(machine):.0f} s")
    wrong = expect_accounts(machine, "before", "wanted", deployment=DOCKER)
    report.check("accounts of that moment", wrong)
    machine.run(f"{DOCKER.psql} 'TABLE core_backup'")
    report.check("pages", check_pages())
