"""Private tables, and the number of tables at which one person may sit."""

import threading

import pytest
from django.db import connection, connections
from django.db.models.functions import Now

from tables.models import QueuePlace, Seat, Table, TableStatus, TableTemplate
from tables.refusals import ChipsOnly, InvitationNeeded, TableNotFound, TooManyTables
from tables.selectors import invite_code, lobby_tables
from tables.services.queue import join_queue
from tables.services.seating import take_seat
from tables.services.supply import keep_supplied, open_private, play_now
from tests.tables.driving import BUY_IN
from wallet import selectors as wallet_selectors

pytestmark = pytest.mark.django_db
WELCOME = 10_000


@pytest.fixture
def template(make_table):
    make_table()  # the fees
    return TableTemplate.objects.create(name="Neem Room", max_seats=2, point_value=1, bots_wanted=1)


def sit(table, user, invite=""):
    return take_seat(table_id=table.pk, user_id=user.pk, amount=BUY_IN, invite=invite)


def test_only_who_knows_the_link_sits_down(template, make_player):
    host, guest, stranger = make_player(), make_player(), make_player()
    table = open_private(template_id=template.pk, user_id=host.pk)
    assert len(table.invite_code) == 12
    assert table.bots_wanted == 0
    assert table.pk not in [entry.table.pk for entry in lobby_tables()]
    sit(table, host, table.invite_code)
    for wrong in ("", "x", table.invite_code.swapcase()):
        with pytest.raises(InvitationNeeded):
            sit(table, stranger, wrong)
    assert wallet_selectors.player_balances(stranger.pk).chips == WELCOME
    sit(table, guest, table.invite_code)
    assert Seat.objects.filter(table=table, left_at=None).count() == 2


def test_only_who_knows_the_link_waits_there_and_finds_the_way_back(template, make_player, client):
    host, guest, friend, stranger = (make_player() for _ in range(4))
    table = open_private(template_id=template.pk, user_id=host.pk)
    for player in (host, guest):
        sit(table, player, table.invite_code)
    for wrong in ("", "x", "é"):
        with pytest.raises(InvitationNeeded):
            join_queue(table_id=table.pk, user_id=stranger.pk, invite=wrong)
    assert not QueuePlace.objects.exists()
    assert invite_code(table_id=table.pk, user_id=stranger.pk) == ""
    client.force_login(friend, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(f"/tables/{table.pk}/", {"invite": table.invite_code}).content.decode()
    form = page[page.index('data-region="queue"') :].split("</form>")[0]
    assert f'name="invite" value="{table.invite_code}"' in form
    client.post(f"/tables/{table.pk}/queue/", {"invite": table.invite_code})
    assert QueuePlace.objects.get().user_id == friend.pk
    # Called to the chair, he comes without the link.
    assert invite_code(table_id=table.pk, user_id=friend.pk) == table.invite_code


def test_play_now_does_not_lead_to_a_private_table(template, make_player):
    host, stranger = make_player(), make_player()
    table = open_private(template_id=template.pk, user_id=host.pk)
    sit(table, host, table.invite_code)
    assert play_now(template_id=template.pk, user_id=stranger.pk).table_id != table.pk


def test_private_tables_are_for_chips_and_from_open_templates(template, make_player):
    host = make_player()
    cash = TableTemplate.objects.create(name="Cash", max_seats=2, point_value=100, currency="INR")
    before = Table.objects.count()
    with pytest.raises(ChipsOnly):
        open_private(template_id=cash.pk, user_id=host.pk)
    TableTemplate.objects.filter(pk=template.pk).update(is_open=False)
    with pytest.raises(TableNotFound):
        open_private(template_id=template.pk, user_id=host.pk)
    assert Table.objects.count() == before


def test_nobody_keeps_more_private_tables_than_he_can_sit_at(template, make_player, settings):
    settings.TABLES_AT_ONCE = 2
    host = make_player()
    for _ in range(2):
        open_private(template_id=template.pk, user_id=host.pk)
    with pytest.raises(TooManyTables):
        open_private(template_id=template.pk, user_id=host.pk)


def test_a_deserted_private_table_is_closed_after_a_while(template, make_player):
    host = make_player()
    deserted = open_private(template_id=template.pk, user_id=host.pk)
    used = open_private(template_id=template.pk, user_id=host.pk)
    sit(used, host, used.invite_code)
    keep_supplied()
    deserted.refresh_from_db()
    assert deserted.status == TableStatus.WAITING  # the guests are on their way
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_table SET created_at = now() - interval '1 hour'")
    keep_supplied()
    deserted.refresh_from_db()
    used.refresh_from_db()
    assert (deserted.status, used.status) == (TableStatus.CLOSED, TableStatus.WAITING)


def test_three_tables_at_once_and_no_fourth(make_table, make_player):
    player, tables = make_player(), [make_table() for _ in range(4)]
    for table in tables[:3]:
        sit(table, player)
    with pytest.raises(TooManyTables):
        sit(tables[3], player)
    assert wallet_selectors.player_balances(player.pk).chips == WELCOME - 3 * BUY_IN
    Seat.objects.filter(table=tables[0], user=player).update(left_at=Now())
    sit(tables[3], player)


@pytest.mark.django_db(transaction=True)
def test_two_tables_at_the_same_time_are_not_one_too_many(make_table, make_player, settings):
    settings.TABLES_AT_ONCE = 1
    player, tables = make_player(), [make_table(), make_table()]
    together, refusals = threading.Barrier(2), []

    def race(table):
        together.wait(timeout=30)
        try:
            sit(table, player)
        except TooManyTables as refusal:
            refusals.append(refusal)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=race, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(refusals) == 1
    assert Seat.objects.filter(user=player, left_at=None).count() == 1
