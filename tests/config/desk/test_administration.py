"""The site of the administration: who comes in, and by which door."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    SECRET_SESSION_KEY,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.desk.staff_roles import Role
from accounts.models import User
from config.settings import base, env
from tests.accounts.staff import member

pytestmark = pytest.mark.django_db
PASSWORD = "nine-limes-a-day"


@pytest.fixture(autouse=True)
def _fresh_rate_limits():
    cache.clear()


@pytest.fixture(autouse=True)
def _strict(settings):
    settings.ADMIN_MFA_REQUIRED = True
    # A code may be made at the end of its half minute and read in the next one.
    settings.MFA_TOTP_TOLERANCE = 1


@pytest.fixture
def staff():
    user = member(Role.FINANCE)
    user.set_password(PASSWORD)
    user.save(update_fields=["password"])
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def code_for(secret):
    _before, now, _after = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, now))


def sign_in(client, user, password=PASSWORD):
    form = {"login": user.email, "password": password, "next": "/admin/"}
    return client.post(reverse("account_login"), form)


def set_up(client):
    """A second factor by the page that asks for it, after the password once more; its secret."""
    page = reverse("mfa_activate_totp")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(page).status_code == 200
    secret = client.session[SECRET_SESSION_KEY]
    assert client.post(page, {"code": code_for(secret)}).status_code == 302
    cache.clear()  # the same code is taken once
    return secret


def test_a_deployment_asks_for_it_unless_told_otherwise():
    assert base.ADMIN_MFA_REQUIRED is env.flag("ADMIN_MFA_REQUIRED", default=True)


def test_strangers_sign_in_on_the_players_page(client):
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))
    assert "next=%2Fadmin%2F" in answer.redirect_chain[-1][0]


def test_there_is_no_other_door(client, staff):
    """Django's own form, which nothing throttles, is not there."""
    form = {"username": staff.email, "password": PASSWORD, "next": "/admin/"}
    answer = client.post("/admin/login/", form)
    assert answer["Location"].startswith(reverse("account_login"))
    assert "_auth_user_id" not in client.session


def test_players_are_not_let_in(client):
    client.force_login(User.objects.create_user("p@example.com", player_name="Player"))
    assert client.get("/admin/login/").status_code == 403
    assert client.get("/admin/accounts/user/", follow=True).status_code == 403


def test_staff_without_a_second_factor_are_sent_to_set_one_up(client, staff):
    assert sign_in(client, staff)["Location"] == "/admin/"
    for page in ("/admin/", "/admin/wallet/withdrawal/", "/admin/accounts/user/"):
        assert client.get(page)["Location"] == reverse("mfa_index")
    answer = client.post("/admin/accounts/playernote/add/", {"user": staff.pk, "text": "x"})
    assert answer["Location"] == reverse("mfa_index")
    assert not staff.notes.exists()
    page = client.get(reverse("mfa_index")).text
    assert "The administration asks for a second factor" in page

    set_up(client)
    assert client.get("/admin/").status_code == 200


def test_recovery_codes_alone_are_no_second_factor(client, staff):
    RecoveryCodes.activate(staff)
    client.force_login(staff)
    assert client.get("/admin/")["Location"] == reverse("mfa_index")


def test_the_next_sign_in_asks_for_the_code(client, staff):
    sign_in(client, staff)
    secret = set_up(client)
    later = Client()
    assert sign_in(later, staff)["Location"].startswith(reverse("mfa_authenticate"))
    assert later.get("/admin/")["Location"].startswith("/admin/login/")
    page = reverse("mfa_authenticate")
    assert later.post(page, {"code": "000000"}).status_code == 200
    assert later.get("/admin/").status_code == 302
    cache.clear()
    assert later.post(page, {"code": code_for(secret)})["Location"] == "/admin/"
    assert later.get("/admin/").status_code == 200


def test_a_superuser_takes_a_lost_factor_away_with_a_reason(client, staff):
    sign_in(client, staff)
    set_up(client)
    boss = User.objects.create_superuser("boss@example.com", None, player_name="Boss")
    office = Client()
    office.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    set_up(office)
    factor = Authenticator.objects.get(user=staff, type="totp")
    page = reverse("admin:mfa_authenticator_delete", args=[factor.pk])
    assert client.post(page, {"post": "yes", "reason_for_audit": "Lost."}).status_code == 403
    assert factor.user.authenticator_set.filter(type="totp").exists()
    office.post(page, {"post": "yes", "reason_for_audit": "The phone is lost."})
    assert not staff.authenticator_set.filter(type="totp").exists()
    assert client.get("/admin/")["Location"] == reverse("mfa_index")


def test_passwords_are_changed_where_players_change_theirs(client, staff):
    """That page signs out the other devices and their sockets; Django's own would not."""
    sign_in(client, staff)
    set_up(client)
    for answer in (client.get("/admin/password_change/"), client.post("/admin/password_change/")):
        assert answer["Location"] == reverse("account_change_password")


def test_a_password_is_not_guessed(client, staff):
    answers = [sign_in(client, staff, f"wrong-{number}") for number in range(6)]
    assert "Too many failed login attempts" in answers[-1].text
    # Not even the right one is heard now.
    assert sign_in(client, staff).status_code == 200
    assert "_auth_user_id" not in client.session
