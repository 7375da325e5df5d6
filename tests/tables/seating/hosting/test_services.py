"""A private table begins when it is full or when its host says so."""

import pytest
from django.urls import reverse

from tables.models import Match, Seat, Table, TableStatus
from tables.play.reading import snapshot
from tables.refusals import MatchRunning, NotSeated, NotTheHost, TableNotFound, TooFewPlayers
from tables.seating.hosting.private_tables import open_private
from tables.seating.hosting.services import start_table
from tables.seating.sitting import leave_table, take_seat
from tables.seating.supply import keep_supplied
from tests.given import reload, require
from tests.tables.driving import let_time_pass, make_kind

pytestmark = pytest.mark.django_db
FEE = 100


@pytest.fixture
def template(make_table):
    make_table()  # the fees
    return make_kind(preset="pool101", max_seats=3, entry_fee=FEE)


@pytest.fixture
def players(make_player):
    return [make_player() for _ in range(4)]


@pytest.fixture
def table(template, players):
    return open_private(template_id=template.pk, user_id=players[0].pk)


def sit(table, *players):
    for player in players:
        take_seat(table_id=table.pk, user_id=player.pk, amount=FEE, invite=table.invite_code)
    table.refresh_from_db()


def hosts_at(table):
    seen = require(snapshot(table_id=table.pk, user_id=None))
    return [chair["player"]["id"] for chair in seen.state["seats"] if chair.get("host")]


def expect_refusal(table, player, refusal):
    before = Table.objects.filter(pk=table.pk).values().get()
    with pytest.raises(refusal):
        start_table(table_id=table.pk, user_id=player.pk)
    assert Table.objects.filter(pk=table.pk).values().get() == before


def test_a_third_friend_is_waited_for(table, players):
    sit(table, players[0], players[1])
    assert (table.status, table.deadline_at) == (TableStatus.WAITING, None)
    keep_supplied()
    assert reload(table).status == TableStatus.WAITING
    sit(table, players[2])
    assert table.status == TableStatus.STARTING
    let_time_pass(table)
    assert len(Match.objects.get().players) == 3


def test_the_host_starts_with_those_who_are_there(table, players):
    host, guest, _friend, stranger = players
    sit(table, host)
    expect_refusal(table, host, TooFewPlayers)
    sit(table, guest)
    expect_refusal(table, guest, NotTheHost)
    expect_refusal(table, stranger, NotSeated)
    start_table(table_id=table.pk, user_id=host.pk)
    assert reload(table).status == TableStatus.STARTING
    expect_refusal(table, host, MatchRunning)
    let_time_pass(table)
    assert sorted(Match.objects.get().participants) == [host.pk, guest.pk]


def test_the_role_passes_to_who_has_sat_longest_and_comes_back(table, players):
    host, guest, friend, _stranger = players
    sit(table, friend, host)
    assert hosts_at(table) == [host.pk]
    leave_table(table_id=table.pk, user_id=host.pk)
    sit(table, guest)
    assert hosts_at(table) == [friend.pk]
    expect_refusal(table, guest, NotTheHost)
    sit(table, host)
    assert hosts_at(table) == [host.pk]


def test_who_leaves_before_the_first_card_stops_the_start(table, players):
    host, guest, friend, _stranger = players
    sit(table, host, guest, friend)
    assert table.status == TableStatus.STARTING
    leave_table(table_id=table.pk, user_id=host.pk)
    assert (reload(table).status, table.deadline_at) == (TableStatus.WAITING, None)
    start_table(table_id=table.pk, user_id=guest.pk)
    let_time_pass(table)
    assert sorted(Match.objects.get().participants) == [guest.pk, friend.pk]


def test_no_public_table_has_a_host(make_table, players):
    table = make_table()
    for number in range(2):
        take_seat(table_id=table.pk, user_id=players[number].pk, amount=800)
    assert hosts_at(table) == []
    expect_refusal(table, players[0], TableNotFound)


def test_the_page_starts_it_for_its_host_alone(table, players, client):
    host, guest, _friend, stranger = players
    sit(table, host, guest)
    path = reverse("tables:start", args=[table.pk])
    statuses = []
    for player in (stranger, guest):
        client.force_login(player)
        statuses.append(client.post(path).status_code)
        assert Table.objects.get(pk=table.pk).status == TableStatus.WAITING
    assert statuses == [404, 302]
    client.force_login(host)
    assert client.post(path).url == reverse("tables:table", args=[table.pk])
    assert Table.objects.get(pk=table.pk).status == TableStatus.STARTING
    assert Seat.objects.filter(table=table, left_at=None).count() == 2
