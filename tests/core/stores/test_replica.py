"""Pages of finished matches, which a web process reads from a streaming replica."""

import json
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
import requests

from tests.config.run.embedded.migrated import short_folder
from tests.core.stores.databases import Database, url_of
from tests.given import require
from tests.programs import run_python
from tests.separate_processes import Processes
from tests.workers import wait_until

TOKEN = "only for tests"
# Prints a finished match of two players, and the sessions of players who may open it.
PLAYED = """
import django; django.setup()
import json
from bench.sockets import prepare
from tables.models import Match, Seat, Table
from tables.play.move import MoveRequest, play_move
one = prepare(1, 2)[0]
seats = Seat.objects.filter(table_id=one.table_id, left_at=None).order_by("number")
leaving = seats[0]
play_move(MoveRequest(table_id=one.table_id, user_id=leaving.user_id, move={"kind": "leave"}))
match = Match.objects.get(table_id=one.table_id)
assert match.status == "FINISHED", match.status
print(json.dumps({"match": match.pk, "sessions": one.sessions}))
"""

ALARMS = """
import django; django.setup()
from django.utils import timezone
from config.desk.alerts import list_alarms
print(list_alarms(timezone.now()))
"""


@dataclass
class Copied:
    primary: Database
    replica: Database
    environment: dict[str, str]
    match: int
    sessions: list[str]

    def python(self, *arguments, **given):
        return run_python(*arguments, env={**self.environment, **given}, check=True).stdout


@contextmanager
def run_copied_database(migrated):
    with short_folder() as folder:
        folder.mkdir(mode=0o755)
        passwords = migrated.copy_to(folder / "a")
        primary, replica = (Database.under(folder / name, passwords) for name in "ab")
        try:
            primary.postgres.start()
            primary.postgres.make_roles()
            environment = {
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "config.settings.local",
                "DATABASE_OWNER_URL": url_of("openrummy", primary, sessions="read-write"),
                "DATABASE_URL": url_of("openrummy_app", primary, replica, sessions="read-write"),
                "METRICS_TOKEN": TOKEN,
                "SECRET_KEY": "only for tests",
                "LOG_LEVEL": "WARNING",
            }
            copied = Copied(primary, replica, environment, 0, [])
            played = json.loads(copied.python("-c", PLAYED))
            copied.match, copied.sessions = played["match"], played["sessions"]
            replica.follow(primary, name="replica")
            environment["DATABASE_REPLICA_URL"] = url_of(
                "openrummy_app", primary, replica, sessions="standby"
            )
            yield copied
        finally:
            primary.postgres.stop()
            replica.postgres.stop()


class Visitor(requests.Session):
    """A player's browser that talks to one web process."""

    def __init__(self, address: str, session: str = "") -> None:
        super().__init__()
        self.address = address
        if session:
            self.cookies.set("sessionid", session)

    def page(self, path: str) -> str:
        answer = self.get(f"{self.address}{path}", timeout=30)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    def submit(self, path: str, page: str) -> None:
        """Submit the form of `page` that posts to `path`."""
        text = self.page(page)
        token = text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        answer = self.post(
            f"{self.address}{path}", {"csrfmiddlewaretoken": token}, timeout=30,
            headers={"Referer": f"{self.address}{page}"}, allow_redirects=False,
        )  # fmt: skip
        assert answer.status_code == 302

    def figures(self) -> dict[str, float]:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        text = self.get(f"{self.address}/metrics", headers=headers, timeout=30).text
        return {
            name: float(value)
            for name, value in re.findall(r"^(openrummy_replica\S*) (\S+)$", text, re.MULTILINE)
        }

    def read_by(self, path: str) -> str:
        """Return which database the page was read from: "replica" or "primary"."""
        before = self.figures()
        self.page(path)
        after = self.figures()
        grown = [
            source
            for source in ("replica", "primary")
            if after.get(name := f'openrummy_replica_reads_total{{from="{source}"}}', 0)
            > before.get(name, 0)
        ]
        assert len(grown) == 1
        return grown[0]


@pytest.fixture(scope="module")
def copied(migrated):
    with run_copied_database(migrated) as running:
        yield running


@pytest.fixture(scope="module")
def site(copied):
    processes = Processes(dict(copied.environment))
    try:
        yield processes.web()[0]
    finally:
        processes.end()


@pytest.fixture
def player(site, copied):
    visitor = Visitor(site, copied.sessions[1])
    # After a failure, the replica is not used for a while.
    wait_until(lambda: visitor.read_by("/matches/") == "replica")
    return visitor


def pages_of(match):
    return ["/matches/", f"/matches/{match}/", f"/matches/{match}/deals/1/", "/leaderboards/"]


def test_finished_matches_are_read_from_the_replica(player, copied):
    for page in pages_of(copied.match):
        assert (page, player.read_by(page)) == (page, "replica")
    assert f"/matches/{copied.match}/" in player.page("/matches/")


def test_other_pages_ask_nothing_of_the_replica(player, copied):
    before = player.figures()
    for page in ("/", "/wallet/", "/tournaments/", "/players/"):
        player.page(page)
    reads = {name: value for name, value in player.figures().items() if "reads" in name}
    assert reads == {name: value for name, value in before.items() if "reads" in name}


@contextmanager
def pause_replication(replica):
    """Pause replay within the block, so that the replica does not see the primary's changes."""
    replica.ask("SELECT pg_wal_replay_pause()")
    try:
        yield
    finally:
        replica.ask("SELECT pg_wal_replay_resume()")


def test_a_player_sees_their_own_write_while_the_replica_lags(player, copied):
    own = f"/matches/{copied.match}/"
    assert "/shared/" not in player.page(own)
    with pause_replication(copied.replica):
        player.submit(f"{own}share/", own)
        assert player.read_by(own) == "primary"
        link = require(re.search(r"/shared/[\w-]+/", player.page(own)))
        # A visitor without an account opens the link that was just made.
        assert "openrummy" in Visitor(player.address).page(link[0]).lower()
        figures = player.figures()
        assert figures["openrummy_replica_lag_bytes"] > 0
        # Pages whose data may be some seconds old still use the replica until it lags further.
        wait_until(lambda: player.figures()["openrummy_replica_lag_seconds"] > 10, seconds=40)
        assert player.read_by("/leaderboards/") == "primary"
        assert "Database replica behind by" in copied.python("-c", ALARMS)
        ready = requests.get(f"{player.address}/readyz", timeout=30).json()
        assert re.fullmatch(r"is \d+ s behind", ready["replica"])
    copied.replica.await_position_of(copied.primary)
    wait_until(lambda: player.read_by(own) == "replica")
    assert link[0] in player.page(own)
    player.submit(f"{own}unshare/", own)
    assert "/shared/" not in player.page(own)
    gone = requests.get(f"{player.address}{link[0]}", timeout=30)
    assert gone.status_code == 404


def test_without_the_replica_the_primary_answers(player, copied):
    copied.replica.kill()
    for page in pages_of(copied.match):
        assert (page, player.read_by(page)) == (page, "primary")
    figures = player.figures()
    assert figures["openrummy_replica_lag_seconds"] == -1
    ready = requests.get(f"{player.address}/readyz", timeout=30).json()
    assert ready["replica"] == "does not answer"
    copied.replica.postgres.start()
    wait_until(lambda: player.read_by("/matches/") == "replica", seconds=60)


def test_the_site_goes_on_with_a_promoted_replica(player, copied):
    """The primary is frozen with its connections open. This must be the last test of the file."""
    own = f"/matches/{copied.match}/"
    with copied.primary.frozen():
        copied.replica.promote()
        # The pool hands out a connection to the frozen primary.
        assert f"/matches/{copied.match}/" in player.page("/matches/")
        player.submit(f"{own}share/", own)
        assert "/shared/" in player.page(own)
        assert player.read_by(own) == "primary"  # after its promotion it is no replica
        assert player.figures()["openrummy_replica_lag_seconds"] == -1
    # The old primary writes a little more, and returns as a standby that is ahead of the new primary but diverged.
    for _ in range(3):
        copied.primary.ask("SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal()")
    copied.primary.postgres.stop()
    (copied.primary.data / "standby.signal").touch()
    copied.primary.postgres.start()
    wait_until(lambda: player.figures()["openrummy_replica_lag_seconds"] != -1)
    assert (player.read_by(own), "/shared/" in player.page(own)) == ("primary", True)
