"""Access to the administration: who may enter, and through which sign-in page."""

import pytest
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
from config.settings import base, env
from tests.accounts.staff import member, office
from tests.accounts.users import PASSWORD, confirm_address
from tests.oauth_program import prove_recently
from tests.wallet.cash_players import make_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_rate_limits")]


@pytest.fixture(autouse=True)
def _strict(settings):
    settings.ADMIN_MFA_REQUIRED = True
    # A code may be generated at the end of its half minute and checked in the next one.
    settings.MFA_TOTP_TOLERANCE = 1


@pytest.fixture
def staff():
    user = member(Role.FINANCE)
    user.set_password(PASSWORD)
    user.save(update_fields=["password"])
    return confirm_address(user)


def code_for(secret):
    _before, now, _after = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, now))


def sign_in(client, user, password=PASSWORD):
    form = {"login": user.email, "password": password, "next": "/admin/"}
    return client.post(reverse("account_login"), form)


def set_up(client):
    """Confirm the password and set up an authenticator on its page. Return its secret."""
    page = reverse("mfa_activate_totp")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(page).status_code == 200
    secret = client.session[SECRET_SESSION_KEY]
    assert client.post(page, {"code": code_for(secret)}).status_code == 302
    cache.clear()  # allauth accepts each code only once
    return secret


def test_a_second_factor_is_required_by_default():
    assert base.ADMIN_MFA_REQUIRED is env.flag("ADMIN_MFA_REQUIRED", default=True)


def test_visitors_sign_in_on_the_players_page(client):
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))
    assert "next=%2Fadmin%2F" in answer.redirect_chain[-1][0]


def test_djangos_own_login_form_is_disabled(client, staff):
    """Django's own login form, which has no rate limit, is disabled."""
    form = {"username": staff.email, "password": PASSWORD, "next": "/admin/"}
    answer = client.post("/admin/login/", form)
    assert answer["Location"].startswith(reverse("account_login"))
    assert "_auth_user_id" not in client.session


def test_players_cannot_enter_the_administration():
    client = office(make_player())
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


def test_recovery_codes_are_no_second_factor(client, staff):
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


def test_a_superuser_removes_a_lost_factor_with_a_reason(client, staff):
    sign_in(client, staff)
    set_up(client)
    superuser = member(Role.SUPERUSER)
    boss = office(superuser)
    prove_recently(boss, superuser)
    set_up(boss)
    factor = Authenticator.objects.get(user=staff, type="totp")
    page = reverse("admin:mfa_authenticator_delete", args=[factor.pk])
    assert client.post(page, {"post": "yes", "reason_for_audit": "Lost."}).status_code == 403
    assert factor.user.authenticator_set.filter(type="totp").exists()
    boss.post(page, {"post": "yes", "reason_for_audit": "The phone is lost."})
    assert not staff.authenticator_set.filter(type="totp").exists()
    assert client.get("/admin/")["Location"] == reverse("mfa_index")


def test_staff_change_passwords_on_the_players_page(client, staff):
    """The players' page also signs out other devices and closes their sockets, unlike Django's own."""
    sign_in(client, staff)
    set_up(client)
    for answer in (client.get("/admin/password_change/"), client.post("/admin/password_change/")):
        assert answer["Location"] == reverse("account_change_password")


def test_password_guesses_of_staff_are_limited(client, staff):
    answers = [sign_in(client, staff, f"wrong-{number}") for number in range(6)]
    assert "Too many failed attempts to sign in" in answers[-1].text
    # Now even the right password is refused.
    assert sign_in(client, staff).status_code == 200
    assert "_auth_user_id" not in client.session
