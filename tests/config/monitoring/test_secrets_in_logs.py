"""No secret is written to a log, not even at the lowest level."""

import logging
import re

import pytest
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from tests.accounts.users import PASSWORD, make_confirmed_player
from tests.barring import freeze_by_staff
from tests.given import require

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_rate_limits")]
WRONG, NEW = "wrong-limes-a-day", "ten-melons-now-1"


@pytest.fixture
def logged(caplog):
    """Return a function that formats the log written so far, including tracebacks."""
    caplog.set_level(logging.DEBUG)
    formatter = logging.Formatter("%(name)s %(message)s %(args)s")

    def text():
        assert caplog.records
        return "\n".join(f"{formatter.format(record)} {vars(record)}" for record in caplog.records)

    return text


@pytest.fixture
def asha():
    return make_confirmed_player()


def sign_in(client, password):
    form = {"login": "asha@example.com", "password": password}
    return client.post(reverse("account_login"), form)


def expect_absent(text, *secrets):
    for secret in secrets:
        assert secret
        assert secret not in text


def test_passwords_and_codes_are_not_logged(asha, logged):
    client = Client()
    sign_in(client, WRONG)
    sign_in(client, PASSWORD)
    client.get("/no/such/page/")
    key = client.session.session_key
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.get(reverse("mfa_activate_totp"))
    secret = client.session[SECRET_SESSION_KEY]
    client.post(reverse("mfa_activate_totp"), {"code": "000000"})
    client.post(reverse("account_logout"))
    expect_absent(logged(), PASSWORD, WRONG, key, secret, asha.password)


def test_a_password_reset_link_is_not_logged(asha, logged):
    client = Client()
    client.post(reverse("account_reset_password"), {"email": asha.email})
    path = re.search(r"/accounts/password/reset/key/(\S+)/", str(mail.outbox[0].body))
    page = client.get(require(path)[0], follow=True)
    form = {"password1": NEW, "password2": NEW}
    assert client.post(page.request["PATH_INFO"], form).status_code == 302
    client.get("/no/such/page/")
    expect_absent(logged(), require(path)[1], NEW)


def test_api_tokens_are_not_logged(asha, logged):
    token, text = make_token(user_id=asha.pk, name="Bot", scopes=[Scope.READ])
    client = Client(headers={"Authorization": f"Bearer {text}"})
    assert client.get("/api/v1/account/").status_code == 200
    client.post("/api/v1/tables/999/sit/", {})
    wrong = Client(headers={"Authorization": f"Bearer {text}x"})
    assert wrong.get("/api/v1/account/").status_code in {401, 403}
    expect_absent(logged(), text, token.token_hash)


def test_a_traceback_is_logged_without_the_form(asha, logged):
    """The traceback is logged without the form's values."""
    client = Client(raise_request_exception=False)
    sign_in(client, PASSWORD)
    form = {"password": PASSWORD, "token": "ort_something-secret"}
    key = client.session.session_key
    with connection.cursor() as cursor:  # rolled back with the test's transaction
        cursor.execute("SET ROLE NONE")
        cursor.execute(f"REVOKE DELETE ON django_session FROM {settings.DATABASE_APP_ROLE}")
        cursor.execute(f"SET ROLE {settings.DATABASE_APP_ROLE}")
    assert client.post(reverse("accounts:sign_out_everywhere"), form).status_code == 500
    text = logged()
    assert "permission denied for table django_session" in text
    assert "Traceback" in text
    expect_absent(text, PASSWORD, "ort_something-secret", key)


def test_freezing_logs_no_session_key(asha, logged):
    client = Client()
    sign_in(client, PASSWORD)
    key = client.session.session_key
    client.get("/no/such/page/")
    freeze_by_staff(asha)
    expect_absent(logged(), key, PASSWORD)
