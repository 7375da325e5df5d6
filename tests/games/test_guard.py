"""The guard of a game: every call ends, and in a way that a caller can live with."""

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, cast

import pytest

from tables.games import guard
from tables.games.base import IllegalMove, InvalidRules
from tables.games.guard import GameFault, guarded

ROOT = Path(__file__).resolve().parents[2]


class Misbehaving:
    code = "bad"

    def raises(self, error):
        raise error

    def returns(self, value):
        return value

    def spins(self):
        while True:
            pass

    def swallows(self):
        while True:
            try:
                while True:
                    pass
            except Exception:  # noqa: BLE001, S110 - it is as bad as that
                pass

    def sleeps(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(0.01)
        return "awake"


@pytest.fixture
def game(monkeypatch):
    monkeypatch.setattr(guard, "LONGEST_CALL_SECONDS", 1)
    monkeypatch.setattr(guard, "_watchdog", guard._Watchdog())
    return guarded(cast("Any", Misbehaving()))


class Stranger(BaseException):
    pass


@pytest.mark.parametrize(
    "error",
    [
        StopIteration(3),
        StopAsyncIteration(),
        GeneratorExit(),
        SystemExit(1),
        asyncio.CancelledError(),
        ValueError("no"),
        KeyError("no"),
        RecursionError(),
        Stranger(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_game_raises_is_a_fault_of_the_game(game, error):
    with pytest.raises(GameFault, match=f"bad.raises: {type(error).__name__}") as fault:
        game.raises(error)
    assert fault.value.__cause__ is error


@pytest.mark.parametrize("error", [IllegalMove("code", "words"), InvalidRules("rules")])
def test_what_the_rules_refuse_comes_through(game, error):
    with pytest.raises(type(error)) as refusal:
        game.raises(error)
    assert refusal.value is error


@pytest.mark.parametrize("method", ["spins", "swallows"])
def test_a_call_that_does_not_come_back_is_ended(game, method):
    began = time.monotonic()
    with pytest.raises(GameFault, match="did not come back within 1 seconds"):
        getattr(game, method)()
    assert 0.9 < time.monotonic() - began < 5
    assert game.returns(5) == 5


def test_a_call_that_takes_its_time_is_left_alone_and_nothing_is_raised_after_it(game):
    assert game.sleeps(0.7) == "awake"
    assert game.sleeps(0.7) == "awake"
    until = time.monotonic() + 1.5
    while time.monotonic() < until:
        pass  # nothing of the guard's is raised here


TRACED = """
import sys, time
from tables.games import guard
from tests.games.test_guard import Misbehaving

guard.LONGEST_CALL_SECONDS = 0.2
try:
    guard.guarded(Misbehaving()).spins()
except guard.GameFault:
    pass

def traced():
    return 1

sys.settrace(lambda *_: lambda *_: None)
traced()
sys.settrace(None)
time.sleep(0.5)
print("left as it was")
"""


def test_the_interpreter_is_left_as_it_was():
    """A thread that waits for an exception that never comes hangs as soon as it is traced."""
    done = subprocess.run(
        [sys.executable, "-c", TRACED],
        check=False,
        cwd=ROOT,
        timeout=60,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "left as it was\n", done.stderr


def test_only_the_thread_that_is_stuck_is_ended(game):
    others, stuck = [], []

    def work():
        until = time.monotonic() + 2
        while time.monotonic() < until:
            others.append(game.returns(1))

    def hang():
        try:
            game.spins()
        except GameFault as fault:
            stuck.append(fault)

    threads = [threading.Thread(target=target) for target in (work, hang)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(stuck) == 1
    assert len(others) > 100


FORKED = """
import os
from tables.games import guard
guard.LONGEST_CALL_SECONDS = 1
class Game:
    code = "bad"
    def returns(self): return 1
    def spins(self):
        while True: pass
assert guard.guarded(Game()).returns() == 1
child = os.fork()
if child == 0:
    try:
        guard.guarded(Game()).spins()
    except guard.GameFault:
        os._exit(7)
    os._exit(1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_process_has_a_watchdog_of_its_own():
    forked = subprocess.run([sys.executable, "-c", FORKED], cwd=ROOT, check=False, timeout=30)
    assert forked.returncode == 7
