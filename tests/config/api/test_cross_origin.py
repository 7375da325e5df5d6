"""Programs' pages on other origins call the API and the OAuth endpoints from a browser."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.api_tokens.browsers import normalize_origin
from accounts.models import OAuthClient, User
from tests.api_program import Program
from tests.oauth_program import call_api, enter_program, exchange_code, grant_code

pytestmark = pytest.mark.django_db
HOME = "https://coach.example"
ALLOWED = "Access-Control-Allow-Origin"


@pytest.fixture
def program():
    made = enter_program()
    made.origins = [HOME, "http://127.0.0.1:5173"]
    made.save()
    return made


def ask_first(path, origin=HOME):
    """Send the preflight request with which a browser asks before it sends a token or JSON."""
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    }
    return Client().options(path, headers=headers)


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/account/",
        "/api/v1/tables/1/sit/",
        "/api/v1/nothing/",
        "/oauth/token",
        "/oauth/revoke",
        "/oauth/device",
        "/oauth/userinfo",
    ],
)
def test_a_registered_origin_may_call_without_cookies(program, path):
    answer = ask_first(path)
    assert (answer.status_code, answer[ALLOWED]) == (200, HOME)
    assert "origin" in answer["Vary"].lower()
    assert answer["Access-Control-Allow-Headers"] == "authorization, content-type, idempotency-key"
    assert {"GET", "POST", "PATCH", "DELETE"} <= {
        *answer["Access-Control-Allow-Methods"].split(", ")
    }
    assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://coach.example",
        "https://coach.example:8443",
        "https://coach.example.evil.example",
        "http://127.0.0.1:5174",
        "null",
    ],
)
def test_no_other_origin_may(program, asha, origin):
    assert ALLOWED not in ask_first("/api/v1/account/", origin)
    caller = Program(asha).client
    answer = caller.get("/api/v1/account/", headers={"Origin": origin})
    assert answer.status_code == 200
    assert ALLOWED not in answer


@pytest.mark.parametrize("path", ["/", "/accounts/tokens/", "/oauth/authorize", "/admin/"])
def test_pages_of_the_site_are_no_business_of_programs(program, path):
    assert ALLOWED not in ask_first(path)


def test_answers_and_refusals_can_be_read_with_their_limits(program, asha):
    answer = Program(asha).client.get("/api/v1/account/", headers={"Origin": HOME})
    assert (answer.json()["name"], answer[ALLOWED]) == ("Asha", HOME)
    exposed = answer["Access-Control-Expose-Headers"]
    assert exposed == "RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"
    refused = Client().get("/api/v1/account/", headers={"Origin": HOME})
    assert (refused.status_code, refused[ALLOWED]) == (401, HOME)
    tokens = Client().post("/oauth/token", {"grant_type": "x"}, headers={"Origin": HOME})
    assert (tokens.status_code, tokens[ALLOWED]) == (400, HOME)


def test_a_session_counts_for_nothing_on_another_origin(program, asha):
    """Without Access-Control-Allow-Credentials, a browser hides answers to requests with cookies."""
    browser = Client()
    browser.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    answer = browser.get("/api/v1/account/", headers={"Origin": HOME})
    assert "Access-Control-Allow-Credentials" not in answer


def test_origins_end_with_their_program_and_rest_while_its_maker_is_frozen(program, asha):
    program.owner = asha
    program.save()
    assert ask_first("/api/v1/account/")[ALLOWED] == HOME
    User.objects.filter(pk=asha.pk).update(is_active=False, frozen_at=timezone.now())
    assert ALLOWED not in ask_first("/api/v1/account/")
    User.objects.filter(pk=asha.pk).update(is_active=True, frozen_at=None)
    OAuthClient.objects.all().delete()
    assert ALLOWED not in ask_first("/api/v1/account/")


def test_the_program_of_a_frozen_maker_gets_and_uses_no_tokens(program, asha):
    maker = User.objects.create_user("maker@example.com", None, player_name="Maker")
    program.owner = maker
    program.save()
    code = grant_code(asha, program)
    User.objects.filter(pk=maker.pk).update(is_active=False)
    assert exchange_code(program, code).json()["error"] == "invalid_client"


@pytest.mark.parametrize("is_used_before", [True, False])
def test_tokens_of_a_program_rest_while_its_maker_is_frozen(program, asha, is_used_before):
    maker = User.objects.create_user("maker@example.com", None, player_name="Maker")
    program.owner = maker
    program.save()
    tokens = exchange_code(program, grant_code(asha, program)).json()
    if is_used_before:
        assert call_api(tokens).status_code == 200
    User.objects.filter(pk=maker.pk).update(is_active=False)
    assert call_api(tokens).status_code == 401
    User.objects.filter(pk=maker.pk).update(is_active=True)
    assert call_api(tokens).status_code == 200


@pytest.mark.parametrize(
    ("typed", "origin"),
    [
        ("https://coach.example", HOME),
        (" https://COACH.example/ ", HOME),
        ("https://coach.example:443", HOME),
        ("https://coach.example:8443", "https://coach.example:8443"),
        ("https://münchen.example", "https://xn--mnchen-3ya.example"),
        ("https://faß.example", "https://xn--fa-hia.example"),
        ("https://[2001:DB8:0:0::1]", "https://[2001:db8::1]"),
        ("http://127.0.0.1:5173", "http://127.0.0.1:5173"),
        ("http://localhost:80", "http://localhost"),
        ("http://[::1]:5173", "http://[::1]:5173"),
        ("http://coach.example", None),
        ("https://coach.example/app", None),
        ("https://coach.example?x", None),
        ("https://user@coach.example", None),
        ("https://*.coach.example/", None),
        ("https://coach.example:99999", None),
        ("https://coach .example", None),
        ("https://coach.example;x", None),
        ("null", None),
        ("*", None),
        ("", None),
    ],
)
def test_an_origin_is_kept_as_browsers_send_it(typed, origin):
    assert normalize_origin(typed) == origin
