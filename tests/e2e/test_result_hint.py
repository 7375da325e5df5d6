"""A question between two deals hides nothing of the result without saying so."""

from playwright.sync_api import expect

from tests.e2e.inspection import LYING_PHONE, PHONE, SMALL_PHONE, resize
from tests.e2e.test_pool_match import ASK, table_of_three
from tests.tables.driving import act, game_view
from tests.tables.pools import give_scores

HINT = '[data-region="result-more"]'


def test_a_hint_shows_that_the_result_goes_on_below_the_question_to_rejoin(open_seats):
    table = table_of_three()
    first, second, third = game_view(table)["order"]
    give_scores(table, {first: 100, second: 20, third: 40})
    [page] = open_seats(table, first)
    for seat in (first, second):
        assert act(table, seat, kind="drop").refusal is None
    expect(page.locator(ASK)).to_be_visible()
    body = page.locator(".result__body")
    expect(body).to_be_visible()
    for size in (SMALL_PHONE, PHONE, LYING_PHONE):
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
