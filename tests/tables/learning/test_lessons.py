"""The guided first deal at the player's own table."""

import pytest
from django.urls import reverse

from lobby.selectors import list_lobby_tables
from tables.learning.lessons import begin_lesson, has_played, is_learning
from tables.models import Doing, Seat, Table, TableStatus
from tables.play.faults import report_fault
from tables.play.start import follow_fee, list_tables_with_old_fee
from tables.refusals import InvitationNeeded
from tables.seating.selectors import invite_code, list_own_tables
from tables.seating.sitting import take_seat
from tests.given import reload, require
from tests.tables.driving import WELCOME, chips_of, hurry_to_the_end, start_with_a_bot
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db


@pytest.fixture
def beginner(make_player, fees):
    return make_player()


def begin(user) -> Table:
    table_id = begin_lesson(user_id=user.pk, game="indian")
    return Table.objects.get(pk=table_id)


def test_a_lesson_is_a_practice_table_with_time_to_think(beginner):
    table = begin(beginner)
    assert table.is_practice
    assert table.helps_to_arrange
    assert table.helps_to_declare
    assert (table.max_seats, table.bots_wanted, table.bot_strength) == (2, 1, "waiting")
    assert table.rules["turn_seconds"] == 180
    assert Seat.objects.get(table=table).user == beginner
    assert chips_of(beginner) == WELCOME - 160


def test_a_lesson_takes_no_service_fee_and_never_gets_one(beginner):
    table = begin(beginner)
    assert (table.rake_bps, table.rake_cap) == (0, None)
    assert table.pk not in list_tables_with_old_fee()
    assert follow_fee(table.pk) is None
    start_with_a_bot(table)
    hurry_to_the_end(table)
    settlement = require(reload(table).settlement)
    assert settlement["rake"] == 0
    assert settlement["gross"] == settlement["net"] > 0


def test_other_players_neither_find_nor_join_a_lesson(beginner, make_player, make_table):
    table, other = begin(beginner), make_player()
    assert table.pk not in [entry.table.pk for entry in list_lobby_tables().entries]
    assert invite_code(table_id=table.pk, user_id=beginner.pk) == ""
    with pytest.raises(InvitationNeeded):
        take_seat(table_id=table.pk, user_id=other.pk, amount=table.min_buy_in)
    assert not is_learning(table_id=table.pk, user_id=other.pk)
    assert not is_learning(table_id=table.pk, user_id=None)
    assert not is_learning(table_id=make_table(bots_wanted=1).pk, user_id=beginner.pk)


def test_the_lesson_is_over_when_its_first_deal_has_ended(beginner):
    table = begin(beginner)
    start_with_a_bot(table)
    assert is_learning(table_id=table.pk, user_id=beginner.pk)
    assert not has_played(beginner.pk)
    hurry_to_the_end(table)
    assert not is_learning(table_id=table.pk, user_id=beginner.pk)
    assert has_played(beginner.pk)


def test_the_lobby_leads_to_the_lesson(client, beginner):
    client.force_login(beginner)
    assert reverse("learn") in client.get("/").text
    page = client.get(reverse("learn")).text
    assert reverse("begin_lesson") in page
    assert "180 seconds" in page
    answer = client.post(reverse("begin_lesson"))
    assert answer.url == reverse("table", args=[Table.objects.get(is_lesson=True).pk])
    page = client.get(answer.url).text
    assert 'data-learns="yes"' in page
    assert 'data-region="coach"' in page
    assert 'data-region="invite"' not in page


def test_an_invited_player_sees_no_coach(client, beginner, make_player):
    table = begin(beginner)
    client.force_login(make_player())
    path = reverse("table", args=[table.pk])
    assert client.get(path).status_code == 404
    page = client.get(path, {"invite": table.invite_code}).text
    assert 'data-learns="no"' in page
    assert 'data-region="coach"' not in page


def test_without_chips_there_is_no_lesson_and_the_page_says_why(client, make_player, fees):
    poor, before = make_player(chips=False), Table.objects.count()
    with pytest.raises(InsufficientFunds):
        begin_lesson(user_id=poor.pk, game="indian")
    client.force_login(poor)
    answer = client.post(reverse("begin_lesson"), follow=True)
    assert answer.redirect_chain == [(reverse("learn_game", args=["indian"]), 302)]
    assert 'class="message' in answer.text
    assert Table.objects.count() == before


def start_deal(beginner) -> Table:
    return start_with_a_bot(begin(beginner))


def play_to_result(beginner) -> Table:
    table = start_deal(beginner)
    hurry_to_the_end(table)
    assert reload(table).status == TableStatus.BETWEEN
    return table


def break_table(beginner) -> Table:
    table = start_deal(beginner)
    report_fault(table_id=table.pk, doing=Doing.MOVE, error=RuntimeError("on purpose"))
    return table


@pytest.mark.parametrize("state", [begin, start_deal, play_to_result, break_table])
def test_a_lesson_that_its_player_leaves_is_closed_and_listed_nowhere(beginner, client, state):
    table = state(beginner)
    client.force_login(beginner)
    assert [own.id for own in list_own_tables(beginner.pk)] == [table.pk]
    assert client.post(reverse("tables:leave", args=[table.pk])).url == reverse("lobby")
    assert list_own_tables(beginner.pk) == []
    assert f'data-own-table="{table.pk}"' not in client.get(reverse("lobby")).text
    table.refresh_from_db()
    if state is not break_table:  # whose stack staff must decide about
        assert table.status == TableStatus.CLOSED
        assert not table.sittings.filter(left_at=None).exists()
    assert begin(beginner).pk != table.pk or state is break_table
