"""Requests that no OAuth library sends: each must be refused, without tokens and without a server error."""

import base64
import json
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import OAuthGrant, OAuthSubject
from tests.api_program import person
from tests.oauth_program import (
    BACK,
    answer_query,
    build_query,
    call_api,
    enter_program,
    enter_server_program,
    exchange_code,
    grant_code,
    grant_tokens,
    make_openid_key,
    renew_tokens,
    sign_in,
    to_exchange,
    tokens_exist,
    use_keys,
    works,
)
from tests.together import end_waiting_backend

pytestmark = pytest.mark.django_db
AUTHORIZE = "/oauth/authorize"
NUL = "\x00"


@pytest.mark.parametrize(
    "address",
    [
        f"{BACK}/",
        f"{BACK}/../back",
        f"{BACK}%2F",
        f"{BACK}#x",
        f"{BACK}?",
        f"{BACK};x",
        f"{BACK} ",
        f"{BACK}\t",
        f"{BACK}{NUL}",
        "https://coach.example/%62ack",
        "https://coach.example//back",
        "https://coach.example\\back",
        "https://coach.example:443/back",
        "https://coach.example:8443/back",
        "https://coach.example./back",
        "https://COACH.example/back",
        "HTTPS://coach.example/back",
        "https://thief@coach.example/back",
        "https://coach.example@thief.example/back",
        "https://coach.example.thief.example/back",
        "https://coach.example%2ethief.example/back",
        "//coach.example/back",
        "http://coach.example/back",
        "javascript:alert(1)",
        "[",
    ],
)
def test_another_spelling_of_a_redirect_is_refused(player, program, address):
    page = sign_in(player).get(AUTHORIZE, build_query(program, redirect_uri=address))
    assert page.status_code == 400
    assert "Nothing was granted" in page.text
    code = grant_code(player, program)
    assert exchange_code(program, code, redirect_uri=address).status_code == 400
    assert not tokens_exist()


@pytest.mark.parametrize("name", ["consent", "grant", "user", "refresh_token_instance", "scopes"])
def test_names_of_the_server_in_a_request_change_nothing(player, program, name):
    code = grant_code(player, program)
    tokens = exchange_code(program, code, **{name: "1"}).json()
    assert tokens["scope"] == "read"
    newer = renew_tokens(program, tokens, **{name: "1"}).json()
    assert call_api(newer).json()["name"] == "Asha"
    assert renew_tokens(program, {"refresh_token": "x.y"}, **{name: "1"}).status_code == 400


def test_a_code_joins_no_family_that_the_program_names(player, program):
    others = grant_tokens(person("Ravi"), program, ["read"])
    code = grant_code(player, program)
    tokens = exchange_code(program, code, refresh_token=others["refresh_token"]).json()
    family = others["refresh_token"].partition(".")[0]
    assert not tokens["refresh_token"].startswith(family)
    assert works(others)
    assert works(renew_tokens(program, others).json())
    assert call_api(tokens).json()["name"] == "Asha"


def test_a_nonce_comes_from_the_request_that_the_player_answered(player, settings):
    use_keys(settings, make_openid_key())
    program = enter_program(scopes=["openid"])
    unverified: Any = {"verify_signature": False}
    for nonce in ({}, {"nonce": "asked"}):
        query = build_query(program, "openid", **nonce)
        code = answer_query(sign_in(player), query, [])["code"]
        tokens = exchange_code(program, code, nonce="later").json()
        learned = jwt.decode(tokens["id_token"], options=unverified)
        assert learned.get("nonce") == nonce.get("nonce")
        newer = renew_tokens(program, tokens, nonce="later").json()
        assert "nonce" not in jwt.decode(newer["id_token"], options=unverified)


@pytest.mark.parametrize("resource", ["https://api.example", "no address", ""])
def test_a_resource_indicator_is_ignored(player, program, resource):
    query = build_query(program, resource=resource)
    code = answer_query(sign_in(player), query, ["read"])["code"]
    tokens = exchange_code(program, code, resource=resource).json()
    assert works(tokens)
    assert works(renew_tokens(program, tokens, resource=resource).json())


@pytest.mark.parametrize(
    "name", ["client_id", "code", "code_verifier", "redirect_uri", "grant_type"]
)
def test_nul_in_an_exchange_is_refused(player, program, name):
    sent = to_exchange(program, grant_code(player, program))
    answer = Client().post("/oauth/token", {**sent, name: f"{sent[name]}{NUL}"})
    assert answer.status_code in {400, 401}
    assert not tokens_exist()


@pytest.mark.parametrize("name", ["client_id", "scope", "redirect_uri", "code_challenge", "nonce"])
def test_nul_in_a_request_is_refused(player, program, settings, name):
    use_keys(settings, make_openid_key())
    program.scopes = ["openid", "read"]
    program.save()
    query = build_query(program, "openid read", nonce="n")
    answer = sign_in(player).get(AUTHORIZE, {**query, name: f"{query[name]}{NUL}"})
    assert answer.status_code in {302, 400}
    assert not OAuthGrant.objects.exists()


def test_nul_in_other_texts_is_refused(player, program):
    assert Client().get("/device", {"user_code": NUL}).status_code == 302
    assert "No program is waiting" in sign_in(player).get("/device", {"user_code": f"B{NUL}"}).text
    for text in (NUL, f"x.{NUL}"):
        assert renew_tokens(program, {"refresh_token": text}).status_code == 400
        sent = {"token": text, "client_id": program.pk}
        assert Client().post("/oauth/revoke", sent).status_code == 200


@pytest.mark.parametrize("secret", ["", " ", "random_secret$", None])
def test_a_server_needs_its_secret(player, secret):
    program, right = enter_server_program()
    program.refresh_from_db()
    assert right not in program.client_secret
    code = grant_code(player, program)
    wrong = {} if secret is None else {"client_secret": secret}
    assert exchange_code(program, code, **wrong).status_code == 401
    stored = exchange_code(program, code, client_secret=program.client_secret)
    assert stored.status_code == 401
    pair = base64.b64encode(f"{program.pk}:{secret or ''}".encode()).decode()
    sent = to_exchange(program, code)
    answer = Client(headers={"Authorization": f"Basic {pair}"}).post("/oauth/token", sent)
    assert answer.status_code == 401
    assert not tokens_exist()
    assert works(exchange_code(program, code, client_secret=right).json())


def test_another_kind_of_token_opens_nothing(player, settings):
    use_keys(settings, make_openid_key())
    program = enter_program(scopes=["openid", "read"])
    tokens = grant_tokens(player, program, ["openid", "read"])
    for kind in ("refresh_token", "id_token"):
        other = {"access_token": tokens[kind]}
        assert not works(other)
        assert call_api(other, "/oauth/userinfo").status_code == 401
        if kind == "id_token":
            assert renew_tokens(program, {"refresh_token": tokens[kind]}).status_code == 400
    assert renew_tokens(program, {"refresh_token": tokens["access_token"]}).status_code == 400
    assert works(tokens)


def test_a_token_counts_in_the_header_alone(player, settings):
    """A token in the URL would end up in logs."""
    use_keys(settings, make_openid_key())
    program = enter_program(scopes=["openid"])
    shown = {"access_token": grant_tokens(player, program, ["openid"])["access_token"]}
    assert Client().get("/oauth/userinfo", shown).status_code == 401
    assert Client().post("/oauth/userinfo", shown).status_code == 401
    assert call_api(shown, "/oauth/userinfo").status_code == 200


@pytest.mark.parametrize("grant_type", ["password", "client_credentials", "implicit", "", NUL])
def test_there_is_no_other_way_to_a_token(player, grant_type):
    program, secret = enter_server_program()
    sent = {"grant_type": grant_type, "client_id": program.pk, "client_secret": secret}
    more = {"username": player.email, "password": "three small elephants", "scope": "read"}
    assert Client().post("/oauth/token", {**sent, **more}).status_code == 400
    assert not tokens_exist()


@pytest.mark.parametrize("more", [{"approval_prompt": "auto"}, {"response_mode": "fragment"}])
def test_a_player_who_has_consented_is_asked_again(player, program, more):
    grant_tokens(player, program, ["read"])
    page = sign_in(player).get(AUTHORIZE, build_query(program, "read", **more))
    assert page.status_code == 200
    assert "Allow Card Coach to act for you?" in page.text


def test_a_program_may_ask_by_post(player, program):
    answer = sign_in(player).post(AUTHORIZE, build_query(program))
    assert answer["Location"].startswith("/oauth/authorize?response_type=code&")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = sign_in(player).cookies
    asked = strict.get(answer["Location"]).context["form"].initial["request"]
    sent = {"request": asked, "scopes": ["read"], "action": "grant"}
    assert strict.post(AUTHORIZE, sent).status_code == 403
    assert not OAuthGrant.objects.exists()


@pytest.mark.parametrize("scopes", [["read"], []])
def test_a_program_that_was_deleted_meanwhile_gets_nothing(player, program, scopes):
    browser = sign_in(player)
    asked = browser.get(AUTHORIZE, build_query(program)).context["form"].initial["request"]
    program.delete()
    sent = {"request": asked, "scopes": scopes, "action": "grant"}
    assert browser.post(AUTHORIZE, sent).status_code in {400, 404}
    assert not OAuthGrant.objects.exists()


class TestHints:
    """The parameter `id_token_hint` (OpenID Connect Core 3.1.2.1)."""

    @pytest.fixture
    def key(self, settings):
        key = make_openid_key()
        use_keys(settings, key)
        return key

    @pytest.fixture
    def forum(self, key):
        return enter_program(scopes=["openid"])

    def ask(self, player, forum, hint):
        query = build_query(forum, "openid", id_token_hint=hint)
        return sign_in(player).get(AUTHORIZE, query)

    def test_a_hint_about_the_player_is_right(self, player, forum):
        hint = grant_tokens(player, forum, ["openid"])["id_token"]
        assert self.ask(player, forum, hint).status_code == 200

    def test_a_hint_about_somebody_else_is_refused(self, player, forum):
        hint = grant_tokens(person("Ravi"), forum, ["openid"])["id_token"]
        answer = self.ask(player, forum, hint)
        assert answer["Location"].startswith(f"{BACK}?error=login_required")

    def test_a_hint_that_is_not_ours_is_refused(self, player, forum, key):
        grant_tokens(player, forum, ["openid"])
        now = timezone.now().timestamp()
        claims = {
            "iss": "http://testserver",
            "aud": forum.pk,
            "sub": str(OAuthSubject.objects.get(user=player).subject),
            "exp": now + 300,
        }
        public = load_pem_private_key(key.encode(), None).public_key()
        shown = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256"}).encode()).rstrip(b"=")
        body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=")
        mac = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
        signed = base64.urlsafe_b64encode(mac.sign(head + b"." + body, shown)).rstrip(b"=")
        deep = base64.urlsafe_b64encode(b"[" * 9_000).decode()
        for hint in (
            jwt.encode(claims, "", algorithm="none"),
            b".".join((head, body, signed)).decode(),
            jwt.encode(claims, make_openid_key(), algorithm="RS256"),
            jwt.encode({**claims, "exp": now - 1}, key, algorithm="RS256"),
            jwt.encode({**claims, "aud": "another"}, key, algorithm="RS256"),
            jwt.encode({**claims, "iss": "https://thief.example"}, key, algorithm="RS256"),
            *("x", "a.b.c", f"{deep}.{deep}.x", "é", NUL),
        ):
            answer = self.ask(player, forum, hint)
            assert answer["Location"].startswith(f"{BACK}?error=login_required"), hint
        right = jwt.encode(claims, key, algorithm="RS256")
        assert self.ask(player, forum, right).status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["code", "refresh token"])
def test_a_process_that_dies_while_exchanging_uses_nothing_up(player, program, kind):
    """The connection is cut while it waits for the grant's lock, and the program's retry succeeds."""
    if kind == "code":
        exchange = partial(exchange_code, program, grant_code(player, program))
    else:
        exchange = partial(renew_tokens, program, grant_tokens(player, program, ["read"]))

    def die():
        with suppress(OperationalError):
            exchange()
        connection.close()

    dying = Thread(target=die)
    with transaction.atomic():
        OAuthGrant.objects.select_for_update().get()
        dying.start()
        end_waiting_backend()
        dying.join(30)
    assert works(exchange().json())
    assert OAuthGrant.objects.count() == 1


def test_the_toolkits_own_pages_are_not_served(player):
    for path in ("applications/", "register/", "introspect/", "authorized_tokens/", "logout/"):
        for prefix in ("/oauth/", "/o/"):
            assert sign_in(player).get(f"{prefix}{path}").status_code == 404
