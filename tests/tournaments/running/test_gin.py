"""Knock-out tournaments of gin: tables of two, one of whom goes on (G14)."""

import pytest

from tables.models import Match
from tests.given import the
from tests.tournaments.driving import begin, enter, play_to_the_end
from tournaments.rules.lifecycle import Status
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _offered(settings):
    settings.GAMES_OFFERED = ["indian", "gin"]


def test_eight_players_come_down_to_one(client, make_tournament_of, make_player):
    tournament = make_tournament_of(
        game="gin",
        preset="game100",
        seats=2,
        qualifiers=1,
        deals=2,
        payout_table=[[1, 7_000], [1, 3_000]],
    )
    enter(tournament, *(make_player() for _ in range(8)))
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert "<li>Gin rummy</li>" in page
    assert "2 scored deals in a round at most" in page
    begin(tournament)
    play_to_the_end(tournament)
    tournament.refresh_from_db()
    assert tournament.status == Status.FINISHED
    prizes = sorted(tournament.entrants.values_list("prize", flat=True))
    assert prizes == [0] * 6 + [216, 504]  # eight entry fees of 100 less a tenth
    assert reconcile().findings == ()
    matches = Match.objects.filter(table__event_url=tournament.get_absolute_url())
    assert matches.count() == 4 + 2 + 1
    for match in matches:
        result = the(match.result)
        assert sorted(result["ranks"].values()) == [1, 2]
        assert match.rules["deals"] == 2


def test_practice_bots_fill_it_up(make_tournament_of, make_player):
    tournament = make_tournament_of(
        game="gin", preset="game100", seats=2, qualifiers=1, bots_to=4, payout_table=[[1, 10_000]]
    )
    enter(tournament, make_player())
    begin(tournament)
    play_to_the_end(tournament)
    tournament.refresh_from_db()
    assert tournament.status == Status.FINISHED
    assert reconcile().findings == ()
