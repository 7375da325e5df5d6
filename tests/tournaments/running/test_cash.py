"""A cash tournament, whose entry fees and prizes add up to the paisa."""

import pytest
from django.utils import timezone

from tests.refusals import refused
from tests.tournaments.driving import assert_books_balance, begin, enter, play_to_the_end, pool_of
from tests.wallet.cash_players import bring_deposit, bring_winnings
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.cancelling import cancel
from tournaments.running.tick import tick
from wallet.ledger import chart
from wallet.ledger.balances import balance, get_player_balances
from wallet.ledger.checks import reconcile
from wallet.money import Currency
from wallet.refusals import CASH_IS_OFF

pytestmark = pytest.mark.django_db
FEE = 10_000  # paise


@pytest.fixture
def players(make_player):
    """Four players. Half of the entry fee comes from their deposits, and the other half from winnings."""
    people = [make_player(chips=False) for _ in range(4)]
    for player in people:
        bring_deposit(player, FEE // 2)
        bring_winnings(player, FEE)
    return people


@pytest.fixture
def tournament(make_tournament_of):
    return make_tournament_of(
        currency="INR", entry_fee=FEE, rake_bps=1_000, seats=2, qualifiers=1, min_entrants=2
    )


def cash_of(player):
    cash = get_player_balances(player.pk).cash
    return cash.bonus, cash.deposit, cash.winnings


def test_fees_are_paid_from_the_buckets_and_prizes_are_winnings(tournament, players):
    enter(tournament, *players)
    assert [cash_of(player) for player in players] == [(0, 0, FEE // 2)] * 4
    assert pool_of(tournament) == 4 * FEE
    play_to_the_end(begin(tournament))
    assert tournament.status == LifecycleStatus.FINISHED
    assert tournament.settlement["rake"] == 4 * FEE // 10
    prizes = {e.user_id: e.prize for e in tournament.entrants.all()}
    assert sum(prizes.values()) == 4 * FEE - 4 * FEE // 10
    for player in players:
        assert cash_of(player) == (0, 0, FEE // 2 + prizes[player.pk])
    assert pool_of(tournament) == 0
    assert balance(chart.house(Currency.INR)) == 4 * FEE // 10
    assert reconcile().findings == ()


def test_a_refund_goes_back_to_the_buckets_that_paid(tournament, players):
    before = [cash_of(player) for player in players]
    enter(tournament, *players)
    cancel(tournament_id=tournament.pk, now=timezone.now(), reason="The server room is flooded.")
    tick()
    assert [cash_of(player) for player in players] == before
    assert_books_balance(tournament)


def test_a_cash_tournament_cannot_be_entered_where_cash_is_off(tournament, players, settings):
    settings.CASH_PLAY = "off"
    with refused(CASH_IS_OFF):
        enter(tournament, players[0])
    assert cash_of(players[0]) == (0, FEE // 2, FEE)
    assert not tournament.entrants.exists()
