"""The upgrade from the previous release, on separate servers (tests/upgrade)."""

import os
import re
import sys

import pytest

from tests.programs import ROOT, run_python
from tests.upgrade import __main__ as upgrade

# If the previous release pins other packages, they are installed first.
SECONDS = 900
# Damages the database as the owner with triggers off, as a faulty migration could. Then runs the checks, except
# those of pages and matches, which are not damaged.
SPOIL = """
import json
import sys
from contextlib import redirect_stderr
sys.path.insert(0, {root!r})
import django
django.setup()
from django.db import connection
from tests.upgrade import after
with connection.cursor() as cursor:
    cursor.execute("SET session_replication_role = replica")
    cursor.execute("DELETE FROM players_daytotal WHERE id = (SELECT min(id) FROM players_daytotal)")
    cursor.execute("ALTER TABLE players_leaderboardplace RENAME COLUMN value TO worth")
    cursor.execute("UPDATE wallet_account SET balance = balance + 1 WHERE id ="
                   " (SELECT min(id) FROM wallet_account WHERE kind = 'PLAYER' AND balance > 0)")
    cursor.execute("SELECT min(id) FROM tables_table"
                   " WHERE name LIKE 'In play: %' AND status = 'PLAYING'")
    [table] = cursor.fetchone()
    cursor.execute("UPDATE tables_match SET started_ms = started_ms + 1 WHERE id ="
                   " (SELECT match_id FROM tables_table WHERE id = %s)", [table])
    cursor.execute("UPDATE tables_table SET broken_at = now() WHERE id <> %s", [table])
with open(sys.argv[1]) as file:
    facts = json.load(file)
facts["pages"] = [place for place in facts["pages"] if place[1] == "/leaderboards/"]
with open({found!r} + ".json", "w") as file:
    json.dump(facts, file)
with open({found!r}, "w") as found, redirect_stderr(found):
    print("answers with", after.main({found!r} + ".json"), file=found)
"""


def on_servers_of_its_own(*command):
    names = ("DATABASE", "REDIS", "SERVERS", "PYTEST")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    given = {**environment, "TEST_PROCESSES": "1"}
    return run_python("-m", "config.run.embedded.throwaway", *command, env=given, timeout=SECONDS)


def test_an_upgrade_keeps_the_database_and_finds_planted_damage(
    tmp_path,
):
    spoil, found = tmp_path / "spoil.py", tmp_path / "found.txt"
    spoil.write_text(SPOIL.format(root=str(ROOT), found=str(found)))
    ran = on_servers_of_its_own(sys.executable, "-m", "tests.upgrade", "", str(spoil))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(
        r"\d{4} rows of \d+ models, \d{3} pages, [1-9] games played on: 0 things wrong", ran.stdout
    ), ran.stdout
    findings = found.read_text()
    for finding in (
        "rows lost: players.DayTotal had",
        "rows of players.LeaderboardPlace: ProgrammingError",
        "balances of user",
        "ledger: ",
        "page /leaderboards/ answers 500",
        "the match at In play: ",
        "answers with 1",
    ):
        assert finding in findings, findings


class TestTheReleaseBefore:
    @pytest.fixture
    def commit(self, tmp_path, monkeypatch):
        """Create a repository. Return a function that adds a commit with tags."""
        monkeypatch.setattr(upgrade, "ROOT", tmp_path)
        for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
            monkeypatch.setenv(f"{name}_NAME", "Test")
            monkeypatch.setenv(f"{name}_EMAIL", "test@example.com")
        upgrade.git("init", "--quiet")

        def add(*tags):
            upgrade.git("commit", "--quiet", "--allow-empty", "--message", "Well")
            for tag in tags:
                upgrade.git("tag", "--annotate", "--message", tag, tag)

        return add

    def test_the_previous_release_is_the_highest_tag_behind(self, commit):
        commit("v0.9.0")
        commit("v0.10.0", "nightly")
        commit("v0.11.0-rc1")
        commit()
        assert upgrade.release_before() == "v0.11.0-rc1"
        commit("v0.11.0")
        assert upgrade.release_before() == "v0.11.0-rc1"  # this commit is the release itself
        commit()
        assert upgrade.release_before() == "v0.11.0"

    def test_the_first_release_has_no_previous_one(self, commit):
        commit("v0.1.0")
        assert upgrade.release_before() is None

    def test_a_shallow_clone_is_reported(self, commit, tmp_path, monkeypatch):
        commit("v0.1.0")
        commit()
        shallow = tmp_path / "shallow"
        upgrade.git("clone", "--quiet", "--depth", "1", tmp_path.as_uri(), str(shallow))
        monkeypatch.setattr(upgrade, "ROOT", shallow)
        with pytest.raises(LookupError, match="no history"):
            upgrade.release_before()
