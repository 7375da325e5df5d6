"""The supply of public tables: how many of each template are open."""

from collections import Counter
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tables.models import Change, Seat, Table, TableStatus, TableTemplate
from tables.refusals import TableNotFound
from tables.seating.sitting import leave_table
from tables.seating.supply import keep_supplied, open_from, play_now
from tests.tables.driving import let_time_pass, make_kind, seat_all
from tests.together import run_at_once
from tests.wallet.cash_players import bring_deposit
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances
from wallet.money import Currency
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db


@pytest.fixture
def template(fees):
    return make_kind(name="Tamarind Room")


def list_standing(template):
    return Table.objects.filter(template=template).exclude(status=TableStatus.CLOSED)


def test_repeated_ticks_open_one_table_of_a_template(template):
    for _ in range(3):
        keep_supplied()
    table = list_standing(template).get()
    assert (table.name, table.min_buy_in, table.rake_bps) == ("Tamarind Room", 80, 1_000)


def test_the_queries_of_a_tick_do_not_grow_with_the_templates(template):
    counted = []
    for more in (1, 9):
        for number in range(more):
            make_kind(name=f"Room {more}.{number}")
        keep_supplied()
        with CaptureQueriesContext(connection) as queries:
            assert keep_supplied() == 0
        counted.append(len(queries))
    assert Table.objects.count() == 11
    assert counted[0] == counted[1]


def test_play_now_joins_a_waiting_player_and_another_table_opens(template, make_player):
    keep_supplied()
    first, second = (play_now(template_id=template.pk, user_id=make_player().pk) for _ in range(2))
    assert first.table_id == second.table_id
    # Twice the minimum buy-in.
    assert second.patch["seats"][1]["stack"] == 160
    assert list_standing(template).count() == 1
    keep_supplied()
    assert list_standing(template).count() == 2


def test_empty_tables_that_nobody_needs_are_closed(template, players):
    kept, *others = (open_from(template) for _ in range(3))
    assert keep_supplied() == 2
    for table in others:
        assert Change.objects.filter(table=table).latest("pk").events == [{"kind": "closed"}]
    assert list(list_standing(template)) == [kept]
    waited_at = open_from(template)
    seat_all(waited_at, players[0])
    keep_supplied()
    assert list(list_standing(template)) == [waited_at]


def test_a_closed_template_closes_its_empty_tables(template, make_player):
    player = make_player()
    play_now(template_id=template.pk, user_id=player.pk)
    TableTemplate.objects.update(is_open=False)
    keep_supplied()
    assert list_standing(template).count() == 1  # because a player sits there
    with pytest.raises(TableNotFound):
        play_now(template_id=template.pk, user_id=make_player().pk)
    leave_table(table_id=list_standing(template).get().pk, user_id=player.pk)
    keep_supplied()
    assert list_standing(template).count() == 0


def test_play_now_for_cash_brings_no_more_than_the_players_cash(make_player):
    wallet.set_starting_fees(valid_from=timezone.now(), currency=Currency.INR)
    template = make_kind(max_seats=3, point_value=250, currency="INR")
    stacks = []
    for place, cash in enumerate((100_000, 30_000)):
        player = make_player(chips=False)
        bring_deposit(player, cash)
        step = play_now(template_id=template.pk, user_id=player.pk)
        stacks.append(step.patch["seats"][place]["stack"])
    assert stacks == [40_000, 30_000]  # twice the minimum of 200 rupees, or the player's whole cash
    poor = make_player(chips=False)
    bring_deposit(poor, 19_999)
    with pytest.raises(InsufficientFunds):
        play_now(template_id=template.pk, user_id=poor.pk)
    assert get_player_balances(poor.pk).cash.deposit == 19_999
    assert Seat.objects.count() == 2


def test_play_now_leads_back_to_the_table_where_the_player_waits(client, template, make_player):
    player = make_player()
    client.force_login(player)
    pages = [client.post(f"/tables/play/{template.pk}/")["Location"] for _ in range(2)]
    assert pages == [f"/tables/{list_standing(template).get().pk}/"] * 2
    assert Seat.objects.filter(user=player).count() == 1
    assert client.post("/tables/play/404/")["Location"] == "/"
    play_now(template_id=template.pk, user_id=make_player().pk)
    assert client.post(f"/tables/play/{template.pk}/")["Location"] in pages  # it is about to begin
    let_time_pass(list_standing(template).get())
    # A player in a match may open a second table.
    assert client.post(f"/tables/play/{template.pk}/")["Location"] not in pages
    assert Seat.objects.filter(user=player, left_at=None).count() == 2


@pytest.mark.django_db(transaction=True)
def test_concurrent_players_all_get_a_seat(template, make_player):
    players = [make_player() for _ in range(6)]
    came = run_at_once(
        *(partial(play_now, template_id=template.pk, user_id=player.pk) for player in players)
    )
    assert max(Counter(step.table_id for step in came).values()) <= 2
    assert Seat.objects.filter(left_at=None).count() == 6


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"point_value": 0}, "either a point value or an entry fee"),
        ({"entry_fee": 5}, "either a point value or an entry fee"),
        ({"max_seats": 9}, "two to eight seats"),
        ({"currency": "INR", "bots_wanted": 1}, "Bots play for chips only"),
    ],
)
def test_an_invalid_template_is_refused_with_a_sentence(fields, words):
    template = TableTemplate(
        **{"game": "indian", "preset": "points", "name": "x", "point_value": 1, **fields}
    )
    with pytest.raises(ValidationError, match=words):
        template.full_clean()


def test_a_template_without_a_fee_does_not_block_the_others(fees):
    make_kind(name="A", point_value=100, currency="INR")
    good = make_kind(name="B")
    keep_supplied()
    assert Table.objects.exclude(template=None).get().template == good
