"""Whole tournaments through the real path: tables, the clock, the tick, the ledger."""

import pytest

from tests.tournaments.driving import (
    begin,
    play_to_the_end,
    pool_of,
)
from tournaments.rules.lifecycle import Status
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.ledger.checks import reconcile
from wallet.money import Currency

pytestmark = pytest.mark.django_db


def test_bots_play_a_tournament_to_its_end(make_tournament_of):
    tournament = make_tournament_of(seats=3, qualifiers=1, bots_to=8, bot_strength="hard")
    begin(tournament)
    assert tournament.status == Status.PLAYING
    play_to_the_end(tournament)
    assert tournament.status == Status.FINISHED
    assert tournament.settlement == {
        "paid_in": 800, "rake": 80, "overlay": 0, "prizes": 720, "tickets": 0,
    }  # fmt: skip
    places = list(tournament.entrants.order_by("place").values_list("place", "prize"))
    assert [place for place, _ in places] == list(range(1, 9))
    assert sum(prize for _, prize in places) == 720
    assert pool_of(tournament) == 0
    assert balance(chart.house(Currency.CHIPS)) == 80
    assert reconcile().findings == ()
