"""Limits on wrong passwords: they stop guessing, and an attacker cannot lock the player out."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts import sign_in_limits
from accounts.models import User
from accounts.people import views
from accounts.sign_in_limits import OF_AN_ACCOUNT_AT_AN_ADDRESS, OF_AN_ACCOUNT_ON_ITS_DEVICE
from core import throttling
from tests.accounts.users import PASSWORD, make_confirmed_player
from tests.together import run_at_once

pytestmark = pytest.mark.django_db
HOME, ELSEWHERE = "203.0.113.7", "198.51.100.2"
LOCKED = "Too many failed attempts to sign in"
WRONG = "e-mail address and/or password you specified are not correct"


@pytest.fixture
def asha():
    return make_confirmed_player()


def attempt(client, address, password=PASSWORD, email="asha@example.com"):
    """Try a password. Return the outcome: "in", "wrong" or "locked"."""
    form = {"login": email, "password": password}
    answer = client.post(reverse("account_login"), form, REMOTE_ADDR=address)
    if answer.status_code == 302:
        return "in"
    text = answer.text
    assert (LOCKED in text) != (WRONG in text)
    return "locked" if LOCKED in text else "wrong"


def guess(times, address, email="asha@example.com"):
    return [attempt(Client(), address, f"guess {n}", email) for n in range(times)]


def test_wrong_passwords_elsewhere_do_not_lock_a_player_out(asha):
    assert guess(7, ELSEWHERE) == ["wrong"] * OF_AN_ACCOUNT_AT_AN_ADDRESS + ["locked"] * 2
    # There even the right password is refused, so that a guesser does not learn that it is right.
    assert attempt(Client(), ELSEWHERE) == "locked"
    assert attempt(Client(), HOME) == "in"


def test_a_known_browser_signs_in_from_anywhere(asha):
    browser = Client()
    assert attempt(browser, HOME) == "in"
    browser.post(reverse("account_logout"))
    # Somebody in the same household, or behind the same carrier's address, guesses passwords.
    guess(7, HOME)
    assert attempt(Client(), HOME) == "locked"
    assert attempt(browser, HOME) == "in"


def test_a_known_browser_has_its_own_limited_attempts(asha):
    browser = Client()
    attempt(browser, HOME)
    browser.post(reverse("account_logout"))
    results = [attempt(browser, HOME, f"guess {n}") for n in range(12)]
    assert results == ["wrong"] * OF_AN_ACCOUNT_ON_ITS_DEVICE + ["locked"] * 2
    # This browser's attempts do not count against other browsers.
    assert attempt(Client(), HOME) == "in"


def test_a_browser_is_known_only_for_players_it_signed_in(asha):
    binod = make_confirmed_player("Binod")
    browser = Client()
    assert attempt(browser, HOME, email=binod.email) == "in"
    browser.post(reverse("account_logout"))
    cookie = browser.cookies[sign_in_limits.COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/accounts/", True, "Lax")
    results = [attempt(browser, ELSEWHERE, f"guess {n}") for n in range(6)]
    assert results == ["wrong"] * OF_AN_ACCOUNT_AT_AN_ADDRESS + ["locked"]
    # A cookie without a valid signature is ignored.
    browser.cookies[sign_in_limits.COOKIE] = cookie.value[:-3] + "abc"
    assert attempt(browser, ELSEWHERE, email=binod.email) == "in"  # this account has had no guesses
    forger = Client()
    forger.cookies[sign_in_limits.COOKIE] = f'{{"device":"x","people":[{asha.pk}]}}'
    assert attempt(forger, ELSEWHERE) == "locked"


def test_two_people_share_a_browser(asha):
    binod = make_confirmed_player("Binod")
    browser = Client()
    for user in (asha, binod):
        assert attempt(browser, HOME, email=user.email) == "in"
        browser.post(reverse("account_logout"))
    guess(6, HOME)
    guess(6, HOME, binod.email)
    assert [attempt(browser, HOME, email=user.email) for user in (asha, binod)] == ["in", "in"]


def test_right_passwords_are_not_counted(asha):
    assert [attempt(Client(), HOME) for _ in range(8)] == ["in"] * 8
    assert guess(1, HOME) == ["wrong"]


def test_an_address_guesses_at_many_accounts_within_its_own_limit(asha, settings):
    settings.WRONG_PASSWORDS_OF_AN_ADDRESS = 8
    people = [make_confirmed_player(f"Player{n}") for n in range(10)]
    results = [guess(1, ELSEWHERE, user.email)[0] for user in people]
    assert results == ["wrong"] * 8 + ["locked"] * 2
    assert attempt(Client(), HOME) == "in"


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("2001:db8:1:2::7", "2001:db8:1:2:ffff::1", True),
        ("2001:db8:1:2::7", "2001:db8:1:3::7", False),
        ("203.0.113.7", "203.0.113.8", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
        ("::ffff:203.0.113.7", "::ffff:203.0.113.8", False),
    ],
)
def test_an_address_of_ipv6_is_its_household(asha, first, second, is_same):
    guess(5, first)
    assert attempt(Client(), second) == ("locked" if is_same else "in")


def test_all_networks_of_a_provider_customer_share_a_limit(asha, settings):
    """The holder of a /48 network can use any of its subnets."""
    settings.WRONG_PASSWORDS_OF_AN_ADDRESS = 8
    results = [guess(1, f"2001:db8:1:{n:x}::7")[0] for n in range(10)]
    assert results == ["wrong"] * 8 + ["locked"] * 2
    assert attempt(Client(), "2001:db8:2::7") == "in"


@pytest.mark.django_db(transaction=True)
def test_simultaneous_attempts_are_counted(asha):
    results = run_at_once(*(lambda n=n: attempt(Client(), HOME, f"guess {n}") for n in range(12)))
    assert sorted(results) == ["locked"] * 7 + ["wrong"] * OF_AN_ACCOUNT_AT_AN_ADDRESS


@pytest.mark.django_db(transaction=True)
def test_many_people_of_one_address_register_at_once():
    """A school class behind one address: nobody is refused for registering at the same moment."""

    def register(number):
        form = {
            "player_name": f"Pupil {number}",
            "email": f"pupil{number}@example.com",
            "password1": "seven-lemons-a-day",
            "adult": "on",
        }
        return Client().post(reverse("account_signup"), form, REMOTE_ADDR=HOME).status_code

    assert run_at_once(*(lambda n=n: register(n) for n in range(12))) == [302] * 12


def test_accounts_of_one_address_are_limited(client, monkeypatch):
    monkeypatch.setattr(views, "ACCOUNTS_OF_AN_ADDRESS", (1, 60))
    throttling.clear(f"accounts:{HOME}")

    def register(name):
        form = {
            "player_name": name,
            "email": f"{name}@example.com",
            "password1": "seven-lemons-a-day",
            "adult": "on",
        }
        return Client().post(reverse("account_signup"), form, REMOTE_ADDR=HOME)

    assert register("Asha").status_code == 302
    assert "Many accounts come from your network now." in register("Binod").text
    assert list(User.objects.values_list("player_name", flat=True)) == ["Asha"]


def test_who_does_something_too_often_reads_what_to_do(asha, client):
    client.force_login(asha)
    forms = [{"action_add": "", "email": f"other{n}@example.com"} for n in range(11)]
    *_, answer = [client.post(reverse("account_email"), form) for form in forms]
    assert answer.status_code == 429
    assert "Wait a minute, then try again." in answer.text


def test_a_new_password_makes_room_again(asha, client):
    guess(6, HOME)
    client.post(reverse("account_reset_password"), {"email": asha.email}, REMOTE_ADDR=HOME)
    link = next(word for word in mail.outbox[-1].body.split() if "/password/reset/key/" in word)
    form = client.get(link, follow=True, REMOTE_ADDR=HOME)
    new = {"password1": "ten-limes-a-day", "password2": "ten-limes-a-day"}
    client.post(form.request["PATH_INFO"], new, REMOTE_ADDR=HOME)
    assert attempt(Client(), HOME, "ten-limes-a-day") == "in"


def test_a_process_counts_attempts_itself_without_redis(asha, settings):
    there = settings.RATES_REDIS_URL
    settings.RATES_REDIS_URL = "redis://127.0.0.1:1/0"  # no server listens on this port
    assert guess(7, "192.0.2.1") == ["wrong"] * OF_AN_ACCOUNT_AT_AN_ADDRESS + ["locked"] * 2
    assert attempt(Client(), "192.0.2.2") == "in"
    assert throttling.get_breaker(settings.RATES_REDIS_URL).is_open
    settings.RATES_REDIS_URL = there
    assert attempt(Client(), "192.0.2.1") == "in"


@pytest.mark.parametrize("email", ["a\0sha@example.com", "x" * 10_000])
def test_a_malformed_address_is_only_wrong(asha, client, email):
    form = {"login": email, "password": "guess"}
    answer = client.post(reverse("account_login"), form)
    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session
