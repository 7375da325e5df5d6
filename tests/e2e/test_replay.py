"""A player replays a deal with buttons and keys, and shares it."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from history.replay import share_match
from tables.models import Match
from tests.e2e.inspection import LYING_PHONE, SMALL_PHONE, measure_box, resize, too_wide
from tests.e2e.world import cookie, make_player, play_a_match, sign_in
from tests.given import require
from tests.points_tables import open_points_table
from tests.stand_in import Handler, run_server
from tests.tables.driving import play_to_the_end, start_match

POSITION = '[data-region="position"]'
IS_HIT = """button => {
  const { x, y, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


@pytest.fixture
def match(nila: User) -> Match:
    return play_a_match(nila, make_player("Ravi"))


@pytest.fixture
def replay(page: Page, live_site: str, nila: User, match: Match) -> Page:
    """The page of a deal's replay, at the first move."""
    sign_in(page.context, live_site, nila)
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    expect(page.locator(POSITION)).to_have_text(re.compile("^Move 1 of "))
    return page


@pytest.fixture
def serve_page() -> Iterator[Callable[[str], str]]:
    """Return a function that serves the given HTML as another site's page, and returns its address."""
    pages: list[str] = []

    class Blog(Handler):
        def respond(self) -> None:
            self.answer(200, pages[0].encode(), Content_Type="text/html")

    with run_server(Blog) as address:

        def serve(text: str) -> str:
            pages.append(text)
            return address.replace("127.0.0.1", "localhost")

        yield serve


def hand(page: Page, name: str) -> Locator:
    return page.locator(".replay__seat", has_text=name)


def test_a_deal_is_replayed_step_by_step(page, live_site, nila, match):
    sign_in(page.context, live_site, nila)
    page.goto(f"{live_site}/matches/{match.pk}/")
    page.get_by_role("link", name="Replay").click()
    position, sentence = page.locator(POSITION), page.locator('[data-region="sentence"]')
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
    page.get_by_label("View from").select_option("Ravi")
    expect(hand(page, "Ravi").locator("[aria-label].card")).to_have_count(13)
    expect(hand(page, "Nila").locator(".card--back")).to_have_count(13)


def test_the_end_shows_every_hand_and_the_list_leads_back(replay):
    replay.keyboard.press("End")
    expect(replay.get_by_role("button", name="Next move")).to_be_disabled()
    for name in ("Nila", "Ravi"):
        expect(hand(replay, name)).to_contain_text(re.compile(r"\d+ points?"))
        expect(hand(replay, name).locator(".card--back")).to_have_count(0)
    replay.locator("[data-move]").nth(2).click()
    expect(replay.locator(POSITION)).to_have_text(re.compile("^Move 3 of "))
    expect(replay).to_have_url(re.compile("#3$"))
    lie_above_the_navigation_and_the_players_tables(replay)


def test_a_replay_is_walked_by_keys_and_by_the_list_and_its_analysis_opens_beside_it(
    live_site, replay, match
):
    position, moves = replay.locator(POSITION), replay.locator('[data-region="moves"]')
    for key, at in (
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", 6),
        ("Home", 1),
    ):
        replay.keyboard.press(key)
        expect(position).to_have_text(f"Move {at} of 6")
        expect(moves.locator("[aria-current=step]")).to_have_attribute("data-move", str(at - 1))
    moves.get_by_role("button").nth(3).press("Enter")
    expect(position).to_have_text("Move 4 of 6")
    # On the tabs, the arrow keys change the tab instead of the replay's move.
    replay.get_by_role("tab", name="Moves").focus()
    replay.keyboard.press("ArrowRight")
    expect(replay.get_by_role("tab", name="Analysis")).to_be_focused()
    expect(replay.get_by_role("tabpanel", name="Analysis")).to_be_visible()
    expect(moves).to_be_hidden()
    expect(position).to_have_text("Move 4 of 6")
    replay.keyboard.press("End")
    expect(replay.get_by_role("tabpanel", name="Discards")).to_be_visible()
    # The analysis's own address redirects to that tab.
    replay.goto(f"{live_site}/matches/{match.pk}/deals/1/analysis/")
    expect(replay).to_have_url(re.compile(r"/deals/1/#analysis$"))
    expect(replay.get_by_role("button", name="Analyse my decisions")).to_be_visible()


def test_the_felt_takes_most_of_the_width_and_the_bar_is_attached_below_it(replay):
    felt, bar, side = (
        replay.locator(name) for name in (".stage__table", ".replay__controls", ".replay__side")
    )
    for width, height, least in ((1366, 768, 114), (1920, 1080, 130)):
        resize(replay, {"width": width, "height": height})
        table, whole = measure_box(felt), measure_box(replay.locator(".stage"))
        assert 0.65 < table["width"] / whole["width"] < 0.75
        assert measure_box(bar)["y"] == pytest.approx(table["y"] + table["height"], abs=1)
        assert measure_box(bar)["y"] + measure_box(bar)["height"] <= height
        assert measure_box(side)["x"] >= table["x"] + table["width"]
        own = measure_box(replay.locator(".stage__own .card").first)
        assert own["height"] >= least
    for size in (SMALL_PHONE, LYING_PHONE):
        resize(replay, size)
        table = measure_box(felt)
        assert measure_box(side)["y"] >= table["y"] + table["height"]
        replay.locator('[data-region="moves"]').scroll_into_view_if_needed()
        assert replay.get_by_role("button", name="Next move").evaluate(IS_HIT)
        assert too_wide(replay) == []


def test_a_deal_of_several_is_chosen(page, live_site, nila):
    ravi = make_player("Ravi")
    table = open_points_table(game="gin", preset="game100", point_value=0, entry_fee=100)
    start_match(table, nila, ravi)
    match = play_to_the_end(table)
    sign_in(page.context, live_site, nila)
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    deals = page.get_by_role("navigation", name="Deals")
    expect(deals.locator("[aria-current=page]")).to_have_text("Deal 1")
    deals.get_by_role("link", name="Deal 2").click()
    expect(page.get_by_role("heading", name="Deal 2")).to_be_visible()
    expect(page.locator(POSITION)).to_have_text(re.compile("^Move 1 of "))
    expect(deals.locator("[aria-current=page]")).to_have_text("Deal 2")


def lie_above_the_navigation_and_the_players_tables(page: Page) -> None:
    for size in (SMALL_PHONE, LYING_PHONE):
        resize(page, size)
        expect(page.locator(".own-tables--bar")).to_be_visible()  # Nila still sits there
        for name in ("Next move", "Last move"):
            button = page.get_by_role("button", name=name)
            expect(button).to_be_visible()
            assert button.evaluate(IS_HIT), (name, size)


def test_a_replay_runs_until_it_is_stopped_or_over(replay):
    play = replay.locator('[data-action="play"]')
    replay.get_by_label("Speed").select_option("slow")
    replay.locator("h1").click()
    replay.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "true")
    replay.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "false")
    replay.get_by_label("Speed").select_option("fast")
    play.click()
    expect(replay.get_by_role("button", name="Next move")).to_be_disabled(timeout=30_000)
    expect(play).to_have_attribute("aria-pressed", "false")
    expect(replay.locator(POSITION)).to_have_text("Move 6 of 6")


def test_a_link_opens_the_replay_on_a_phone_for_anyone(page, live_site, nila, match, longest_texts):
    token = require(share_match(match_id=match.pk, user_id=nila.pk)).token
    page.set_viewport_size(SMALL_PHONE)
    page.context.add_cookies([cookie(live_site, "django_language", longest_texts)])
    for path in ("", "deals/1/#5"):
        page.goto(f"{live_site}/shared/{token}/{path}")
        expect(page.locator("html")).to_have_attribute("lang", longest_texts)
        assert too_wide(page) == []
    expect(page.locator(POSITION)).to_contain_text("5")
    expect(page.locator(".replay__seat")).to_have_count(2)
    page.locator('[data-action="last"]').click()
    expect(page.locator(".replay__seat .shown-group").first).to_be_visible()
    assert too_wide(page) == []


def test_a_blog_shows_the_deal_in_a_frame_and_no_other_page(
    page, live_site, nila, match, serve_page
):
    token = require(share_match(match_id=match.pk, user_id=nila.pk)).token
    deal = f"{live_site}/shared/{token}/deals/1/"
    page.goto(serve_page(f'<iframe src="{deal}embed/" width="360" height="640"></iframe>'))
    shown = page.frame_locator("iframe")
    position = shown.locator(POSITION)
    expect(position).to_have_text(re.compile("^Move 1 of "))
    shown.get_by_role("button", name="Next move").click()
    expect(position).to_have_text(re.compile("^Move 2 of "))
    expect(shown.locator("form")).to_have_count(0)
    leads_out = shown.get_by_role("link", name=re.compile("Mango Grove"))
    expect(leads_out).to_have_attribute("href", deal)
    # The page with the reader's account in it may not be framed.
    assert page.request.get(deal).headers["x-frame-options"] == "DENY"
