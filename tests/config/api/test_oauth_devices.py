"""Programs without a browser, whose player types their code in elsewhere (RFC 8628)."""

import re
from datetime import timedelta
from functools import partial
from urllib.parse import urlencode, urlsplit

import pytest
from allauth.idp.oidc.models import Client as Registered
from allauth.idp.oidc.models import Token
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from oauthlib.oauth2 import DeviceClient

from accounts.api_tokens import oauth_device_views, oauth_views
from accounts.api_tokens.oauth_grants import revoke_program
from accounts.desk.staff_roles import Role
from accounts.expiry import forget_what_has_expired
from accounts.models import OAuthClient, OAuthDevice, OAuthGrant
from accounts.people.closing import freeze
from core import throttling
from tests.accounts.staff import member, office
from tests.api_program import person
from tests.oauth_program import (
    BACK,
    enter_program,
    enter_server_program,
    exchange_code,
    make_openid_key,
    renew_tokens,
    sign_in,
    sign_in_long_ago,
    works,
)
from tests.together import run_at_once

FORM = "application/x-www-form-urlencoded"
GRANT_TYPE = Registered.GrantType.DEVICE_CODE.value


@pytest.fixture(autouse=True)
def unhurried():
    yield
    throttling.clear("oauth::127.0.0.1", "oauth-device::127.0.0.1", "device-code::127.0.0.1")


def ask_for_codes(program, scope="read play", **more):
    """Ask for codes as a program does. Return the answer."""
    body = urlencode({"client_id": program.pk, "scope": scope, **more})
    return Client().post("/oauth/device", body, FORM)


def poll(program, codes, **more):
    """Ask for tokens as oauthlib's client does. Return the answer."""
    body = DeviceClient(program.pk).prepare_request_body(
        codes["device_code"], include_client_id=True, **more
    )
    return Client().post("/oauth/token", body, FORM)


def error_of(answer):
    assert answer.status_code in {400, 401}
    return answer.json()["error"]


def skip_pause():
    OAuthDevice.objects.update(polled_at=timezone.now() - timedelta(hours=1))


def ask(browser, codes):
    page = browser.get("/device", {"user_code": codes["user_code"]})
    assert page.status_code == 200
    return page


def answer_device(browser, codes, scopes, action="grant"):
    """Answer a device's question in the player's browser. Return the response."""
    request = ask(browser, codes).context["form"].initial["request"]
    return send(browser, request, scopes, action)


def send(browser, request, scopes, action="grant"):
    filled = {"request": request, "scopes": scopes, "action": action}
    return browser.post("/device", filled)


@pytest.mark.django_db
class TestTheWholeWay:
    def test_a_player_signs_a_console_in(self, player, program):
        answer = ask_for_codes(program)
        codes = answer.json()
        assert answer.status_code == 200
        assert re.fullmatch(r"[B-Z]{4}-[B-Z]{4}", codes["user_code"])
        assert (codes["expires_in"], codes["interval"]) == (600, 5)
        assert codes["verification_uri"] == "http://testserver/device"
        assert error_of(poll(program, codes)) == "authorization_pending"
        browser = sign_in(player)
        complete = urlsplit(codes["verification_uri_complete"])
        page = browser.get(f"{complete.path}?{complete.query}").text
        assert "Let Card Coach act for you?" in page
        assert codes["user_code"] in page
        done = answer_device(browser, codes, ["read"])
        assert done["Location"] == reverse("accounts:tokens")
        skip_pause()
        tokens = poll(program, codes).json()
        assert tokens["scope"] == "read"
        assert works(tokens)
        assert works(renew_tokens(program, tokens).json())
        assert "Card Coach" in browser.get("/accounts/tokens/").text

    def test_a_code_is_read_as_people_type_it(self, player, program):
        codes = ask_for_codes(program).json()
        typed = codes["user_code"].replace("-", " ").lower()
        page = sign_in(player).get("/device", {"user_code": f" {typed} "})
        assert "Let Card Coach act for you?" in page.text

    def test_a_site_without_a_browser_learns_who_it_is(self, player, settings):
        settings.IDP_OIDC_PRIVATE_KEYS = [make_openid_key()]
        program = enter_program(scopes=["openid", "profile"])
        codes = ask_for_codes(program, "openid profile").json()
        page = ask(sign_in(player), codes).text
        assert "Sign in to Card Coach?" in page
        answer_device(sign_in(player), codes, ["profile"])
        tokens = poll(program, codes).json()
        assert tokens["id_token"].count(".") == 2
        shown = {"Authorization": f"Bearer {tokens['access_token']}"}
        assert Client(headers=shown).get("/oauth/userinfo").json()["name"] == "Asha"

    def test_a_program_on_a_server_shows_its_secret(self, player):
        program, secret = enter_server_program()
        assert error_of(ask_for_codes(program)) == "invalid_client"
        assert error_of(ask_for_codes(program, client_secret="wrong")) == "invalid_client"
        assert not OAuthDevice.objects.exists()
        codes = ask_for_codes(program, client_secret=secret).json()
        answer_device(sign_in(player), codes, ["read"])
        assert error_of(poll(program, codes)) == "invalid_client"
        assert works(poll(program, codes, client_secret=secret).json())

    def test_codes_lie_in_the_database_as_hashes_and_nowhere_else(self, program):
        codes = ask_for_codes(program).json()
        stored = str(list(OAuthDevice.objects.values()))
        for code in (codes["device_code"], codes["user_code"]):
            assert code not in stored
            assert cache.get(f"allauth.idp.oidc.device_code[{code}]") is None
            assert cache.get(f"allauth.idp.oidc.user_code[{code.lower()}]") is None


@pytest.mark.django_db
class TestTheProgram:
    def test_waits_between_its_polls(self, program):
        codes = ask_for_codes(program).json()
        assert error_of(poll(program, codes)) == "authorization_pending"
        assert error_of(poll(program, codes)) == "slow_down"
        # From now on five seconds more.
        OAuthDevice.objects.update(polled_at=timezone.now() - timedelta(seconds=7))
        assert error_of(poll(program, codes)) == "slow_down"
        OAuthDevice.objects.update(polled_at=timezone.now() - timedelta(seconds=16))
        assert error_of(poll(program, codes)) == "authorization_pending"

    def test_without_an_answer_gets_nothing_after_ten_minutes(self, player, program):
        codes = ask_for_codes(program).json()
        request = ask(sign_in(player), codes).context["form"].initial["request"]
        OAuthDevice.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert error_of(poll(program, codes)) == "expired_token"
        late = sign_in(player).get("/device", {"user_code": codes["user_code"]})
        assert "No program waits with this code" in late.text
        send(sign_in(player), request, ["read"])
        assert not OAuthGrant.objects.exists()
        forget_what_has_expired(now=timezone.now())
        assert not OAuthDevice.objects.exists()
        assert error_of(poll(program, codes)) == "invalid_grant"

    def test_that_comes_too_late_for_its_grant_gets_nothing(self, player, program):
        codes = ask_for_codes(program).json()
        answer_device(sign_in(player), codes, ["read"])
        OAuthDevice.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert error_of(poll(program, codes)) == "expired_token"
        OAuthGrant.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        forget_what_has_expired(now=timezone.now())
        assert not OAuthGrant.objects.exists()
        assert not Token.objects.exists()

    def test_learns_that_the_player_has_denied(self, player, program):
        codes = ask_for_codes(program).json()
        assert answer_device(sign_in(player), codes, ["read"], "cancel")["Location"] == "/device"
        assert error_of(poll(program, codes)) == "access_denied"
        assert error_of(poll(program, codes)) == "access_denied"
        assert not OAuthGrant.objects.exists()

    def test_keeps_nothing_if_it_shows_its_code_again(self, player, program):
        codes = ask_for_codes(program).json()
        answer_device(sign_in(player), codes, ["read"])
        tokens = poll(program, codes).json()
        assert works(tokens)
        assert error_of(poll(program, codes)) == "invalid_grant"
        assert not works(tokens)
        assert error_of(renew_tokens(program, tokens)) == "invalid_grant"

    def test_of_somebody_else_gets_nothing_and_ends_nothing(self, player, program):
        codes, thief = ask_for_codes(program).json(), enter_program()
        answer_device(sign_in(player), codes, ["read"])
        assert error_of(poll(thief, codes)) == "invalid_grant"
        assert works(poll(program, codes).json())

    def test_cannot_exchange_its_code_as_that_of_a_browser(self, player, program):
        codes = ask_for_codes(program).json()
        answer_device(sign_in(player), codes, ["read"])
        assert error_of(exchange_code(program, codes["device_code"])) == "invalid_grant"
        assert (
            error_of(exchange_code(program, codes["device_code"], redirect_uri=""))
            == "invalid_grant"
        )
        assert not Token.objects.exists()

    @pytest.mark.parametrize("code", ["unknown", ""])
    def test_needs_a_code(self, program, code):
        assert error_of(poll(program, {"device_code": code})) in {
            "invalid_grant",
            "invalid_request",
        }

    @pytest.mark.parametrize("scope", ["admin", "read admin", "openid", "email", ""])
    def test_asks_for_no_more_than_was_entered(self, scope):
        assert error_of(ask_for_codes(enter_program(scopes=["read"]), scope)) == "invalid_scope"
        assert not OAuthDevice.objects.exists()

    def test_has_to_be_admitted_to_the_flow(self, player, program):
        codes = ask_for_codes(program).json()
        answer_device(sign_in(player), codes, ["read"])
        program.set_grant_types(["authorization_code", "refresh_token"])
        program.save()
        assert error_of(ask_for_codes(program)) == "unauthorized_client"
        assert error_of(poll(program, codes)) == "unauthorized_client"
        assert OAuthDevice.objects.count() == 1
        assert not Token.objects.exists()

    def test_that_nobody_has_entered_gets_no_code(self):
        answer = Client().post("/oauth/device", "client_id=guess&scope=read", FORM)
        assert answer.status_code in {400, 401}
        assert Client().get("/oauth/device").status_code == 405
        assert not OAuthDevice.objects.exists()

    def test_asks_for_so_many_codes_in_a_minute(self, program, monkeypatch):
        monkeypatch.setattr(oauth_views, "DEVICES_OF_A_PROGRAM", 2)
        assert [ask_for_codes(program).status_code for _ in range(3)] == [200, 200, 429]
        assert OAuthDevice.objects.count() == 2
        assert ask_for_codes(enter_program()).status_code == 200

    def test_that_waits_is_not_counted_and_one_that_hurries_is(self, program, monkeypatch):
        monkeypatch.setattr(oauth_views, "REFUSED_OF_A_PROGRAM", 2)
        codes = ask_for_codes(program).json()
        for _ in range(4):
            assert error_of(poll(program, codes)) == "authorization_pending"
            skip_pause()
        poll(program, codes)
        hurried = [poll(program, codes).status_code for _ in range(3)]
        assert hurried == [400, 400, 429]


@pytest.mark.django_db
class TestThePlayer:
    def test_is_asked_to_sign_in_first_and_lately(self, player, program):
        codes = ask_for_codes(program).json()
        away = Client().get("/device", {"user_code": codes["user_code"]})
        assert away["Location"].startswith("/accounts/login/?next=/device%3Fuser_code%3D")
        browser = sign_in_long_ago(player)
        again = browser.get("/device", {"user_code": codes["user_code"]})
        assert "reauthenticate" in again["Location"]

    def test_takes_rights_away_but_adds_none(self, player, program):
        codes = ask_for_codes(program, "read").json()
        page = answer_device(sign_in(player), codes, ["read", "money"])
        assert page.status_code == 200  # the form says what is wrong
        assert not OAuthGrant.objects.exists()
        assert error_of(poll(program, codes)) == "authorization_pending"

    def test_who_lets_nothing_is_asked_again(self, player, program):
        codes = ask_for_codes(program).json()
        page = answer_device(sign_in(player), codes, [])
        assert codes["user_code"] in page.text
        assert not OAuthGrant.objects.exists()
        send(sign_in(player), page.context["form"]["request"].value(), ["read"])
        assert poll(program, codes).json()["scope"] == "read"

    def test_answers_once(self, player, program):
        codes = ask_for_codes(program).json()
        browser, other = sign_in(player), sign_in(person("Ravi"))
        late = ask(other, codes).context["form"].initial["request"]
        answer_device(browser, codes, ["read"])
        told = send(other, late, ["read"])
        assert told["Location"] == "/device"
        assert "This code is over" in other.get("/device").text
        assert list(OAuthGrant.objects.values_list("user_id", flat=True)) == [player.pk]

    @pytest.mark.parametrize("request_text", ["", "made-up", "eyJkZXZpY2UiOjF9:x:y"])
    def test_answers_only_what_the_page_has_asked(self, player, program, request_text):
        codes = ask_for_codes(program).json()
        assert send(sign_in(player), request_text, ["read"]).status_code == 403
        assert error_of(poll(program, codes)) == "authorization_pending"

    def test_answers_from_the_page_of_this_site_only(self, player, program):
        codes = ask_for_codes(program).json()
        strict = Client(enforce_csrf_checks=True)
        strict.cookies = sign_in(player).cookies
        request = ask(strict, codes).context["form"].initial["request"]
        assert send(strict, request, ["read"]).status_code == 403
        assert not OAuthGrant.objects.exists()

    def test_may_guess_a_few_times(self, player, program, monkeypatch):
        monkeypatch.setattr(oauth_device_views, "WRONG_CODES", 3)
        codes, browser = ask_for_codes(program).json(), sign_in(player)
        for _ in range(5):
            ask(browser, codes)  # a right one is not counted
        tries = [
            browser.get("/device", {"user_code": f"BCDF-GHJ{letter}"}).status_code
            for letter in "KLMN"
        ]
        assert tries == [200, 200, 200, 429]
        refused = browser.get("/device", {"user_code": codes["user_code"]})
        assert refused.status_code == 429
        assert "Let Card Coach" not in refused.text

    def test_whose_account_is_frozen_meanwhile_is_not_signed_in(self, player, program):
        codes = ask_for_codes(program).json()
        answer_device(sign_in(player), codes, ["read"])
        freeze(user_id=player.pk, staff_id=member(Role.SUPPORT).pk, reason="asked to")
        assert error_of(poll(program, codes)) == "invalid_grant"
        assert not Token.objects.exists()

    def test_who_revokes_the_program_ends_its_code(self, player, program):
        codes = ask_for_codes(program).json()
        answer_device(sign_in(player), codes, ["read"])
        revoke_program(user_id=player.pk, client_id=program.pk)
        assert error_of(poll(program, codes)) == "invalid_grant"
        assert not OAuthDevice.objects.exists()


@pytest.mark.django_db(transaction=True)
class TestSideBySide:
    def test_of_many_polls_one_has_tokens_and_they_end(self, player, program):
        for _round in range(3):
            codes = ask_for_codes(program).json()
            answer_device(sign_in(player), codes, ["read"])
            answers = run_at_once(*6 * [partial(poll, program, codes)])
            assert sorted(answer.status_code for answer in answers) == [200] + 5 * [400]
            [tokens] = [answer.json() for answer in answers if answer.status_code == 200]
            assert not works(tokens)  # five replays of its code
            assert not Token.objects.exists()

    def test_a_poll_beside_the_answer_waits_or_has_tokens(self, player, program):
        for _round in range(4):
            codes, browser = ask_for_codes(program).json(), sign_in(player)
            request = ask(browser, codes).context["form"].initial["request"]
            answer, _done = run_at_once(
                partial(poll, program, codes), partial(send, browser, request, ["read"])
            )
            if answer.status_code == 400:
                assert error_of(answer) == "authorization_pending"
                answer = poll(program, codes)
            assert works(answer.json())

    def test_of_two_answers_one_counts(self, player, program):
        for _round in range(4):
            codes, browser = ask_for_codes(program).json(), sign_in(player)
            request = ask(browser, codes).context["form"].initial["request"]
            run_at_once(
                partial(send, browser, request, ["read"]),
                partial(send, browser, request, ["read"], "cancel"),
            )
            device = OAuthDevice.objects.get(client=program)
            assert (device.grant_id is None) is (device.denied_at is not None)
            device.delete()
            OAuthGrant.objects.all().delete()

    def test_a_program_that_is_revoked_meanwhile_keeps_nothing(self, player, program):
        for _round in range(6):
            codes = ask_for_codes(program).json()
            answer_device(sign_in(player), codes, ["read"])
            answer, revoked = run_at_once(
                partial(poll, program, codes),
                partial(revoke_program, user_id=player.pk, client_id=program.pk),
            )
            assert answer.status_code in {200, 400}
            assert revoked is None
            assert not Token.objects.exists()
            assert not OAuthGrant.objects.exists()
            throttling.clear("oauth-device::127.0.0.1")


@pytest.mark.django_db
class TestTheAdministration:
    @pytest.fixture(autouse=True)
    def staff(self):
        self.client = office(member(Role.SUPERUSER))

    def fill_in(self, **more):
        filled = {
            "name": "Console",
            "type": "public",
            "redirect_uris": "",
            "scopes": ["read"],
            "reason_for_audit": "asked by mail",
            **more,
        }
        return self.client.post(reverse("admin:accounts_oauthclient_add"), filled)

    def test_enters_a_program_without_a_browser(self):
        assert self.fill_in(by_device="on").status_code == 302
        program = OAuthClient.objects.get()
        assert set(program.get_grant_types()) == {"refresh_token", GRANT_TYPE}
        assert ask_for_codes(program, "read").status_code == 200
        page = self.client.get(reverse("admin:accounts_oauthclient_change", args=[program.pk]))
        assert page.context["adminform"].form.initial["by_device"] is True

    def test_enters_one_with_both_ways(self):
        self.fill_in(by_device="on", redirect_uris=BACK)
        assert set(OAuthClient.objects.get().get_grant_types()) == {
            "authorization_code",
            "refresh_token",
            GRANT_TYPE,
        }

    def test_enters_none_that_has_no_way(self):
        page = self.fill_in()
        assert "Name an address to go back to" in page.text
        assert not OAuthClient.objects.exists()

    def test_offers_identity_with_a_key_and_together(self, settings):
        assert "Select a valid choice" in self.fill_in(redirect_uris=BACK, scopes=["openid"]).text
        settings.IDP_OIDC_PRIVATE_KEYS = [make_openid_key()]
        page = self.fill_in(redirect_uris=BACK, scopes=["email"])
        assert "told only where players sign in" in page.text
        assert not OAuthClient.objects.exists()
        assert self.fill_in(redirect_uris=BACK, scopes=["openid", "email"]).status_code == 302
        assert OAuthClient.objects.get().get_scopes() == ["openid", "email"]
