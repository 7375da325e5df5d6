"""The list of a player's own tables."""

import html

import pytest
from django.db.models.functions import Now
from django.urls import reverse

from tables.models import Table, TableStatus
from tables.refusals import TooManyTables
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table, open_private
from tables.seating.selectors import TurnState, list_own_tables
from tables.seating.supply import play_now
from tests.api_program import Program
from tests.tables.driving import BUY_IN, chips_of, leave, make_kind, seat_all, start_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def template(fees):
    return make_kind()


def test_a_player_without_a_seat_has_no_tables(make_player, make_table):
    player, table = make_player(), make_table()
    assert list_own_tables(player.pk) == []
    seat_all(table, player)
    leave(table, player)
    assert list_own_tables(player.pk) == []


def test_tables_of_one_name_are_numbered(make_player, make_table):
    player = make_player()
    first, second = (make_table(name="Mango Grove") for _ in range(2))
    for table in (first, second, make_table(name="Neem Room")):
        seat_all(table, player)

    def list_names(**how):
        return [seen.name for seen in list_own_tables(player.pk, **how)]

    assert list_names(but=first.pk) == ["Mango Grove", "Neem Room"]
    numbered = [f"Mango Grove #{table.pk}" for table in (first, second)]
    assert list_names() == [*numbered, "Neem Room"]
    leave(second, player)
    assert list_names() == ["Mango Grove", "Neem Room"]


def test_own_tables_without_a_clock_show_what_they_wait_for(make_player, make_table, template):
    player = make_player()
    waiting, starting = make_table(name="Waiting"), make_table(name="Starting")
    seat_all(waiting, player)
    seat_all(starting, player, make_player())
    opened = open_private(template_id=template.pk, user_id=player.pk)
    found = list_own_tables(player.pk)
    assert [(table.name, table.state) for table in found] == [
        ("Waiting", TurnState.WAITING),
        ("Starting", TurnState.PAUSE),
        ("Neem Room", TurnState.OPENED),
    ]
    assert {(table.due_at, table.deadline, table.player) for table in found} == {(None, None, "")}
    Table.objects.filter(pk=opened.pk).update(status=TableStatus.CLOSED)
    assert [table.name for table in list_own_tables(player.pk)] == ["Waiting", "Starting"]


def test_a_broken_own_table_has_no_clock(make_player, make_table):
    player = make_player()
    table = start_match(make_table(), player, make_player())
    Table.objects.filter(pk=table.pk).update(broken_at=Now())
    (seen,) = list_own_tables(player.pk)
    assert (seen.state, seen.due_at) == (TurnState.PAUSE, None)


def test_the_queries_of_own_tables_do_not_grow(make_player, make_table, django_assert_num_queries):
    player = make_player()
    start_match(make_table(), player, make_player())
    with django_assert_num_queries(3):
        list_own_tables(player.pk)
    for _ in range(2):
        start_match(make_table(), player, make_player())
    with django_assert_num_queries(3):
        assert len(list_own_tables(player.pk)) == 3


# --- The refusal of one table too many.


@pytest.fixture
def full(make_player, make_table):
    """A player at the maximum number of tables, and these tables."""
    player = make_player()
    tables = [make_table(name=name) for name in ("Neem <b>", "Sal", "Teak")]
    for table in tables:
        seat_all(table, player)
    return player, tables


def test_the_refusal_of_one_table_too_many_names_the_others(full, make_table, template):
    player, tables = full
    numbers = [(table.pk, table.name) for table in tables]
    before = chips_of(player)
    for refused in (
        lambda: seat_all(make_table(), player),
        lambda: play_now(template_id=template.pk, user_id=player.pk),
        lambda: open_hosted_table(
            HostTerms(game="indian", preset="points", seats=2), user_id=player.pk
        ),
    ):
        with pytest.raises(TooManyTables) as caught:
            refused()
        assert caught.value.tables == numbers
        assert str(caught.value) == (
            "You already sit at as many tables as are allowed: Neem <b>, Sal, Teak. Leave one of them first."
        )
    assert [table.id for table in list_own_tables(player.pk)] == [table.pk for table in tables]
    assert chips_of(player) == before
    assert not Table.objects.exclude(invite_code="").exists()


def test_the_page_links_the_tables_in_the_way(full, template, client):
    player, tables = full
    client.force_login(player)
    page = client.post(reverse("tables:play", args=[template.pk]), follow=True).text
    for table in tables:
        assert f'<a href="/tables/{table.pk}/">{html.escape(table.name)}</a>' in page
    assert "Neem <b>" not in page


def test_the_api_lists_the_tables_in_the_way(full, make_table):
    player, tables = full
    answer = Program(player).post(
        f"tables/{make_table(allows_api_players=True).pk}/sit/", {"amount": BUY_IN}, key="sit-0001"
    )
    assert answer.status_code == 409
    body = answer.json()
    assert (body["code"], body["fields"]) == ("too_many_tables", {})
    assert body["tables"] == [{"id": table.pk, "name": table.name} for table in tables]


def test_returning_to_play_now_after_signing_in_leads_to_the_lobby(template, make_player, client):
    client.force_login(make_player())
    assert client.get(reverse("tables:play", args=[template.pk])).headers["Location"] == "/"
    assert not Table.objects.filter(template=template).exists()
