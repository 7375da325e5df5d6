"""A player lets a program of somebody else act for them, in a browser under the policy of every page."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from accounts.models import OAuthClient, User
from tests.e2e.world import make_player, sign_in
from tests.oauth_program import asked_for, entered, to_exchange
from tests.stand_in import answering

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
    made = entered()
    made.redirect_uris = f"http://127.0.0.1:{server.server_port}/back"
    made.save()
    with answering(server):
        yield made


def asked(page: Page, site: str, program: OAuthClient) -> None:
    query = asked_for(program, "read play money", redirect_uri=program.redirect_uris)
    page.goto(f"{site}/oauth/authorize?{urlencode(query)}")


def test_the_player_is_asked_and_the_program_gets_its_code(
    page: Page, live_site: str, asha: User, program: OAuthClient
) -> None:
    sign_in(page.context, live_site, asha)
    asked(page, live_site, program)
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


def test_the_page_fits_a_phone_and_cancel_grants_nothing(
    page: Page, live_site: str, asha: User, program: OAuthClient
) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    sign_in(page.context, live_site, asha)
    asked(page, live_site, program)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url(f"{program.redirect_uris}?**", timeout=PATIENCE)
    assert parse_qs(urlsplit(page.url).query)["error"] == ["access_denied"]
