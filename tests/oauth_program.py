"""A program of somebody else's, as it asks players to let it act for them."""

import base64
import hashlib
from collections.abc import Mapping
from io import StringIO
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

from allauth.idp.oidc.models import Client as Registered
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import IdentityScope, OAuthClient, Scope, User
from config.settings.sign_in import read_openid_keys

BACK = "https://coach.example/back"
VERIFIER = "a-verifier-that-nobody-else-knows-0123456789-abcdef"


def make_openid_key() -> dict[str, str]:
    """Make a key as the command prints it and the settings read it."""
    printed = StringIO()
    call_command("make_openid_key", stdout=printed)
    with patch.dict("os.environ", {"OPENID_PRIVATE_KEY": printed.getvalue().strip()}):
        [key] = read_openid_keys()
    return key


def challenge_of(verifier: str) -> str:
    return (
        base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    )


def enter_program(
    *, kind: str = Registered.Type.PUBLIC, scopes: list[str] | None = None
) -> OAuthClient:
    """Enter a program as staff do in the administration."""
    program = OAuthClient(name="Card Coach", type=kind, redirect_uris=BACK)
    program.set_scopes(scopes if scopes is not None else list(Scope.values))
    program.set_grant_types([*Registered.GrantType.values])
    program.save()
    return program


def build_query(program: OAuthClient, scope: str = "read play", **more: str) -> dict[str, str]:
    return {
        "response_type": "code",
        "client_id": program.pk,
        "redirect_uri": BACK,
        "scope": scope,
        "state": "77",
        "code_challenge": challenge_of(VERIFIER),
        "code_challenge_method": "S256",
        **more,
    }


def sign_in(user: User) -> Client:
    """Return a browser of this player, with the password just given."""
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": 2_000_000_000}]
    session.save()
    return browser


def answer_query(browser: Client, query: dict[str, str], scopes: list[str], action: str = "grant"):
    """Return the query with which the player's browser is sent back."""
    page = browser.get(reverse("idp:oidc:authorization"), query)
    assert page.status_code == 200, page.content
    form = page.context["form"]
    sent = {"request": form.initial["request"], "scopes": scopes, "action": action}
    answer = browser.post(reverse("idp:oidc:authorization"), sent)
    assert answer.status_code == 302, answer.content
    parts = urlsplit(answer["Location"])
    assert answer["Location"].startswith(BACK)
    return {name: values[0] for name, values in parse_qs(parts.query).items()}


def to_exchange(program: OAuthClient, code: str, **more: str) -> dict[str, str]:
    """Return the form that a program sends to exchange its code for tokens."""
    return {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "client_id": program.pk,
        "code_verifier": VERIFIER,
        **more,
    }


def exchange_code(program: OAuthClient, code: str, **more: str):
    """Exchange the code as the program does, without a cookie of the player's. Return the answer."""
    return Client().post(reverse("idp:oidc:token"), to_exchange(program, code, **more))


def renew_tokens(program: OAuthClient, tokens: Mapping[str, str], **more: str) -> Any:
    """Exchange the refresh token as the program does."""
    filled = {
        "grant_type": "refresh_token",
        "refresh_token": tokens["refresh_token"],
        "client_id": program.pk,
        **more,
    }
    return Client().post("/oauth/token", filled)


def grant_tokens(user: User, program: OAuthClient, scopes: list[str]) -> dict[str, str]:
    """Have the player grant these scopes. Return the program's tokens."""
    # `openid` has no box: it cannot be taken away.
    left = [scope for scope in scopes if scope != IdentityScope.OPENID]
    code = answer_query(sign_in(user), build_query(program, " ".join(scopes)), left)["code"]
    tokens: dict[str, str] = exchange_code(program, code).json()
    return tokens


def works(tokens: Mapping[str, str]) -> bool:
    """Return whether the API answers to the access token."""
    shown = {"Authorization": f"Bearer {tokens['access_token']}"}
    return Client(headers=shown).get("/api/v1/account/").status_code == 200


def enter_server_program(scopes: list[str] | None = None) -> tuple[OAuthClient, str]:
    """Enter a program that keeps a secret. Return it and the secret."""
    program = enter_program(kind=Registered.Type.CONFIDENTIAL, scopes=scopes)
    secret: str = program.make_secret()
    program.save()
    return program, secret


def sign_in_long_ago(user: User) -> Client:
    """In a browser, with a password that was given long ago."""
    user.set_password("three small elephants")
    user.save()
    browser = sign_in(user)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": 1}]
    session.save()
    return browser
