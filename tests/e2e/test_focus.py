"""The keyboard focus stays on its card, whatever happens at the table."""

from playwright.sync_api import expect

from tests.e2e.seated import CARDS, DRAW_CLOSED, PATIENCE, expect_cards, open_page
from tests.tables.driving import play_a_turn

MARK = "document.activeElement.isTheOneThatHadTheFocus = true"
KEPT = "document.activeElement.isTheOneThatHadTheFocus === true"


def test_the_focus_survives_other_players_moves(page, live_site, table, seat):
    open_page(page, live_site, table, 1 - seat)
    page.locator(CARDS).nth(4).focus()
    page.evaluate(MARK)
    play_a_turn(table)
    expect(page.locator(DRAW_CLOSED)).to_be_enabled(timeout=PATIENCE)
    assert page.evaluate(KEPT)

    # The hand is another one now, and the card is still the same.
    page.keyboard.press("c")
    expect_cards(page, 14)
    assert page.evaluate(KEPT)
    page.keyboard.press("s")
    expect(page.locator('[data-action="sort"]')).to_be_enabled(timeout=PATIENCE)
    assert page.evaluate(KEPT)
