"""Knock-out tournaments of the other games, from the first table to the prizes."""

import pytest

from tables.models import Match
from tests.given import require
from tests.tournaments.browsing import read_page
from tests.tournaments.driving import play_to_the_end
from tournaments.rules.lifecycle import LifecycleStatus
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("terms", "people", "field"),
    [
        ({"game": "gin", "preset": "game100", "seats": 2, "deals": 2, "bots_to": 8}, 5, 8),  # G14
        ({"game": "basic", "preset": "race100", "seats": 3, "deals": 2}, 6, 6),
        ({"game": "contract", "preset": "contract", "seats": 3, "deals": 1}, 6, 6),
        ({"game": "rummikub", "preset": "tournament", "seats": 3, "deals": 1}, 6, 6),  # K16
        ({"game": "five_hundred", "preset": "race500", "seats": 3, "deals": 1}, 6, 6),
    ],
    ids=lambda value: f"{value['game']}-{value.get('bots_to', 0)}" if type(value) is dict else "",
)
def test_a_knock_out_of_another_game_is_played_to_its_prizes(
    settings, start_tournament, terms, people, field
):
    settings.GAMES_OFFERED = ["indian", terms["game"]]
    tournament = start_tournament(
        people, **terms, qualifiers=1, payout_table=[[1, 7_000], [1, 3_000]]
    )
    assert play_to_the_end(tournament).status == LifecycleStatus.FINISHED
    prizes = sorted(tournament.entrants.values_list("prize", flat=True))
    pool = field * 90  # entry fees of 100 less a tenth
    assert prizes == [0] * (field - 2) + [pool * 3 // 10, pool * 7 // 10]
    assert reconcile().findings == ()
    matches = Match.objects.filter(table__event_url=tournament.get_absolute_url())
    assert matches.count() == (field - 1 if terms["seats"] == 2 else 3)
    for match in matches:
        result = require(match.result)
        ranks = sorted(result["ranks"].values())
        assert ranks == [1, 2, 3][: len(ranks)]
        assert match.rules["deals"] == terms["deals"]
        if terms["game"] == "rummikub":
            assert match.table.rules["group_swap"] == "both"
            assert min(result["scores"].values()) >= 0


def test_the_page_names_the_game_and_the_length_of_a_round(client, settings, make_tournament_of):
    settings.GAMES_OFFERED = ["indian", "gin"]
    tournament = make_tournament_of(
        game="gin", preset="game100", seats=2, qualifiers=1, deals=2, payout_table=[[1, 10_000]]
    )
    page = read_page(client, tournament.get_absolute_url())
    assert "<li>Gin rummy</li>" in page
    assert "2 scored deals in a round at most" in page
