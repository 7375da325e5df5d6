"""The faults done to the site. Each ends by itself, and only its own processes are hit."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import psycopg
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from bench.chaos.site import Site
from bench.processes import SiteError, wait_until

HELD_SECONDS = 3
STOPPED_SECONDS = 3
# One after another begins and lives for a while before its forerunner ends.
SECONDS_TO_REPLACE = 90
SECONDS_TO_RETURN = 60


class Faults:
    def __init__(self, site: Site, rng: random.Random, database_url: str, redis_url: str) -> None:
        self.site = site
        self.rng = rng
        self.database_url = database_url
        self.redis_url = redis_url

    async def inject(self, kind: str) -> bool:
        """False if there was nothing to hit at this moment."""
        return await _FAULTS[kind](self)

    async def kill(self, kind: str) -> bool:
        found = self.site.parents() if kind == "parent" else self.site.processes(kind)
        if found:
            os.kill(self.rng.choice(found), signal.SIGKILL)
        return bool(found)

    async def stop_for_a_while(self, kind: str) -> bool:
        found = self.site.processes(kind)
        if not found:
            return False
        pid = self.rng.choice(found)
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(STOPPED_SECONDS)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
        return True

    async def kill_postmaster(self) -> bool:
        return await self.kill_server(self.site.postmaster(), self.database_answers)

    async def kill_valkey(self) -> bool:
        return await self.kill_server(self.site.valkey(), lambda: self.tell_valkey("PING"))

    async def kill_server(self, pid: int | None, answers: Callable[[], Awaitable[bool]]) -> bool:
        """Returns when its successor answers."""
        if pid is None:
            return False
        os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + SECONDS_TO_RETURN
        while not await answers():
            if time.monotonic() > until:
                raise SiteError("the server does not come back")
            await asyncio.sleep(0.05)
        return True

    async def database_answers(self) -> bool:
        try:
            async with await psycopg.AsyncConnection.connect(self.database_url):
                return True
        except psycopg.Error:
            return False

    async def end_backend(self) -> bool:
        """The connection of one process, while it is at work."""
        try:
            async with await psycopg.AsyncConnection.connect(
                self.database_url, autocommit=True
            ) as server:
                ended = await server.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    "   AND usename = current_user"
                    " ORDER BY random() LIMIT 1"
                )
                return await ended.fetchone() is not None
        except psycopg.Error:
            return False

    async def hold_rows(self) -> bool:
        """All tables of a template, as a careless transaction of an administrator might."""
        try:
            async with await psycopg.AsyncConnection.connect(self.database_url) as server:
                await server.execute(
                    "SELECT id FROM tables_table WHERE status = 'PLAYING'"
                    " ORDER BY random() LIMIT 3 FOR UPDATE"
                )
                await asyncio.sleep(HELD_SECONDS)
                await server.rollback()
        except psycopg.Error:
            return False
        return True

    async def tell_valkey(self, *command: str) -> bool:
        client = redis.Redis.from_url(self.redis_url, socket_timeout=5, retry=Retry(NoBackoff(), 0))
        try:
            await asyncio.to_thread(client.execute_command, *command)
        except redis.RedisError:
            return False
        finally:
            client.close()
        return True

    async def replace(self) -> bool:
        launcher = self.site.launcher
        if launcher is None or launcher.pid != self.site.running_launcher():
            return False  # it is still starting
        before = self.site.leaders()
        launcher.send_signal(signal.SIGUSR1)
        await asyncio.to_thread(
            wait_until,
            lambda: not before & self.site.leaders(),
            SECONDS_TO_REPLACE,
            lambda: "a process was not replaced",
        )
        return True

    async def kill_launcher(self) -> bool:
        launcher = self.site.launcher
        if launcher is None or launcher.poll() is not None:
            return False
        launcher.send_signal(signal.SIGKILL)
        await asyncio.to_thread(launcher.wait)
        self.site.start()
        return True


Inject = Callable[[Faults], Awaitable[bool]]
_FAULTS: Final[Mapping[str, Inject]] = {
    "web": lambda faults: faults.kill("web"),
    "clock": lambda faults: faults.kill("clock"),
    "jobs": lambda faults: faults.kill("jobs"),
    "coach": lambda faults: faults.kill("coach"),
    "parent": lambda faults: faults.kill("parent"),
    "backend": Faults.end_backend,
    "postmaster": Faults.kill_postmaster,
    "valkey": Faults.kill_valkey,
    "launcher": Faults.kill_launcher,
    "web stopped": lambda faults: faults.stop_for_a_while("web"),
    "clock stopped": lambda faults: faults.stop_for_a_while("clock"),
    "valkey emptied": lambda faults: faults.tell_valkey("FLUSHALL"),
    "valkey paused": lambda faults: faults.tell_valkey("CLIENT", "PAUSE", "3000"),
    "rows held": Faults.hold_rows,
    "replaced": Faults.replace,
}
KINDS = tuple(_FAULTS)
# Faults that end a process of the site, and how often each is chosen; the others are weather.
KILLS: Final[Mapping[str, int]] = {
    "web": 5,
    "clock": 4,
    "backend": 4,
    "jobs": 3,
    "coach": 1,
    "parent": 1,
    "postmaster": 3,
    "valkey": 3,
    "launcher": 1,
}
SHARE_OF_KILLS = 0.9
# It takes as long as ten others.
WEATHER: Final[Mapping[str, int]] = {"replaced": 1}
USUAL_WEATHER: Final = 4


def choose(rng: random.Random, kinds: Sequence[str]) -> str:
    kills = [kind for kind in kinds if kind in KILLS]
    weather = [kind for kind in kinds if kind not in KILLS]
    if kills and (not weather or rng.random() < SHARE_OF_KILLS):
        return rng.choices(kills, [KILLS[kind] for kind in kills])[0]
    return rng.choices(weather, [WEATHER.get(kind, USUAL_WEATHER) for kind in weather])[0]
