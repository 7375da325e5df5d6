"""The programs in examples/, each run in its own process against a real site."""

import subprocess
import sys
import time

import pytest
from django.utils import timezone

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from accounts.people.bot_accounts import become_bot
from accounts.people.bots import get_practice_bots
from players.ranking.ratings import SETTLES_WITHIN, count_matches
from players.ranking.selectors import rank_bots
from tables.live import clock
from tables.models import Match, MatchStatus, Seat
from tables.play import apply, start
from tables.seating.starting_tables import make_starting_tables
from tests.api_program import EVERYTHING, WELCOME, person
from tests.given import require
from tests.live_site import run_clock
from tests.points_tables import open_points_table
from tests.programs import ROOT, run_python
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances

BOT = ROOT / "examples/bot.py"
GIN_BOT = BOT.with_name("gin_bot.py")
RUMMIKUB_BOT = BOT.with_name("rummikub_bot.py")
LADDER_BOT = BOT.with_name("ladder_bot.py")
LAID_BOT = BOT.with_name("laid_bot.py")


def run_bot(address, player, program=BOT, *more):
    _token, text = make_token(user_id=player.pk, name="bot", scopes=EVERYTHING)
    return run_python(str(program), address, text, *more, timeout=300)


@pytest.fixture
def player(transactional_db, monkeypatch):
    """A player with chips, on a site whose practice bots hardly pause before a move."""
    monkeypatch.setattr(apply, "BOT_MOVE_PAUSE", (20, 40))
    monkeypatch.setattr(start, "START_PAUSE", 300)
    # Nothing wakes this clock after a move, so it polls often.
    monkeypatch.setattr(clock, "LONGEST_SLEEP_SECONDS", 0.02)
    get_practice_bots()
    wallet.set_starting_fees(valid_from=timezone.now())
    return person("Asha")


@pytest.mark.parametrize(
    ("program", "most"),
    [(BOT, 159), (GIN_BOT, 59), (RUMMIKUB_BOT, 69), (LAID_BOT, 99), (LADDER_BOT, 39)],
)
def test_an_example_is_short(program, most):
    assert len(program.read_text().splitlines()) <= most


@pytest.mark.parametrize(
    ("program", "game"),
    [
        (BOT, "indian"),
        (GIN_BOT, "gin"),
        (RUMMIKUB_BOT, "rummikub"),
        (LAID_BOT, "basic"),
        (LAID_BOT, "contract"),
    ],
)
def test_a_bot_finds_a_table_of_a_new_site_and_plays_a_match_to_its_end(
    live_site, player, monkeypatch, program, game
):
    more = (game,) if program is LAID_BOT else ()
    if program is LAID_BOT:
        # The program answers each legal move offered, and a socket may send only ten frames a second.
        monkeypatch.setattr(apply, "BOT_MOVE_PAUSE", (100, 150))
    make_starting_tables()
    with run_clock():
        ran = run_bot(live_site, player, program, *more)
    assert (ran.returncode, ran.stderr) == (0, "")
    match = Match.objects.get(participants__contains=[player.pk])
    assert (match.table.game, match.status) == (game, MatchStatus.FINISHED)
    sitting = Seat.objects.get(user=player)
    assert sitting.left_at is not None
    amount = require(match.settlement)["amounts"][str(sitting.number)]
    assert ran.stdout == f"The match is over: {amount:+} chips.\n"
    assert get_player_balances(player.pk).chips == WELCOME + amount


def test_the_bot_reports_that_no_table_admits_it(live_site, player):
    open_points_table(bots_wanted=1)
    ran = run_bot(live_site, player)
    assert ran.returncode == 1
    assert "no free seat where API players may sit" in ran.stderr
    assert not Seat.objects.exists()


def begin_ladder_bot(address, player, matches):
    _token, text = make_token(user_id=player.pk, name="bot", scopes=[Scope.READ, Scope.PLAY])
    return subprocess.Popen(
        [sys.executable, str(LADDER_BOT), address, text, str(matches)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_bot_accounts_play_rated_matches_of_each_other(live_site, player):
    other = person("Binod")
    bots = {become_bot(user_id=user.pk).player_name: user.pk for user in (player, other)}
    programs = []
    with run_clock():
        programs.append(begin_ladder_bot(live_site, player, 1))
        while not Seat.objects.exists():
            assert programs[0].poll() is None, programs[0].communicate()
            time.sleep(0.05)
        # Both programs run on one machine, and the ladder does not rate matches within one address.
        Seat.objects.update(address_mark="f" * 32)
        programs.append(begin_ladder_bot(live_site, other, 1))
        ran = [program.communicate(timeout=300) for program in programs]
    assert [program.returncode for program in programs] == [0, 0]
    assert [errors for _told, errors in ran] == ["", ""]
    match = Match.objects.get()
    assert (match.status, match.is_rated) == (MatchStatus.FINISHED, True)
    assert match.participants == list(bots.values())
    ranks = require(match.result)["ranks"]
    assert [told for told, _errors in ran] == [
        f"Match 1 of {name}: place {ranks[str(seat)]}.\n" for seat, name in enumerate(bots)
    ]
    Match.objects.update(ended_at=require(match.ended_at) - 2 * SETTLES_WITHIN)
    assert count_matches() == 1
    winner = next(p["user"] for seat, p in match.players.items() if ranks[seat] == 1)
    lines = rank_bots(("indian", "POINTS"))
    assert (lines[0].rating.user_id, round(lines[0].rating.value)) == (winner, 1662)
    assert Seat.objects.filter(left_at=None).count() == 0
    assert get_player_balances(player.pk).chips == WELCOME


def test_the_ladder_bot_refuses_a_persons_account(live_site, player):
    program = begin_ladder_bot(live_site, player, 1)
    _told, errors = program.communicate(timeout=60)
    assert program.returncode == 1
    assert "This is not a BOT account" in errors
    assert not Seat.objects.exists()
