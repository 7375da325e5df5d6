"""A player's own tables, in the order of sitting down, private ones last."""

import html

import pytest
from django.db.models.functions import Now
from django.urls import reverse

from tables.models import Table, TableStatus
from tables.refusals import TooManyTables
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table, open_private
from tables.seating.selectors import TurnState, list_own_tables
from tables.seating.sitting import take_seat
from tables.seating.supply import play_now
from tests.api_program import Program
from tests.tables.driving import (
    BUY_IN,
    chips_of,
    game_view,
    leave,
    make_kind,
    play_a_turn,
    player_at,
    seat_all,
    start_match,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def template(make_table):
    make_table()  # the fees
    return make_kind()


def sit(table, user):
    return take_seat(table_id=table.pk, user_id=user.pk, amount=BUY_IN)


def test_who_sits_nowhere_has_none(make_player, make_table):
    player, table = make_player(), make_table()
    assert list_own_tables(player.pk) == []
    sit(table, player)
    leave(table, player)
    assert list_own_tables(player.pk) == []


def test_tables_of_one_name_are_told_apart(make_player, make_table):
    player = make_player()
    first, second = (make_table(name="Mango Grove") for _ in range(2))
    other = make_table(name="Neem Room")
    for table in (first, second, other):
        sit(table, player)
    names = ["Mango Grove", f"Mango Grove #{second.pk}", "Neem Room"]
    assert [seen.name for seen in list_own_tables(player.pk, but=first.pk)] == [
        "Mango Grove",
        names[2],
    ]
    names[0] = f"Mango Grove #{first.pk}"
    assert [seen.name for seen in list_own_tables(player.pk)] == names
    leave(second, player)
    assert [seen.name for seen in list_own_tables(player.pk)] == ["Mango Grove", "Neem Room"]


def test_a_turn_is_that_of_its_player_until_its_deadline(make_player, make_table):
    table = start_match(make_table(name="Banyan Court"), make_player(), make_player())
    view = game_view(table)
    on_turn, other = player_at(table, view["turn"]), player_at(table, 1 - view["turn"])
    (mine,), (theirs,) = list_own_tables(on_turn.pk), list_own_tables(other.pk)
    assert (mine.state, mine.player, mine.is_own_turn) == (TurnState.OWN_TURN, "", True)
    assert (theirs.state, theirs.player) == (TurnState.OTHER_TURN, on_turn.player_name)
    assert not theirs.is_own_turn
    for seen in (mine, theirs):
        assert (seen.id, seen.name, seen.title) == (table.pk, "Banyan Court", "Points")
        assert (seen.due_at, seen.deadline) == (view["due_at"], view["deadline"])
        assert seen.length_ms == 30_000
        assert seen.url == f"/tables/{table.pk}/"
    play_a_turn(table)
    assert [list_own_tables(user.pk)[0].state for user in (on_turn, other)] == [
        TurnState.OTHER_TURN,
        TurnState.OWN_TURN,
    ]


def test_without_a_clock_it_says_what_is_waited_for(make_player, make_table, template):
    player = make_player()
    waiting, starting = make_table(name="Waiting"), make_table(name="Starting")
    sit(waiting, player)
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


def test_a_table_out_of_order_has_no_clock(make_player, make_table):
    player = make_player()
    table = start_match(make_table(), player, make_player())
    Table.objects.filter(pk=table.pk).update(broken_at=Now())
    (seen,) = list_own_tables(player.pk)
    assert (seen.state, seen.due_at) == (TurnState.PAUSE, None)


def test_it_costs_the_same_queries_for_one_and_for_three(
    make_player, make_table, django_assert_num_queries
):
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
    """A player at as many tables as may be."""
    player = make_player()
    tables = [make_table(name=name) for name in ("Neem <b>", "Sal", "Teak")]
    for table in tables:
        sit(table, player)
    return player, tables


def test_the_refusal_names_the_tables(full, make_table, template):
    player, tables = full
    numbers = [(table.pk, table.name) for table in tables]
    before = chips_of(player)
    for refused in (
        lambda: sit(make_table(), player),
        lambda: play_now(template_id=template.pk, user_id=player.pk),
        lambda: open_hosted_table(
            HostTerms(game="indian", preset="points", seats=2), user_id=player.pk
        ),
    ):
        with pytest.raises(TooManyTables) as caught:
            refused()
        assert caught.value.tables == numbers
        assert str(caught.value) == (
            "You sit at as many tables as you may: Neem <b>, Sal, Teak. Leave one of them first."
        )
    assert [table.id for table in list_own_tables(player.pk)] == [table.pk for table in tables]
    assert chips_of(player) == before
    assert not Table.objects.exclude(invite_code="").exists()


def test_the_page_links_them(full, template, client):
    player, tables = full
    client.force_login(player)
    page = client.post(reverse("tables:play", args=[template.pk]), follow=True).text
    for table in tables:
        link = f'<a href="/tables/{table.pk}/">{html.escape(table.name)}</a>'
        assert link in page
    assert "Neem <b>" not in page


def test_the_api_tells_them_beside_the_code(full, make_table):
    player, tables = full
    answer = Program(player).post(
        f"tables/{make_table(allows_api_players=True).pk}/sit/", {"amount": BUY_IN}, key="sit-0001"
    )
    assert answer.status_code == 409
    body = answer.json()
    assert (body["code"], body["fields"]) == ("too_many_tables", {})
    assert body["tables"] == [{"id": table.pk, "name": table.name} for table in tables]


def test_after_signing_in_the_way_back_to_play_leads_to_the_lobby(template, make_player, client):
    client.force_login(make_player())
    assert client.get(reverse("tables:play", args=[template.pk])).headers["Location"] == "/"
    assert not Table.objects.filter(template=template).exists()
