"""bin/run while its servers are killed, and after it was killed itself."""

import os
import signal
import subprocess
from pathlib import Path

from config.run.embedded.place import POSTGRES_SOCKET_NAME as SOCKET
from config.run.embedded.place import EmbeddedFolders, is_alive
from config.run.embedded.postgres import Passwords, Postgres
from tests.config.run.embedded.migrated import Migrated
from tests.config.run.embedded.test_launch import (
    ACCOUNT,
    Run,
    environment,
    processes_naming,
    start_run,
)
from tests.ports import find_free_port
from tests.programs import answers, run_python
from tests.tables.clock.test_supervisor import children_of
from tests.workers import wait_until


def postmaster(var: Path) -> int:
    """Return PostgreSQL's process id, or 0 if there is none. Under root its data is in /var/lib."""
    homes = [var, *Path("/var/lib").glob("openrummy-*")]
    files = [home / "postgres" / "data" / "postmaster.pid" for home in homes]
    there = [file for file in files if file.exists()]
    try:
        newest = max(there, key=lambda file: file.stat().st_mtime)
        return int(newest.read_text().splitlines()[0])
    except (FileNotFoundError, IndexError, ValueError):
        return 0


def valkey(var: Path) -> int:
    """Return Valkey's process id, or 0 while its file is being written."""
    return int((var / "valkey" / "valkey.pid").read_text() or 0)


def processes_of(run: Run) -> list[str]:
    """Return the names of the running processes that the supervisor has started."""
    return sorted(children_of(run.process).values())


def kill_valkey(var: Path) -> None:
    doomed = valkey(var)
    os.kill(doomed, signal.SIGKILL)
    wait_until(lambda: valkey(var) not in (0, doomed))


def kill_postgres(var: Path, address: str) -> None:
    doomed = postmaster(var)
    os.kill(doomed, signal.SIGKILL)
    wait_until(lambda: postmaster(var) not in (0, doomed))
    wait_until(lambda: answers(address))


ALL = ["clock.1", "coach.1", "jobs.1", "servers.1", "web.1"]


def test_dead_servers_are_restarted_and_nothing_outlives_a_killed_run(
    migrated: Migrated, var: Path
) -> None:
    migrated.copy_to(var)
    port = find_free_port()
    with start_run(var, port) as run:
        # In its first seconds: the demo data is being made and processes are starting.
        wait_until((var / "run.pid").exists)
        os.kill(postmaster(var), signal.SIGKILL)
        run.await_lobby()
        kill_postgres(var, run.address)
        kill_valkey(var)
        assert run.process.poll() is None
        # If the process that keeps the servers is killed, the next one takes over the same servers.
        wait_until(lambda: processes_of(run) == ALL)
        server, [keeper] = (
            postmaster(var),
            [pid for pid, name in children_of(run.process).items() if name == "servers.1"],
        )
        os.kill(keeper, signal.SIGKILL)
        wait_until(lambda: not is_alive(keeper) and processes_of(run) == ALL)
        assert postmaster(var) == server
        kill_postgres(var, run.address)
        there = children_of(run.process)
        run.process.kill()
        run.process.wait(10)
        others = [pid for pid, name in there.items() if name != "servers.1"]
        wait_until(lambda: not any(map(is_alive, others)), seconds=1)
    with start_run(var, port) as again:  # the servers are still stopping
        again.await_lobby()
        wait_until(lambda: processes_of(again) == ALL)
        again.process.kill()
        again.process.wait(10)
    assert "making the" not in again.said  # the database and the demo data are kept
    assert ACCOUNT in again.said
    wait_until(lambda: processes_naming(var) == [], seconds=20)


def test_a_dead_server_with_a_reused_pid_is_restarted(var: Path) -> None:
    place = EmbeddedFolders.under(var)
    postgres = Postgres(place, Passwords.fresh(), durable=False)
    postgres.start()
    postgres.stop()
    with subprocess.Popen(["/bin/true"]) as dead:  # a zombie: nobody has waited for it
        wait_until(lambda: not is_alive(dead.pid), seconds=5)
        for lock in (place.postgres / "data/postmaster.pid", place.sockets / f"{SOCKET}.lock"):
            lock.write_text(f"{dead.pid}\n{place.postgres / 'data'}\n")
        try:
            postgres.start()
            assert not postgres.is_gone()
        finally:
            postgres.stop()


def test_a_restart_does_not_harm_a_run_that_is_starting(var: Path) -> None:
    var.mkdir()
    with subprocess.Popen(["/bin/sleep", "60"]) as bystander:
        # Left by a killed run, whose process id now belongs to another process.
        (var / "run.pid").write_text(f"{bystander.pid}\n")
        with start_run(var, find_free_port()) as run:
            wait_until((var / "valkey" / "valkey.pid").exists)
            asked = run_python("-m", "config.run.launch", "restart", env=environment(var))
            assert asked.stderr == "openrummy: It is still starting: its processes are new.\n"
            run.process.send_signal(signal.SIGUSR1)
            run.process.terminate()
            assert run.process.wait(60) == 128 + signal.SIGTERM
        assert bystander.poll() is None
        bystander.kill()
    assert processes_naming(var) == []
