"""Faults of a site. Each ends automatically, and hits only the site's own processes."""

import os
import random
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import psycopg
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from bench.chaos.site import Site
from bench.processes import wait_until

HELD_SECONDS = 3
STOPPED_SECONDS = 3
# Processes are replaced one after another; each successor runs for a while before its predecessor ends.
SECONDS_TO_REPLACE = 90
SECONDS_TO_RETURN = 60


class Faults:
    """The faults of one site. Each returns whether there was anything to hit at that moment."""

    def __init__(self, site: Site, rng: random.Random, database_url: str, redis_url: str) -> None:
        self.site = site
        self.rng = rng
        self.database_url = database_url
        self.redis_url = redis_url

    def inject(self, kind: str) -> bool:
        _weight, act = _FAULTS[kind]
        return act(self)

    def kill(self, kind: str) -> bool:
        found = self.site.processes(kind)
        if found:
            os.kill(self.rng.choice(found), signal.SIGKILL)
        return bool(found)

    def stop_for_a_while(self, kind: str) -> bool:
        found = self.site.processes(kind)
        if not found:
            return False
        pid = self.rng.choice(found)
        os.kill(pid, signal.SIGSTOP)
        time.sleep(STOPPED_SECONDS)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
        return True

    def kill_postmaster(self) -> bool:
        return self.kill_server(self.site.postmaster(), lambda: self.ask_database("SELECT 1"))

    def kill_valkey(self) -> bool:
        return self.kill_server(self.site.valkey(), lambda: self.tell_valkey("PING"))

    def kill_server(self, pid: int | None, answers: Callable[[], bool]) -> bool:
        """Kill a server, and wait until its replacement answers."""
        if pid is None:
            return False
        os.kill(pid, signal.SIGKILL)
        wait_until(answers, SECONDS_TO_RETURN, lambda: "the server does not come back", pause=0.05)
        return True

    def end_backend(self) -> bool:
        """Terminate a random database connection of one of the site's processes."""
        return self.ask_database(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            "   AND usename = current_user"
            " ORDER BY random() LIMIT 1"
        )

    def hold_rows(self) -> bool:
        """Lock the rows of some tables for a while, as an administrator's careless transaction might."""
        return self.ask_database(
            "SELECT id FROM tables_table WHERE status = 'PLAYING'"
            " ORDER BY random() LIMIT 3 FOR UPDATE",
            seconds=HELD_SECONDS,
        )

    def ask_database(self, question: str, *, seconds: float = 0.0) -> bool:
        """Return whether the database answers. The transaction is left open for `seconds`."""
        try:
            with psycopg.connect(self.database_url) as server:
                found = server.execute(question.encode()).fetchone()
                time.sleep(seconds)
        except psycopg.Error:
            return False
        return found is not None

    def tell_valkey(self, *command: str) -> bool:
        client = redis.Redis.from_url(self.redis_url, socket_timeout=5, retry=Retry(NoBackoff(), 0))
        with client:
            try:
                client.execute_command(*command)  # type: ignore[no-untyped-call]
            except redis.RedisError:
                return False
        return True

    def replace(self) -> bool:
        launcher = self.site.launcher
        if launcher is None or launcher.pid != self.site.find_launcher():
            return False  # it is still starting
        before = {one for one in self.site.leaders() if not one[0].startswith("servers")}
        launcher.send_signal(signal.SIGUSR1)
        wait_until(
            lambda: not before & self.site.leaders(),
            SECONDS_TO_REPLACE,
            lambda: "a process was not replaced",
        )
        return True

    def kill_launcher(self) -> bool:
        launcher = self.site.launcher
        if launcher is None or launcher.poll() is not None:
            return False
        launcher.kill()
        launcher.wait()
        self.site.start()
        wait_until(self.site.answers, SECONDS_TO_RETURN, lambda: "bin/run does not come back")
        return True


Inject = Callable[[Faults], bool]
# Faults that end a process of the site, with their weights: nine of ten faults.
_KILLS: Final[Mapping[str, tuple[int, Inject]]] = {
    "web": (40, lambda faults: faults.kill("web")),
    "clock": (32, lambda faults: faults.kill("clock")),
    "backend": (32, Faults.end_backend),
    "jobs": (24, lambda faults: faults.kill("jobs")),
    "coach": (8, lambda faults: faults.kill("coach")),
    "servers": (8, lambda faults: faults.kill("servers")),
    "postmaster": (24, Faults.kill_postmaster),
    "valkey": (24, Faults.kill_valkey),
    "launcher": (8, Faults.kill_launcher),
}
_WEATHER: Final[Mapping[str, tuple[int, Inject]]] = {
    "web stopped": (4, lambda faults: faults.stop_for_a_while("web")),
    "clock stopped": (4, lambda faults: faults.stop_for_a_while("clock")),
    "valkey emptied": (4, lambda faults: faults.tell_valkey("FLUSHALL")),
    "valkey paused": (4, lambda faults: faults.tell_valkey("CLIENT", "PAUSE", "3000")),
    "rows held": (4, Faults.hold_rows),
    "replaced": (1, Faults.replace),  # it takes as long as ten others
}
_FAULTS = {**_KILLS, **_WEATHER}
KINDS, KILLS = tuple(_FAULTS), tuple(_KILLS)
# After these kills nobody can be back before the server is; with `bin/run` all its processes end.
SERVERS: Final = frozenset({"postmaster", "valkey", "launcher"})


def choose(rng: random.Random, kinds: Sequence[str]) -> str:
    return rng.choices(kinds, [_FAULTS[kind][0] for kind in kinds])[0]
