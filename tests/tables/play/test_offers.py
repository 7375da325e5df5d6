"""The tick that asks whether the prize is to be split: late or repeated, it changes nothing."""

import pytest
from django.db.models.functions import Now

from games.registry import get_game
from tables.live.clock import act_on_table
from tables.models import Change, ChangeKind, Match, Table, TableStatus
from tables.play.move import list_due_offers, open_offer
from tests.games.values import replace
from tests.given import reload, require
from tests.tables.driving import act, game_view, let_time_pass, run_out_of_time, seat_all, state_of
from wallet.ledger.balances import balance
from wallet.ledger.chart import pot
from wallet.ledger.chart import seat as seat_account
from wallet.money import Currency

pytestmark = pytest.mark.django_db
FEE = 100


@pytest.fixture
def table(make_table, make_player):
    return play_to_two(make_table, make_player)


def play_to_two(make_table, make_player):
    """Play a Pool 101 until two of three are left, and the next deal is on its way."""
    table = make_table(preset="pool101", entry_fee=FEE, max_seats=3)
    seat_all(table, *(make_player() for _ in range(3)), amount=FEE)
    let_time_pass(table)
    game = get_game(reload(table).game)
    state = game.stored.load(state_of(table))
    order = state.deal.order
    scores = {order[0]: 100, order[1]: 20, order[2]: 40}
    state = state.with_standings(
        replace(standing, score=scores[standing.seat]) for standing in state.standings
    )
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(state))
    act(table, order[0], kind="drop")  # 120 points: out, and 60 is low enough to come back
    act(table, order[1], kind="drop")
    return table


def rejoin_is_over(table):
    if game_view(table)["phase"] == "rejoin":
        run_out_of_time(table)
        act_on_table(table.pk)
    assert game_view(table)["phase"] == "between"


def offer_is_due(table):
    assert reload(table).offer_at is not None
    Table.objects.filter(pk=table.pk).update(offer_at=Now())


def test_the_offer_opens_after_the_deal(table):
    rejoin_is_over(table)
    assert list_due_offers() == []  # people look at the result first
    offer_is_due(table)
    assert list_due_offers() == [table.pk]
    step = open_offer(table.pk)
    assert step is not None
    assert (step.kind, step.events[0]["kind"]) == (ChangeKind.OFFERED, "split_open")
    view = game_view(table)
    assert (view["phase"], len(view["match"]["waiting"])) == ("split", 2)
    assert (list_due_offers(), open_offer(table.pk)) == ([], None)
    assert Change.objects.filter(table=table, kind=ChangeKind.OFFERED).count() == 1


def test_agreed_by_all_the_prize_is_split_to_the_last_chip(table):
    rejoin_is_over(table)
    offer_is_due(table)
    open_offer(table.pk)
    match = Match.objects.get(table=table)
    parts = game_view(table)["match"]["split_parts"]
    for seat in list(game_view(table)["match"]["waiting"]):
        assert act(table, seat, kind="answer_split", accept=True).refusal is None
    assert require(reload(match).settlement)["gross"] == 3 * FEE
    shares = {seat: require(match.settlement)["amounts"][seat] + FEE for seat in parts}
    assert sum(shares.values()) == require(match.settlement)["net"]
    assert balance(pot(match.pk, Currency.CHIPS)) == 0
    assert all(
        balance(seat_account(player["sitting"], Currency.CHIPS)) == 0
        for player in match.players.values()
    )


def test_silence_refuses_and_play_goes_on(table):
    rejoin_is_over(table)
    offer_is_due(table)
    open_offer(table.pk)
    run_out_of_time(table)
    act_on_table(table.pk)
    assert game_view(table)["phase"] == "between"
    assert reload(table).offer_at is None  # once in a break
    run_out_of_time(table)
    act_on_table(table.pk)
    assert (game_view(table)["phase"], game_view(table)["deal"]) == ("turn", 2)


def test_a_tick_that_comes_when_the_next_deal_has_begun_asks_nothing(table):
    rejoin_is_over(table)
    offer_is_due(table)
    run_out_of_time(table)
    act_on_table(table.pk)
    version = Table.objects.get(pk=table.pk).version
    assert open_offer(table.pk) is None
    table.refresh_from_db()
    assert (table.version, table.offer_at, table.status) == (version, None, TableStatus.PLAYING)


def test_a_player_who_asked_first_leaves_nothing_for_the_tick_to_ask(table):
    rejoin_is_over(table)
    offer_is_due(table)
    seat = next(
        int(seat)
        for seat, standing in game_view(table)["match"]["standings"].items()
        if standing["membership"] == "in"
    )
    assert act(table, seat, kind="offer_split").refusal is None
    assert open_offer(table.pk) is None
    assert game_view(table)["match"]["split_asker"] == seat
