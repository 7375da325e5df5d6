"""A guest sits down with a name by the link of a friend's table where nothing is at stake, and no further."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.people import guests
from config.account_data.closing import LAST_MATCH, remove_guests
from core import throttling
from games.engine.paces import pace_fields
from games.registry import get_game
from tables.chat.moderation import Line
from tables.chat.services import say
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
from tables.players.selectors import find_open_player, find_player, list_recent_opponents
from tables.refusals import NoGuests, PhrasesOnly
from tables.seating.closing import remove_player
from tables.seating.hosting import guests as at_tables
from tables.seating.sitting import leave_table, take_seat
from tests.given import reload, require
from tests.tables.driving import end_match, game_view, let_time_pass
from tests.tables.learning.test_guests import FORM
from wallet.ledger.balances import get_player_balances
from wallet.models import Journal

pytestmark = pytest.mark.django_db
CODE = "abcdefghijkl"
STATE = re.compile(r'<script id="table-state"[^>]*>(.*?)</script>')
PRESS = re.compile(r'name="press" value="([0-9a-f]{32})"')


@pytest.fixture(autouse=True)
def _rates():
    throttling.clear("guests", "guests:127.0.0.1", *(f"guests:table:{pk}" for pk in range(1, 400)))


@pytest.fixture
def host(make_player):
    return make_player()


@pytest.fixture
def table(make_table, host):
    """A free table of three, at which its host sits."""
    opened = make_table(
        point_value=0, entry_fee=0, invite_code=CODE, max_seats=3, opened_by_id=host.pk
    )
    take_seat(table_id=opened.pk, user_id=host.pk, amount=0, invite=CODE)
    return opened


class Visitor:
    """A browser without an account, which has opened the link."""

    def __init__(self, table: Table, *, invite: str = CODE, client: Client | None = None) -> None:
        self.client: Any = client or Client()
        self.table, self.invite = table, invite

    def page(self) -> str:
        path = reverse("tables:table", args=[self.table.pk])
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
    def guest(self) -> User:
        return User.objects.get(pk=self.client.session["guest"])


def list_seated(table: Table) -> list[str]:
    rows = Seat.objects.filter(table=table, left_at=None).order_by("number")
    return [seat.user.player_name for seat in rows.select_related("user")]


def chairs(table: Table) -> Any:
    return require(snapshot(table_id=table.pk, user_id=None)).state["seats"]


def expect_refusal(visitor: Visitor, form: dict[str, Any], words: str) -> None:
    """Check that the page asks again and says why; nobody sits and there is no new guest."""
    before = list_seated(visitor.table), User.objects.count()
    visitor.post(form)
    assert (list_seated(visitor.table), User.objects.count()) == before
    assert words in visitor.page().replace("&#x27;", "'")


def begin(table: Table) -> Match:
    Table.objects.filter(pk=table.pk).update(status=TableStatus.STARTING)
    let_time_pass(table)
    return Match.objects.get(table=table, status=MatchStatus.RUNNING)


def grow_old(guest: User, by: timedelta = guests.LASTS * 2) -> None:
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - by)


class TestSittingDown:
    def test_a_name_and_one_press_are_enough(self, table, host):
        visitor = Visitor(table)
        page = visitor.page()
        assert "invites you to play" in page
        assert 'data-refused="no"' in page
        planted = visitor.client.session.session_key
        answer = visitor.sit("Asha")
        # Whoever planted a session in this browser does not share the guest.
        assert visitor.client.session.session_key != planted
        assert answer.url.startswith(reverse("tables:table", args=[table.pk]))
        guest = visitor.guest
        assert (guest.player_name, guest.is_guest, guest.has_usable_password()) == (
            "Asha",
            True,
            False,
        )
        assert guest.adult_confirmed_at is not None
        assert list_seated(table) == [host.player_name, "Asha"]
        assert [chair["player"] and chair["player"].get("guest") for chair in chairs(table)] == [
            None,
            True,
            None,
        ]
        again = visitor.page()
        assert "Keep your games: register" in again
        assert f'"id": {guest.pk}' in again

    def test_the_box_is_ticked_by_themselves(self, table):
        visitor = Visitor(table)
        form = visitor.form("Asha")
        del form["adult"]
        expect_refusal(visitor, form, "is for people of 18 years and older")

    def test_names_are_those_of_players(self, table):
        visitor = Visitor(table)
        for name, words in (
            ("Admin", "could be taken for the site's staff"),
            ("Guest", "could be taken for the site's staff"),
            ("As", "3"),
            ("<b>x</b>", "letters, digits, spaces"),
            ("Player 1", "Somebody at this table has a name like this"),
            ("PIayer 1", "Somebody at this table has a name like this"),
        ):
            expect_refusal(visitor, visitor.form(name), words)

    def test_a_name_of_somebody_elsewhere_gets_a_number(self, table):
        User.objects.create_user("asha@example.com", player_name="Asha")
        visitor = Visitor(table)
        visitor.sit("Asha")
        assert re.fullmatch(r"Asha \d{2,6}", visitor.guest.player_name)

    def test_a_returning_guest_has_the_same_row_and_may_take_another_name(self, table):
        visitor = Visitor(table)
        visitor.sit("Asha")
        first = visitor.guest.pk
        visitor.client.post(reverse("tables:leave", args=[table.pk]))
        assert list_seated(table) == ["Player 1"]
        assert 'value="Asha"' in visitor.page()
        visitor.sit("Devi")
        assert (visitor.guest.pk, list_seated(table)) == (first, ["Player 1", "Devi"])


class TestBounds:
    @pytest.mark.parametrize("stake", [{"point_value": 1}, {"point_value": 0, "entry_fee": 100}])
    def test_a_table_with_a_stake_is_for_accounts(self, make_table, stake):
        dear = make_table(invite_code=CODE, **stake)
        visitor = Visitor(dear)
        page = visitor.page()
        assert PRESS.search(page) is None
        assert "you need an account" in page
        form = {"player_name": "Asha", "adult": "on", "press": "0" * 32, "invite": CODE}
        visitor.post(form)
        assert not User.objects.filter(is_guest=True).exists()
        guest = User.objects.create_user("g@guests.invalid", player_name="Asha", is_guest=True)
        with pytest.raises(NoGuests):
            take_seat(table_id=dear.pk, user_id=guest.pk, amount=dear.min_buy_in, invite=CODE)

    def test_without_the_link_there_is_no_table(self, table):
        visitor = Visitor(table, invite="wrong")
        form = {"player_name": "Asha", "adult": "on", "press": "0" * 32, "invite": "wrong"}
        assert visitor.post(form).status_code == 404
        assert not User.objects.filter(is_guest=True).exists()

    def test_never_more_than_there_are_seats(self, table):
        Visitor(table).sit("Asha")
        Visitor(table).sit("Devi")
        late = Visitor(table)
        expect_refusal(late, late.form("Ravi"), "taken")

    def test_one_address_brings_no_crowd(self, table, monkeypatch):
        monkeypatch.setattr(guests, "OF_AN_ADDRESS", 2)
        for name in ("Asha", "Devi"):
            visitor = Visitor(table)
            visitor.sit(name)
            visitor.client.post(reverse("tables:leave", args=[table.pk]))
        for _attempt in range(2):
            late = Visitor(table)
            expect_refusal(late, late.form("Ravi"), "Many guests have come")

    def test_a_link_that_has_gone_round_brings_no_crowd(self, table, monkeypatch):
        monkeypatch.setattr(at_tables, "AT_A_TABLE", 1)
        visitor = Visitor(table)
        visitor.sit("Asha")
        visitor.client.post(reverse("tables:leave", args=[table.pk]))
        late = Visitor(table, client=Client(REMOTE_ADDR="203.0.113.9"))
        expect_refusal(late, late.form("Ravi"), "Many guests have come")
        again = Visitor(table, client=visitor.client)
        again.sit("Asha")
        assert list_seated(table) == ["Player 1", "Asha"]

    def test_one_browser_sits_once(self, table):
        first = Visitor(table)
        first.sit("Asha")
        second = Visitor(table)
        second.client.cookies["device"] = first.client.cookies["device"].value
        expect_refusal(
            second, second.form("Devi"), "Somebody else of your browser sits at this table"
        )

    def test_who_was_sent_away_does_not_come_back_under_another_name(self, table):
        visitor = Visitor(table)
        visitor.sit("Asha")
        remove_player(table_id=table.pk, user_id=visitor.guest.pk)
        expect_refusal(visitor, visitor.form("Asha"), "stood you up")
        other = Visitor(table)
        expect_refusal(other, other.form("Devi"), "stood you up")
        elsewhere = Visitor(table, client=Client(REMOTE_ADDR="203.0.113.9"))
        elsewhere.sit("Ravi")
        assert list_seated(table) == ["Player 1", "Ravi"]

    def test_no_money_moves_and_nobody_finds_or_befriends_a_guest(self, table, host):
        before = Journal.objects.count()
        visitor = Visitor(table)
        visitor.sit("Asha")
        begin(table)
        end_match(table)
        assert Journal.objects.count() == before
        assert get_player_balances(visitor.guest.pk).chips == 0
        assert find_player("Asha") is None
        assert find_open_player(visitor.guest.pk) is None
        assert list_recent_opponents(host.pk) == []

    def test_everywhere_else_a_guest_is_nobody(self, table, make_table):
        visitor = Visitor(table)
        visitor.sit("Asha")
        other = make_table()
        for name, args in (
            ("tables:sit", [other.pk]),
            ("tables:queue", [table.pk]),
            ("tables:host", ["indian"]),
            ("my_matches", []),
            ("wallet:statement", []),
            ("accounts:profile", []),
        ):
            answer = visitor.client.post(reverse(name, args=args))
            assert (answer.status_code, "/accounts/login/" in answer.url) == (302, True), name
        for path in (f"tables/{other.pk}/sit/", f"tables/{table.pk}/leave/"):
            answer = visitor.client.post(
                f"/api/v1/{path}", "{}", "application/json", headers={"Idempotency-Key": "k" * 9}
            )
            assert answer.status_code in {401, 403}
        assert list_seated(other) == []
        assert list_seated(table) == ["Player 1", "Asha"]


class TestTalk:
    def test_a_guest_says_phrases_and_no_words(self, table):
        visitor = Visitor(table)
        visitor.sit("Asha")
        guest = visitor.guest.pk
        assert say(table_id=table.pk, user_id=guest, line=Line(phrase="hello")).phrase == "hello"
        with pytest.raises(PhrasesOnly):
            say(table_id=table.pk, user_id=guest, line=Line(text="call me"))
        page = visitor.page()
        assert 'data-phrase="hello"' in page
        assert 'id="chat-text"' not in page

    def test_a_guest_hears_reports_and_is_reported_as_anybody(self, table, host, client):
        visitor = Visitor(table)
        visitor.sit("Asha")
        guest = visitor.guest
        about = {"player": host.pk, "reason": "OTHER", "words": "", "invite": CODE}
        visitor.client.post(reverse("tables:report", args=[table.pk]), about)
        visitor.client.post(reverse("tables:ignore", args=[table.pk]), about)
        client.force_login(host)
        about["player"] = guest.pk
        client.post(reverse("tables:report", args=[table.pk]), about)
        client.post(reverse("tables:ignore", args=[table.pk]), about)
        both = {(host.pk, guest.pk), (guest.pk, host.pk)}
        assert set(Report.objects.values_list("reporter_id", "reported_id")) == both
        assert set(IgnoredPlayer.objects.values_list("user_id", "ignored_id")) == both


class TestRegistering:
    def test_seat_games_and_name_are_kept(self, table):
        visitor = Visitor(table)
        visitor.sit("Asha")
        guest = visitor.guest
        match = begin(table)
        form = visitor.client.get(reverse("account_signup")).text
        assert 'value="Asha"' in form
        path = reverse("tables:table", args=[table.pk])
        answer = visitor.client.post(
            reverse("account_signup"), {**FORM, "player_name": "Asha", "next": path}
        )
        assert answer.url == path
        user = User.objects.get(email=FORM["email"])
        assert (user.pk, user.player_name, user.is_guest) == (guest.pk, "Asha", False)
        assert match.participants == [*sorted({match.participants[0], user.pk})]
        assert Seat.objects.get(table=table, user=user, left_at=None).status == SeatStatus.PLAYING
        assert get_player_balances(user.pk).chips > 0
        assert "guest" not in require(chairs(table)[1]["player"])


class TestTheEndOfTheDay:
    def test_a_guest_between_matches_goes_at_once(self, table):
        visitor = Visitor(table)
        visitor.sit("Asha")
        grow_old(visitor.guest)
        assert remove_guests(now=timezone.now()) == 1
        assert list_seated(table) == ["Player 1"]
        assert PRESS.search(visitor.page()) is not None  # as nobody's browser

    def test_a_match_with_others_is_played_to_its_end(self, table):
        visitor = Visitor(table)
        visitor.sit("Asha")
        match = begin(table)
        grow_old(visitor.guest)
        assert remove_guests(now=timezone.now()) == 0
        sitting = Seat.objects.get(table=table, user=visitor.guest, left_at=None)
        assert (sitting.status, sitting.is_last_deal) == (SeatStatus.PLAYING, True)
        end_match(table)
        assert reload(match).status == MatchStatus.FINISHED
        assert list_seated(table) == ["Player 1"]
        assert remove_guests(now=timezone.now()) == 1

    def test_the_link_leads_a_guest_back_to_a_slow_game_for_days(self, make_table, host):
        book = get_game("indian").rules
        slow = make_table(
            point_value=0,
            entry_fee=0,
            invite_code=CODE,
            opened_by_id=host.pk,
            changes=pace_fields(book, book.preset("points"), "slow"),
        )
        take_seat(table_id=slow.pk, user_id=host.pk, amount=0, invite=CODE)
        visitor = Visitor(slow)
        # What a guest misses is said before they sit down.
        assert "Guests are not told when it is their turn" in visitor.page()
        visitor.sit("Asha")
        begin(slow)
        grow_old(visitor.guest, guests.LASTS * 8)
        assert remove_guests(now=timezone.now()) == 0
        page = visitor.page()
        seat = Seat.objects.get(table=slow, user=visitor.guest, left_at=None).number
        shown = json.loads(require(STATE.search(page))[1])["state"]
        assert (shown["you"]["seat"], len(shown["you"]["hand"])) == (seat, 13)
        assert ("draw" in {move["kind"] for move in shown["you"]["legal"]}) == (
            game_view(slow)["turn"] == seat
        )
        assert "come back by the link to see when it is your turn" in page

    def test_no_match_keeps_a_guest_for_ever(self, table):
        visitor = Visitor(table)
        visitor.sit("Asha")
        begin(table)
        grow_old(visitor.guest, guests.LASTS + LAST_MATCH * 2)
        remove_guests(now=timezone.now())
        assert remove_guests(now=timezone.now()) + remove_guests(now=timezone.now()) <= 1
        assert list_seated(table) == ["Player 1"]
        assert visitor.guest.closed_at is not None


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_are_one_guest_and_one_seat(table):
    visitor = Visitor(table)
    form, cookies = visitor.form("Asha"), dict(visitor.client.cookies)

    def press(_number: int) -> str:
        client = Client()
        client.cookies.update(cookies)
        try:
            Visitor(table, client=client).post(form)
            return client.cookies["sessionid"].value
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        sessions = list(pool.map(press, range(3)))
    connection.ensure_connection()
    guest = User.objects.get(is_guest=True)
    assert list_seated(table) == ["Player 1", "Asha"]
    for session in sessions:  # whichever answer the browser has kept
        client = Client()
        client.cookies["sessionid"] = session
        assert client.session["guest"] == guest.pk


def test_a_guest_leaves_as_any_player_does(table):
    visitor = Visitor(table)
    visitor.sit("Asha")
    begin(table)
    leave_table(table_id=table.pk, user_id=visitor.guest.pk)
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED
    assert list_seated(table) == ["Player 1"]


def test_a_guest_hosts_where_no_player_is_left(table, host):
    first, second = Visitor(table), Visitor(table)
    first.sit("Asha")
    second.sit("Devi")
    assert [bool(chair.get("host")) for chair in chairs(table)] == [True, False, False]
    Table.objects.filter(pk=table.pk).update(
        status=TableStatus.WAITING, deadline_at=None, max_seats=4
    )
    leave_table(table_id=table.pk, user_id=host.pk)
    assert [bool(chair.get("host")) for chair in chairs(table)] == [False, True, False, False]
    path = reverse("tables:start", args=[table.pk])
    second.client.post(path)
    assert Table.objects.get(pk=table.pk).status == TableStatus.WAITING
    first.client.post(path)
    assert Table.objects.get(pk=table.pk).status == TableStatus.STARTING


def test_a_player_hosts_before_any_guest(table, host, make_player):
    Visitor(table).sit("Asha")
    friend = make_player()
    take_seat(table_id=table.pk, user_id=friend.pk, amount=0, invite=CODE)
    leave_table(table_id=table.pk, user_id=host.pk)
    assert [bool(chair.get("host")) for chair in chairs(table)] == [False, False, True]
