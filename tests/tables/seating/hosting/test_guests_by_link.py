"""Guests who take a seat through the link of a free private table."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.people import guests
from config.account_data.closing import LAST_MATCH, remove_guests
from core import throttling
from games.engine.paces import pace_fields
from games.registry import get_game
from players.selectors import find_open_player, find_player, list_recent_opponents
from tables.models import (
    IgnoredPlayer,
    Match,
    MatchStatus,
    Report,
    Seat,
    SeatStatus,
    Table,
    TableStatus,
)
from tables.play.reading import snapshot
from tables.refusals import HOST_STARTS, NO_GUESTS
from tables.seating.closing import remove_player
from tables.seating.hosting import guests as at_tables
from tables.seating.hosting.services import start_table
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    CODE,
    chips_of,
    end_match,
    game_view,
    leave,
    let_time_pass,
    seat_all,
)
from tests.tables.learning.test_guests import FORM
from tests.together import run_at_once
from wallet.models import Journal

pytestmark = pytest.mark.django_db
STATE = re.compile(r'<script id="table-state"[^>]*>(.*?)</script>')
PRESS = re.compile(r'name="press" value="([0-9a-f]{32})"')


@pytest.fixture(autouse=True)
def _rates():
    throttling.clear("guests", "guests:127.0.0.1", *(f"guests:table:{pk}" for pk in range(1, 400)))


@pytest.fixture
def host(make_player):
    return make_player()


@pytest.fixture
def table(make_free, host):
    """A free table for three at which only its host sits."""
    opened = make_free(max_seats=3, opened_by_id=host.pk)
    seat_all(opened, host)
    return opened


class Visitor:
    """Browser without an account that has opened the table's link."""

    def __init__(self, table: Table, *, invite: str = CODE, client: Client | None = None) -> None:
        self.client: Any = client or Client()
        self.table, self.invite = table, invite

    def page(self) -> str:
        path = reverse("table", args=[self.table.pk])
        page: str = self.client.get(path, {"invite": self.invite}).text
        return page

    def form(self, name: str, **more: Any) -> dict[str, Any]:
        press = require(PRESS.search(self.page()))[1]
        return {"player_name": name, "adult": "on", "press": press, "invite": self.invite} | more

    def sit(self, name: str, **more: Any) -> Any:
        return self.post(self.form(name, **more))

    def post(self, form: dict[str, Any]) -> Any:
        return self.client.post(reverse("tables:sit_as_guest", args=[self.table.pk]), form)

    @property
    def user(self) -> User:
        return User.objects.get(pk=self.client.session["guest"])

    def leave(self) -> None:
        self.client.post(reverse("tables:leave", args=[self.table.pk]))


@pytest.fixture
def guest(table):
    """A guest seated at the table under the name Asha."""
    visitor = Visitor(table)
    visitor.sit("Asha")
    return visitor


def start(table: Table) -> Match:
    Table.objects.filter(pk=table.pk).update(status=TableStatus.STARTING)
    let_time_pass(table)
    return Match.objects.get(table=table, status=MatchStatus.RUNNING)


def list_names(table: Table) -> list[str]:
    rows = Seat.objects.filter(table=table, left_at=None).order_by("number")
    return [seat.user.player_name for seat in rows.select_related("user")]


def list_chairs(table: Table) -> Any:
    return require(snapshot(table_id=table.pk, user_id=None)).state["seats"]


def expect_refusal(visitor: Visitor, form: dict[str, Any], words: str) -> None:
    """Check that the page explains the refusal and that no guest is seated."""
    before = list_names(visitor.table), User.objects.count()
    visitor.post(form)
    assert (list_names(visitor.table), User.objects.count()) == before
    assert words in visitor.page().replace("&#x27;", "'")


def grow_old(guest: User, by: timedelta = guests.LASTS * 2) -> None:
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - by)


class TestSittingDown:
    def test_a_guest_sits_down_with_a_name_and_one_press(self, table, host):
        visitor = Visitor(table)
        page = visitor.page()
        assert "invites you to play" in page
        assert 'data-refused="no"' in page
        planted = visitor.client.session.session_key
        answer = visitor.sit("Asha")
        # An attacker who has planted a session cannot use the guest's account.
        assert visitor.client.session.session_key != planted
        assert answer.url.startswith(reverse("table", args=[table.pk]))
        user = visitor.user
        assert (user.player_name, user.is_guest) == ("Asha", True)
        assert not user.has_usable_password()
        assert user.adult_confirmed_at is not None
        assert list_names(table) == [host.player_name, "Asha"]
        marked = [(chair["player"] or {}).get("guest") for chair in list_chairs(table)]
        assert marked == [None, True, None]
        again = visitor.page()
        assert "Keep your games: register" in again
        assert f'"id": {user.pk}' in again

    def test_a_guest_must_confirm_to_be_an_adult(self, table):
        guest = Visitor(table)
        form = guest.form("Asha")
        del form["adult"]
        expect_refusal(guest, form, "is for people aged 18 and over")

    def test_the_rules_for_players_names_apply_to_guests(self, table):
        guest = Visitor(table)
        form = guest.form("Asha")
        for name, words in (
            ("Admin", "could be mistaken for one of the site's staff"),
            ("Guest", "could be mistaken for one of the site's staff"),
            ("As", "3"),
            ("<b>x</b>", "letters, digits, spaces"),
            ("Player 1", "Somebody at this table has a similar name"),
            ("PIayer 1", "Somebody at this table has a similar name"),
        ):
            expect_refusal(guest, {**form, "player_name": name}, words)

    def test_a_name_taken_elsewhere_gets_a_number(self, table):
        User.objects.create_user("asha@example.com", player_name="Asha")
        guest = Visitor(table)
        guest.sit("Asha")
        assert re.fullmatch(r"Asha \d{2,6}", guest.user.player_name)

    def test_a_returning_guest_keeps_the_account_and_may_change_the_name(self, table, guest):
        first = guest.user.pk
        guest.leave()
        assert list_names(table) == ["Player 1"]
        assert 'value="Asha"' in guest.page()
        guest.sit("Devi")
        assert (guest.user.pk, list_names(table)) == (first, ["Player 1", "Devi"])


class TestBounds:
    @pytest.mark.parametrize("stake", [{"point_value": 1}, {"point_value": 0, "entry_fee": 100}])
    def test_guests_do_not_sit_at_a_table_with_a_stake(self, make_table, stake):
        dear = make_table(invite_code=CODE, **stake)
        visitor = Visitor(dear)
        page = visitor.page()
        assert PRESS.search(page) is None
        assert "you need an account" in page
        visitor.post({"player_name": "Asha", "adult": "on", "press": "0" * 32, "invite": CODE})
        assert not User.objects.filter(is_guest=True).exists()
        guest = User.objects.create_user("g@guests.invalid", player_name="Asha", is_guest=True)
        with refused(NO_GUESTS):
            seat_all(dear, guest)

    def test_a_wrong_link_leads_to_no_table(self, table):
        guest = Visitor(table, invite="wrong")
        form = {"player_name": "Asha", "adult": "on", "press": "0" * 32, "invite": "wrong"}
        assert guest.post(form).status_code == 404
        assert not User.objects.filter(is_guest=True).exists()

    def test_a_full_table_takes_no_more_guests(self, table):
        Visitor(table).sit("Asha")
        Visitor(table).sit("Devi")
        late = Visitor(table)
        expect_refusal(late, late.form("Ravi"), "taken")

    def test_the_number_of_guests_of_one_address_is_limited(self, table, monkeypatch):
        monkeypatch.setattr(guests, "OF_AN_ADDRESS", 2)
        for name in ("Asha", "Devi"):
            visitor = Visitor(table)
            visitor.sit(name)
            visitor.leave()
        for _attempt in range(2):
            late = Visitor(table)
            expect_refusal(late, late.form("Ravi"), "Too many guests have just come")

    def test_the_number_of_guests_by_one_link_is_limited(self, table, guest, monkeypatch):
        monkeypatch.setattr(at_tables, "AT_A_TABLE", 1)
        guest.leave()
        late = Visitor(table, client=Client(REMOTE_ADDR="203.0.113.9"))
        expect_refusal(late, late.form("Ravi"), "Too many guests have just come")
        guest.sit("Asha")
        assert list_names(table) == ["Player 1", "Asha"]

    def test_a_browser_seats_only_one_guest_at_a_table(self, table, guest):
        second = Visitor(table)
        second.client.cookies["device"] = guest.client.cookies["device"].value
        words = "Another account of your browser sits at this table"
        expect_refusal(second, second.form("Devi"), words)

    def test_a_removed_guest_cannot_return_under_another_name(self, table, guest):
        remove_player(table_id=table.pk, user_id=guest.user.pk)
        expect_refusal(guest, guest.form("Asha"), "removed you")
        other = Visitor(table)
        expect_refusal(other, other.form("Devi"), "removed you")
        elsewhere = Visitor(table, client=Client(REMOTE_ADDR="203.0.113.9"))
        elsewhere.sit("Ravi")
        assert list_names(table) == ["Player 1", "Ravi"]

    def test_a_guest_has_no_money_and_is_found_by_nobody(self, table, host):
        before = Journal.objects.count()
        guest = Visitor(table)
        guest.sit("Asha")
        start(table)
        end_match(table)
        assert Journal.objects.count() == before
        assert chips_of(guest.user) == 0
        assert find_player("Asha") is None
        assert find_open_player(guest.user.pk) is None
        assert list_recent_opponents(host.pk) == []

    def test_registering_leads_back_to_the_seat(self, table, guest):
        """The next page is the welcome page, or the table itself if a deal is being played."""
        welcome = reverse("tables:welcome", args=[table.pk])
        form = {
            "player_name": "Asha",
            "email": "asha@example.com",
            "password1": "seven-lemons-a-day",
            "adult": "on",
            "next": welcome,
        }
        assert guest.client.post(reverse("account_signup"), form).url == welcome
        page = guest.client.get(welcome).text
        assert f"Your seat at {table.name} and your games are kept." in page
        start(table)
        answer = guest.client.get(welcome, follow=True)
        assert answer.redirect_chain == [(reverse("table", args=[table.pk]), 302)]
        assert "Welcome, Asha. Your seat and your games are kept." in answer.text

    def test_other_pages_and_the_api_ask_a_guest_to_sign_in(self, table, guest, make_table):
        other = make_table()
        for name, args in (
            ("tables:sit", [other.pk]),
            ("tables:queue", [table.pk]),
            ("tables:host", ["indian"]),
            ("tables:play", [1]),
            ("my_matches", []),
            ("wallet:statement", []),
            ("wallet:reload_chips", []),
            ("accounts:settings", []),
        ):
            answer = guest.client.post(reverse(name, args=args))
            assert (answer.status_code, "/accounts/login/" in answer.url) == (302, True), name
        for path in (f"tables/{other.pk}/sit/", f"tables/{table.pk}/leave/"):
            answer = guest.client.post(
                f"/api/v1/{path}", "{}", "application/json", headers={"Idempotency-Key": "k" * 9}
            )
            assert answer.status_code in {401, 403}
        assert list_names(other) == []
        assert list_names(table) == ["Player 1", "Asha"]
        page = guest.client.get(reverse("table", args=[other.pk])).text
        assert "Keep your games" not in page


class TestTalk:
    def test_a_guest_is_offered_phrases_and_no_words(self, guest):
        page = guest.page()
        assert 'data-phrase="hello"' in page
        assert 'id="chat-text"' not in page

    def test_guests_and_players_report_and_ignore_each_other(self, table, guest, host, client):
        client.force_login(host)
        user = guest.user
        for browser, about in ((guest.client, host), (client, user)):
            form = {"player": about.pk, "reason": "OTHER", "words": "", "invite": CODE}
            browser.post(reverse("tables:report", args=[table.pk]), form)
            browser.post(reverse("tables:ignore", args=[table.pk]), form)
        both = {(host.pk, user.pk), (user.pk, host.pk)}
        assert set(Report.objects.values_list("reporter_id", "reported_id")) == both
        assert set(IgnoredPlayer.objects.values_list("user_id", "ignored_id")) == both


def test_a_guest_who_registers_keeps_seat_games_and_name(table, guest):
    match = start(table)
    kept = guest.user
    assert 'value="Asha"' in guest.client.get(reverse("account_signup")).text
    path = reverse("table", args=[table.pk])
    form = {**FORM, "player_name": "Asha", "next": path}
    assert guest.client.post(reverse("account_signup"), form).url == path
    user = User.objects.get(email=FORM["email"])
    assert (user.pk, user.player_name, user.is_guest) == (kept.pk, "Asha", False)
    assert user.pk in match.participants
    assert Seat.objects.get(table=table, user=user, left_at=None).status == SeatStatus.PLAYING
    assert chips_of(user) > 0
    assert "guest" not in require(list_chairs(table)[1]["player"])


class TestExpiry:
    def test_an_expired_guest_between_matches_is_removed(self, table, guest):
        grow_old(guest.user)
        assert remove_guests(now=timezone.now()) == 1
        assert list_names(table) == ["Player 1"]
        assert PRESS.search(guest.page()) is not None  # the browser is signed out

    def test_the_first_page_leads_back_to_a_seat_until_the_guest_leaves(self, table, guest):
        start(table)
        words = "Back to your deal"
        assert words in guest.client.get("/").text
        guest.leave()
        assert words not in guest.client.get("/").text

    def test_an_expired_guest_in_a_match_is_removed_after_it(self, table, guest):
        match = start(table)
        grow_old(guest.user)
        assert remove_guests(now=timezone.now()) == 0
        sitting = Seat.objects.get(table=table, user=guest.user, left_at=None)
        assert (sitting.status, sitting.is_last_deal) == (SeatStatus.PLAYING, True)
        end_match(table)
        assert reload(match).status == MatchStatus.FINISHED
        assert list_names(table) == ["Player 1"]
        assert remove_guests(now=timezone.now()) == 1

    def test_a_guest_returns_to_a_slow_game_by_the_link_for_days(self, make_free, host):
        book = get_game("indian").rules
        slow = make_free(
            opened_by_id=host.pk, changes=pace_fields(book, book.preset("points"), "slow")
        )
        seat_all(slow, host)
        guest = Visitor(slow)
        # The page states the limits of guests before they take a seat.
        assert "Guests are not told when it is their turn" in guest.page()
        guest.sit("Asha")
        start(slow)
        grow_old(guest.user, guests.LASTS * 8)
        assert remove_guests(now=timezone.now()) == 0
        page = guest.page()
        seat = Seat.objects.get(table=slow, user=guest.user, left_at=None).number
        you = json.loads(require(STATE.search(page))[1])["state"]["you"]
        assert (you["seat"], len(you["hand"])) == (seat, 13)
        may_draw = "draw" in {move["kind"] for move in you["legal"]}
        assert may_draw == (game_view(slow)["turn"] == seat)
        assert "come back with the link to see whether it is your turn" in page

    def test_a_long_match_does_not_keep_an_expired_guest_forever(self, table, guest):
        start(table)
        grow_old(guest.user, guests.LASTS + LAST_MATCH * 2)
        remove_guests(now=timezone.now())
        assert remove_guests(now=timezone.now()) + remove_guests(now=timezone.now()) <= 1
        assert list_names(table) == ["Player 1"]
        assert guest.user.closed_at is not None


@pytest.mark.django_db(transaction=True)
def test_concurrent_presses_make_one_guest_and_one_seat(table):
    visitor = Visitor(table)
    form, cookies = visitor.form("Asha"), dict(visitor.client.cookies)

    def press() -> Client:
        client = Client()
        client.cookies.update(cookies)
        Visitor(table, client=client).post(form)
        return client

    browsers = run_at_once(*3 * [press])
    guest = User.objects.get(is_guest=True)
    assert list_names(table) == ["Player 1", "Asha"]
    for browser in browsers:  # whichever cookie the browser kept
        assert browser.session["guest"] == guest.pk


def test_the_first_guest_hosts_when_no_player_is_left(table, guest, host):
    second = Visitor(table)
    second.sit("Devi")
    assert [bool(chair.get("host")) for chair in list_chairs(table)] == [True, False, False]
    waiting = {"status": TableStatus.WAITING, "deadline_at": None, "max_seats": 4}
    Table.objects.filter(pk=table.pk).update(**waiting)
    leave(table, host)
    assert [bool(chair.get("host")) for chair in list_chairs(table)] == [False, True, False, False]
    first, other = table.sittings.filter(left_at=None).order_by("number")
    with refused(HOST_STARTS):
        start_table(table_id=table.pk, user_id=other.user_id)
    assert reload(table).status == TableStatus.WAITING
    start_table(table_id=table.pk, user_id=first.user_id)
    assert reload(table).status == TableStatus.STARTING


def test_a_player_hosts_before_any_guest(table, guest, host, make_player):
    seat_all(table, make_player())
    leave(table, host)
    assert [bool(chair.get("host")) for chair in list_chairs(table)] == [False, False, True]
