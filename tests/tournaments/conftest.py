"""Fixtures: tournaments made by the services that production uses. Tests move time in their columns."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from accounts.models import User
from tests.programs import ROOT
from tests.tables.conftest import make_player
from tests.tournaments.browsing import sign_in
from tests.tournaments.driving import begin, enter, play_round
from tests.workers import environment
from tournaments.models import Ticket, Tournament, TournamentTemplate
from tournaments.running.scheduling import make_tournament
from wallet import api as wallet
from wallet.ledger import chart
from wallet.ledger.chart import PostingLine
from wallet.ledger.posting import post_transfers
from wallet.models import Reason
from wallet.money import Currency

__all__ = ["make_player"]  # a fixture
MakeTournament = Callable[..., Tournament]
KillAgainAndAgain = Callable[..., int]


@pytest.fixture
def make_template() -> Callable[..., TournamentTemplate]:
    def make(**terms: object) -> TournamentTemplate:
        given = {
            "game": "indian",
            "preset": "deals2",
            "name": "Monsoon Cup",
            "entry_fee": 100,
            "rake_bps": 1_000,
            "deals": 1,
            # A round is drawn when the one before is over (tests/tournaments/running/test_tree.py).
            "seats_early": False,
            **terms,
        }
        return TournamentTemplate.objects.create(**given)

    return make


@pytest.fixture
def make_tournament_of(make_template) -> MakeTournament:
    """Return a function that makes a tournament: open for registration, with its start in an hour."""

    def make(*, starts_at: datetime | None = None, **terms: object) -> Tournament:
        now = timezone.now()
        template = make_template(registration_seconds=7_200, **terms)
        tournament = make_tournament(
            template, starts_at=starts_at or now + timedelta(hours=1), now=now
        )
        Tournament.objects.filter(pk=tournament.pk).update(status="REGISTERING")
        tournament.refresh_from_db()
        return tournament

    return make


@pytest.fixture
def start_tournament(make_tournament_of, make_player) -> MakeTournament:
    """Return a function that starts a tournament with these players, or with this many new ones."""

    def start(players: int | Sequence[User] = 0, **terms: object) -> Tournament:
        if isinstance(players, int):
            players = [make_player() for _ in range(players)]
        tournament: Tournament = make_tournament_of(**terms)
        enter(tournament, *players)
        begin(tournament)
        return tournament

    return start


@pytest.fixture
def ticket_of(make_tournament_of):
    """Return a function that gives a player a satellite's ticket for the tournaments of a template."""

    def make(user, template):
        satellite = make_tournament_of(name="Satellite", ticket_for=template)
        pool = chart.prize_pool(satellite.pk, Currency.CHIPS)
        post_transfers(
            key=f"satellite:{satellite.pk}",
            lines=[PostingLine(chart.overlay(Currency.CHIPS), pool, 100, Reason.OVERLAY)],
        )
        ticket = Ticket.objects.create(
            user=user, template=template, won_in=satellite, price=100, currency=Currency.CHIPS
        )
        return satellite, ticket

    return make


@pytest.fixture
def in_break(start_tournament):
    """A tournament in the break after round 1, with rebuys: four of twelve players go on from tables of three."""
    tournament = start_tournament(12, seats=3, qualifiers=1, rebuys=1)
    assert play_round(tournament).status == "BREAK"
    return tournament


@pytest.fixture
def late(start_tournament):
    """A tournament of four players at tables of three, in late registration."""
    return start_tournament(4, seats=3, qualifiers=1, late_seconds=600)


@pytest.fixture
def staff(client):
    """A browser in which a superuser has signed in."""
    admin = User.objects.create_superuser("admin@example.com", None, player_name="Admin")
    return sign_in(client, admin)


@pytest.fixture
def signed_in(client, make_player):
    """A browser in which a new player, `signed_in.player`, has signed in."""
    client.player = make_player()
    return sign_in(client, client.player)


@pytest.fixture
def starting_fees(db):
    wallet.set_starting_fees(valid_from=timezone.now() - timedelta(days=1))


@pytest.fixture(scope="module")
def _killing(django_db_setup: None) -> Iterator["subprocess.Popen[str]"]:
    program = Path(__file__).with_name("killed.py")
    with subprocess.Popen(
        [sys.executable, str(program)],
        env=environment(),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


@pytest.fixture
def kill_again_and_again(
    transactional_db: None, _killing: "subprocess.Popen[str]"
) -> KillAgainAndAgain:
    """Return a function that does a job in processes, each killed before its next writing statement.

    It returns the number of killed processes.
    """

    def do(*job: object) -> int:
        assert _killing.stdin is not None
        assert _killing.stdout is not None
        _killing.stdin.write(" ".join(map(str, job)) + "\n")
        _killing.stdin.flush()
        return int(_killing.stdout.readline())

    return do
