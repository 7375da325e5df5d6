"""Refusals name the mistake: the missing scope, the unknown parameter or field, the missing slash."""

import pytest
from django.test import Client

from accounts.models import Scope
from tables.models import Seat, Table
from tests.api_program import Browser, Program, refusal
from tests.oauth_program import answer_query, build_query, enter_server_program, sign_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("get", "account/", "read"),
        ("post", "tables/practice/", "play"),
        ("post", "tables/1/leave/", "play"),
        ("post", "tables/1/sit/", "money"),
    ],
)
def test_a_token_is_told_which_right_it_lacks(asha, method, path, scope):
    program = Program(asha, *({*Scope} - {Scope(scope)}))
    answer = getattr(program, method)(path)
    assert refusal(answer) == (403, "permission_denied")
    assert answer.json()["scope"] == scope
    challenge = f'Bearer error="insufficient_scope", scope="{scope}"'
    assert answer["WWW-Authenticate"] == challenge


def test_a_wrong_token_is_told_apart_from_none(asha):
    answer = Client().get("/api/v1/account/")
    assert refusal(answer) == (401, "not_authenticated")
    assert answer["WWW-Authenticate"] == "Bearer"
    wrong = Client(headers={"Authorization": "Bearer ort_wrong"}).get("/api/v1/account/")
    assert refusal(wrong) == (401, "authentication_failed")
    assert wrong["WWW-Authenticate"] == 'Bearer error="invalid_token"'


@pytest.mark.parametrize(
    "path",
    ["lobby/?gam=gin", "account/?x=1", "matches/?limit=3", "tables/mine/?invite=", "tables/1/?v=2"],
)
@pytest.mark.parametrize("caller", [Program, Browser])
def test_an_unknown_parameter_is_refused_by_its_name(asha, path, caller):
    answer = caller(asha).get(path)
    assert refusal(answer) == (400, "invalid")
    name = path.partition("?")[2].partition("=")[0]
    assert answer.json()["fields"] == {name: ["There is no such parameter."]}


@pytest.mark.parametrize(
    ("path", "body", "name"),
    [
        ("sit/", {"amount": 800, "seet": 1}, "seet"),
        ("leave/", {"force": True}, "force"),
        ("top-up/", {"amount": 1, "seat": 1}, "seat"),
    ],
)
def test_an_unknown_field_is_refused_and_nothing_is_done(asha, table, path, body, name):
    program = Program(asha)
    if path != "sit/":
        program.post(f"tables/{table.pk}/sit/", {"amount": 800}, key="sit-0001")
    seats = list(Seat.objects.values())
    answer = program.post(f"tables/{table.pk}/{path}", body, key="try-0001")
    assert refusal(answer) == (400, "invalid")
    assert answer.json()["fields"] == {name: ["There is no such field."]}
    assert list(Seat.objects.values()) == seats
    # The key is still unused, so the corrected request may use it.
    body.pop(name)
    body = body or {}
    assert program.post(f"tables/{table.pk}/{path}", body, key="try-0001").status_code != 400


def test_a_change_of_the_account_takes_its_own_fields_alone(asha):
    answer = Program(asha).patch("account/", {"face": "owl", "name": "Asha the Great"})
    assert answer.json()["fields"] == {"name": ["There is no such field."]}


@pytest.mark.parametrize("method", ["get", "post", "patch", "delete"])
@pytest.mark.parametrize("path", ["account", "tables/7/sit", "matches/7"])
def test_a_missing_slash_leads_on_by_the_same_method(method, path):
    answer = getattr(Client(), method)(f"/api/v1/{path}?cursor=3")
    assert (answer.status_code, answer["Location"]) == (308, f"/api/v1/{path}/?cursor=3")


@pytest.mark.parametrize("path", ["nothing", "nothing/", "account/x", "account//", "/evil.example"])
def test_an_address_of_nothing_leads_nowhere(path):
    assert refusal(Client().get(f"/api/v1/{path}")) == (404, "not_found")


def test_a_missing_key_is_a_malformed_request(asha):
    program = Program(asha, Scope.PLAY)
    assert refusal(program.post("tables/practice/")) == (400, "idempotency_key_missing")
    assert refusal(program.post("tables/practice/", key="short")) == (
        400,
        "idempotency_key_missing",
    )
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({}, "unsupported_grant_type"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "authorization_code", "code": "x"}, "invalid_grant"),
        ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"grant_type": "refresh_token", "refresh_token": "x"}, "invalid_grant"),
        (
            {"grant_type": "authorization_code", "code": "x", "client_secret": "wrong"},
            "invalid_client",
        ),
    ],
)
def test_every_error_of_oauth_has_a_description(form, error):
    program, secret = enter_server_program()
    sent = {"client_id": program.pk, "client_secret": secret, **form}
    told = Client().post("/oauth/token", sent).json()
    assert told["error"] == error
    assert len(told["error_description"]) > 10


def test_errors_that_lead_back_have_a_description_too(asha, program):
    browser = sign_in(asha)
    back = answer_query(browser, build_query(program), ["read"], action="cancel")
    assert back["error_description"] == "The player does not want it."
    asked = browser.get("/oauth/authorize", build_query(program, "admin"))
    assert "error=invalid_scope&error_description=scope" in asked["Location"]
