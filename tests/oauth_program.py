"""A third party's OAuth program that asks players for access to their accounts."""

import base64
import hashlib
import time
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import (
    IdentityScope,
    OAuthAccessToken,
    OAuthClient,
    OAuthRefreshToken,
    Scope,
    User,
)
from config.settings.sign_in import read_openid_keys

BACK = "https://coach.example/back"
VERIFIER = "a-verifier-that-nobody-else-knows-0123456789-abcdef"


def make_openid_key() -> str:
    """Make a key with the management command, and read it the way the settings do."""
    printed = StringIO()
    call_command("make_openid_key", stdout=printed)
    with patch.dict("os.environ", {"OPENID_PRIVATE_KEY": printed.getvalue().strip()}):
        [key] = read_openid_keys()
    return key


def use_keys(settings: Any, *keys: str) -> None:
    """Sign with the first of these keys and publish them all. Without keys, OpenID is switched off."""
    first, *older = keys or ("",)
    set_up = {"OIDC_RSA_PRIVATE_KEY": first, "OIDC_RSA_PRIVATE_KEYS_INACTIVE": older}
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, **set_up}


def tokens_exist() -> bool:
    return any(kind.objects.exists() for kind in (OAuthAccessToken, OAuthRefreshToken))


def challenge_of(verifier: str) -> str:
    return (
        base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    )


def enter_program(
    *, kind: str = OAuthClient.CLIENT_PUBLIC, scopes: list[str] | None = None
) -> OAuthClient:
    """Register a program directly in the database."""
    made: OAuthClient = OAuthClient.objects.create(
        name="Card Coach",
        client_type=kind,
        redirect_uris=BACK,
        scopes=scopes if scopes is not None else list(Scope.values),
        by_device=True,
    )
    return made


def post_program(client: Client, *, follow: bool = False, **more: Any) -> Any:
    """Register a program through the administration's form. Return the answer."""
    filled = {
        "name": "Card Coach",
        "client_type": "public",
        "redirect_uris": BACK,
        "scopes": ["read"],
        "reason_for_audit": "asked by mail",
        **more,
    }
    return client.post(reverse("admin:accounts_oauthclient_add"), filled, follow=follow)


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
    """Return a browser in which the player has just signed in with their password."""
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    prove_recently(browser, user)
    return browser


def prove_recently(browser: Client, user: User) -> None:
    """Mark the browser's session as if the player had just entered their password or a code."""
    session = browser.session
    record = {"method": "password", "at": time.time(), "reauthenticated": True}
    session["account_authentication_methods"] = [record]
    session["account_authentication_methods_user"] = str(user.pk)
    session["proof"] = {"user": user.pk, "at": time.time()}
    session.save()


def answer_query(
    browser: Client, query: dict[str, str], scopes: Sequence[str], action: str = "grant"
) -> dict[str, str]:
    """Answer the consent page. Return the query with which the browser is redirected to the program."""
    page = browser.get(reverse("oauth:authorization"), query)
    assert page.status_code == 200, page.content
    form = page.context["form"]
    sent = {"request": form.initial["request"], "scopes": scopes, "action": action}
    answer = browser.post(reverse("oauth:authorization"), sent)
    assert answer.status_code == 302, answer.content
    parts = urlsplit(answer["Location"])
    assert answer["Location"].startswith(BACK)
    return {name: values[0] for name, values in parse_qs(parts.query).items()}


def grant_code(
    user: User, program: OAuthClient, scope: str = "read play", left: Sequence[str] = ("read",)
) -> str:
    """Have the player grant the scopes in `left`, of those in `scope`. Return the authorization code."""
    return answer_query(sign_in(user), build_query(program, scope), left)["code"]


def to_exchange(program: OAuthClient, code: str, **more: str) -> dict[str, str]:
    """Return the form data with which a program exchanges its code for tokens."""
    return {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "client_id": program.pk,
        "code_verifier": VERIFIER,
        **more,
    }


def exchange_code(program: OAuthClient, code: str, **more: str):
    """Exchange the code as the program does, without the player's cookies. Return the answer."""
    return Client().post(reverse("oauth:token"), to_exchange(program, code, **more))


def renew_tokens(
    program: OAuthClient, tokens: Mapping[str, str], *, address: str = "127.0.0.1", **more: str
) -> Any:
    """Exchange the refresh token as the program does."""
    filled = {
        "grant_type": "refresh_token",
        "refresh_token": tokens["refresh_token"],
        "client_id": program.pk,
        **more,
    }
    return Client(REMOTE_ADDR=address).post("/oauth/token", filled)


def revoke_token(program: OAuthClient, token: str) -> None:
    sent = {"token": token, "client_id": program.pk}
    assert Client().post(reverse("oauth:revoke"), sent).status_code == 200


def grant_tokens(user: User, program: OAuthClient, scopes: list[str]) -> dict[str, str]:
    """Have the player grant these scopes. Return the program's tokens."""
    # `openid` has no checkbox: the player cannot deselect it.
    left = [scope for scope in scopes if scope != IdentityScope.OPENID]
    code = grant_code(user, program, " ".join(scopes), left)
    tokens: dict[str, str] = exchange_code(program, code).json()
    return tokens


def call_api(tokens: Mapping[str, str], path: str = "/api/v1/account/") -> Any:
    return Client(headers={"Authorization": f"Bearer {tokens['access_token']}"}).get(path)


def works(tokens: Mapping[str, str]) -> bool:
    """Return whether the API accepts the access token."""
    return bool(call_api(tokens).status_code == 200)


def expect_replays_to_end_the_tokens(answers: Sequence[Any]) -> None:
    """Check that exactly one answer has tokens, and that the refused replays have revoked them."""
    assert sorted(answer.status_code for answer in answers) == [200] + (len(answers) - 1) * [400]
    [tokens] = [answer.json() for answer in answers if answer.status_code == 200]
    assert not works(tokens)
    assert not tokens_exist()


def enter_server_program(scopes: list[str] | None = None) -> tuple[OAuthClient, str]:
    """Register a confidential client. Return it and its secret."""
    program = enter_program(kind=OAuthClient.CLIENT_CONFIDENTIAL, scopes=scopes)
    secret: str = program.make_secret()
    program.save()
    return program, secret


def sign_in_long_ago(user: User) -> Client:
    """Return a browser in which the player entered their password long ago."""
    user.set_password("three small elephants")
    user.save()
    browser = sign_in(user)
    session = browser.session
    session["account_authentication_methods"][0]["at"] = 1
    session.save()
    return browser
