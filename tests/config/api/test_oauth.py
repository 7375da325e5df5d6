"""Third-party programs act for a player with their consent through OAuth 2.0 (docs/oauth.md)."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.api_tokens.oauth_grants import list_programs
from accounts.desk.staff_roles import Role
from accounts.expiry import forget_what_has_expired
from accounts.models import (
    ApiToken,
    OAuthAccessToken,
    OAuthClient,
    OAuthGrant,
    OAuthRefreshToken,
)
from accounts.sessions import signed_forms
from core.models import AuditEntry
from tests.accounts.staff import member, office
from tests.api_program import person
from tests.barring import freeze_by_staff
from tests.oauth_program import (
    BACK,
    answer_query,
    build_query,
    call_api,
    enter_program,
    exchange_code,
    grant_code,
    grant_tokens,
    make_openid_key,
    post_program,
    renew_tokens,
    revoke_token,
    sign_in,
    sign_in_long_ago,
    tokens_exist,
    use_keys,
    works,
)

pytestmark = pytest.mark.django_db
AUTHORIZE = "/oauth/authorize"


def test_a_program_acts_with_the_rights_the_player_left(player, program):
    browser = sign_in(player)
    page = browser.get(AUTHORIZE, build_query(program, "read play money"))
    assert "Allow Card Coach to act for you?" in page.text
    assert "Bring money: to tables and tournaments" in page.text
    # The form's answer redirects to the program, which browsers check against the policy.
    assert "form-action 'self' https://coach.example;" in f"{page['Content-Security-Policy']};"
    back = answer_query(browser, build_query(program, "read play money"), ["read", "play"])
    assert back["state"] == "77"
    answer = exchange_code(program, back["code"])
    tokens = answer.json()
    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 3_600)
    assert set(tokens["scope"].split()) == {"read", "play"}
    account = call_api(tokens).json()
    assert (account["name"], account["scopes"]) == ("Asha", ["play", "read"])
    seats = Client(headers={"Authorization": f"Bearer {tokens['access_token']}"})
    refused = seats.post("/api/v1/wallet/chips/", {}, "application/json")
    assert refused.status_code in {403, 404, 405}
    # No token is stored in a usable form.
    kinds = (OAuthAccessToken, OAuthRefreshToken, ApiToken)
    stored = str([list(kind.objects.values()) for kind in kinds])
    assert tokens["access_token"] not in stored
    assert tokens["refresh_token"] not in stored


def test_a_player_who_cancels_grants_nothing(player, program):
    back = answer_query(sign_in(player), build_query(program), ["read"], action="cancel")
    assert (back["error"], back["state"]) == ("access_denied", "77")
    assert not tokens_exist()


def test_granting_needs_a_recent_sign_in(player, program):
    asked = Client().get(AUTHORIZE, build_query(program))
    assert asked.status_code == 302
    assert asked["Location"].startswith("/accounts/login/?next=/oauth/authorize")
    asked = sign_in_long_ago(player).get(AUTHORIZE, build_query(program))
    assert asked.status_code == 302
    assert "reauthenticate" in asked["Location"]


def test_a_consent_counts_only_in_the_session_that_was_asked(player, program):
    """The form does not ask for the password again, so a form from another session is refused."""
    stolen = sign_in_long_ago(player)
    for other in (sign_in(person("Ravi")), sign_in(player)):
        asked = other.get(AUTHORIZE, build_query(program)).context["form"].initial["request"]
        sent = {"request": asked, "scopes": ["read"], "action": "grant"}
        assert stolen.post(AUTHORIZE, sent).status_code == 403
    assert not OAuthGrant.objects.exists()


def test_a_consent_is_asked_for_ten_minutes(player, program, monkeypatch):
    browser = sign_in(player)
    asked = browser.get(AUTHORIZE, build_query(program)).context["form"].initial["request"]
    monkeypatch.setattr(signed_forms, "LASTS_SECONDS", -1)
    sent = {"request": asked, "scopes": ["read"], "action": "grant"}
    answer = browser.post(AUTHORIZE, sent, follow=True)
    assert "You took too long to answer, so nothing was granted." in answer.text
    assert not OAuthGrant.objects.exists()


def test_a_consent_without_a_right_is_asked_again(player, program):
    browser = sign_in(player)
    asked = browser.get(AUTHORIZE, build_query(program)).context["form"].initial["request"]
    page = browser.post(AUTHORIZE, {"request": asked, "scopes": [], "action": "grant"})
    assert page.status_code == 200
    asked = page.context["form"]["request"].value()
    back = browser.post(AUTHORIZE, {"request": asked, "scopes": ["read"], "action": "grant"})
    assert "code=" in back["Location"]


@pytest.mark.parametrize("claims", ["{", "[]", "7", "[" * 5_000, '{"a":' * 5_000])
@pytest.mark.parametrize("scope", ["openid", "read"])
def test_malformed_claims_are_the_programs_error(player, settings, scope, claims):
    use_keys(settings, make_openid_key())
    program = enter_program(scopes=["openid", "read"])
    answer = sign_in(player).get(AUTHORIZE, build_query(program, scope, claims=claims))
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"{BACK}?error=invalid_request&")
    assert "state=77" in answer["Location"]


def test_single_claims_are_ignored(player, settings):
    use_keys(settings, make_openid_key())
    program = enter_program(scopes=["openid"])
    query = build_query(program, "openid", claims='{"id_token": {"email": null}}')
    assert answer_query(sign_in(player), query, [])["code"]


@pytest.mark.parametrize("prompt", ["none", "login", "consent"])
def test_consent_cannot_be_skipped(player, program, prompt):
    """A player's consent to another program does not count, either."""
    grant_tokens(player, enter_program(), ["read", "play"])
    before = OAuthAccessToken.objects.count()
    asked = sign_in(player).get(AUTHORIZE, build_query(program, prompt=prompt))
    assert asked.status_code == 302
    assert asked["Location"].startswith("/oauth/authorize?")
    assert "prompt" not in asked["Location"]
    assert OAuthAccessToken.objects.count() == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"redirect_uri": "https://thief.example/back"},
        {"redirect_uri": f"{BACK}/more"},
        {"redirect_uri": f"{BACK}?next=//evil&code=attacker"},
        {"client_id": "unknown"},
    ],
    ids=str,
)
def test_an_unregistered_redirect_is_refused(player, program, wrong):
    page = sign_in(player).get(AUTHORIZE, build_query(program, **wrong))
    assert page.status_code == 400
    assert "Nothing was granted" in page.text
    assert "thief.example" not in page["Content-Security-Policy"]


@pytest.mark.parametrize("scope", ["read admin", "openid", ""])
def test_a_program_may_ask_only_for_its_registered_scopes(player, scope):
    program = enter_program(scopes=["read"])
    answer = sign_in(player).get(AUTHORIZE, build_query(program, scope))
    assert answer.status_code in {302, 400}
    assert "code=" not in answer.get("Location", "")
    assert not tokens_exist()


def test_a_public_program_needs_its_verifier(player, program):
    query = build_query(program)
    del query["code_challenge"], query["code_challenge_method"]
    answer = sign_in(player).get(AUTHORIZE, query)
    assert "error=invalid_request" in answer["Location"]
    code = grant_code(player, program)
    assert exchange_code(program, code, code_verifier="b" * 50).status_code == 400
    assert not tokens_exist()


def test_a_token_expires_and_is_renewed(player, program):
    tokens = grant_tokens(player, program, ["read"])
    assert works(tokens)
    over = timezone.now() - timedelta(seconds=1)
    OAuthAccessToken.objects.update(expires=over)
    ApiToken.objects.update(expires_at=over)
    assert call_api(tokens).status_code == 401
    newer = renew_tokens(program, tokens).json()
    assert call_api(newer).json()["scopes"] == ["read"]
    forget_what_has_expired(now=timezone.now())
    assert ApiToken.objects.count() == 1
    assert works(newer)


def test_a_player_revokes_a_program_on_the_page_of_tokens(player, program):
    tokens = grant_tokens(player, program, ["read"])
    others = grant_tokens(person("Ravi"), program, ["read"])
    assert works(tokens)
    browser = sign_in(player)
    page = browser.get("/accounts/tokens/").text
    assert page.count("Card Coach") == 2  # once in the visible text and once for screen readers
    assert [one.name for one in list_programs(player.pk)] == ["Card Coach"]
    browser.post(f"/accounts/programs/{program.pk}/revoke/")
    assert call_api(tokens).status_code == 401
    assert renew_tokens(program, tokens).status_code == 400
    assert list_programs(player.pk) == []
    assert works(others)


def test_a_program_revokes_its_token(player, program):
    tokens = grant_tokens(player, program, ["read"])
    assert works(tokens)
    revoke_token(program, tokens["access_token"])
    assert call_api(tokens).status_code == 401
    assert not ApiToken.objects.exists()


def test_a_program_cannot_act_for_a_frozen_account(player, program):
    tokens = grant_tokens(player, program, ["read"])
    assert works(tokens)
    freeze_by_staff(player)
    assert call_api(tokens).status_code == 401


def test_tokens_of_programs_do_not_count_as_the_players_own(player, program):
    for _ in range(12):
        assert works(grant_tokens(player, program, ["read"]))
    page = sign_in(player).post("/accounts/tokens/", {"name": "mine", "scopes": ["read"]})
    assert "Your new token, shown only once:" in page.text


class TestTheAdministration:
    def test_a_program_is_registered_and_its_secret_shown_once(self):
        staff = member(Role.SUPERUSER)
        client = office(staff)
        page = post_program(
            client,
            client_type="confidential",
            redirect_uris=f"{BACK}\ncom.example.coach:/back",
            scopes=["read", "play"],
            follow=True,
        )
        program = OAuthClient.objects.get()
        assert program.redirect_uris.split() == [BACK, "com.example.coach:/back"]
        assert program.scopes == ["read", "play"]
        assert program.skip_authorization is False
        shown = page.text.partition("shown only once: ")[2][:43]
        assert check_password(shown, program.client_secret)
        again = client.get(reverse("admin:accounts_oauthclient_change", args=[program.pk]))
        assert shown not in again.text
        entry = AuditEntry.objects.get(staff=staff, object_type="accounts.oauthclient")
        assert (entry.action, entry.reason) == ("add", "asked by mail")
        assert program.client_secret not in str(entry.after)

    @pytest.mark.parametrize(
        "address",
        [
            "http://coach.example/back",
            "https://*.example/back",
            "javascript:alert(1)",
            "https://coach.example/back#part",
            "https://nila@coach.example/",
            "https:///back",
        ],
    )
    def test_an_unsafe_redirect_is_not_registered(self, address):
        page = post_program(office(member(Role.SUPERUSER)), redirect_uris=address)
        assert page.status_code == 200
        assert "is not a valid redirect address" in page.text
        assert not OAuthClient.objects.exists()
