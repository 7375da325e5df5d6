"""Guests in the guided first deal: limits, registration and removal."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.people import guests
from config.account_data.closing import remove_guests
from core import throttling
from core.emails.sending import write_email
from core.models import OutgoingEmail
from games.indian.game import LESSON_SEED
from tables.models import Deal, Match, MatchStatus, Seat, Table, TableStatus
from tables.play.seeds import add_client_seed, compute_commitment
from tables.refusals import SEED_NOT_TAKEN
from tests.given import reload
from tests.refusals import refused
from tests.tables.driving import (
    WELCOME,
    chips_of,
    end_match,
    leave,
    let_time_pass,
    start_with_a_bot,
)
from wallet.ledger.balances import get_seat_balances
from wallet.models import Journal
from wallet.money import Currency

pytestmark = pytest.mark.django_db

FORM = {
    "player_name": "Asha Rao",
    "email": "asha@example.com",
    "password1": "seven-lemons-a-day",
    "adult": "on",
}


@pytest.fixture(autouse=True)
def _set_up(fees):
    throttling.clear("guests", "guests:127.0.0.1")


def begin(client) -> tuple[User, Table]:
    answer = client.post(reverse("begin_lesson"))
    table = Table.objects.get(is_lesson=True, opened_by=client.session["guest"])
    assert answer.url == reverse("table", args=[table.pk])
    return User.objects.get(pk=client.session["guest"]), table


def make_older(guest: User) -> None:
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - guests.LASTS * 2)


class TestBeginning:
    def test_a_visitor_gets_a_guest_with_chips_and_a_table(self, client):
        guest, table = begin(client)
        assert (guest.is_guest, guest.has_usable_password()) == (True, False)
        assert chips_of(guest) == WELCOME - 160
        assert Seat.objects.get(table=table).user == guest
        page = client.get(reverse("table", args=[table.pk])).text
        assert 'data-learns="yes"' in page
        assert "Keep your chips: register" in page
        assert 'data-signed-in="no"' in page

    def test_a_second_press_leads_to_the_same_guest_and_table(self, client):
        guest, table = begin(client)
        again = client.post(reverse("begin_lesson"))
        assert again.url == reverse("table", args=[table.pk])
        assert User.objects.filter(is_guest=True).get() == guest

    def test_the_first_page_leads_back_to_the_deal(self, client):
        assert "Play a first deal" in client.get("/").text
        _guest, table = begin(client)
        page = client.get("/").text
        assert f'href="{reverse("table", args=[table.pk])}"' in page
        assert "Play a first deal" not in page

    def test_guests_of_one_address_are_limited(self, client, monkeypatch):
        monkeypatch.setattr(guests, "OF_AN_ADDRESS", 2)
        begin(client)
        begin(Client())
        refused = Client()
        answer = refused.post(reverse("begin_lesson"), follow=True)
        assert answer.redirect_chain == [(reverse("learn_game", args=["indian"]), 302)]
        assert "Too many guests have just come from your network" in answer.text
        assert User.objects.filter(is_guest=True).count() == 2
        assert Table.objects.filter(is_lesson=True).count() == 2


class TestTheChosenDeal:
    def test_only_the_first_deal_of_a_person_is_the_chosen_one(self, client):
        guest, table = begin(client)
        assert bytes(table.next_seed) == LESSON_SEED
        start_with_a_bot(table)
        assert bytes(Deal.objects.get(match__table=table).seed) == LESSON_SEED
        assert bytes(reload(table).next_seed) != LESSON_SEED
        end_match(table)
        client.post(reverse("tables:leave", args=[table.pk]))
        Table.objects.filter(pk=table.pk).update(status=TableStatus.CLOSED)
        client.post(reverse("begin_lesson"))
        later = Table.objects.exclude(pk=table.pk).get(opened_by=guest)
        assert bytes(later.next_seed) != LESSON_SEED
        assert later.bot_strength == "easy"

    def test_the_chosen_deal_takes_no_seed_of_a_browser(self, client):
        guest, table = begin(client)
        promise = compute_commitment(LESSON_SEED)
        with refused(SEED_NOT_TAKEN):
            add_client_seed(table_id=table.pk, user_id=guest.pk, promise=promise, seed="0" * 32)
        assert reload(table).client_seeds == {}


class TestLimits:
    def test_a_guest_leaves_only_their_own_seat(self, client):
        guest, table = begin(client)
        stranger: Any = Client()
        begin(stranger)
        assert "/accounts/login/" in stranger.post(reverse("tables:leave", args=[table.pk])).url
        assert Seat.objects.filter(table=table, user=guest, left_at=None).exists()
        assert client.post(reverse("tables:leave", args=[table.pk])).url == reverse("lobby")
        assert not Seat.objects.filter(table=table, user=guest, left_at=None).exists()

    def test_nothing_is_mailed_to_a_guest(self, client):
        guest, _table = begin(client)
        write_email(user_id=guest.pk, kind="account", subject="x", text="y")
        assert not OutgoingEmail.objects.exists()


class TestRegistering:
    def test_the_guest_becomes_the_account_with_table_and_chips(self, client):
        guest, table = begin(client)
        start_with_a_bot(table)
        before = chips_of(guest)
        answer = client.post(
            reverse("account_signup"), {**FORM, "next": reverse("table", args=[table.pk])}
        )
        assert answer.url == reverse("table", args=[table.pk])
        user = User.objects.get(email="asha@example.com")
        assert (user.pk, user.player_name, user.is_guest) == (guest.pk, "Asha Rao", False)
        assert user.check_password(FORM["password1"])
        assert client.session["_auth_user_id"] == str(user.pk)
        assert "guest" not in client.session
        assert chips_of(user) == before
        assert Seat.objects.get(table=table, left_at=None, user__is_bot=False).user == user
        keys = Journal.objects.filter(key__startswith="welcome:").values_list("key", flat=True)
        assert list(keys) == [f"welcome:{user.pk}"]

    def test_the_guest_comes_back_to_a_table_that_has_waited(self, client):
        guest, table = begin(client)
        start_with_a_bot(table)
        end_match(table)
        stack = get_seat_balances([Seat.objects.get(user=guest).pk], currency=Currency.CHIPS)
        chips = chips_of(guest) + sum(stack.values())
        let_time_pass(table)  # the player types the address
        answer = client.post(reverse("account_signup"), FORM)
        assert answer.url == reverse("tables:welcome", args=[table.pk])
        page = client.get(answer.url).text
        assert "Welcome, Asha Rao" in page
        assert f"Your {chips:,} chips are kept" in page
        assert "the next deal begins when you ask for it" in page
        assert (reload(table).status, table.awaits_press) == (TableStatus.BETWEEN, True)
        assert Match.objects.filter(table=table).count() == 1
        leave(table, reload(guest))
        assert chips_of(guest) == chips

    def test_who_was_no_guest_gets_no_welcome_of_a_guest(self, client):
        assert client.post(reverse("account_signup"), FORM).url == reverse("lobby")

    def test_a_page_that_was_wanted_before_comes_before_the_welcome(self, client):
        begin(client)
        wanted = reverse("rules")
        answer = client.post(reverse("account_signup"), {**FORM, "next": wanted})
        assert answer.url == wanted

    def test_a_refused_form_changes_no_guest(self, client):
        User.objects.create_user("asha@example.com", player_name="First")
        guest, table = begin(client)
        page = client.post(reverse("account_signup"), FORM).text
        assert "There is an account with this e-mail address" in page
        assert reload(guest).is_guest
        assert client.get(reverse("table", args=[table.pk])).status_code == 200

    def test_signing_in_to_an_account_leaves_the_guest_behind(self, client, make_player):
        guest, table = begin(client)
        known = make_player()
        known.set_password("nine-limes-now")
        known.save()
        client.post(reverse("account_login"), {"login": known.email, "password": "nine-limes-now"})
        assert client.session["_auth_user_id"] == str(known.pk)
        assert "guest" not in client.session
        assert client.get(reverse("table", args=[table.pk])).status_code == 404
        make_older(guest)
        assert remove_guests(now=timezone.now()) == 1

    def test_a_removed_guest_registers_as_a_new_account(self, client):
        guest, table = begin(client)
        client.post(reverse("tables:leave", args=[table.pk]))
        make_older(guest)
        assert remove_guests(now=timezone.now()) == 1
        client.post(reverse("account_signup"), FORM)
        user = User.objects.get(email="asha@example.com")
        assert user.pk != guest.pk
        assert chips_of(user) == WELCOME


class TestWelcome:
    @pytest.fixture
    def seat(self, client) -> tuple[User, Table, str]:
        """A guest who has just registered, the table of their first deal, and the welcome page's address."""
        guest, table = begin(client)
        start_with_a_bot(table)
        client.post(reverse("account_signup"), FORM)
        return reload(guest), table, reverse("tables:welcome", args=[table.pk])

    def test_every_way_to_register_at_the_table_leads_there(self, client):
        _guest, table = begin(client)
        way = f"{reverse('account_signup')}?next={reverse('tables:welcome', args=[table.pk])}"
        for page in ("/", reverse("table", args=[table.pk])):
            assert f'href="{way}"' in client.get(page).text

    def test_a_face_is_chosen_and_the_deal_goes_on(self, client, seat):
        user, table, address = seat
        page = client.get(address).text
        assert "Your deal has waited for you" in page
        answer = client.post(address, {"face": "panda"})
        assert answer.url == reverse("table", args=[table.pk])
        assert reload(user).face == "panda"

    def test_an_unknown_face_is_refused(self, client, seat):
        user, _table, address = seat
        page = client.post(address, {"face": "<b>"})
        assert "Choose one of the faces." in page.text
        assert reload(user).face == ""

    def test_without_the_seat_the_lobby_comes(self, client, seat, make_player):
        user, table, address = seat
        stranger: Any = Client()
        stranger.force_login(make_player())
        assert stranger.get(address).url == reverse("lobby")
        assert stranger.post(address, {"face": "panda"}).url == reverse("lobby")
        leave(table, user)
        end_match(table)
        assert client.get(address).url == reverse("lobby")
        nobody: Any = Client()
        assert "/accounts/login/" in nobody.get(address).url


class TestRemoval:
    def test_a_guest_is_removed_after_a_day_and_their_chips_stay_in_the_ledger(self, client):
        guest, table = begin(client)
        assert remove_guests(now=timezone.now() + guests.LASTS - timedelta(minutes=1)) == 0
        assert remove_guests(now=timezone.now() + guests.LASTS + timedelta(minutes=1)) == 1
        assert (reload(guest).player_name, guest.is_active) == (f"Closed #{guest.pk}", False)
        assert not Seat.objects.filter(user=guest, left_at=None).exists()
        assert chips_of(guest) == WELCOME
        assert client.get(reverse("table", args=[table.pk])).status_code == 404
        assert remove_guests(now=timezone.now() + guests.LASTS * 3) == 0

    def test_a_guest_in_a_deal_is_dropped_before_removal(self, client):
        guest, table = begin(client)
        start_with_a_bot(table)
        later = timezone.now() + guests.LASTS * 2
        removed = remove_guests(now=later) + remove_guests(now=later)
        assert removed == 1
        assert Match.objects.get(table=table).status == MatchStatus.FINISHED
        assert User.objects.get(pk=guest.pk).closed_at is not None

    def test_a_player_is_never_removed(self, client, make_player):
        player = make_player()
        make_older(player)
        assert remove_guests(now=timezone.now()) == 0
        assert reload(player).closed_at is None
