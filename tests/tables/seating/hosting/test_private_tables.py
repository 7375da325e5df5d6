"""Private tables, and the number of tables at which one person may sit."""

import html
import re
from functools import partial
from urllib.parse import quote

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.db.models.functions import Now
from django.test import Client

from tables.lobby.selectors import list_lobby_tables
from tables.models import QueuePlace, Seat, Table, TableStatus, TableTemplate
from tables.refusals import ChipsOnly, InvitationNeeded, TableNotFound, TooManyTables
from tables.seating.hosting.invitations import qr_code
from tables.seating.hosting.private_tables import open_private
from tables.seating.queue import join_queue
from tables.seating.selectors import invite_code, may_see
from tables.seating.sitting import take_seat
from tables.seating.supply import keep_supplied, open_from, play_now
from tests.given import reload, require
from tests.tables.driving import BUY_IN, make_kind
from tests.together import run_at_once
from wallet.ledger.balances import get_player_balances

pytestmark = pytest.mark.django_db
WELCOME = 10_000


@pytest.fixture
def template(make_table):
    make_table()  # the fees
    return make_kind(bots_wanted=1)


def sit(table, user, invite=""):
    return take_seat(table_id=table.pk, user_id=user.pk, amount=BUY_IN, invite=invite)


def test_only_who_knows_the_link_sits_down(template, make_player):
    host, guest, stranger = make_player(), make_player(), make_player()
    table = open_private(template_id=template.pk, user_id=host.pk)
    assert len(table.invite_code) == 12
    assert table.bots_wanted == 0
    assert table.pk not in [entry.table.pk for entry in list_lobby_tables().entries]
    sit(table, host, table.invite_code)
    for wrong in ("", "x", table.invite_code.swapcase()):
        with pytest.raises(InvitationNeeded):
            sit(table, stranger, wrong)
    assert get_player_balances(stranger.pk).chips == WELCOME
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
    client.force_login(friend)
    page = client.get(f"/tables/{table.pk}/", {"invite": table.invite_code}).text
    form = page[page.index('data-region="queue"') :].split("</form>")[0]
    assert f'name="invite" value="{table.invite_code}"' in form
    client.post(f"/tables/{table.pk}/queue/", {"invite": table.invite_code})
    assert QueuePlace.objects.get().user_id == friend.pk
    # Called to the chair, they come without the link.
    assert invite_code(table_id=table.pk, user_id=friend.pk) == table.invite_code


def test_the_number_of_a_private_table_opens_no_page(template, make_player, client):
    """Numbers can be counted through; to a stranger there is no such table."""
    host, stranger = make_player(), make_player()
    table = open_private(template_id=template.pk, user_id=host.pk)
    sit(table, host, table.invite_code)
    path = f"/tables/{table.pk}/"
    strangers = Client()
    strangers.force_login(stranger)
    wrong = [{}, {"invite": "x"}, {"invite": table.invite_code.swapcase()}, {"invite": "é\x00"}]
    for visitor in (client, strangers):
        assert [visitor.get(path, sent).status_code for sent in wrong] == [404] * 4
        assert host.player_name not in visitor.get(path).text
        assert visitor.get(path, {"invite": table.invite_code}).status_code == 200
    for form in ("sit", "queue"):
        sent = {"seat": 1, "amount": BUY_IN, "invite": "wrong"}
        assert strangers.post(f"{path}{form}/", sent).status_code == 404
    assert Seat.objects.get().user_id == host.pk
    assert not QueuePlace.objects.exists()


def test_an_invitation_outlives_signing_in_and_the_forms_of_the_page(template, make_player, client):
    host, guest = make_player(), make_player()
    guest.set_password("long enough for anybody")
    guest.save()
    EmailAddress.objects.create(user=guest, email=guest.email, verified=True, primary=True)
    table = open_private(template_id=template.pk, user_id=host.pk)
    sit(table, host, table.invite_code)
    address = f"/tables/{table.pk}/?invite={table.invite_code}"
    page = client.get(address).text
    assert f'data-socket="/ws/tables/{table.pk}/?invite={table.invite_code}"' in page
    sign_in = html.unescape(
        require(re.search(r'href="(/accounts/login/[^"]*)"[^>]*>Sign in', page))[1]
    )
    assert sign_in == f"/accounts/login/?next={quote(address)}"
    login = {"login": guest.email, "password": "long enough for anybody"}
    assert client.post(sign_in, login).headers["Location"] == address
    # A refusal is read on the page of the table, also by who has no seat.
    answer = client.post(
        f"/tables/{table.pk}/sit/",
        {"seat": 1, "amount": 10 * WELCOME, "invite": table.invite_code},
        follow=True,
    )
    assert (answer.redirect_chain, answer.status_code) == ([(address, 302)], 200)
    report = {"player": host.pk, "reason": "COLLUSION", "invite": table.invite_code}
    for form in ("report", "ignore"):
        answer = client.post(f"/tables/{table.pk}/{form}/", report)
        assert answer.headers["Location"] == address


def test_who_may_see_a_table(template, make_table, make_player):
    host, guest, friend, stranger = (make_player() for _ in range(4))
    public, table = make_table(), open_private(template_id=template.pk, user_id=host.pk)
    for player in (host, guest):
        sit(table, player, table.invite_code)
    join_queue(table_id=table.pk, user_id=friend.pk, invite=table.invite_code)

    def sees(player, invite="", table_id=table.pk):
        user_id = None if player is None else player.pk
        return may_see(table_id=table_id, user_id=user_id, invite=invite)

    assert [sees(player) for player in (host, guest, friend, stranger, None)] == [
        *(True, True, True),
        *(False, False),
    ]
    assert sees(None, table.invite_code)
    assert not any(sees(None, wrong) for wrong in ("x", "\x00", "\ud800", "é"))
    assert sees(None, table_id=public.pk)
    assert not any(sees(host, table_id=number) for number in (0, -1, 2**63, 10**30))
    Seat.objects.filter(user=guest).update(left_at=Now())
    assert not sees(guest)


def test_play_now_does_not_lead_to_a_private_table(template, make_player):
    host, stranger = make_player(), make_player()
    table = open_private(template_id=template.pk, user_id=host.pk)
    sit(table, host, table.invite_code)
    assert play_now(template_id=template.pk, user_id=stranger.pk).table_id != table.pk


def test_private_tables_are_for_chips_and_from_open_templates(template, make_player):
    host = make_player()
    cash = make_kind(name="Cash", point_value=100, currency="INR")
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
    assert reload(deserted).status == TableStatus.WAITING  # the guests are on their way
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_table SET created_at = now() - interval '1 hour'")
    keep_supplied()
    used.refresh_from_db()
    assert (reload(deserted).status, used.status) == (TableStatus.CLOSED, TableStatus.WAITING)


def test_three_tables_at_once_and_no_fourth(make_table, make_player):
    player, tables = make_player(), [make_table() for _ in range(4)]
    for table in tables[:3]:
        sit(table, player)
    with pytest.raises(TooManyTables):
        sit(tables[3], player)
    assert get_player_balances(player.pk).chips == WELCOME - 3 * BUY_IN
    Seat.objects.filter(table=tables[0], user=player).update(left_at=Now())
    sit(tables[3], player)


@pytest.mark.django_db(transaction=True)
def test_two_tables_at_the_same_time_are_not_one_too_many(make_table, make_player, settings):
    settings.TABLES_AT_ONCE = 1
    player, tables = make_player(), [make_table(), make_table()]
    outcomes = run_at_once(*(partial(sit, table, player) for table in tables))
    assert [isinstance(outcome, TooManyTables) for outcome in outcomes].count(True) == 1
    assert Seat.objects.filter(user=player, left_at=None).count() == 1


def test_a_guests_invitation_is_kept_until_they_sit(template, make_player, client):
    """Also without `next`, and only a right one."""
    host, guest = make_player(), make_player()
    guest.set_password("long enough for anybody")
    guest.save()
    EmailAddress.objects.create(user=guest, email=guest.email, verified=True, primary=True)
    table = open_private(template_id=template.pk, user_id=host.pk)
    address = f"/tables/{table.pk}/?invite={table.invite_code}"
    assert client.get(f"/tables/{table.pk}/", {"invite": "wrong"}).status_code == 404
    assert "return_path" not in client.session
    client.get(address)
    assert client.get(f"/tables/{table.pk}/").status_code == 200
    login = {"login": guest.email, "password": "long enough for anybody"}
    assert client.post("/accounts/login/", login).headers["Location"] == address
    assert client.get(f"/tables/{table.pk}/").status_code == 200
    # The code is of this table alone.
    other = open_private(template_id=template.pk, user_id=host.pk)
    assert client.get(f"/tables/{other.pk}/").status_code == 404
    sent = {"seat": 1, "amount": BUY_IN, "invite": table.invite_code}
    client.post(f"/tables/{table.pk}/sit/", sent)
    assert Seat.objects.get(table=table).user_id == guest.pk
    assert "return_path" not in client.session


def test_the_link_says_who_invites_to_what_with_a_picture(template, make_player, client):
    host = make_player()
    table = open_private(template_id=template.pk, user_id=host.pk)
    page = client.get(f"/tables/{table.pk}/", {"invite": table.invite_code}).text
    said = dict(re.findall(r'<meta property="og:(\w+)"\s+content="([^"]*)"', page))
    assert said["title"] == f"{host.player_name} invites you to play Points"
    assert said["description"].startswith("Neem Room: 1 chip a point, 2 seats.")
    assert said["url"] == f"http://testserver/tables/{table.pk}/?invite={table.invite_code}"
    assert re.fullmatch(r"http://testserver/static/img/social\S*\.png", said["image"])
    # A public table is nobody's invitation.
    public = open_from(template)
    assert "og:title" not in client.get(f"/tables/{public.pk}/").text


def test_the_code_for_cameras_is_of_the_whole_link():
    def modules(address):
        return re.findall(r"M[\d.,]+", qr_code(address))

    one, other = (
        "https://play.example/tables/3/?invite=abc",
        "https://play.example/tables/3/?invite=abd",
    )
    assert len(modules(one)) > 100
    assert modules(one) == modules(one) != modules(other)
    assert qr_code(one).startswith("<svg")
