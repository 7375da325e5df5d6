"""Tournaments of Rummikub: sessions at tables of three, the best of which go on (K16)."""

import pytest

from tables.models import Match
from tests.given import the
from tests.tournaments.driving import begin, enter, play_to_the_end
from tournaments.rules.lifecycle import Status
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _offered(settings):
    settings.GAMES_OFFERED = ["indian", "rummikub"]


def test_six_players_come_down_to_one(make_tournament_of, make_player):
    tournament = make_tournament_of(
        game="rummikub",
        preset="tournament",
        seats=3,
        qualifiers=1,
        deals=1,
        payout_table=[[1, 10_000]],
    )
    enter(tournament, *(make_player() for _ in range(6)))
    begin(tournament)
    play_to_the_end(tournament)
    tournament.refresh_from_db()
    assert tournament.status == Status.FINISHED
    prizes = sorted(tournament.entrants.values_list("prize", flat=True))
    assert prizes == [0] * 5 + [540]  # six entry fees of 100 less a tenth
    assert reconcile().findings == ()
    for match in Match.objects.filter(table__event_url=tournament.get_absolute_url()):
        assert match.table.rules["group_swap"] == "both"
        result = the(match.result)
        assert sorted(result["ranks"].values())[:2] == [1, 2]
        assert min(result["scores"].values()) >= 0
