"""The programs in docs/write-a-bot.md, extracted from the page and run against a real site."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.api_tokens.services import make_token, revoke_token
from accounts.models import ApiToken, Scope
from accounts.people.bots import get_practice_bots
from tables.live import clock
from tables.models import Match, MatchStatus, Seat, Table, TableStatus
from tables.play import apply, start
from tests.api_program import WELCOME, chips_of, person
from tests.given import require
from tests.live_site import run_clock
from tests.programs import ROOT, run_program
from tests.workers import wait_until

PAGE = ROOT / "docs/write-a-bot.md"
BLOCKS = dict(re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE))
PROGRAMS = {"python": "python", "ts": "node", "shell": "sh"}


@pytest.fixture
def run(live_site, transactional_db, tmp_path, monkeypatch):
    """Return a function that runs the page's program in a language, with a token of the player."""
    monkeypatch.setattr(apply, "BOT_MOVE_PAUSE", (20, 40))
    monkeypatch.setattr(start, "START_PAUSE", 300)
    # Nothing wakes this clock after a move, so it polls often.
    monkeypatch.setattr(clock, "LONGEST_SLEEP_SECONDS", 0.02)
    get_practice_bots()

    def run_block(language, player):
        program = tmp_path / f"bot.{language}"
        program.write_text(BLOCKS[language])
        scopes = [Scope.READ, Scope.PLAY]
        text = "ort_wrong"
        if player is not None:
            _token, text = make_token(user_id=player.pk, name="bot", scopes=scopes)
        with run_clock():
            return run_program(PROGRAMS[language], str(program), live_site, text, timeout=120)

    return run_block


def test_the_page_has_one_program_in_each_language():
    assert set(BLOCKS) == set(PROGRAMS)


@pytest.mark.parametrize("language", ["python", "ts"])
def test_a_bot_of_the_page_plays_a_match_to_its_end(run, language):
    player = person("Asha")
    ran = run(language, player)
    assert (ran.returncode, ran.stderr) == (0, "")
    match = Match.objects.get(participants__contains=[player.pk])
    assert (match.table.game, match.status) == ("gin", MatchStatus.FINISHED)
    sitting = Seat.objects.get(user=player)
    place = require(match.result)["ranks"][str(sitting.number)]
    assert ran.stdout == f"The match is over: place {place}.\n"
    assert sitting.left_at is not None
    assert chips_of(player) == WELCOME
    # It really plays: it draws, discards, and knocks or answers a knock.
    assert match.changes.filter(kind="MOVE", seat=sitting.number).count() > 4


def test_the_shell_opens_a_table_and_leaves_it(run):
    player = person("Asha")
    ran = run("shell", player)
    assert (ran.returncode, ran.stderr) == (0, "")
    table = Table.objects.get()
    assert ran.stdout.splitlines()[-1] == f"Left table {table.pk}."
    assert f'"socket":"/ws/tables/{table.pk}/"' in ran.stdout
    assert f'{{"tables":[{{"id":{table.pk},' in ran.stdout
    assert not Seat.objects.filter(user=player, left_at=None).exists()
    assert table.status in {TableStatus.WAITING, TableStatus.CLOSED}


@pytest.mark.parametrize("language", sorted(PROGRAMS))
def test_a_program_of_the_page_says_why_it_was_refused(run, language):
    ran = run(language, None)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert '"code":"authentication_failed"' in ran.stderr


@pytest.mark.parametrize("language", ["python", "ts"])
def test_a_bot_of_the_page_ends_with_its_connection(run, language):
    """The player revokes the token during the match."""
    player = person("Asha")

    def revoke():
        try:
            wait_until(lambda: Seat.objects.filter(user=player).exists())
            revoke_token(user_id=player.pk, token_id=ApiToken.objects.get(user=player).pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as beside:
        revoked = beside.submit(revoke)
        ran = run(language, player)
        revoked.result()
    assert ran.returncode == 1
    assert ran.stdout == ""
