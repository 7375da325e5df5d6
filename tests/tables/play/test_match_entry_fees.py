"""Matches for an entry fee: payments and the pot."""

import pytest

from tables.models import Deal, Match, MatchStatus, Seat, SeatStatus, TableStatus
from tables.refusals import BUY_IN_OUT_OF_RANGE, MATCH_RUNNING
from tables.seating.sitting import top_up
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    WELCOME,
    act,
    begin_match,
    chips_of,
    get_match,
    hurry_to_the_end,
    leave,
    let_time_pass,
    list_seated,
    seat_all,
    start_match,
    start_with_a_bot,
    state_of,
)
from tests.tables.pools import FEE, ask_to_rejoin, lose_deals, pot_of
from wallet.ledger import chart
from wallet.ledger.posting import post_transfers
from wallet.models import Reason
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool(players, make_table):
    """A Pool 61 of two players for an entry fee, in its first turn."""
    return start_match(make_table(preset="pool61", entry_fee=FEE), *players[:2])


def test_r8_7_the_last_player_wins_all_entries_less_the_rake(pool, players):
    lose_deals(pool, 0)
    match = get_match(pool)
    assert match.status == MatchStatus.FINISHED
    # Two entries of 100, of which the house takes 10 %.
    assert match.settlement == {
        "gross": 200,
        "rake": 20,
        "rake_bps": 1_000,
        "net": 180,
        "winners": [1],
        "amounts": {"0": -100, "1": 80},
    }
    assert [chips_of(player) for player in players[:2]] == [9_900, 10_080]
    assert pot_of(match) == 0
    assert Deal.objects.filter(match=match).count() > 1


@pytest.mark.parametrize("both", [False, True])
def test_after_a_match_everybody_is_asked_before_the_next_fee(pool, players, both):
    lose_deals(pool, 0)
    assert reload(pool).status == TableStatus.BETWEEN
    for player in players[: 1 + both]:
        top_up(table_id=pool.pk, user_id=player.pk, amount=FEE)
    let_time_pass(pool)
    assert Match.objects.filter(table=pool).count() == 1 + both
    assert reload(pool).status == (TableStatus.PLAYING if both else TableStatus.WAITING)
    if both:
        return
    assert Seat.objects.get(user=players[1]).status == SeatStatus.LEFT
    assert chips_of(players[1]) == 10_080
    assert Seat.objects.get(user=players[0]).status == SeatStatus.WAITING


@pytest.mark.parametrize("amount", [FEE - 1, FEE + 1, 0, -FEE])
def test_the_entry_fee_is_brought_exactly(make_player, make_table, amount):
    table, player = make_table(preset="pool61", entry_fee=FEE), make_player()
    with refused(BUY_IN_OUT_OF_RANGE):
        seat_all(table, player, amount=amount)
    assert chips_of(player) == WELCOME


def test_nobody_sits_down_or_tops_up_in_a_running_match(players, make_table):
    table = make_table(preset="pool61", entry_fee=FEE, max_seats=3)
    match = begin_match(table, *players[:2])
    with refused(MATCH_RUNNING):
        seat_all(table, players[2])
    with refused(MATCH_RUNNING):
        top_up(table_id=table.pk, user_id=players[0].pk, amount=FEE)
    assert [chips_of(player) for player in players] == [9_900, 9_900, WELCOME, WELCOME]
    assert pot_of(match) == 2 * FEE


def test_r8_2_a_rejoin_pays_the_fee_once_more(make_player, make_table):
    table, players, match = ask_to_rejoin(make_player, make_table)
    assert act(table, 0, kind="rejoin", accept=True).refusal is None
    assert chips_of(players[0]) == 9_800
    assert pot_of(match) == 4 * FEE
    settlement = require(hurry_to_the_end(table).settlement)
    assert settlement["gross"] >= 4 * FEE
    assert sum(settlement["amounts"].values()) + settlement["rake"] == 0


def test_r8_2_a_rejoin_without_the_money_changes_nothing(make_player, make_table):
    table, players, match = ask_to_rejoin(make_player, make_table)
    mint = chart.mint(Currency.CHIPS, players[0].pk)
    everything = chart.PostingLine(
        chart.player(players[0].pk, Currency.CHIPS), mint, 9_850, Reason.ADJUSTMENT
    )
    post_transfers(key="poor", lines=[everything])
    before = state_of(reload(table))
    refusal = require(act(table, 0, kind="rejoin", accept=True).refusal)
    assert refusal.code == "insufficient_funds"
    assert state_of(reload(table)) == before
    assert pot_of(match) == 3 * FEE
    assert chips_of(players[0]) == 50


def test_r5_3_leaving_forfeits_the_entry(pool, players):
    leave(pool, players[0])
    assert get_match(pool).status == MatchStatus.FINISHED
    assert [chips_of(player) for player in players[:2]] == [9_900, 10_080]
    assert Seat.objects.get(user=players[0]).status == SeatStatus.LEFT


@pytest.mark.parametrize("preset", ["pool61", "deals3"])
def test_a_match_of_every_kind_pays_out_to_the_last_chip(players, make_table, preset):
    table = start_match(make_table(preset=preset, entry_fee=FEE + 3, max_seats=4), *players)
    match = hurry_to_the_end(table)
    settlement = require(match.settlement)
    amounts = settlement["amounts"]
    assert sum(amounts.values()) + settlement["rake"] == 0
    assert list_seated(table) == [player.pk for player in players]
    for seat, player in enumerate(players):
        assert chips_of(player) == WELCOME + amounts[str(seat)]
    assert pot_of(match) == 0


def test_practice_bots_bring_new_chips_for_an_entry_fee(make_player, make_table):
    table = make_table(preset="deals2", entry_fee=FEE, bots_wanted=1)
    assert pot_of(get_match(start_with_a_bot(table, make_player()))) == 2 * FEE
