"""A player lets a program of somebody else act for them, in a browser under the policy of every page."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from playwright.sync_api import Page, expect

from accounts.models import OAuthClient, User
from tests.e2e.world import make_player, sign_in
from tests.oauth_program import build_query, enter_program, make_openid_key, to_exchange
from tests.stand_in import serve

PATIENCE = 30_000


@pytest.fixture
def asha(transactional_db: None) -> User:
    return make_player("Asha")


@pytest.fixture
def program(transactional_db: None) -> Iterator[OAuthClient]:
    """On the player's own machine: it listens for its code."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Back</title><link rel=icon href=data:,>")

        def log_message(self, *_words: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = enter_program()
    made.redirect_uris = f"http://127.0.0.1:{server.server_port}/back"
    made.save()
    with serve(server):
        yield made


def ask(page: Page, site: str, program: OAuthClient) -> None:
    query = build_query(program, "read play money", redirect_uri=program.redirect_uris)
    page.goto(f"{site}/oauth/authorize?{urlencode(query)}")


def test_the_player_consents_and_the_program_gets_its_code(
    page: Page, live_site: str, asha: User, program: OAuthClient
) -> None:
    sign_in(page.context, live_site, asha)
    ask(page, live_site, program)
    expect(page.get_by_role("heading", level=1)).to_have_text("Let Card Coach act for you?")
    page.get_by_label("Bring money").uncheck()
    page.get_by_role("button", name="Let it act for me").click()
    page.wait_for_url(f"{program.redirect_uris}?**", timeout=PATIENCE)
    code = parse_qs(urlsplit(page.url).query)["code"][0]
    sent = to_exchange(program, code, redirect_uri=program.redirect_uris)
    tokens = page.request.post(f"{live_site}/oauth/token", form={**sent}).json()
    assert set(tokens["scope"].split()) == {"read", "play"}
    page.goto(f"{live_site}/accounts/tokens/")
    page.get_by_role("button", name="Revoke Card Coach").click()
    expect(page.get_by_text("can do nothing for you any more")).to_be_visible()


def test_a_player_signs_in_to_a_forum_that_checks_it_over_http(
    page: Page, live_site: str, asha: User, program: OAuthClient, settings: Any
) -> None:
    settings.IDP_OIDC_PRIVATE_KEYS = [make_openid_key()]
    settings.SITE_URL = live_site
    program.set_scopes(["openid", "profile", "email"])
    program.save()
    sign_in(page.context, live_site, asha)
    query = build_query(
        program, "openid profile email", redirect_uri=program.redirect_uris, nonce="n1"
    )
    page.goto(f"{live_site}/oauth/authorize?{urlencode(query)}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to Card Coach?")
    expect(page.get_by_role("checkbox")).to_have_count(2)
    page.get_by_label("Your e-mail address").uncheck()
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{program.redirect_uris}?**", timeout=PATIENCE)
    code = parse_qs(urlsplit(page.url).query)["code"][0]
    sent = to_exchange(program, code, redirect_uri=program.redirect_uris)
    tokens = page.request.post(f"{live_site}/oauth/token", form={**sent}).json()
    described = page.request.get(f"{live_site}/.well-known/openid-configuration").json()
    key = jwt.PyJWKClient(described["jwks_uri"]).get_signing_key_from_jwt(tokens["id_token"])
    learned = jwt.decode(
        tokens["id_token"], key, ["RS256"], audience=program.pk, issuer=described["issuer"]
    )
    assert (learned["name"], learned["nonce"], "email" in learned) == ("Asha", "n1", False)
    assert page.request.get(learned["picture"]).ok


def test_a_player_types_in_the_code_of_a_console(
    page: Page, live_site: str, asha: User, program: OAuthClient
) -> None:
    asked = {"client_id": program.pk, "scope": "read play"}
    codes = page.request.post(f"{live_site}/oauth/device", form={**asked}).json()
    page.set_viewport_size({"width": 360, "height": 640})
    sign_in(page.context, live_site, asha)
    page.goto(f"{live_site}/device")
    page.get_by_label("Code").fill("BCDF-GHJK")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_label("Code")).to_have_accessible_description(
        "No program is waiting with this code, or it has expired. Check the code."
    )
    page.get_by_label("Code").fill(codes["user_code"].lower())
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(codes["user_code"])).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_label("Play: sit down").uncheck()
    page.get_by_role("button", name="Let it act for me").click()
    expect(page.get_by_text("Go back to the program")).to_be_visible()
    sent = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": codes["device_code"],
        "client_id": program.pk,
    }
    tokens = page.request.post(f"{live_site}/oauth/token", form={**sent}).json()
    assert tokens["scope"] == "read"


def test_the_page_fits_a_phone_and_cancel_grants_nothing(
    page: Page, live_site: str, asha: User, program: OAuthClient
) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    sign_in(page.context, live_site, asha)
    ask(page, live_site, program)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url(f"{program.redirect_uris}?**", timeout=PATIENCE)
    assert parse_qs(urlsplit(page.url).query)["error"] == ["access_denied"]
