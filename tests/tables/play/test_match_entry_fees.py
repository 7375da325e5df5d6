"""Matches for an entry fee: who pays what when, and where the pot goes."""

import pytest

from tables.models import Deal, Match, MatchStatus, Seat, SeatStatus, Table, TableStatus
from tables.refusals import BuyInOutOfRange, MatchRunning
from tables.seating.sitting import take_seat, top_up
from tests.given import reload, require
from tests.tables.driving import (
    act,
    begin_match,
    chips_of,
    hurry_to_the_end,
    leave,
    let_time_pass,
    player_at,
    seat_a_bot,
    seat_all,
)
from tests.tables.pools import FEE, ask_to_rejoin, lose_deals, pot_of
from wallet.ledger import chart
from wallet.ledger.posting import post_transfers
from wallet.models import Reason
from wallet.money import Currency

pytestmark = pytest.mark.django_db


def test_a_match_takes_every_entry_fee_into_its_pot(make_player, make_table):
    table, players = make_table(preset="pool101", entry_fee=FEE), [make_player(), make_player()]
    match = begin_match(table, *players)
    assert pot_of(match) == 2 * FEE
    assert [chips_of(player) for player in players] == [9_900, 9_900]
    assert table.format == "POOL"


def test_r8_7_the_last_player_wins_all_entries_less_the_rake(make_player, make_table):
    table, players = make_table(preset="pool61", entry_fee=FEE), [make_player(), make_player()]
    match = begin_match(table, *players)
    lose_deals(table, 0)
    assert reload(match).status == MatchStatus.FINISHED
    # Two entries of 100, of which the house takes 10 %.
    assert match.settlement == {
        "gross": 200,
        "rake": 20,
        "rake_bps": 1_000,
        "net": 180,
        "winners": [1],
        "amounts": {"0": -100, "1": 80},
    }
    assert [chips_of(player) for player in players] == [9_900, 10_080]
    assert pot_of(match) == 0
    assert Deal.objects.filter(match=match).count() > 1


def test_after_a_match_everybody_is_asked_before_the_next_fee(make_player, make_table):
    table, players = make_table(preset="pool61", entry_fee=FEE), [make_player(), make_player()]
    begin_match(table, *players)
    lose_deals(table, 0)
    assert reload(table).status == TableStatus.BETWEEN
    top_up(table_id=table.pk, user_id=players[0].pk, amount=FEE)
    let_time_pass(table)
    assert reload(table).status == TableStatus.WAITING
    assert Seat.objects.get(user=players[1]).status == SeatStatus.LEFT
    assert chips_of(players[1]) == 10_080
    assert Seat.objects.get(user=players[0]).status == SeatStatus.WAITING


def test_both_bring_the_fee_again_and_play_on(make_player, make_table):
    table, players = make_table(preset="pool61", entry_fee=FEE), [make_player(), make_player()]
    begin_match(table, *players)
    lose_deals(table, 0)
    for player in players:
        top_up(table_id=table.pk, user_id=player.pk, amount=FEE)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    assert Match.objects.filter(table=table).count() == 2


@pytest.mark.parametrize("amount", [FEE - 1, FEE + 1, 0, -FEE])
def test_the_fee_is_brought_exactly(make_player, make_table, amount):
    table, player = make_table(preset="pool61", entry_fee=FEE), make_player()
    with pytest.raises(BuyInOutOfRange):
        take_seat(table_id=table.pk, user_id=player.pk, amount=amount)
    assert chips_of(player) == 10_000


def test_nobody_sits_down_or_tops_up_in_a_running_match(make_player, make_table):
    table = make_table(preset="pool61", entry_fee=FEE, max_seats=3)
    players = [make_player(), make_player()]
    begin_match(table, *players)
    late = make_player()
    with pytest.raises(MatchRunning):
        take_seat(table_id=table.pk, user_id=late.pk, amount=FEE)
    with pytest.raises(MatchRunning):
        top_up(table_id=table.pk, user_id=players[0].pk, amount=FEE)
    assert chips_of(late) == 10_000
    assert chips_of(players[0]) == 9_900


def test_r8_2_a_rejoin_pays_the_fee_once_more(make_player, make_table):
    table, players, match = ask_to_rejoin(make_player, make_table)
    assert act(table, 0, kind="rejoin", accept=True).refusal is None
    assert chips_of(players[0]) == 9_800
    assert pot_of(match) == 4 * FEE
    settlement = require(hurry_to_the_end(table).settlement)
    assert settlement["gross"] >= 4 * FEE
    assert sum(settlement["amounts"].values()) + settlement["rake"] == 0


def test_r8_2_without_the_money_there_is_no_rejoin_and_nothing_changes(make_player, make_table):
    table, players, match = ask_to_rejoin(make_player, make_table)
    mint = chart.mint(Currency.CHIPS, players[0].pk)
    everything = chart.Line(
        chart.player(players[0].pk, Currency.CHIPS), mint, 9_850, Reason.ADJUSTMENT
    )
    post_transfers(key="poor", lines=[everything])
    before = bytes(require(Table.objects.get(pk=table.pk).state))
    played = act(table, 0, kind="rejoin", accept=True)
    assert played.refusal is not None
    assert played.refusal.code == "insufficient_funds"
    assert bytes(require(Table.objects.get(pk=table.pk).state)) == before
    assert pot_of(match) == 3 * FEE
    assert chips_of(players[0]) == 50


def test_r5_3_leaving_forfeits_the_entry(make_player, make_table):
    table = make_table(preset="pool101", entry_fee=FEE)
    players = [make_player(), make_player()]
    match = begin_match(table, *players)
    leave(table, players[0])
    assert reload(match).status == MatchStatus.FINISHED
    assert [chips_of(player) for player in players] == [9_900, 10_080]
    assert Seat.objects.get(user=players[0]).status == SeatStatus.LEFT


@pytest.mark.parametrize("preset", ["pool61", "deals3"])
def test_a_match_of_every_kind_pays_out_to_the_last_chip(make_player, make_table, preset):
    table = make_table(preset=preset, entry_fee=FEE + 3, max_seats=4)
    players = [make_player() for _ in range(4)]
    seat_all(table, *players, amount=FEE + 3)
    let_time_pass(table)
    match = hurry_to_the_end(table)
    amounts = require(match.settlement)["amounts"]
    assert sum(amounts.values()) + require(match.settlement)["rake"] == 0
    for seat, player in enumerate(players):
        assert chips_of(player_at(table, seat)) == 10_000 + amounts[str(seat)]
        assert player_at(table, seat) == player
    assert pot_of(match) == 0


def test_practice_bots_play_for_an_entry_fee_of_new_chips(make_player, make_table):
    table = make_table(preset="deals2", entry_fee=FEE, bots_wanted=1)
    player = make_player()
    take_seat(table_id=table.pk, user_id=player.pk, amount=FEE)
    seat_a_bot(table)
    let_time_pass(table)
    match = Match.objects.get(table=table)
    assert pot_of(match) == 2 * FEE
