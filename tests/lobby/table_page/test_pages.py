"""The pages of tables, and how many queries they need."""

import pytest

from accounts.desk.staff_roles import Role
from tables.models import Seat, Table, TableStatus
from tests.accounts.staff import member, office
from tests.tables.driving import chips_of, player_at, seat_all

pytestmark = pytest.mark.django_db


def test_the_lobby_lists_open_tables_with_who_is_there(client, make_player, make_table):
    seat_all(make_table(name="Full House"), make_player(), make_player())
    make_table(name="Empty House")
    closed = make_table(name="Closed House")
    Table.objects.filter(pk=closed.pk).update(status=TableStatus.CLOSED)
    page = client.get("/tables/").text
    assert "Full House" in page
    assert "2 of 2" in page
    assert "Empty House" not in page
    assert "Closed House" not in page
    page = client.get("/tables/?free=1").text
    assert "Empty House" in page
    assert "Full House" not in page
    assert "Closed House" not in page
    part = client.get("/tables/?free=1", headers={"HX-Request": "true"}).text
    assert "Empty House" in part
    assert "<html" not in part


def test_the_table_page_holds_the_first_state_and_no_foreign_hand(client, table):
    client.force_login(player_at(table, 0))
    snapshot = client.get(f"/tables/{table.pk}/").context["snapshot"]
    assert len(snapshot["state"]["you"]["hand"]) == 13
    assert snapshot["v"] == table.version
    client.logout()
    state = client.get(f"/tables/{table.pk}/").context["snapshot"]["state"]
    assert state["you"] == {"seat": None, "hand": [], "groups": []}


def test_players_sit_down_and_leave_by_form(client, make_player, make_table):
    table, player = make_table(), make_player()
    client.force_login(player)
    answer = client.post(f"/tables/{table.pk}/sit/", {"seat": "1", "amount": "200"})
    assert answer.status_code == 302
    assert Seat.objects.get(user=player).number == 1
    assert chips_of(player) == 9_800
    answer = client.post(f"/tables/{table.pk}/leave/")
    assert answer["Location"] == "/"
    assert chips_of(player) == 10_000


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"seat": "0", "amount": "79"}, "between the minimum and the maximum buy-in"),
        ({"seat": "0", "amount": "-80"}, "whole amount"),
        ({"seat": "0", "amount": "80.5"}, "whole amount"),
        ({"seat": "0", "amount": "1e3"}, "whole amount"),
        ({"seat": "0", "amount": "१००"}, "whole amount"),
        ({"seat": "0", "amount": "9" * 16}, "whole amount"),
        ({"seat": "9", "amount": "80"}, "whole amount"),
        ({"seat": "1", "amount": "80"}, "Somebody else has just taken this seat"),
        ({}, "whole amount"),
    ],
)
def test_a_refused_form_says_why_and_takes_nothing(client, make_player, make_table, form, message):
    table, sitter, player = make_table(), make_player(), make_player()
    client.force_login(sitter)
    client.post(f"/tables/{table.pk}/sit/", {"seat": "1", "amount": "80"})
    client.force_login(player)
    assert message in client.post(f"/tables/{table.pk}/sit/", form, follow=True).text
    assert chips_of(player) == 10_000
    assert not Seat.objects.filter(user=player).exists()


def test_sitting_down_needs_an_account_and_a_post(client, make_player, make_table):
    table = make_table()
    answer = client.post(f"/tables/{table.pk}/sit/", {"seat": "0", "amount": "80"})
    assert answer["Location"].startswith("/accounts/login/")
    client.force_login(make_player())
    assert client.get(f"/tables/{table.pk}/sit/").status_code == 405
    assert Seat.objects.count() == 0
    assert client.get("/tables/404/").status_code == 404


def test_staff_see_tables_without_cards(table):
    page = office(member(Role.SUPPORT)).get(f"/admin/tables/table/{table.pk}/change/").text
    assert "Peepal Room" in page
    assert "next_seed" not in page
    assert 'name="state"' not in page
