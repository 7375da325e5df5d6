"""Knock-out tournaments of basic and Contract Rummy: tables of three, some of whom go on."""

import pytest

from tables.models import Match
from tests.given import the
from tests.tournaments.driving import begin, enter, play_to_the_end
from tournaments.rules.lifecycle import Status
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("game", "preset", "deals"),
    [("basic", "race100", 2), ("contract", "contract", 1), ("five_hundred", "race500", 1)],
)
def test_six_players_come_down_to_one(
    settings, make_tournament_of, make_player, game, preset, deals
):
    settings.GAMES_OFFERED = ["indian", game]
    tournament = make_tournament_of(
        game=game, preset=preset, seats=3, qualifiers=1, deals=deals, payout_table=[[1, 10_000]]
    )
    enter(tournament, *(make_player() for _ in range(6)))
    begin(tournament)
    play_to_the_end(tournament)
    tournament.refresh_from_db()
    assert tournament.status == Status.FINISHED
    assert reconcile().findings == ()
    matches = Match.objects.filter(table__event_url=tournament.get_absolute_url())
    assert matches.count() == 3
    for match in matches:
        ranks = sorted(the(match.result)["ranks"].values())
        assert ranks == [1, 2, 3][: len(ranks)]
        assert match.rules["deals"] == deals
