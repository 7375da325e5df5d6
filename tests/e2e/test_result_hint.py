"""A question between two deals hides nothing of the result without saying so."""

from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.inspection import resize
from tests.e2e.seated import PATIENCE
from tests.e2e.test_pool_match import ASK, give_scores, table_of_three
from tests.tables.driving import act, game_view, player_at
from tests.tables.socket_client import session_of

SIZES = [ViewportSize(width=w, height=h) for w, h in ((360, 740), (390, 844), (844, 390))]
HINT = '[data-region="result-more"]'


def test_a_hint_shows_that_the_result_goes_on_below_the_question_to_rejoin(
    page: Page, live_site: str, transactional_db: None
) -> None:
    table = table_of_three()
    first, second, third = (int(seat) for seat in game_view(table)["order"])
    give_scores(table, {first: 100, second: 20, third: 40})
    cookie = session_of(player_at(table, first))
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_site}])
    for seat in (first, second):
        assert act(table, seat, kind="drop").refusal is None
    page.set_viewport_size(SIZES[0])
    page.goto(f"{live_site}/tables/{table.pk}/")
    expect(page.locator(ASK)).to_be_visible(timeout=PATIENCE)
    body = page.locator(".result__body")
    expect(body).to_be_visible()
    for size in SIZES:
        body.evaluate("body => body.scrollTo(0, 0)")
        resize(page, size)
        assert body.evaluate("body => body.scrollHeight > body.clientHeight + 12")
        expect(page.locator(HINT)).to_be_visible()
        result, asked = (page.locator(part).bounding_box() for part in (".result", ".ask"))
        assert result is not None
        assert asked is not None
        assert result["y"] + result["height"] <= asked["y"] + 1
        body.evaluate("body => body.scrollTo(0, body.scrollHeight)")
        expect(page.locator(HINT)).to_be_hidden()
