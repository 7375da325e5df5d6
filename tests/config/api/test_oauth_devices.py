"""Programs without a browser: the player enters the program's code on another device (RFC 8628)."""

import re
from datetime import timedelta
from functools import partial
from urllib.parse import urlencode, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from oauthlib.oauth2 import DeviceClient

from accounts.api_tokens import oauth_device_views, oauth_views
from accounts.api_tokens.oauth_grants import revoke_program
from accounts.desk.staff_roles import Role
from accounts.expiry import forget_what_has_expired
from accounts.models import OAuthClient, OAuthDevice, OAuthGrant
from core import throttling
from tests.accounts.staff import member, office
from tests.api_program import person
from tests.barring import freeze_by_staff
from tests.oauth_program import (
    call_api,
    enter_program,
    enter_server_program,
    exchange_code,
    expect_replays_to_end_the_tokens,
    make_openid_key,
    post_program,
    renew_tokens,
    sign_in,
    sign_in_long_ago,
    tokens_exist,
    use_keys,
    works,
)
from tests.together import run_at_once

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"


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
    OAuthDevice.objects.update(last_checked=timezone.now() - timedelta(hours=1))


def ask(browser, codes):
    page = browser.get("/device", {"user_code": codes["user_code"]})
    assert page.status_code == 200
    return page


def find_request(browser, codes):
    """Return the signed request from the consent form for this device."""
    return ask(browser, codes).context["form"].initial["request"]


def answer_device(browser, codes, scopes, action="grant"):
    """Submit the consent form for a device in the player's browser. Return the response."""
    return send(browser, find_request(browser, codes), scopes, action)


def send(browser, request, scopes, action="grant"):
    filled = {"request": request, "scopes": scopes, "action": action}
    return browser.post("/device", filled)


def grant_codes(player, program):
    """Ask for codes and have the player grant them. Return the codes."""
    codes = ask_for_codes(program).json()
    answer_device(sign_in(player), codes, ["read"])
    return codes


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
        assert "Allow Card Coach to act for you?" in page
        assert codes["user_code"] in page
        done = answer_device(browser, codes, ["read"])
        assert done["Location"] == reverse("accounts:tokens")
        skip_pause()
        tokens = poll(program, codes).json()
        assert tokens["scope"] == "read"
        assert works(tokens)
        assert works(renew_tokens(program, tokens).json())
        assert "Card Coach" in browser.get("/accounts/tokens/").text

    @pytest.mark.parametrize("dash", [" ", "\u2013", "\u00a0"])
    def test_a_code_is_read_in_any_case_and_spacing(self, player, program, dash):
        codes = ask_for_codes(program).json()
        typed = codes["user_code"].replace("-", dash).lower()
        page = sign_in(player).get("/device", {"user_code": f" {typed} "})
        assert "Allow Card Coach to act for you?" in page.text

    def test_a_device_reads_the_players_identity(self, player, settings):
        use_keys(settings, make_openid_key())
        program = enter_program(scopes=["openid", "profile"])
        codes = ask_for_codes(program, "openid profile").json()
        page = ask(sign_in(player), codes).text
        assert "Sign in to Card Coach?" in page
        answer_device(sign_in(player), codes, ["profile"])
        tokens = poll(program, codes).json()
        assert tokens["id_token"].count(".") == 2
        assert call_api(tokens, "/oauth/userinfo").json()["name"] == "Asha"

    def test_a_confidential_device_needs_its_secret(self, player):
        program, secret = enter_server_program()
        assert error_of(ask_for_codes(program)) == "invalid_client"
        assert error_of(ask_for_codes(program, client_secret="wrong")) == "invalid_client"
        assert not OAuthDevice.objects.exists()
        codes = ask_for_codes(program, client_secret=secret).json()
        answer_device(sign_in(player), codes, ["read"])
        assert error_of(poll(program, codes)) == "invalid_client"
        assert works(poll(program, codes, client_secret=secret).json())

    def test_device_codes_are_stored_only_as_hashes(self, program):
        codes = ask_for_codes(program).json()
        stored = str(list(OAuthDevice.objects.values()))
        for code in (codes["device_code"], codes["user_code"]):
            assert code not in stored


class TestTheProgram:
    def test_a_device_pauses_between_its_polls(self, program):
        codes = ask_for_codes(program).json()
        assert error_of(poll(program, codes)) == "authorization_pending"
        assert error_of(poll(program, codes)) == "slow_down"
        # After `slow_down`, the interval is five seconds longer.
        OAuthDevice.objects.update(last_checked=timezone.now() - timedelta(seconds=7))
        assert error_of(poll(program, codes)) == "slow_down"
        OAuthDevice.objects.update(last_checked=timezone.now() - timedelta(seconds=16))
        assert error_of(poll(program, codes)) == "authorization_pending"

    def test_device_codes_expire_without_an_answer(self, player, program):
        codes = ask_for_codes(program).json()
        request = find_request(sign_in(player), codes)
        OAuthDevice.objects.update(expires=timezone.now() - timedelta(seconds=1))
        assert error_of(poll(program, codes)) == "expired_token"
        late = sign_in(player).get("/device", {"user_code": codes["user_code"]})
        assert "No program is waiting for this code" in late.text
        send(sign_in(player), request, ["read"])
        assert not OAuthGrant.objects.exists()
        forget_what_has_expired(now=timezone.now())
        assert not OAuthDevice.objects.exists()
        assert error_of(poll(program, codes)) == "invalid_grant"

    def test_an_expired_grant_gives_no_tokens(self, player, program):
        codes = grant_codes(player, program)
        OAuthDevice.objects.update(expires=timezone.now() - timedelta(seconds=1))
        assert error_of(poll(program, codes)) == "expired_token"
        OAuthGrant.objects.update(expires=timezone.now() - timedelta(seconds=1))
        forget_what_has_expired(now=timezone.now())
        assert not OAuthGrant.objects.exists()
        assert not tokens_exist()

    def test_a_device_learns_that_the_player_denied(self, player, program):
        codes = ask_for_codes(program).json()
        assert answer_device(sign_in(player), codes, ["read"], "cancel")["Location"] == "/device"
        assert error_of(poll(program, codes)) == "access_denied"
        assert error_of(poll(program, codes)) == "access_denied"
        assert not OAuthGrant.objects.exists()

    def test_a_replayed_device_code_ends_its_tokens(self, player, program):
        codes = grant_codes(player, program)
        tokens = poll(program, codes).json()
        assert works(tokens)
        assert error_of(poll(program, codes)) == "invalid_grant"
        assert not works(tokens)
        assert error_of(renew_tokens(program, tokens)) == "invalid_grant"

    def test_a_device_code_is_useless_to_another_program(self, player, program):
        codes, thief = grant_codes(player, program), enter_program()
        assert error_of(poll(thief, codes)) == "invalid_grant"
        assert works(poll(program, codes).json())

    def test_a_device_code_is_no_authorization_code(self, player, program):
        codes = grant_codes(player, program)
        for more in ({}, {"redirect_uri": ""}):
            answer = exchange_code(program, codes["device_code"], **more)
            assert error_of(answer) == "invalid_grant"
        assert not tokens_exist()

    @pytest.mark.parametrize("code", ["unknown", ""])
    def test_polling_needs_a_valid_code(self, program, code):
        error = error_of(poll(program, {"device_code": code}))
        assert error in {"invalid_grant", "invalid_request"}

    @pytest.mark.parametrize("scope", ["admin", "read admin", "openid", "email", ""])
    def test_a_device_may_ask_only_for_its_registered_scopes(self, scope):
        assert error_of(ask_for_codes(enter_program(scopes=["read"]), scope)) == "invalid_scope"
        assert not OAuthDevice.objects.exists()

    def test_a_program_without_the_device_grant_is_refused(self, player, program):
        codes = grant_codes(player, program)
        program.by_device = False
        program.save()
        assert error_of(ask_for_codes(program)) == "unauthorized_client"
        assert error_of(poll(program, codes)) == "unauthorized_client"
        assert OAuthDevice.objects.count() == 1
        assert not tokens_exist()

    def test_an_unregistered_program_gets_no_device_code(self):
        answer = Client().post("/oauth/device", "client_id=guess&scope=read", FORM)
        assert answer.status_code in {400, 401}
        assert Client().get("/oauth/device").status_code == 405
        assert not OAuthDevice.objects.exists()

    def test_device_codes_have_a_rate_per_program(self, program, monkeypatch):
        monkeypatch.setattr(oauth_views, "DEVICES_OF_A_PROGRAM", 2)
        assert [ask_for_codes(program).status_code for _ in range(3)] == [200, 200, 429]
        assert OAuthDevice.objects.count() == 2
        assert ask_for_codes(enter_program()).status_code == 200

    def test_only_hurried_polls_count_against_the_rate(self, program, monkeypatch):
        monkeypatch.setattr(oauth_views, "REFUSED_OF_A_PROGRAM", 2)
        codes = ask_for_codes(program).json()
        for _ in range(4):
            assert error_of(poll(program, codes)) == "authorization_pending"
            skip_pause()
        poll(program, codes)
        hurried = [poll(program, codes).status_code for _ in range(3)]
        assert hurried == [400, 400, 429]


class TestThePlayer:
    def test_answering_a_device_needs_a_recent_sign_in(self, player, program):
        codes = ask_for_codes(program).json()
        away = Client().get("/device", {"user_code": codes["user_code"]})
        assert away["Location"].startswith("/accounts/login/?next=/device%3Fuser_code%3D")
        browser = sign_in_long_ago(player)
        again = browser.get("/device", {"user_code": codes["user_code"]})
        assert "reauthenticate" in again["Location"]

    def test_a_player_cannot_add_rights_to_a_device(self, player, program):
        codes = ask_for_codes(program, "read").json()
        page = answer_device(sign_in(player), codes, ["read", "money"])
        assert page.status_code == 200  # the form says what is wrong
        assert not OAuthGrant.objects.exists()
        assert error_of(poll(program, codes)) == "authorization_pending"

    def test_a_grant_without_rights_is_asked_again(self, player, program):
        codes = ask_for_codes(program).json()
        browser = sign_in(player)
        page = answer_device(browser, codes, [])
        assert codes["user_code"] in page.text
        assert not OAuthGrant.objects.exists()
        send(browser, page.context["form"]["request"].value(), ["read"])
        assert poll(program, codes).json()["scope"] == "read"

    def test_a_device_is_answered_once(self, player, program):
        codes = ask_for_codes(program).json()
        other = sign_in(person("Ravi"))
        late = find_request(other, codes)
        answer_device(sign_in(player), codes, ["read"])
        assert send(other, late, ["read"])["Location"] == "/device"
        assert "This code has expired" in other.get("/device").text
        assert list(OAuthGrant.objects.values_list("user_id", flat=True)) == [player.pk]

    def test_a_form_counts_only_in_the_session_that_got_it(self, player, program):
        codes = ask_for_codes(program).json()
        stolen = sign_in_long_ago(player)
        for other in (sign_in(person("Ravi")), sign_in(player)):
            asked = find_request(other, codes)
            assert send(stolen, asked, ["read"]).status_code == 403
        assert not OAuthGrant.objects.exists()
        assert error_of(poll(program, codes)) == "authorization_pending"

    @pytest.mark.parametrize("request_text", ["", "made-up", "eyJkZXZpY2UiOjF9:x:y"])
    def test_an_unsigned_answer_is_refused(self, player, program, request_text):
        codes = ask_for_codes(program).json()
        assert send(sign_in(player), request_text, ["read"]).status_code == 403
        assert error_of(poll(program, codes)) == "authorization_pending"

    def test_an_answer_needs_the_csrf_token(self, player, program):
        codes = ask_for_codes(program).json()
        strict = Client(enforce_csrf_checks=True)
        strict.cookies = sign_in(player).cookies
        request = find_request(strict, codes)
        assert send(strict, request, ["read"]).status_code == 403
        assert not OAuthGrant.objects.exists()

    def test_wrong_device_codes_have_a_rate(self, player, program, monkeypatch):
        monkeypatch.setattr(oauth_device_views, "WRONG_CODES", 3)
        codes, browser = ask_for_codes(program).json(), sign_in(player)
        for _ in range(5):
            ask(browser, codes)  # right codes do not count towards the limit
        wrong = [browser.get("/device", {"user_code": f"BCDF-GHJ{letter}"}) for letter in "KLMN"]
        assert [page.status_code for page in wrong] == [200, 200, 200, 429]
        refused = browser.get("/device", {"user_code": codes["user_code"]})
        assert refused.status_code == 429
        assert "Let Card Coach" not in refused.text

    def test_a_device_gets_no_tokens_for_a_frozen_account(self, player, program):
        codes = grant_codes(player, program)
        freeze_by_staff(player)
        assert error_of(poll(program, codes)) == "invalid_grant"
        assert not tokens_exist()

    def test_revoking_a_program_ends_its_device_code(self, player, program):
        codes = grant_codes(player, program)
        revoke_program(user_id=player.pk, client_id=program.pk)
        assert error_of(poll(program, codes)) == "invalid_grant"
        assert not OAuthDevice.objects.exists()


@pytest.mark.django_db(transaction=True)
class TestSideBySide:
    def test_concurrent_polls_end_the_tokens_of_the_first(self, player, program):
        for _round in range(3):
            codes = grant_codes(player, program)
            answers = run_at_once(*6 * [partial(poll, program, codes)])
            expect_replays_to_end_the_tokens(answers)

    def test_a_poll_racing_the_answer_waits_or_gets_tokens(self, player, program):
        for _round in range(4):
            codes, browser = ask_for_codes(program).json(), sign_in(player)
            request = find_request(browser, codes)
            answer, _done = run_at_once(
                partial(poll, program, codes), partial(send, browser, request, ["read"])
            )
            if answer.status_code == 400:
                assert error_of(answer) == "authorization_pending"
                answer = poll(program, codes)
            assert works(answer.json())

    def test_one_of_two_concurrent_answers_counts(self, player, program):
        for _round in range(4):
            codes, browser = ask_for_codes(program).json(), sign_in(player)
            request = find_request(browser, codes)
            run_at_once(
                partial(send, browser, request, ["read"]),
                partial(send, browser, request, ["read"], "cancel"),
            )
            device = OAuthDevice.objects.get(client=program)
            assert (device.grant_id is None) is (device.status == device.DENIED)
            device.delete()
            OAuthGrant.objects.all().delete()

    def test_a_device_revoked_while_polling_keeps_nothing(self, player, program):
        for _round in range(6):
            codes = grant_codes(player, program)
            answer, _revoked = run_at_once(
                partial(poll, program, codes),
                partial(revoke_program, user_id=player.pk, client_id=program.pk),
            )
            assert answer.status_code in {200, 400}
            assert not tokens_exist()
            assert not OAuthGrant.objects.exists()
            throttling.clear("oauth-device::127.0.0.1")


class TestTheAdministration:
    @pytest.fixture
    def staff(self):
        return office(member(Role.SUPERUSER))

    def test_a_program_without_a_redirect_is_registered_for_devices(self, staff):
        assert post_program(staff, by_device="on", redirect_uris="").status_code == 302
        program = OAuthClient.objects.get()
        assert program.allows_grant_type(GRANT_TYPE)
        assert not program.allows_grant_type("authorization-code")
        assert ask_for_codes(program, "read").status_code == 200
        page = staff.get(reverse("admin:accounts_oauthclient_change", args=[program.pk]))
        assert page.context["adminform"].form.initial["by_device"] is True

    def test_a_program_is_registered_for_browsers_and_devices(self, staff):
        post_program(staff, by_device="on")
        program = OAuthClient.objects.get()
        assert program.allows_grant_type("authorization-code")
        assert program.allows_grant_type(GRANT_TYPE)

    def test_a_program_needs_a_redirect_or_the_device_grant(self, staff):
        page = post_program(staff, redirect_uris="")
        assert "Enter a redirect address" in page.text
        assert not OAuthClient.objects.exists()

    def test_identity_scopes_need_a_key_and_openid(self, staff, settings):
        assert "Select a valid choice" in post_program(staff, scopes=["openid"]).text
        use_keys(settings, make_openid_key())
        page = post_program(staff, scopes=["email"])
        assert "only if it also signs players in" in page.text
        assert not OAuthClient.objects.exists()
        assert post_program(staff, scopes=["openid", "email"]).status_code == 302
        assert OAuthClient.objects.get().scopes == ["openid", "email"]
