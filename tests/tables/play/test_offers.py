"""The tick that asks whether the prize is to be split: late or repeated, it changes nothing."""

import pytest

from tables.models import Change, ChangeKind, Match, Table, TableStatus
from tables.play.move import list_due_offers, open_offer
from tests.given import reload, require
from tests.tables.driving import act, expire_turn, game_view
from tests.tables.pools import FEE, bring_offer_forward, end_rejoin, play_to_two
from wallet.ledger.balances import balance
from wallet.ledger.chart import pot
from wallet.ledger.chart import seat as seat_account
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_table, make_player):
    return play_to_two(make_table, make_player)


def test_the_offer_opens_after_the_deal(table):
    end_rejoin(table)
    assert list_due_offers() == []  # people look at the result first
    bring_offer_forward(table)
    assert list_due_offers() == [table.pk]
    step = open_offer(table.pk)
    assert step is not None
    assert (step.kind, step.events[0]["kind"]) == (ChangeKind.OFFERED, "split_open")
    view = game_view(table)
    assert (view["phase"], len(view["match"]["waiting"])) == ("split", 2)
    assert (list_due_offers(), open_offer(table.pk)) == ([], None)
    assert Change.objects.filter(table=table, kind=ChangeKind.OFFERED).count() == 1


def test_agreed_by_all_the_prize_is_split_to_the_last_chip(table):
    end_rejoin(table)
    bring_offer_forward(table)
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
    end_rejoin(table)
    bring_offer_forward(table)
    open_offer(table.pk)
    expire_turn(table)
    assert game_view(table)["phase"] == "between"
    assert reload(table).offer_at is None  # once in a break
    expire_turn(table)
    assert (game_view(table)["phase"], game_view(table)["deal"]) == ("turn", 2)


def test_a_tick_that_comes_when_the_next_deal_has_begun_asks_nothing(table):
    end_rejoin(table)
    bring_offer_forward(table)
    expire_turn(table)
    version = Table.objects.get(pk=table.pk).version
    assert open_offer(table.pk) is None
    table.refresh_from_db()
    assert (table.version, table.offer_at, table.status) == (version, None, TableStatus.PLAYING)


def test_a_player_who_asked_first_leaves_nothing_for_the_tick_to_ask(table):
    end_rejoin(table)
    bring_offer_forward(table)
    seat = next(
        int(seat)
        for seat, standing in game_view(table)["match"]["standings"].items()
        if standing["membership"] == "in"
    )
    assert act(table, seat, kind="offer_split").refusal is None
    assert open_offer(table.pk) is None
    assert game_view(table)["match"]["split_asker"] == seat
