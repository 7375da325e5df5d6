"""Free chips: practice chips once a day, limited for each browser and each address."""

from datetime import date, timedelta

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.models.sessions import NOWHERE, Origin
from accounts.origins import COOKIE
from tests.refusals import refused
from tests.together import run_at_once
from tests.wallet.cash_players import make_player
from tests.wallet.rawsql import expect_unchanged
from tests.wallet.seats import CHIPS
from wallet import api as wallet
from wallet.chips.services import (
    count_free_chips,
    forget_free_chips,
    may_reload_chips,
    reload_chips,
)
from wallet.ledger.balances import balance, get_player_balances
from wallet.ledger.chart import PostingLine, house, player
from wallet.ledger.posting import post_transfers
from wallet.models import FreeChips, Reason
from wallet.refusals import CHIPS_OF_ADDRESS_GIVEN, CHIPS_OF_DEVICE_GIVEN, PRACTICE_CHIPS_NOT_YET

pytestmark = pytest.mark.django_db
TODAY = date(2026, 3, 1)
BUTTON = "Get practice chips"
WELCOME, PRACTICE = FreeChips.Kind.WELCOME, FreeChips.Kind.PRACTICE
HERE = Origin("phone", "home")


@pytest.fixture(autouse=True)
def _settings(settings):
    settings.WELCOME_CHIPS = 10_000
    settings.PRACTICE_CHIPS = 5_000
    settings.PRACTICE_CHIPS_BELOW = 1_000
    settings.WELCOMES_OF_A_DEVICE = 2
    settings.WELCOMES_OF_AN_ADDRESS = 3
    settings.RELOADS_OF_A_DEVICE = 1
    settings.RELOADS_OF_AN_ADDRESS = 2


def lose(user_id, amount):
    line = PostingLine(player(user_id, CHIPS), house(CHIPS), amount, Reason.ADJUSTMENT)
    post_transfers(key=f"lose:{user_id}:{amount}", lines=[line])


def chips(user_id):
    return balance(player(user_id, CHIPS))


def take(kind, origin, *, now, times=1, **more):
    for _ in range(times):
        count_free_chips(kind, origin, now=now, **more)


def test_a_player_short_of_chips_gets_more_once_a_day(ledger):
    wallet.grant_welcome_chips(user_id=5)
    lose(5, 9_001)
    assert may_reload_chips(user_id=5, today=TODAY)
    assert reload_chips(user_id=5, today=TODAY) == 5_000
    assert chips(5) == 5_999
    lose(5, 5_999)
    before = ledger()
    assert not may_reload_chips(user_id=5, today=TODAY)
    with refused(PRACTICE_CHIPS_NOT_YET) as refusal:
        reload_chips(user_id=5, today=TODAY)
    assert refusal.value.code == "practice_chips_not_yet"
    assert ledger() == before
    assert reload_chips(user_id=5, today=date(2026, 3, 2)) == 5_000


def test_a_player_with_enough_chips_gets_none():
    wallet.grant_welcome_chips(user_id=5)
    lose(5, 9_000)
    with expect_unchanged(PRACTICE_CHIPS_NOT_YET):
        reload_chips(user_id=5, today=TODAY)


def test_the_wallet_page_offers_practice_chips(client, asha):
    client.force_login(asha)
    assert BUTTON in client.get("/wallet/").text
    page = client.post("/wallet/chips/", follow=True).text
    assert "You got 5,000 practice chips." in page
    assert BUTTON not in page
    page = client.post("/wallet/chips/", follow=True).text
    assert "once a day" in page
    assert chips(asha.pk) == 5_000


def test_practice_chips_need_a_login_and_a_post(client, ledger, asha):
    before = ledger()
    assert client.post("/wallet/chips/").url == "/accounts/login/?next=/wallet/chips/"
    client.force_login(asha)
    assert client.get("/wallet/chips/").status_code == 405
    assert ledger() == before


def test_a_browser_gets_welcome_chips_twice_in_thirty_days():
    now = timezone.now()
    take(WELCOME, HERE, now=now, times=2)
    with refused(CHIPS_OF_DEVICE_GIVEN):
        take(WELCOME, Origin("phone", "office"), now=now + timedelta(days=29))
    assert FreeChips.objects.count() == 2
    take(WELCOME, Origin("phone", "office"), now=now + timedelta(days=30))


def test_an_address_gets_three_welcomes_a_day_without_a_confirmed_email():
    now = timezone.now()
    for device in ("a", "b", "c"):
        take(WELCOME, Origin(device, "home"), now=now)
    with refused(CHIPS_OF_ADDRESS_GIVEN):
        take(WELCOME, Origin("d", "home"), now=now)
    assert FreeChips.objects.count() == 3
    take(WELCOME, Origin("d", "home"), now=now, of_address=False)
    take(WELCOME, Origin("e", "home"), now=now + timedelta(days=1))


def test_practice_chips_have_their_own_bounds():
    now = timezone.now()
    take(WELCOME, HERE, now=now, times=2)
    take(PRACTICE, HERE, now=now)
    with refused(CHIPS_OF_DEVICE_GIVEN):
        take(PRACTICE, HERE, now=now)
    take(PRACTICE, Origin("tablet", "home"), now=now)
    with refused(CHIPS_OF_ADDRESS_GIVEN):
        take(PRACTICE, Origin("laptop", "home"), now=now)
    take(PRACTICE, HERE, now=now + timedelta(days=1))


def test_an_unknown_place_has_no_bound_and_old_rows_go():
    now = timezone.now()
    take(WELCOME, NOWHERE, now=now, times=5)
    assert not FreeChips.objects.exists()
    take(WELCOME, HERE, now=now, times=2)
    assert forget_free_chips(now=now + timedelta(days=29)) == 0
    assert forget_free_chips(now=now + timedelta(days=30)) == 2


@pytest.mark.django_db(transaction=True)
def test_simultaneous_welcomes_of_one_browser_are_counted():
    users = [make_player(f"Player{number}").pk for number in range(4)]
    run_at_once(
        *(lambda user=user: wallet.grant_welcome_chips(user_id=user, origin=HERE) for user in users)
    )
    assert FreeChips.objects.count() == 2
    assert sum(get_player_balances(user).chips > 0 for user in users) == 2


def test_welcome_chips_refused_at_signup_come_with_the_confirmed_address(settings):
    settings.WELCOMES_OF_AN_ADDRESS = 0
    browser = Client(REMOTE_ADDR="203.0.113.7")
    browser.get(reverse("account_signup"))
    form = {
        "email": "nila@example.com",
        "password1": "a-long-enough-word-4",
        "player_name": "Nila",
        "adult": "on",
    }
    answer = browser.post(reverse("account_signup"), form, follow=True)
    assert "Confirm your e-mail address to get your welcome chips" in answer.text
    user = User.objects.get(email="nila@example.com")
    assert get_player_balances(user.pk).chips == 0
    address = EmailAddress.objects.get(user=user)
    assert not address.verified
    key = EmailConfirmationHMAC(address).key
    assert browser.post(reverse("account_confirm_email", args=[key])).status_code == 302
    assert get_player_balances(user.pk).chips == 10_000


def test_a_browser_keeps_the_id_from_its_first_form():
    browser = Client()
    browser.get(reverse("account_signup"))
    number = browser.cookies[COOKIE]
    assert len(number.value) == 22
    assert number["httponly"]
    assert number["samesite"] == "Lax"
    browser.get(reverse("account_login"))
    assert browser.cookies[COOKIE].value == number.value
    # A number made up by the visitor is not accepted.
    browser.cookies[COOKIE] = "x" * 23
    browser.get(reverse("account_signup"))
    assert len(browser.cookies[COOKIE].value) == 22
