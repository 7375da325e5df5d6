"""A player allows an outside program to act for them, in a browser with the site's content security policy."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import OAuthClient, User
from tests.e2e.inspection import SMALL_PHONE, too_wide
from tests.e2e.seated import PATIENCE
from tests.e2e.world import sign_in
from tests.oauth_program import build_query, enter_program, make_openid_key, to_exchange, use_keys
from tests.stand_in import Handler, run_server


@pytest.fixture
def program() -> Iterator[OAuthClient]:
    """A program on the player's own machine, which listens for its authorization code."""

    class Back(Handler):
        def respond(self) -> None:
            page = b"<!doctype html><title>Back</title><link rel=icon href=data:,>"
            self.answer(200, page, Content_Type="text/html")

    made = enter_program()
    with run_server(Back) as address:
        made.redirect_uris = f"{address}/back"
        made.save()
        yield made


@pytest.fixture(autouse=True)
def _signed_in(context: BrowserContext, live_site: str, asha: User) -> None:
    sign_in(context, live_site, asha)


def ask(
    page: Page, site: str, program: OAuthClient, scope: str = "read play money", **more: str
) -> None:
    query = build_query(program, scope, redirect_uri=program.redirect_uris, **more)
    page.goto(f"{site}/oauth/authorize?{urlencode(query)}")


def answer_of(page: Page, program: OAuthClient) -> dict[str, list[str]]:
    """Return the query parameters with which the browser was redirected to the program."""
    page.wait_for_url(f"{program.redirect_uris}?**", timeout=PATIENCE)
    return parse_qs(urlsplit(page.url).query)


def exchange(page: Page, site: str, program: OAuthClient) -> dict[str, str]:
    """Exchange the received authorization code. Return the program's tokens."""
    [code] = answer_of(page, program)["code"]
    sent = to_exchange(program, code, redirect_uri=program.redirect_uris)
    tokens: dict[str, str] = page.request.post(f"{site}/oauth/token", form={**sent}).json()
    return tokens


def test_the_player_cancels_or_consents_and_the_program_gets_its_code(page, live_site, program):
    page.set_viewport_size(SMALL_PHONE)
    ask(page, live_site, program)
    assert too_wide(page) == []
    page.get_by_role("button", name="Cancel").click()
    assert answer_of(page, program)["error"] == ["access_denied"]
    ask(page, live_site, program)
    expect(page.get_by_role("heading", level=1)).to_have_text("Allow Card Coach to act for you?")
    page.get_by_label("Bring money").uncheck()
    page.get_by_role("button", name="Allow it to act for me").click()
    tokens = exchange(page, live_site, program)
    assert set(tokens["scope"].split()) == {"read", "play"}
    page.goto(f"{live_site}/accounts/tokens/")
    page.get_by_role("button", name="Revoke Card Coach").click()
    expect(page.get_by_text("can no longer do anything for you")).to_be_visible()


def test_a_player_signs_in_to_a_forum_that_checks_it_over_http(page, live_site, program, settings):
    use_keys(settings, make_openid_key())
    settings.SITE_URL = live_site
    program.scopes = ["openid", "profile", "email"]
    program.save()
    ask(page, live_site, program, "openid profile email", nonce="n1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to Card Coach?")
    expect(page.get_by_role("checkbox")).to_have_count(2)
    page.get_by_label("Your e-mail address").uncheck()
    page.get_by_role("button", name="Sign in").click()
    tokens = exchange(page, live_site, program)
    described = page.request.get(f"{live_site}/.well-known/openid-configuration").json()
    key = jwt.PyJWKClient(described["jwks_uri"]).get_signing_key_from_jwt(tokens["id_token"])
    learned = jwt.decode(
        tokens["id_token"], key, ["RS256"], audience=program.pk, issuer=described["issuer"]
    )
    assert (learned["name"], learned["nonce"], "email" in learned) == ("Asha", "n1", False)
    assert page.request.get(learned["picture"]).ok


def test_a_player_types_in_the_code_of_a_console(page, live_site, program):
    asked = {"client_id": program.pk, "scope": "read play"}
    codes = page.request.post(f"{live_site}/oauth/device", form={**asked}).json()
    page.set_viewport_size(SMALL_PHONE)
    page.goto(f"{live_site}/device")
    page.get_by_label("Code").fill("BCDF-GHJK")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_label("Code")).to_have_accessible_description(
        "No program is waiting for this code, or the code has expired. Check the code."
    )
    page.get_by_label("Code").fill(codes["user_code"].lower())
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(codes["user_code"])).to_be_visible()
    assert too_wide(page) == []
    page.get_by_label("Play: sit down").uncheck()
    page.get_by_role("button", name="Allow it to act for me").click()
    expect(page.get_by_text("Go back to the program")).to_be_visible()
    sent = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": codes["device_code"],
        "client_id": program.pk,
    }
    tokens = page.request.post(f"{live_site}/oauth/token", form={**sent}).json()
    assert tokens["scope"] == "read"
