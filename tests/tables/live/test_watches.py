"""Watch loops, which survive failing reads and failing sockets."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import OperationalError

from core.threads import TooMuchAsked, in_thread
from tables.live import presence
from tables.live.heartbeat import SessionWatch, VersionWatch, WatchLoop
from tests.tables.live.scene import wait_for
from tests.tables.socket_client import session_of
from tests.wallet.rawsql import as_owner, run

SECONDS = 20


class Socket:
    """Stand-in for a socket of a table or a session. It raises `fault` whenever a watch notifies it."""

    is_spectator = False

    def __init__(self, signed_in=None, *, fault=None):
        self.signed_in, self.fault = signed_in, fault
        self.told = 0

    def is_behind(self, version, _company):
        return version > 0

    async def catch_up_to(self, _version):
        await self.close_ended()

    async def present_are(self, company):
        pass

    async def close_ended(self):
        self.told += 1
        if self.fault is not None:
            raise self.fault


@asynccontextmanager
async def keep_looking(watch):
    """Run the watch with short intervals, and stop it when the block ends."""
    watch.seconds_between_checks = 0.05
    try:
        yield
    finally:
        watch._sockets.clear()
        if watch._task is not None:
            await asyncio.wait_for(watch._task, SECONDS)
        await presence.close()


@asynccontextmanager
async def forbid_reading(table):
    """Revoke the application's right to read this database table."""

    def change(statement):
        with as_owner():
            run(statement)

    role = settings.DATABASE_APP_ROLE
    await in_thread(change, f"REVOKE SELECT ON {table} FROM {role}")  # noqa: S608
    try:
        yield
    finally:
        await in_thread(change, f"GRANT SELECT ON {table} TO {role}")


@pytest.fixture
def table(transactional_db, make_table, make_player):
    made = make_table()
    type(made).objects.filter(pk=made.pk).update(version=3)
    return made


@pytest.fixture
def ended_session(transactional_db, make_player):
    """A player's id and the key of a session that has ended."""
    player = make_player()
    key = session_of(player)
    Session.objects.filter(session_key=key).delete()
    return player.pk, key


async def test_unreadable_versions_are_read_at_a_later_look(table, caplog):
    watch, socket = VersionWatch(), Socket()
    words = "versions of the tables could not be read"
    async with keep_looking(watch):
        async with forbid_reading("tables_table"):
            watch.add(table.pk, socket)
            await wait_for(lambda: caplog.text.count(words) > 1)
            assert socket.told == 0
        await wait_for(lambda: socket.told > 0)
    assert [one for one in caplog.records if one.exc_info] == []


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (RuntimeError("broken on purpose"), "a socket could not be brought up to date"),
        (OperationalError("gone on purpose"), "could not be brought up to date: gone on purpose"),
        (TooMuchAsked(), ""),
    ],
)
async def test_a_failing_socket_does_not_stop_the_others(table, caplog, fault, words):
    watch, bad, good = VersionWatch(), Socket(fault=fault), Socket()
    async with keep_looking(watch):
        watch.add(table.pk, bad)
        watch.add(table.pk, good)
        await wait_for(lambda: bad.told > 2 and good.told > 2)
    assert words in caplog.text
    tracebacks = [one for one in caplog.records if one.exc_info]
    assert bool(tracebacks) == isinstance(fault, RuntimeError)
    assert {one.name for one in tracebacks} <= {"tables.live.heartbeat"}
    assert watch._telling == {}


async def test_unreadable_sessions_are_read_at_a_later_look(ended_session, caplog):
    watch, guest = SessionWatch(), Socket(ended_session)
    async with keep_looking(watch):
        async with forbid_reading("django_session"):
            watch.add(guest)
            await wait_for(lambda: caplog.text.count("SessionWatch: the database does not") > 1)
            assert guest.told == 0
        await wait_for(lambda: guest.told == 1)
        assert watch._sockets == {}
    assert [one for one in caplog.records if one.exc_info] == []


async def test_a_socket_that_cannot_be_closed_does_not_keep_others_open(ended_session, caplog):
    watch = SessionWatch()
    guests = [Socket(ended_session, fault=RuntimeError("on purpose")) for _ in range(2)]
    guests.append(Socket(ended_session))
    async with keep_looking(watch):
        for guest in guests:
            watch.add(guest)
        await wait_for(lambda: watch._sockets == {})
    assert [guest.told for guest in guests] == [1, 1, 1]
    assert caplog.text.count("a socket could not be closed") == 2


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (ValueError("on purpose"), "Failing: a check failed"),
        (OperationalError("away"), "Failing: the database does not answer: away"),
    ],
)
async def test_a_failing_look_does_not_end_the_watch(caplog, fault, words):
    class Failing(WatchLoop[int, object]):
        looks = 0

        async def check(self):
            self.looks += 1
            if self.looks < 3:
                raise fault

    watch = Failing()
    async with keep_looking(watch):
        watch.register(1, object())
        await wait_for(lambda: watch.looks > 3)
    assert caplog.text.count(words) == 2
    assert watch._task is not None
    assert watch._task.done()
