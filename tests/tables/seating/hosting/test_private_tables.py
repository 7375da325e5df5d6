"""Private tables, their links, and the limit on a player's tables."""

import html
import re
from datetime import timedelta
from functools import partial
from urllib.parse import quote

import pytest
from allauth.account.models import EmailAddress
from django.db.models.functions import Now

from lobby.selectors import list_lobby_tables
from tables.models import QueuePlace, Seat, Table, TableStatus, TableTemplate
from tables.refusals import CHIPS_ONLY, InvitationNeeded, TableNotFound, TooManyTables
from tables.seating.hosting.invitations import qr_code
from tables.seating.hosting.private_tables import open_private
from tables.seating.queue import join_queue
from tables.seating.selectors import invite_code, may_see
from tables.seating.supply import keep_supplied, open_from, play_now
from tests.accounts.staff import office
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import BUY_IN, WELCOME, chips_of, list_seated, make_kind, seat_all
from tests.together import run_at_once

pytestmark = pytest.mark.django_db
PASSWORD = "long enough for anybody"


@pytest.fixture
def template(fees):
    return make_kind(bots_wanted=1)


@pytest.fixture
def table(template, players):
    """An empty private table, opened by the first player."""
    return open_private(template_id=template.pk, user_id=players[0].pk)


@pytest.fixture
def guest(make_player):
    """A player who can sign in with a password."""
    player = make_player()
    player.set_password(PASSWORD)
    player.save()
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    return player


def test_only_players_with_the_link_sit_down(template, table, players):
    host, guest, stranger, friend = players
    assert len(table.invite_code) == 12
    assert table.bots_wanted == 0
    assert table.pk not in [entry.table.pk for entry in list_lobby_tables().entries]
    seat_all(table, host)
    for wrong in ("", "x", table.invite_code.swapcase()):
        with pytest.raises(InvitationNeeded):
            seat_all(table, stranger, invite=wrong)
    assert chips_of(stranger) == WELCOME
    assert play_now(template_id=template.pk, user_id=friend.pk).table_id != table.pk
    seat_all(table, guest)
    assert list_seated(table) == [host.pk, guest.pk]


def test_only_players_with_the_link_queue_and_find_the_way_back(table, players, client):
    host, guest, friend, stranger = players
    seat_all(table, host, guest)
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
    # A queued player needs no link to take the seat.
    assert invite_code(table_id=table.pk, user_id=friend.pk) == table.invite_code


def test_the_number_of_a_private_table_opens_no_page(table, players, client):
    """For strangers, the address answers as if there were no such table."""
    host, stranger = players[:2]
    seat_all(table, host)
    path = f"/tables/{table.pk}/"
    strangers = office(stranger)
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


def test_an_invitation_survives_signing_in_and_the_forms_of_the_page(table, players, guest, client):
    host = players[0]
    seat_all(table, host)
    address = f"/tables/{table.pk}/?invite={table.invite_code}"
    page = client.get(address).text
    assert f'data-socket="/ws/tables/{table.pk}/?invite={table.invite_code}"' in page
    found = require(re.search(r'href="(/accounts/login/[^"]*)"[^>]*>Sign in', page))
    sign_in = html.unescape(found[1])
    assert sign_in == f"/accounts/login/?next={quote(address)}"
    login = {"login": guest.email, "password": PASSWORD}
    assert client.post(sign_in, login).headers["Location"] == address
    # A refusal is shown on the page of the table.
    bid = {"seat": 1, "amount": 10 * WELCOME, "invite": table.invite_code}
    answer = client.post(f"/tables/{table.pk}/sit/", bid, follow=True)
    assert (answer.redirect_chain, answer.status_code) == ([(address, 302)], 200)
    report = {"player": host.pk, "reason": "COLLUSION", "invite": table.invite_code}
    for form in ("report", "ignore"):
        answer = client.post(f"/tables/{table.pk}/{form}/", report)
        assert answer.headers["Location"] == address


def test_a_private_table_is_seen_by_its_players_and_with_the_link(table, make_table, players):
    host, guest, friend, stranger = players
    public = make_table()
    seat_all(table, host, guest)
    join_queue(table_id=table.pk, user_id=friend.pk, invite=table.invite_code)

    def may_player_see(player, invite="", table_id=table.pk):
        user_id = None if player is None else player.pk
        return may_see(table_id=table_id, user_id=user_id, invite=invite)

    assert all(may_player_see(player) for player in (host, guest, friend))
    assert not any(may_player_see(player) for player in (stranger, None))
    assert may_player_see(None, table.invite_code)
    assert not any(may_player_see(None, wrong) for wrong in ("x", "\x00", "\ud800", "é"))
    assert may_player_see(None, table_id=public.pk)
    assert not any(may_player_see(host, table_id=number) for number in (0, -1, 2**63, 10**30))
    Seat.objects.filter(user=guest).update(left_at=Now())
    assert not may_player_see(guest)


def test_private_tables_are_for_chips_and_from_open_templates(template, make_player):
    host = make_player()
    cash = make_kind(name="Cash", point_value=100, currency="INR")
    before = Table.objects.count()
    with refused(CHIPS_ONLY):
        open_private(template_id=cash.pk, user_id=host.pk)
    TableTemplate.objects.filter(pk=template.pk).update(is_open=False)
    with pytest.raises(TableNotFound):
        open_private(template_id=template.pk, user_id=host.pk)
    assert Table.objects.count() == before


def test_a_player_keeps_no_more_private_tables_than_the_limit(template, make_player, settings):
    settings.TABLES_AT_ONCE = 2
    host = make_player()
    for _ in range(2):
        open_private(template_id=template.pk, user_id=host.pk)
    with pytest.raises(TooManyTables):
        open_private(template_id=template.pk, user_id=host.pk)


def test_a_deserted_private_table_is_closed_after_a_while(template, table, players):
    used = open_private(template_id=template.pk, user_id=players[0].pk)
    seat_all(used, players[0])
    keep_supplied()
    assert reload(table).status == TableStatus.WAITING  # guests may still be coming
    Table.objects.update(created_at=Now() - timedelta(hours=1))
    keep_supplied()
    assert (reload(table).status, reload(used).status) == (TableStatus.CLOSED, TableStatus.WAITING)


def test_a_player_sits_at_three_tables_at_once_at_most(make_table, make_free, make_player):
    player, tables = make_player(), [make_free(), *(make_table() for _ in range(3))]
    for table in tables[:3]:
        seat_all(table, player)
    with pytest.raises(TooManyTables):
        seat_all(tables[3], player)
    assert chips_of(player) == WELCOME - 2 * BUY_IN
    Seat.objects.filter(table=tables[0], user=player).update(left_at=Now())
    seat_all(tables[3], player)


@pytest.mark.django_db(transaction=True)
def test_concurrent_seats_keep_the_limit_of_tables(make_table, make_player, settings):
    settings.TABLES_AT_ONCE = 1
    player, tables = make_player(), [make_table(), make_table()]
    outcomes = run_at_once(*(partial(seat_all, table, player) for table in tables))
    assert [isinstance(outcome, TooManyTables) for outcome in outcomes].count(True) == 1
    assert Seat.objects.filter(user=player, left_at=None).count() == 1


def test_a_right_invitation_is_kept_until_the_guest_sits(template, table, players, guest, client):
    path = f"/tables/{table.pk}/"
    address = f"{path}?invite={table.invite_code}"
    assert client.get(path, {"invite": "wrong"}).status_code == 404
    assert "return_path" not in client.session
    client.get(address)
    assert client.get(path).status_code == 200
    login = {"login": guest.email, "password": PASSWORD}
    assert client.post("/accounts/login/", login).headers["Location"] == address
    assert client.get(path).status_code == 200
    # The invitation is for this table only.
    other = open_private(template_id=template.pk, user_id=players[0].pk)
    assert client.get(f"/tables/{other.pk}/").status_code == 404
    client.post(f"{path}sit/", {"seat": 1, "amount": BUY_IN, "invite": table.invite_code})
    assert list_seated(table) == [guest.pk]
    assert "return_path" not in client.session


def test_the_preview_of_the_link_names_host_game_and_stake(template, table, players, client):
    page = client.get(f"/tables/{table.pk}/", {"invite": table.invite_code}).text
    said = dict(re.findall(r'<meta property="og:(\w+)"\s+content="([^"]*)"', page))
    assert said["title"] == f"{players[0].player_name} invites you to play Points"
    assert said["description"].startswith("Neem Room: 1 chip a point, 2 seats.")
    assert said["url"] == f"http://testserver/tables/{table.pk}/?invite={table.invite_code}"
    assert re.fullmatch(r"http://testserver/static/img/social\S*\.png", said["image"])
    # A public table has no invitation.
    assert "og:title" not in client.get(f"/tables/{open_from(template).pk}/").text


def test_the_qr_code_encodes_the_whole_link():
    def read_modules(address):
        return re.findall(r"M[\d.,]+", qr_code(address))

    one = "https://play.example/tables/3/?invite=abc"
    assert len(read_modules(one)) > 100
    assert read_modules(one) == read_modules(one) != read_modules(one[:-1] + "d")
    assert qr_code(one).startswith("<svg")
