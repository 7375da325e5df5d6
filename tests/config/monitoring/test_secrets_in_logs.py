"""No secret is written to a log: not a password, a token, a code, a key of a session, a link that
opens an account. Everything that is logged at all is looked at, at the lowest level."""

import logging
import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.api_tokens.services import make_token
from accounts.models import Scope, User
from accounts.people.closing import freeze
from tests.given import require
from tests.wallet.cash_players import make_staff

pytestmark = pytest.mark.django_db
PASSWORD, WRONG, NEW = "nine-limes-a-day", "wrong-limes-a-day", "ten-melons-now-1"


@pytest.fixture(autouse=True)
def _fresh_rate_limits():
    cache.clear()


@pytest.fixture
def logged(caplog):
    """Return the log so far as it would be written, tracebacks included."""
    caplog.set_level(logging.DEBUG)
    formatter = logging.Formatter("%(name)s %(message)s %(args)s")

    def text():
        assert caplog.records
        return "\n".join(f"{formatter.format(record)} {vars(record)}" for record in caplog.records)

    return text


@pytest.fixture
def asha():
    user = User.objects.create_user("asha@example.com", PASSWORD, player_name="Asha")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(client, password):
    form = {"login": "asha@example.com", "password": password}
    return client.post(reverse("account_login"), form)


def check_absent(text, *secrets):
    for secret in secrets:
        assert secret
        assert secret not in text


def test_signing_in_and_out_and_codes(asha, logged):
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
    check_absent(logged(), PASSWORD, WRONG, key, secret, asha.password)


def test_the_link_that_opens_an_account(asha, logged):
    client = Client()
    client.post(reverse("account_reset_password"), {"email": asha.email})
    path = re.search(r"/accounts/password/reset/key/(\S+)/", str(mail.outbox[0].body))
    page = client.get(require(path)[0], follow=True)
    form = {"password1": NEW, "password2": NEW}
    assert client.post(page.request["PATH_INFO"], form).status_code == 302
    client.get("/no/such/page/")
    check_absent(logged(), require(path)[1], NEW)


def test_tokens_of_programs(asha, logged):
    token, text = make_token(user_id=asha.pk, name="Bot", scopes=[Scope.READ])
    client = Client(headers={"Authorization": f"Bearer {text}"})
    assert client.get("/api/v1/account/").status_code == 200
    client.post("/api/v1/tables/999/sit/", {})
    wrong = Client(headers={"Authorization": f"Bearer {text}x"})
    assert wrong.get("/api/v1/account/").status_code in {401, 403}
    check_absent(logged(), text, token.token_hash)


def test_a_page_that_breaks(asha, logged):
    """The traceback goes to the log, and what the form held does not."""
    client = Client(raise_request_exception=False)
    sign_in(client, PASSWORD)
    form = {"password": PASSWORD, "token": "ort_something-secret"}
    key = client.session.session_key
    with connection.cursor() as cursor:  # of this test's transaction
        cursor.execute("SET ROLE NONE")
        cursor.execute(f"REVOKE DELETE ON django_session FROM {settings.DATABASE_APP_ROLE}")
        cursor.execute(f"SET ROLE {settings.DATABASE_APP_ROLE}")
    assert client.post(reverse("accounts:sign_out_everywhere"), form).status_code == 500
    text = logged()
    assert "permission denied for table django_session" in text
    assert "Traceback" in text
    check_absent(text, PASSWORD, "ort_something-secret", key)


def test_freezing_and_documents(asha, logged):
    client = Client()
    sign_in(client, PASSWORD)
    key = client.session.session_key
    client.get("/no/such/page/")
    freeze(user_id=asha.pk, staff_id=make_staff("Boss").pk, reason="Stolen.")
    check_absent(logged(), key, PASSWORD)
