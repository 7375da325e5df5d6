"""The list of devices: the data it shows, and ending one session, the others or all."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.sessions.devices import name_device
from accounts.sessions.services import list_sessions
from tests.accounts.users import PASSWORD, make_confirmed_player

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537"
FOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:121.0) Gecko/20100101 Firefox/121.0"
PAGE = "/accounts/sessions/"


@pytest.fixture
def asha():
    return make_confirmed_player()


def sign_in(user, agent=PHONE, address="203.0.113.7"):
    client = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR=address)
    form = {"login": user.email, "password": PASSWORD}
    assert client.post(reverse("account_login"), form).status_code == 302
    assert client.get(reverse("accounts:settings")).status_code == 200
    return client


def is_in(client):
    return client.get(reverse("accounts:settings")).status_code == 200


@pytest.mark.parametrize(
    ("agent", "device"),
    [(PHONE, "Chrome, Android"), (FOX, "Firefox, Windows"), ("curl/8.5", "curl/8.5"), ("", "")],
)
def test_a_user_agent_is_shown_as_browser_and_system(agent, device):
    assert name_device(agent) == device


def test_every_device_is_listed_with_its_address(asha):
    phone = sign_in(asha)
    sign_in(asha, FOX, "198.51.100.2")
    page = phone.get(PAGE).text
    for words in ("Chrome, Android", "203.0.113.7", "Firefox, Windows", "198.51.100.2"):
        assert words in page
    assert page.count("this device") == 1
    assert len(list_sessions(asha.pk)) == 2


def test_one_device_is_signed_out_by_another(asha):
    phone, laptop = sign_in(asha), sign_in(asha, FOX)
    other = UserSession.objects.get(user_agent=FOX)
    phone.post(reverse("accounts:end_session", args=[other.pk]))
    assert is_in(phone)
    assert not is_in(laptop)
    assert not Session.objects.filter(session_key=other.session_key).exists()


def test_a_player_cannot_end_the_session_of_another(asha):
    phone = sign_in(asha)
    thief = sign_in(make_confirmed_player("Ravi"), FOX)
    session = UserSession.objects.get(user=asha)
    thief.post(reverse("accounts:end_session", args=[session.pk]))
    assert is_in(phone)
    assert UserSession.objects.filter(pk=session.pk).exists()


def test_signing_out_everywhere(asha):
    phone, laptop = sign_in(asha), sign_in(asha, FOX)
    answer = phone.post(reverse("accounts:sign_out_everywhere"))
    assert answer["Location"] == reverse("account_login")
    assert not is_in(phone)
    assert not is_in(laptop)
    assert not Session.objects.exists() or not list_sessions(asha.pk)


def test_the_other_devices_are_signed_out_on_allauths_own_form(asha):
    phone, laptop = sign_in(asha), sign_in(asha, FOX)
    phone.post(PAGE)
    assert is_in(phone)
    assert not is_in(laptop)


def test_a_new_password_signs_out_every_other_device(asha):
    phone, laptop = sign_in(asha), sign_in(asha, FOX)
    form = {"oldpassword": PASSWORD, "password1": "ten-melons-now", "password2": "ten-melons-now"}
    assert phone.post(reverse("account_change_password"), form).status_code == 302
    assert is_in(phone)
    assert not is_in(laptop)
    assert len(list_sessions(asha.pk)) == 1


def test_ended_sessions_are_not_listed_and_are_deleted(asha):
    phone = sign_in(asha)
    for field in ("password", "expire_date"):
        sign_in(asha, FOX)
        over = UserSession.objects.get(user_agent=FOX)
        if field == "expire_date":
            of_this_key = Session.objects.filter(session_key=over.session_key)
            of_this_key.update(expire_date=timezone.now() - timedelta(seconds=1))
        else:
            stored = Session.objects.get(session_key=over.session_key)
            values = {**stored.get_decoded(), HASH_SESSION_KEY: "of the password before"}
            stored.session_data = Session.objects.encode(values)
            stored.save()
        assert "Firefox" not in phone.get(PAGE).text
        assert not UserSession.objects.filter(pk=over.pk).exists()
    assert UserSession.objects.count() == 1
    assert is_in(phone)


def test_a_request_is_noted_once_in_a_few_minutes(asha):
    phone = sign_in(asha)
    UserSession.objects.update(ip="10.0.0.1")
    phone.get(reverse("accounts:settings"))
    assert UserSession.objects.get().ip == "10.0.0.1"


def test_strangers_have_no_list(client):
    assert client.get(PAGE).status_code == 302
    assert client.post(reverse("accounts:sign_out_everywhere")).status_code == 302
    assert client.post(reverse("accounts:end_session", args=[1])).status_code == 302


@pytest.mark.parametrize(
    ("mode", "deletes"), [("cors", False), ("no-cors", False), ("navigate", True)]
)
def test_a_late_request_with_the_session_of_before_signs_nobody_out(mode, deletes):
    """Another tab's request may arrive after a sign-in with the old session key. It must not delete the cookie."""
    late = Client(HTTP_SEC_FETCH_MODE=mode)
    late.cookies[settings.SESSION_COOKIE_NAME] = "ended-by-a-sign-in-since-then-01"
    for path in ("/offline/en/", "/sw.js", "/"):
        answer = late.get(path)
        assert answer.status_code == 200
        assert (settings.SESSION_COOKIE_NAME in answer.cookies) is deletes
