"""The supervisor of a deployment's processes: restarts during play and after crashes."""

import asyncio
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from openrummy_client import Table as PlayersTable

from config.run import supervisor as supervising
from config.run.embedded.place import is_alive
from config.run.listening import KEEPALIVE, open_listener
from config.run.supervisor import read_procfile
from core.threads import in_thread
from tables.models import Change, ChangeKind, Table
from tests.ports import find_free_port
from tests.programs import ROOT
from tests.tables.driving import start_match
from tests.tables.live.programs import await_state, connect, is_own_turn, make_tokens
from tests.workers import wait_until as wait_half_a_minute

wait_until = partial(wait_half_a_minute, seconds=60)  # whole processes start and end here


@contextmanager
def run_procfile(*only: str, **counts: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run the Procfile on the tests' database, or only the given kinds of processes. Yield address and supervisor."""
    given = urlsplit(os.environ["DATABASE_URL"])
    port = find_free_port()
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "DATABASE_URL": given._replace(path=f"/{connection.settings_dict['NAME']}").geturl(),
        "DATABASE_POOL_SIZE": "4",
        "SECRET_KEY": settings.SECRET_KEY,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PORT": str(port),
        "WEB_PROCESSES": "1",
        "WORKER_PROCESSES": "0",
        "MAILER_PROCESSES": "0",
        "SLOW_PROCESSES": "0",
        "COACH_PROCESSES": "0",
        "BEAT_PROCESSES": "0",
        **counts,
    }
    command = [sys.executable, "-m", "config.run.supervisor", *only]
    running = subprocess.Popen(command, env=environment)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until(lambda: is_answering(f"{address}/healthz"))
        yield address, running
    finally:
        running.terminate()
        running.wait(40)


def is_answering(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - our own
    except OSError:
        return False
    return True


def children_of(process: subprocess.Popen[bytes]) -> dict[int, str]:
    """Return the names of the supervisor's child processes by process id."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                name, _, fields = (folder / "stat").read_text().rpartition(")")
                state, parent = fields.split()[:2]
            except OSError:
                continue
            name = name.partition("(")[2]
            # A process that is starting or has ended has no name of its own.
            if int(parent) == process.pid and state != "Z" and re.fullmatch(r"[a-z]+\.\d+", name):
                found[int(folder.name)] = name
    return found


def kill_all(supervisor: subprocess.Popen[bytes], address: str) -> None:
    """Kill every child of the supervisor. Wait until replacements run and the site answers."""
    killed = children_of(supervisor)
    for process_id in killed:
        os.kill(process_id, signal.SIGKILL)
    wait_until(lambda: not children_of(supervisor).keys() & killed.keys())
    wait_until(lambda: len(children_of(supervisor)) == len(killed))
    wait_until(lambda: is_answering(f"{address}/healthz"))


async def play_turn(player: PlayersTable) -> None:
    await await_state(player, is_own_turn)
    await player.act({"kind": "draw", "source": "closed"})
    await player.act({"kind": "discard", "card": player.state["you"]["drawn"]})


async def test_a_match_survives_the_replacement_and_the_death_of_every_process(
    transactional_db, make_player, make_table
):
    """The client library reconnects and repeats the moves that were not answered."""

    def begin():
        table = start_match(make_table(allows_api_players=True), make_player(), make_player())
        return table, make_tokens(table)

    table, tokens = await in_thread(begin)
    with run_procfile(WEB_PROCESSES="2") as (address, supervisor):
        before = children_of(supervisor)
        assert sorted(before.values()) == ["clock.1", "web.1", "web.2"]
        async with (
            connect(address, table, tokens[0]) as first,
            connect(address, table, tokens[1]) as second,
        ):
            is_first = is_own_turn(await await_state(first))
            players = itertools.cycle([first, second] if is_first else [second, first])
            supervisor.send_signal(signal.SIGUSR1)
            while children_of(supervisor).keys() & before.keys():
                await play_turn(next(players))
                await asyncio.sleep(0.8)  # slow enough for the deal to outlast the replacements
            assert sorted(children_of(supervisor).values()) == sorted(before.values())
            await play_turn(next(players))
            await asyncio.to_thread(kill_all, supervisor, address)
            for _ in range(2):
                await play_turn(next(players))
            state = await await_state(next(players), is_own_turn)
    assert children_of(supervisor) == {}
    moves = Change.objects.filter(table=table, kind=ChangeKind.MOVE)
    assert await in_thread(moves.count) == 2 * (state["game"]["turn_number"] - 1)
    assert (await in_thread(Table.objects.get, pk=table.pk)).status == "PLAYING"


def test_the_only_web_process_of_a_unit_is_replaced_without_a_pause(transactional_db):
    """This is what `systemctl reload openrummy@web` does. A restart would refuse connections for seconds."""
    with run_procfile("web") as (address, supervisor):
        before = children_of(supervisor)
        assert list(before.values()) == ["web.1"]
        supervisor.send_signal(signal.SIGUSR1)
        answers = []

        def is_replaced():
            answers.append(is_answering(f"{address}/healthz"))
            now = children_of(supervisor)
            return len(now) == 1 and not now.keys() & before.keys()

        wait_until(is_replaced)
        assert is_answering(f"{address}/healthz")
    assert len(answers) > 3
    assert all(answers)


def test_connections_have_the_keepalive_of_the_settings():
    listener = open_listener("127.0.0.1", 0)
    with listener, socket.create_connection(listener.getsockname()):
        accepted, _address = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            for option, value in KEEPALIVE.items():
                if hasattr(socket, option):  # macOS knows only some of them
                    number = getattr(socket, option)
                    assert accepted.getsockopt(socket.IPPROTO_TCP, number) == value, option


def test_a_procfile_may_have_comments_and_blank_lines():
    text = "# kinds\nweb: python -m config.run.web\n\nclock:  python manage.py clock --fast: 1\n"
    assert read_procfile(text) == {
        "web": "python -m config.run.web",
        "clock": "python manage.py clock --fast: 1",
    }


# --- what the supervisor does with processes that end ---------------------------------------------

# Constants of the module that are replaced. The program keeps them when it replaces itself.
DRIVER = """
from config.run import supervisor
vars(supervisor).update({changes})
supervisor.main()
"""
LIVES = "clock: sh -c 'echo $$ >>births; exec sleep 60'\n"


@pytest.fixture
def supervise(tmp_path):
    """Run a supervisor with the given Procfile, whose commands write files to the test's folder."""

    @contextmanager
    def run(procfile, *only, changes=None, **given):
        text = re.sub(r">>(\w+)", rf">>{tmp_path}/\1", procfile)
        (tmp_path / "Procfile").write_text(text)
        environment = {**os.environ, "PROCFILE": str(tmp_path / "Procfile"), **given}
        environment.setdefault("PORT", str(find_free_port()))
        with (tmp_path / "said").open("w") as said:
            running = subprocess.Popen(
                [sys.executable, "-c", DRIVER.format(changes=changes or {}), *only],
                env=environment,
                cwd=ROOT,
                stderr=said,
            )
            try:
                yield running
            finally:
                running.terminate()
                running.wait(20)

    return run


def read_births(tmp_path, name="births"):
    file = tmp_path / name
    return [int(line) for line in file.read_text().splitlines()] if file.exists() else []


def spent_seconds(process_id):
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_kind_that_no_machine_runs_by_default_runs_in_a_unit_of_its_own(supervise, tmp_path):
    procfile = LIVES + "history: sh -c 'echo $$ >>read; exec sleep 60'\n"
    with supervise(procfile, "history"):
        wait_until(lambda: read_births(tmp_path, "read"))
    assert not read_births(tmp_path)
    with supervise(procfile):
        wait_until(lambda: read_births(tmp_path))
    assert len(read_births(tmp_path, "read")) == 1


def test_a_process_killed_many_times_is_back_within_a_second(supervise, tmp_path):
    began = 0.0
    with supervise(LIVES):
        for number in range(1, 6):
            wait_until(lambda n=number: len(read_births(tmp_path)) >= n)
            began = time.monotonic()
            os.kill(read_births(tmp_path)[-1], signal.SIGKILL)
        wait_until(lambda: len(read_births(tmp_path)) == 6)
        assert time.monotonic() - began < 1.5


def test_a_supervisor_is_idle_until_something_happens(supervise, tmp_path):
    with supervise(LIVES) as supervisor:
        wait_until(lambda: read_births(tmp_path))
        time.sleep(0.5)
        before = spent_seconds(supervisor.pid)
        time.sleep(3)
        assert spent_seconds(supervisor.pid) == before
        os.kill(read_births(tmp_path)[0], signal.SIGKILL)
        wait_until(lambda: len(read_births(tmp_path)) == 2)


def test_the_pause_before_a_failing_process_starts_again_grows(supervise, tmp_path):
    fails = "worker: sh -c 'date +%s%N >>births; exit 3'\n"
    with supervise(LIVES.replace("births", "others") + fails):
        wait_until(lambda: len(read_births(tmp_path)) == 3)
    first, second, third = (born / 1e9 for born in read_births(tmp_path))
    assert 1 <= second - first < 2
    assert 3 <= third - second < 4.5


def test_a_kind_that_never_comes_up_ends_the_supervisor(supervise, tmp_path):
    procfile = LIVES + "worker: sh -c 'exit 3'\n"
    with supervise(procfile, changes={"STARTS": 2}) as supervisor:  # five take half a minute
        assert supervisor.wait(20) == 1
    said = (tmp_path / "said").read_text()
    assert said.endswith("openrummy: worker.1 does not come up (3)\n")
    assert not is_alive(read_births(tmp_path)[0])


def test_a_process_killed_while_others_are_replaced_is_back_at_once(supervise, tmp_path):
    procfile = LIVES + LIVES.replace("clock", "worker").replace("births", "workers")
    with supervise(procfile, changes={"SECONDS_UNTIL_ASSUMED_READY": 4}) as supervisor:
        wait_until(lambda: len(read_births(tmp_path, "workers")) == 1)
        time.sleep(1)  # a younger process restarts after a pause
        supervisor.send_signal(signal.SIGUSR1)
        wait_until(lambda: len(read_births(tmp_path)) == 2)
        os.kill(read_births(tmp_path, "workers")[0], signal.SIGKILL)
        wait_until(lambda: len(read_births(tmp_path, "workers")) == 2)
        assert is_alive(read_births(tmp_path)[0])  # the old process is still on probation
        wait_until(lambda: not is_alive(read_births(tmp_path)[0]))
    assert len(read_births(tmp_path)) == len(read_births(tmp_path, "workers")) == 2


def test_the_children_of_a_killed_supervisor_end_at_once(supervise, tmp_path):
    stubborn = "worker: sh -c 'echo $$ >>workers; trap \"\" TERM; while :; do sleep 1; done'\n"
    with supervise(LIVES + stubborn) as supervisor:
        wait_until(lambda: read_births(tmp_path) and read_births(tmp_path, "workers"))
        supervisor.kill()
        supervisor.wait()
        there = read_births(tmp_path) + read_births(tmp_path, "workers")
        wait_until(lambda: not any(map(is_alive, there)), seconds=1)


def test_what_ignores_sigterm_is_killed_with_its_children(supervise, tmp_path):
    stubborn = (
        "clock: sh -c 'trap \"\" TERM; echo $$ >>births; sleep 60 & echo $! >>births; wait'\n"
    )
    with supervise(stubborn, changes={"SECONDS_TO_END": 1}) as supervisor:
        wait_until(lambda: len(read_births(tmp_path)) == 2)
        supervisor.terminate()
        assert supervisor.wait(5) == 0
    wait_until(lambda: not any(map(is_alive, read_births(tmp_path))), seconds=1)


def test_a_local_run_ends_soon_whatever_its_jobs_do(supervise, tmp_path):
    busy = "jobs: sh -c 'trap \"\" TERM; echo $$ >>births; while :; do sleep 1; done'\n"
    servers = "servers: sh -c 'echo $$ >>births; exec sleep 60'\n"
    with supervise(busy + servers) as supervisor:
        wait_until(lambda: len(read_births(tmp_path)) == 2)
        supervisor.send_signal(signal.SIGINT)
        assert supervisor.wait(6) == 0
    assert not any(map(is_alive, read_births(tmp_path)))


def test_a_restart_under_restarts_keeps_one_supervisor_and_one_process(supervise, tmp_path):
    """Signals that arrive while the supervisor replaces its own program are handled afterwards."""
    with supervise(LIVES, changes={"SECONDS_UNTIL_ASSUMED_READY": 0.2}) as supervisor:
        wait_until(lambda: read_births(tmp_path))
        wait_until(
            lambda: len(read_births(tmp_path)) > 3,
            meanwhile=lambda: supervisor.send_signal(signal.SIGUSR1),
        )
        wait_until(lambda: sum(map(is_alive, read_births(tmp_path))) == 1)
        assert supervisor.poll() is None
    assert supervisor.returncode == 0
    assert not any(map(is_alive, read_births(tmp_path)))


def test_web_processes_may_have_a_listener_each(supervise, tmp_path):
    program = tmp_path / "web.py"
    program.write_text(
        "import os, socket, time\n"
        "port = socket.socket(fileno=int(os.environ['LISTEN_FD'])).getsockname()[1]\n"
        f"open('{tmp_path}/' + os.environ['PROCESS_NAME'], 'a').write(f'{{port}}\\n')\n"
        "if 'READY_FD' in os.environ: os.write(int(os.environ['READY_FD']), b'1')\n"
        "time.sleep(60)\n"
    )
    port = find_free_port()
    given = {"WEB_LISTENERS": "own", "WEB_PROCESSES": "2", "PORT": str(port)}

    def heard():
        return [read_births(tmp_path, f"web.{number}") for number in (1, 2)]

    with supervise(f"web: {sys.executable} {program}\n", **given) as supervisor:
        wait_until(lambda: heard() == [[port], [port + 1]])
        supervisor.send_signal(signal.SIGUSR1)  # the sockets outlive the supervisor
        wait_until(lambda: heard() == [[port] * 2, [port + 1] * 2])


def test_the_ports_of_listeners_follow_each_other():
    port = find_free_port()
    own = supervising.open_listeners(
        "127.0.0.1", port, {"WEB_LISTENERS": "own", "WEB_PROCESSES": "2"}
    )
    shared = supervising.open_listeners("127.0.0.1", 0, {"WEB_PROCESSES": "2"})
    listeners = [socket.socket(fileno=descriptor) for descriptor in (*own, *shared)]
    try:
        assert [listener.getsockname()[1] for listener in listeners[:2]] == [port, port + 1]
        assert len(shared) == 1
    finally:
        for listener in listeners:
            listener.close()


def test_settings_say_how_many_processes_there_are_by_kind(supervise, tmp_path):
    tells = "sh -c 'echo $PROCESS_NAME >>names; exec sleep 60'\n"
    procfile = "".join(f"{kind}: {tells}" for kind in ("web", "clock", "worker", "beat"))
    given = {"CLOCK_PROCESSES": "3", "BEAT_PROCESSES": "0"}

    def names():
        file = tmp_path / "names"
        return sorted(file.read_text().split()) if file.exists() else []

    with supervise(procfile, changes={"SECONDS_TO_START": 1}, **given):
        wait_until(lambda: "worker.1" in names())
    assert names() == ["clock.1", "clock.2", "clock.3", "web.1", "web.2", "worker.1"]
