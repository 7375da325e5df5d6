"""500 Rum in a browser: the spread open pile, a card that must be melded, a whole deal and its replay."""

from playwright.sync_api import Page, expect

from tables.models import Table
from tests.e2e.inspection import DESK, PHONE, faults_at_sizes
from tests.e2e.seated import (
    BOARD,
    MELD,
    MOVES,
    NOTICE,
    PATIENCE,
    SPREAD,
    TITLE,
    button,
    choose,
    expect_cards,
    open_page,
    open_replay_at_its_end,
    table_of_two,
)
from tests.e2e.test_basic import offer
from tests.games.five_hundred.scenes import scene
from tests.tables.driving import act, game_view
from tests.tables.scenes import lay_scene

PILE = "3C 7S 2D 9D TD QC 4H 6S JH 8S 2C KD"


def test_every_card_of_the_open_pile_is_visible_and_taken_if_it_can_be_laid(page, live_site):
    table = table_of_two(game="five_hundred")
    first, _ = lay_scene(table, scene, "7H 7D QD|4C 5C|AS", "9C 5S KH KC", open_pile=PILE)
    page.set_viewport_size(PHONE)
    open_page(page, live_site, table, first)
    spread = page.locator(SPREAD)
    # The top card is only on the pile, not in the spread.
    expect(spread.locator(".spread__card")).to_have_count(11)
    expect(spread.locator('[data-painted^="KD.0 "]')).to_have_count(0)
    expect(spread.locator("button")).to_have_count(2)
    faults = faults_at_sizes(page, (PHONE, DESK))
    spread.get_by_role("button", name="Take the 7 of spades and the 10 cards above it").click()
    expect_cards(page, 17)
    expect(page.locator(NOTICE)).to_contain_text("First lay down the 7 of spades")
    expect(button(page, "Discard")).to_be_disabled()
    faults += faults_at_sizes(page, (PHONE, DESK))
    lay(page, "7H.0", "7D.0", "7S.0")
    expect(page.locator("body")).to_contain_text("21 laid")
    faults += faults_at_sizes(page, (PHONE, DESK))
    assert not faults, "\n".join(faults)


def lay(page: Page, *cards: str) -> None:
    melds = page.locator(MELD).count()
    choose(page, *cards)
    button(page, "Lay down").click()
    expect(page.locator(MELD)).to_have_count(melds + 1)


def discard(page: Page, card: str, *, left: int) -> None:
    choose(page, card)
    button(page, "Discard").click()
    expect_cards(page, left)


def turn_of_the_other(table: Table, seat: int, card: str) -> None:
    assert act(table, seat, kind="draw", source="closed").refusal is None
    assert act(table, seat, kind="discard", card=card).refusal is None


def test_a_whole_deal(page, live_site):
    """F6 to F12: taking cards, melding and laying off until no card is left; then the result and the replay."""
    table = table_of_two(game="five_hundred")
    piles = {"open_pile": "6C 7S", "next_closed": "KS 7C"}
    first, second = lay_scene(table, scene, "7H 7D|QD|4C 5C", "8C 9S", **piles)
    open_page(page, live_site, table, first)
    page.locator('[data-action="draw-open"]').click()
    expect_cards(page, 6)
    lay(page, "7H.0", "7D.0", "7S.0")
    discard(page, "QD.0", left=2)
    turn_of_the_other(table, second, "KS.0")
    page.locator(SPREAD).get_by_role("button", name="Take the 6 of clubs").click()
    expect_cards(page, 5)
    lay(page, "4C.0", "5C.0", "6C.0")
    discard(page, "KS.0", left=1)
    turn_of_the_other(table, second, "7C.0")
    page.locator('[data-action="draw-open"]').click()
    expect_cards(page, 2)
    choose(page, "7C.0")
    offer(page, 1).click()
    expect(page.locator(f"{MELD} [data-laid]")).to_have_count(7)
    discard(page, "QD.0", left=0)
    expect(page.locator(TITLE)).to_contain_text("most points", timeout=PATIENCE)
    assert game_view(table)["result"]["points"] == {str(first): 0, str(second): 60}
    open_replay_at_its_end(page, live_site, table)
    expect(page.locator(f"{BOARD} .shown-group")).to_have_count(2)
    expect(page.locator(MOVES)).to_contain_text("down to the 6 of clubs")
