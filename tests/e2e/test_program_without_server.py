"""examples/browser: a page of another origin, without a server, that signs a player in and watches a table."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from accounts.models import OAuthClient
from tests.e2e.seated import PATIENCE, table_of_two
from tests.e2e.world import sign_in
from tests.oauth_program import enter_program
from tests.programs import ROOT
from tests.stand_in import Handler, run_server

PAGE = ROOT / "examples/browser/index.html"


@pytest.fixture
def program() -> OAuthClient:
    return enter_program(scopes=["read", "play"])


@pytest.fixture
def home(live_site: str, program: OAuthClient) -> Iterator[str]:
    """Serve the example page from its own origin, with the site's address and the program's ID filled in."""

    class Pages(Handler):
        def respond(self) -> None:
            page = PAGE.read_text().replace("http://127.0.0.1:8000", live_site)
            page = page.replace("the ID of the program", program.pk)
            self.answer(200, page.encode(), Content_Type="text/html")

    with run_server(Pages) as address:
        program.redirect_uris = f"{address}/"
        program.origins = [address]
        program.save()
        yield address


def test_a_player_signs_in_there_and_watches_a_table(context, page, home, live_site, asha):
    table = table_of_two(allows_api_players=True)
    sign_in(context, live_site, asha)
    page.goto(home)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Allow it to act for me").click(timeout=PATIENCE)
    expect(page.get_by_role("status")).to_have_text(f"{table.name}: playing")
    expect(page.get_by_role("listitem")).to_have_text(["Player 1", "Player 2"])
    # Neither the code nor the token stays in the address.
    assert page.url == f"{home}/"


def test_a_player_who_cancels_is_told_there(context, page, home, live_site, asha):
    sign_in(context, live_site, asha)
    page.goto(home)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Cancel").click(timeout=PATIENCE)
    expect(page.get_by_role("status")).to_have_text("Not signed in: access_denied")
