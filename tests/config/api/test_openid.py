"""Players sign in to other sites with their account here (docs/oauth.md)."""

import json
from datetime import timedelta
from uuid import UUID

import jwt
import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, IdentityScope, OAuthAccessToken, OAuthGrant, OAuthSubject
from accounts.people.closing import make_unknown, unfreeze
from config.settings.sign_in import read_openid_keys
from tests.accounts.openid_provider import OpenIDProvider
from tests.accounts.users import confirm_address
from tests.api_program import person
from tests.barring import freeze_by_staff
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
    sign_in_long_ago,
    use_keys,
)
from wallet.limits.services import exclude_oneself

pytestmark = pytest.mark.django_db
AUTHORIZE = "/oauth/authorize"
DISCOVERY = "/.well-known/openid-configuration"
EVERYTHING = list(IdentityScope.values)


@pytest.fixture(scope="module")
def own_key():
    return make_openid_key()


@pytest.fixture(autouse=True)
def keys(settings, own_key):
    use_keys(settings, own_key)


@pytest.fixture
def player():
    player = person("Asha")
    confirm_address(player)
    return player


@pytest.fixture
def forum():
    return enter_program(scopes=["read", *EVERYTHING])


def verify(tokens, forum):
    """Verify the ID token with the site's published keys, as a client library does. Return its claims."""
    described = Client().get(DISCOVERY).json()
    path = described["jwks_uri"].removeprefix("http://testserver")
    keys = jwt.PyJWKSet.from_dict(Client().get(path).json())
    key = keys[jwt.get_unverified_header(tokens["id_token"])["kid"]]
    return jwt.decode(
        tokens["id_token"],
        key,
        algorithms=described["id_token_signing_alg_values_supported"],
        audience=forum.pk,
        issuer=described["issuer"],
        options={"require": ["exp", "iat", "sub"]},
    )


def ask_about_user(tokens):
    return call_api(tokens, "/oauth/userinfo")


def test_a_player_signs_in_to_a_forum(player, forum):
    browser, query = sign_in(player), build_query(forum, "openid profile email", nonce="n-0S6")
    page = browser.get(AUTHORIZE, query).text
    assert "Sign in to Card Coach?" in page
    assert "Your player name (Asha), your face and the address of your player page" in page
    assert f"Your e-mail address ({player.email})" in page
    code = answer_query(browser, query, ["profile", "email"])["code"]
    tokens = exchange_code(forum, code).json()
    learned = verify(tokens, forum)
    assert learned["nonce"] == "n-0S6"
    assert learned["exp"] - learned["iat"] == 300
    page_of_player = f"http://testserver/players/{player.pk}/"
    assert (learned["name"], learned["profile"]) == ("Asha", page_of_player)
    assert (learned["email"], learned["email_verified"]) == (player.email, True)
    assert Client().get(page_of_player).status_code == 200
    picture = Client().get(learned["picture"])
    assert picture["Content-Type"] == "image/svg+xml"
    assert picture.content.startswith(b"<svg ")
    claims = ["sub", "name", "preferred_username", "profile", "picture", "email", "email_verified"]
    assert ask_about_user(tokens).json() == {name: learned[name] for name in claims}


def test_the_subject_is_stable_and_reveals_nothing(player, forum):
    first = verify(grant_tokens(player, forum, ["openid"]), forum)
    again = verify(grant_tokens(player, forum, ["openid"]), forum)
    wiki = enter_program(scopes=["openid"])
    elsewhere = verify(grant_tokens(player, wiki, ["openid"]), wiki)
    others = verify(grant_tokens(person("Ravi"), forum, ["openid"]), forum)
    assert first["sub"] == again["sub"] == elsewhere["sub"] != others["sub"]
    assert UUID(first["sub"]).version == 4
    assert set(first) == {"aud", "iat", "at_hash", "iss", "exp", "jti", "sub"}


def test_scopes_removed_by_the_player_are_not_disclosed(player, forum):
    code = grant_code(player, forum, "openid profile email", ["profile"])
    tokens = exchange_code(forum, code).json()
    assert set(tokens["scope"].split()) == {"openid", "profile"}
    for learned in (verify(tokens, forum), ask_about_user(tokens).json()):
        assert learned["name"] == "Asha"
        assert "email" not in learned
    bare = grant_code(player, forum, "openid profile email", [])
    assert exchange_code(forum, bare).json()["scope"] == "openid"


def test_an_unconfirmed_address_is_disclosed_as_unverified(player, forum):
    EmailAddress.objects.update(verified=False)
    learned = ask_about_user(grant_tokens(player, forum, ["openid", "email"])).json()
    assert learned["email_verified"] is False


def test_the_address_of_a_player_without_one_is_not_offered(player, forum):
    player.email = "phone-77@nowhere.invalid"
    player.save()
    page = sign_in(player).get(AUTHORIZE, build_query(forum, "openid email"))
    assert "e-mail" not in page.text.partition("<form")[2].partition("</form>")[0]
    code = grant_code(player, forum, "openid email", [])
    assert "email" not in ask_about_user(exchange_code(forum, code).json()).json()


def test_identity_scopes_give_no_access_to_the_api(player, forum):
    assert call_api(grant_tokens(player, forum, EVERYTHING)).status_code == 401
    assert not ApiToken.objects.exists()


def test_a_read_token_does_not_disclose_identity(player, forum):
    tokens = grant_tokens(player, forum, ["read"])
    assert "id_token" not in tokens
    answer = ask_about_user(tokens)
    assert answer.status_code == 401
    assert answer.json()["error"] == "invalid_token"
    assert "Bearer" in answer["WWW-Authenticate"]


def test_one_consent_grants_identity_and_rights(player, forum):
    page = sign_in(player).get(AUTHORIZE, build_query(forum, "openid read")).text
    assert "Allow Card Coach to act for you?" in page
    tokens = grant_tokens(player, forum, ["openid", "read"])
    assert verify(tokens, forum)["sub"]
    assert call_api(tokens).json()["scopes"] == ["read"]


def test_only_rights_ask_for_the_password_again(player, forum):
    browser = sign_in_long_ago(player)
    assert browser.get(AUTHORIZE, build_query(forum, "openid profile")).status_code == 200
    asked = browser.get(AUTHORIZE, build_query(forum, "openid read"))
    assert "reauthenticate" in asked["Location"]


def test_prompt_none_is_answered_without_a_page(player, forum):
    query = build_query(forum, "openid", prompt="none")
    for browser, error in ((Client(), "login_required"), (sign_in(player), "consent_required")):
        answer = browser.get(AUTHORIZE, query)
        assert answer["Location"].startswith(f"{BACK}?error={error}")
    thief = browser.get(AUTHORIZE, {**query, "redirect_uri": "https://thief.example/back"})
    assert "thief.example/back?" not in thief["Location"]
    assert not OAuthGrant.objects.exists()


@pytest.mark.parametrize(
    ("scope", "more"),
    [
        ("profile", {}),
        ("email", {}),
        ("read email", {}),
        ("openid phone", {}),
        ("openid", {"nonce": "n" * 256}),
        ("openid", {"response_type": "id_token"}),
        ("openid", {"response_type": "code id_token"}),
        ("openid", {"response_type": "token"}),
    ],
    ids=str,
)
def test_an_unsupported_openid_request_is_refused(player, forum, scope, more):
    answer = sign_in(player).get(AUTHORIZE, build_query(forum, scope, **more))
    assert answer.status_code in {302, 400}
    assert "code=" not in answer.get("Location", "")
    assert not OAuthGrant.objects.exists()


def test_identity_needs_a_registered_scope(player):
    program = enter_program(scopes=["read"])
    answer = sign_in(player).get(AUTHORIZE, build_query(program, "openid"))
    assert "error=invalid_scope" in answer["Location"]


class TestAccounts:
    def test_a_frozen_player_cannot_sign_in_elsewhere(self, player, forum):
        tokens = grant_tokens(player, forum, ["openid"])
        code = grant_code(player, forum, "openid", [])
        browser = sign_in(player)
        freeze_by_staff(player)
        asked = browser.get(AUTHORIZE, build_query(forum, "openid"))
        assert asked["Location"].startswith("/accounts/login/")
        assert exchange_code(forum, code).status_code == 400
        assert renew_tokens(forum, tokens).status_code == 400
        assert ask_about_user(tokens).status_code == 401
        unfreeze(user_id=player.pk, reason="asked to")
        assert ask_about_user(tokens).status_code == 401  # the player must consent again

    def test_closing_an_account_deletes_its_subject_and_tokens(self, player, forum):
        tokens = grant_tokens(player, forum, EVERYTHING)
        make_unknown(user_id=player.pk, keep_identity=False)
        assert ask_about_user(tokens).status_code == 401
        assert renew_tokens(forum, tokens).status_code == 400
        assert not OAuthSubject.objects.exists()

    def test_a_self_excluded_player_can_sign_in_elsewhere(self, player, forum):
        exclude_oneself(user_id=player.pk, until=timezone.now() + timedelta(days=30))
        assert verify(grant_tokens(player, forum, ["openid"]), forum)["sub"]


def test_each_refresh_returns_a_new_id_token(player, forum):
    tokens = grant_tokens(player, forum, ["openid", "profile"])
    newer = renew_tokens(forum, tokens).json()
    assert verify(newer, forum)["sub"] == verify(tokens, forum)["sub"]
    assert "nonce" not in verify(newer, forum)
    assert "id_token" not in renew_tokens(forum, newer, scope="profile").json()


def test_userinfo_needs_a_live_token_in_the_header(player, forum):
    tokens = grant_tokens(player, forum, ["openid"])
    OAuthAccessToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert ask_about_user(tokens).status_code == 401
    assert Client().get("/oauth/userinfo").status_code == 401
    in_address = Client().get("/oauth/userinfo", {"access_token": tokens["access_token"]})
    assert in_address.status_code == 401


class TestKeys:
    def test_openid_is_off_without_a_key(self, player, forum, settings):
        tokens = grant_tokens(player, forum, ["openid", "read"])
        code = grant_code(player, forum, "openid read", ["read"])
        use_keys(settings)
        assert Client().get(DISCOVERY).status_code == 404
        assert ask_about_user(tokens).status_code == 404
        described = Client().get("/.well-known/oauth-authorization-server").json()
        assert described["scopes_supported"] == ["read", "play", "money"]
        assert "userinfo_endpoint" not in described
        answer = sign_in(player).get(AUTHORIZE, build_query(forum, "openid read"))
        assert "error=invalid_scope" in answer["Location"]
        # Earlier grants remain valid, without the OpenID scopes.
        for answer in (exchange_code(forum, code), renew_tokens(forum, tokens)):
            assert answer.json()["scope"] == "read"
            assert "id_token" not in answer.json()

    def test_the_first_key_signs_and_older_keys_stay_published(
        self, player, forum, settings, own_key
    ):
        tokens = grant_tokens(player, forum, ["openid"])
        use_keys(settings, make_openid_key(), own_key)
        assert len(Client().get("/oauth/jwks.json").json()["keys"]) == 2
        newer = grant_tokens(player, forum, ["openid"])
        kids = {jwt.get_unverified_header(one["id_token"])["kid"] for one in (tokens, newer)}
        assert len(kids) == 2
        assert verify(tokens, forum)["sub"] == verify(newer, forum)["sub"]

    def test_only_public_parts_of_the_key_are_published(self):
        answer = Client().get("/oauth/jwks.json")
        [key] = answer.json()["keys"]
        assert set(key) == {"kty", "use", "alg", "n", "e", "kid"}
        assert answer["Access-Control-Allow-Origin"] == "*"

    def test_a_malformed_key_stops_the_start(self, monkeypatch):
        monkeypatch.setenv("OPENID_PRIVATE_KEY", "secret")
        with pytest.raises(ImproperlyConfigured, match="make_openid_key"):
            read_openid_keys()


@pytest.mark.django_db(transaction=True)
def test_another_django_site_signs_the_player_in(player, settings, live_site):
    """Another Django site would use allauth's client: discovery, token and userinfo over HTTP."""
    club, secret = enter_server_program(["openid", "email"])
    club.redirect_uris = "http://testserver/accounts/oidc/oidc/login/callback/"
    club.save()
    settings.SITE_URL = live_site
    there = OpenIDProvider(address=live_site).setting
    there["openid_connect"]["APPS"][0] |= {"client_id": club.pk, "secret": secret}
    settings.SOCIALACCOUNT_PROVIDERS = there
    visitor = Client()
    left = visitor.post("/accounts/oidc/oidc/login/?process=login")
    assert left["Location"].startswith(f"{live_site}/oauth/authorize?")
    browser = sign_in(player)
    page = browser.get(left["Location"].removeprefix(live_site))
    asked = {"request": page.context["form"].initial["request"], "scopes": ["email"]}
    back = browser.post(AUTHORIZE, {**asked, "action": "grant"})
    came = visitor.get(back["Location"])
    assert (came.status_code, came["Location"]) == (302, reverse("socialaccount_signup"))
    [learned] = visitor.session["socialaccount_sociallogin"]["email_addresses"]
    assert (learned["email"], learned["verified"]) == (player.email, True)
    account = visitor.session["socialaccount_sociallogin"]["account"]
    assert account["uid"] == str(OAuthSubject.objects.get(user=player).subject)


def test_openid_discovery_names_existing_endpoints():
    described = Client().get(DISCOVERY).json()
    assert described["issuer"] == "http://testserver"
    assert described["scopes_supported"] == ["read", "play", "money", *EVERYTHING]
    for name in ("authorization", "token", "userinfo", "revocation", "device_authorization"):
        path = described[f"{name}_endpoint"].removeprefix("http://testserver")
        assert Client().get(path).status_code != 404, name
    assert json.dumps(described) == json.dumps(
        Client().get("/.well-known/oauth-authorization-server").json()
    )
    assert reverse("oauth:jwks") in described["jwks_uri"]
