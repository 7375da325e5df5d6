"""The keyboard focus stays on its card, whatever happens at the table."""

from playwright.sync_api import Page, expect

from tests.e2e.seated import CARDS, PATIENCE, open_page, table_of_two
from tests.tables.driving import act, game_view, hand_of

MARK = "document.activeElement.isTheOneThatHadTheFocus = true"
KEPT = "document.activeElement.isTheOneThatHadTheFocus === true"


def test_the_focus_survives_other_players_moves(
    page: Page, live_site: str, transactional_db: None
) -> None:
    table = table_of_two()
    turn = game_view(table)["turn"]
    watching = 1 - turn
    open_page(page, live_site, table, watching)
    page.locator(CARDS).nth(4).focus()
    page.evaluate(MARK)

    drew = act(table, turn, kind="draw", source="closed")
    threw = act(table, turn, kind="discard", card=hand_of(table, turn)["drawn"])
    assert drew.refusal is None
    assert threw.refusal is None
    expect(page.locator('[data-action="draw-closed"]')).to_be_enabled(timeout=PATIENCE)
    assert page.evaluate(KEPT)

    # The hand is another one now, and the card is still the same.
    page.keyboard.press("c")
    expect(page.locator(CARDS)).to_have_count(14, timeout=PATIENCE)
    assert page.evaluate(KEPT)
    page.keyboard.press("s")
    expect(page.locator('[data-action="sort"]')).to_be_enabled(timeout=PATIENCE)
    assert page.evaluate(KEPT)
