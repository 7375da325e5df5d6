"""The processes of a deployment: restarts under play and after crashes."""

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
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
from config.run.roster import Roster, birth_of
from config.run.supervisor import CannotStartError, Supervisor, read_procfile
from config.run.web import KEEPALIVE, open_listener
from core.threads import in_thread
from tables.models import Change, ChangeKind, Table
from tests.ports import find_free_port
from tests.tables.driving import start_match
from tests.tables.live.programs import await_state, connect, is_own_turn, make_tokens
from tests.workers import wait_until as wait_half_a_minute

wait_until = partial(wait_half_a_minute, seconds=60)  # whole processes begin and end here


@contextmanager
def run_procfile(*only: str, **counts: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run the Procfile, or only a kind of it, on the tests' database. Yield the address and the supervisor."""
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
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                words = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            names = [word for word in words if word.startswith(b"PROCESS_NAME=")]
            # A process that is starting or has ended has no name.
            if parent == process.pid and names:
                found[int(folder.name)] = names[0].partition(b"=")[2].decode()
    return found


def kill_all(supervisor: subprocess.Popen[bytes], address: str) -> None:
    """Kill every child of the supervisor, and wait until their replacements answer."""
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
    """The client library connects again and repeats moves that were not answered."""

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
    """`systemctl reload openrummy@web`; a restart refuses connections for seconds."""
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


def test_a_kind_that_no_machine_runs_by_default_runs_in_a_unit_of_its_own(small, tmp_path):
    procfile = LIVES + "history: sh -c 'echo $$ >>read; exec sleep 60'\n"
    with run_supervisor(small(procfile, only="history")):
        wait_until(lambda: read_births(tmp_path, "read"))
    assert not read_births(tmp_path)
    with run_supervisor(small(procfile)):
        wait_until(lambda: read_births(tmp_path))
    assert len(read_births(tmp_path, "read")) == 1


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


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Make a supervisor of the given Procfile."""
    # Only the end of a process or a call wakes the supervisor.
    monkeypatch.setattr(supervising, "LONGEST_WAIT", 600)

    def make(procfile, roster=None, listeners=(), only=None, **environment):
        (tmp_path / "Procfile").write_text(procfile)
        monkeypatch.setattr(supervising, "ROOT", tmp_path)
        path = os.environ["PATH"]
        own = listeners or [open_listener("127.0.0.1", 0)]
        return Supervisor({"PATH": path, **environment}, *own, roster=roster, only=only)

    return make


@contextmanager
def run_supervisor(supervisor: Supervisor) -> Iterator[None]:
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    try:
        yield
    finally:
        supervisor.stop()
        thread.join(20)
        close(supervisor)


def read_births(tmp_path, name="births"):
    file = tmp_path / name
    return [int(line) for line in file.read_text().splitlines()] if file.exists() else []


def close(supervisor: Supervisor) -> None:
    for listener in supervisor._listeners:
        listener.close()


LIVES = "clock: sh -c 'echo $$ >>births; exec sleep 60'\n"


def test_a_process_killed_many_times_is_back_within_a_second(small, tmp_path):
    began = 0.0
    with run_supervisor(small(LIVES)):
        for number in range(1, 6):
            wait_until(lambda n=number: len(read_births(tmp_path)) >= n)
            began = time.monotonic()
            os.kill(read_births(tmp_path)[-1], signal.SIGKILL)
        wait_until(lambda: len(read_births(tmp_path)) == 6)
        assert time.monotonic() - began < 1.5


def test_a_supervisor_looks_at_its_processes_only_when_something_happens(
    small, tmp_path, monkeypatch
):
    looks = []
    revive = Supervisor._revive

    def look(self):
        looks.append(time.monotonic())
        revive(self)

    monkeypatch.setattr(Supervisor, "_revive", look)
    with run_supervisor(small(LIVES)):
        wait_until(lambda: read_births(tmp_path) and looks)
        before = len(looks)
        time.sleep(1)
        assert len(looks) == before
        os.kill(read_births(tmp_path)[0], signal.SIGKILL)
        wait_until(lambda: len(read_births(tmp_path)) == 2)
    assert len(looks) - before < 10


def test_the_pause_before_a_failing_process_starts_again_grows(small, tmp_path):
    fails = "worker: sh -c 'date +%s%N >>births; exit 3'\n"
    with run_supervisor(small(LIVES.replace("births", "others") + fails)):
        wait_until(lambda: len(read_births(tmp_path)) == 3)
    first, second, third = (born / 1e9 for born in read_births(tmp_path))
    assert 1 <= second - first < 2
    assert 3 <= third - second < 4.5


def test_a_kind_that_never_comes_up_ends_the_supervisor(small, tmp_path, monkeypatch):
    monkeypatch.setattr(supervising, "STARTS", 2)  # five take half a minute
    supervisor = small(LIVES + "worker: sh -c 'exit 3'\n")
    with pytest.raises(CannotStartError, match=r"^worker\.1 does not come up \(3\)$"):
        supervisor.run()
    close(supervisor)
    assert not Path(f"/proc/{read_births(tmp_path)[0]}").exists()


def test_a_process_killed_while_others_are_replaced_is_back_at_once(small, tmp_path, monkeypatch):
    monkeypatch.setattr(supervising, "SECONDS_UNTIL_ASSUMED_READY", 4)
    supervisor = small(LIVES + LIVES.replace("clock", "worker").replace("births", "workers"))
    with run_supervisor(supervisor):
        wait_until(lambda: len(read_births(tmp_path, "workers")) == 1)
        time.sleep(1)  # a younger process restarts after a pause
        supervisor.restart()
        wait_until(lambda: len(read_births(tmp_path)) == 2)
        os.kill(read_births(tmp_path, "workers")[0], signal.SIGKILL)
        wait_until(lambda: len(read_births(tmp_path, "workers")) == 2)
        assert (
            birth_of(read_births(tmp_path)[0]) is not None
        )  # the old process is still on probation
        wait_until(lambda: birth_of(read_births(tmp_path)[0]) is None)
    assert len(read_births(tmp_path)) == len(read_births(tmp_path, "workers")) == 2


def test_a_new_supervisor_replaces_the_processes_of_a_killed_one(small, tmp_path):
    left, too_many = (
        subprocess.Popen(["/bin/sleep", "60"], start_new_session=True) for _ in range(2)
    )
    file = tmp_path / "processes.json"
    before = Roster(file)
    before.add(left.pid, "clock.1")
    before.add(too_many.pid, "clock.2")
    with run_supervisor(small(LIVES, roster=Roster(file))):
        assert too_many.wait(5) == -signal.SIGTERM
        wait_until(lambda: len(read_births(tmp_path)) == 1)
        began = time.monotonic()
        assert left.poll() is None
        assert left.wait(10) == -signal.SIGTERM
        assert time.monotonic() - began > supervising.SECONDS_UNTIL_ASSUMED_READY - 1
        wait_until(lambda: [one.pid for one in Roster(file).orphans] == read_births(tmp_path))
    assert Roster(file).orphans == []


def test_web_processes_may_have_a_listener_each(small, tmp_path):
    program = tmp_path / "web.py"
    program.write_text(
        "import os, socket, time\n"
        "port = socket.socket(fileno=int(os.environ['LISTEN_FD'])).getsockname()[1]\n"
        "open(os.environ['PROCESS_NAME'], 'w').write(f'{port}\\n')\n"
        "time.sleep(60)\n"
    )
    listeners = [open_listener("127.0.0.1", 0) for _ in range(2)]
    ports = [listener.getsockname()[1] for listener in listeners]
    supervisor = small(f"web: {sys.executable} web.py\n", listeners=listeners, WEB_PROCESSES="3")
    with run_supervisor(supervisor):
        wait_until(lambda: all(read_births(tmp_path, f"web.{number}") for number in (1, 2, 3)))
    heard = [read_births(tmp_path, f"web.{number}") for number in (1, 2, 3)]
    assert heard == [[ports[0]], [ports[1]], [ports[0]]]


def test_the_ports_of_listeners_follow_each_other():
    port = find_free_port()
    own = supervising.open_listeners(
        "127.0.0.1", port, {"WEB_LISTENERS": "own", "WEB_PROCESSES": "2"}
    )
    shared = supervising.open_listeners("127.0.0.1", 0, {"WEB_PROCESSES": "2"})
    try:
        assert [listener.getsockname()[1] for listener in own] == [port, port + 1]
        assert len(shared) == 1
    finally:
        for listener in (*own, *shared):
            listener.close()


@pytest.mark.parametrize(
    ("procfile", "environment", "numbers"),
    [
        ("web: sleep 60\nclock: sleep 60\n", {}, {"web": 2, "clock": 1, "beat": 1}),
        ("", {"WEB_PROCESSES": "3", "BEAT_PROCESSES": "0"}, {"web": 3, "beat": 0}),
    ],
)
def test_settings_say_how_many_processes_there_are_by_kind(small, procfile, environment, numbers):
    supervisor = small(procfile, **environment)
    assert {kind: supervisor._number_of(kind) for kind in numbers} == numbers
    close(supervisor)
    supervisor._folder.cleanup()
