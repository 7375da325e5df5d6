"""A player looks at a deal again, with buttons and keys, and shows it to somebody."""

import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from accounts.models import User
from tables.history.replay import share_match
from tables.models import Match, MatchLink
from tables.seating.opening import TableTerms, open_table
from tests.e2e.inspection import resize
from tests.tables.driving import act, game_view, play_a_turn, start_match
from tests.tables.socket_client import session_of
from wallet import api as wallet

PHONE = ViewportSize(width=360, height=740)
IS_HIT = """button => {
  const { x, y, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def make_player(name: str) -> User:
    user = User.objects.create_user(f"{name.lower()}@example.com", None, player_name=name)
    wallet.grant_welcome_chips(user_id=user.pk)
    return user


@pytest.fixture
def match(transactional_db: None) -> Match:
    table = open_table(
        TableTerms(game="indian", preset="points", name="Mango Grove", max_seats=2, point_value=1)
    )
    start_match(table, make_player("Nila"), make_player("Ravi"))
    # Two turns and a drop: six frames whatever the cards are.
    play_a_turn(table)
    play_a_turn(table)
    act(table, game_view(table)["turn"], kind="drop")
    return Match.objects.get(table=table)


@pytest.fixture
def serve_page() -> Iterator[Callable[[str], str]]:
    """Serve a page of another site, and return its address."""
    pages: list[bytes] = []

    class Blog(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages[0])

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    def serve(text: str) -> str:
        pages.append(text.encode())
        return f"http://localhost:{server.server_port}/"

    with ThreadingHTTPServer(("127.0.0.1", 0), Blog) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield serve
        server.shutdown()


def sign_in(page: Page, site: str, name: str) -> None:
    session = session_of(User.objects.get(player_name=name))
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])


def hand(page: Page, name: str) -> Locator:
    return page.locator(".replay__seat", has_text=name)


def test_a_deal_is_replayed_step_by_step(page: Page, live_site: str, match: Match) -> None:
    sign_in(page, live_site, "Nila")
    page.goto(f"{live_site}/matches/{match.pk}/")
    page.get_by_role("link", name="Replay").click()
    position, sentence = (
        page.locator('[data-region="position"]'),
        page.locator('[data-region="sentence"]'),
    )
    expect(position).to_have_text(re.compile("^Move 1 of "))
    expect(sentence).to_contain_text("The cards are dealt.")
    expect(hand(page, "Nila").locator("[aria-label].card")).to_have_count(13)
    expect(hand(page, "Ravi").locator(".card--back")).to_have_count(13)

    page.keyboard.press("ArrowRight")
    expect(position).to_have_text(re.compile("^Move 2 of "))
    expect(page.locator('[data-region="moves"] [aria-current]')).to_have_text(sentence.inner_text())
    page.get_by_role("button", name="Previous move").click()
    expect(position).to_have_text(re.compile("^Move 1 of "))

    page.get_by_label("All hands open").check()
    expect(hand(page, "Ravi").locator(".card--back")).to_have_count(0)
    page.get_by_label("All hands open").uncheck()
    page.get_by_label("Look from").select_option("Ravi")
    expect(hand(page, "Ravi").locator("[aria-label].card")).to_have_count(13)
    expect(hand(page, "Nila").locator(".card--back")).to_have_count(13)


def test_the_end_shows_every_hand_and_the_list_leads_back(
    page: Page, live_site: str, match: Match
) -> None:
    sign_in(page, live_site, "Nila")
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    position = page.locator('[data-region="position"]')
    expect(position).to_have_text(re.compile("^Move 1 of "))
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Next move")).to_be_disabled()
    for name in ("Nila", "Ravi"):
        expect(hand(page, name)).to_contain_text(re.compile(r"\d+ points?"))
        expect(hand(page, name).locator(".card--back")).to_have_count(0)
    page.locator("[data-move]").nth(2).click()
    expect(position).to_have_text(re.compile("^Move 3 of "))
    expect(page).to_have_url(re.compile("#3$"))


def test_the_buttons_are_above_the_navigation_and_the_players_tables(
    page: Page, live_site: str, match: Match
) -> None:
    sign_in(page, live_site, "Nila")
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    for size in (PHONE, ViewportSize(width=844, height=390)):
        resize(page, size)
        expect(page.locator(".own-tables--bar")).to_be_visible()  # Nila still sits there
        for name in ("Next move", "Last move"):
            button = page.get_by_role("button", name=name)
            expect(button).to_be_visible()
            assert button.evaluate(IS_HIT), (name, size)


def test_a_replay_runs_until_it_is_stopped_or_over(
    page: Page, live_site: str, match: Match
) -> None:
    sign_in(page, live_site, "Nila")
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    position, play = page.locator('[data-region="position"]'), page.locator('[data-action="play"]')
    expect(position).to_have_text(re.compile("^Move 1 of "))
    page.get_by_label("Speed").select_option("slow")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.get_by_label("Speed").select_option("fast")
    play.click()
    expect(page.get_by_role("button", name="Next move")).to_be_disabled(timeout=30_000)
    expect(play).to_have_attribute("aria-pressed", "false")
    expect(position).to_have_text("Move 6 of 6")


def test_a_link_opens_the_replay_on_a_phone_for_anyone(
    page: Page, live_site: str, match: Match, longest_texts: str
) -> None:
    nila = User.objects.get(player_name="Nila")
    share_match(match_id=match.pk, user_id=nila.pk)
    page.set_viewport_size(PHONE)
    cookie = {"name": "django_language", "value": longest_texts, "url": live_site}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    link = f"{live_site}/shared/{MatchLink.objects.get().token}/"
    for path in (link, f"{link}deals/1/#5"):
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", longest_texts)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], path
    expect(page.locator('[data-region="position"]')).to_contain_text("5")
    expect(page.locator(".replay__seat")).to_have_count(2)
    page.locator('[data-action="last"]').click()
    expect(page.locator(".replay__seat .shown-group").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_blog_shows_the_deal_in_a_frame_and_no_other_page(
    page: Page, live_site: str, match: Match, serve_page: Callable[[str], str]
) -> None:
    nila = User.objects.get(player_name="Nila")
    link = share_match(match_id=match.pk, user_id=nila.pk)
    assert link is not None
    deal = f"{live_site}/shared/{link.token}/deals/1/"
    page.goto(serve_page(f'<iframe src="{deal}embed/" width="360" height="640"></iframe>'))
    shown = page.frame_locator("iframe")
    position = shown.locator('[data-region="position"]')
    expect(position).to_have_text(re.compile("^Move 1 of "))
    shown.get_by_role("button", name="Next move").click()
    expect(position).to_have_text(re.compile("^Move 2 of "))
    expect(shown.locator("form")).to_have_count(0)
    leads_out = shown.get_by_role("link", name=re.compile("Mango Grove"))
    expect(leads_out).to_have_attribute("href", deal)
    # The page with the reader's account in it may not be framed.
    assert page.request.get(deal).headers["x-frame-options"] == "DENY"
