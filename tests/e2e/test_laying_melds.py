"""From a hand as it comes to a declared one: few presses, and asked once."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.models import Table
from tests.e2e.seated import CARDS, PATIENCE, groups_on, open_page, table_of_two
from tests.tables.driving import game_view
from tests.tables.indian_deals import MELDS_AND_A_NINE, lay

LABELS = '[data-region="hand"] .group__label'


@pytest.fixture
def table(transactional_db: None) -> Table:
    return table_of_two()


@pytest.fixture
def seat(table: Table) -> int:
    turn: int = game_view(table)["turn"]
    lay(table, turn, MELDS_AND_A_NINE)
    return turn


def press(page: Page, selector: str) -> None:
    """Cards overlap: the visible strip is at the left."""
    page.locator(selector).click(position={"x": 8, "y": 12})


def lay_four_melds(page: Page) -> int:
    """Lay four melds, and return the number of presses."""
    presses = 0
    for face in ("3S", "4H", "7C", "QD"):
        press(page, f'[data-card="{face}.0"]')
        press(page, '[data-action="group"]')
        presses += 2
    return presses


def test_four_melds_are_laid_in_eight_presses_and_sort_themselves(
    page: Page, live_site: str, table: Table, seat: int
) -> None:
    open_page(page, live_site, table, seat)
    assert lay_four_melds(page) <= 8
    assert sorted(faces_on(page)) == [
        ["2S", "3S", "4S"],
        ["4H", "5H", "6H"],
        ["7S", "7C", "7D"],
        ["9S"],
        ["QD", "KD", "PJ"],
    ]
    expect(page.locator('[data-region="hand-count"]')).to_have_text("Hand 9")


def faces_on(page: Page) -> list[list[str]]:
    return [[card.split(".")[0] for card in group] for group in groups_on(page)]


def test_a_drawn_card_lies_alone_and_is_offered_to_matching_groups(
    page: Page, live_site: str, table: Table, seat: int
) -> None:
    open_page(page, live_site, table, seat)
    lay_four_melds(page)
    page.locator('[data-action="draw-closed"]').click()
    expect(page.locator(CARDS)).to_have_count(14, timeout=PATIENCE)
    assert ["5S"] in faces_on(page)
    offered = page.locator(f"{LABELS}.group__label--target")
    expect(offered).to_have_count(1)
    expect(offered).to_have_text("Add here")
    offered.click()
    assert ["2S", "3S", "4S", "5S"] in faces_on(page)
    expect(offered).to_have_count(0)


def test_a_valid_hand_is_declared_with_one_confirmation_and_lies_open(
    page: Page, browser: Browser, live_site: str, table: Table, seat: int
) -> None:
    open_page(page, live_site, table, seat)
    lay_four_melds(page)
    page.locator('[data-action="draw-closed"]').click()
    expect(page.locator(CARDS)).to_have_count(14, timeout=PATIENCE)
    page.locator(f"{LABELS}.group__label--target").click()
    press(page, '[data-card="9S.0"]')
    page.get_by_role("button", name="Finish", exact=True).click()
    asked = page.locator("dialog[open]")
    expect(asked).to_have_count(1)
    asked.get_by_role("button", name="Finish", exact=True).click()
    # Nothing more is asked of the winner.
    expect(page.locator(".table")).to_have_attribute("data-phase", "show", timeout=PATIENCE)
    view = game_view(table)
    assert view["declaration"]["seat"] == seat
    assert view["declaration"]["valid"] is True
    expect(asked).to_have_count(0)
    with browser.new_context() as beside:
        other = beside.new_page()
        open_page(other, live_site, table, 1 - seat)
        declarer = other.locator(f'.seat[data-seat="{seat}"]')
        expect(declarer.locator(".seat__laid .fan")).to_have_count(4, timeout=PATIENCE)
        expect(declarer.locator(".seat__laid .card")).to_have_count(13)
        expect(declarer.locator(".seat__fan")).to_have_count(0)
        for width, height in ((1280, 800), (360, 740), (844, 390)):
            other.set_viewport_size({"width": width, "height": height})
            for card in declarer.locator(".seat__laid .card").all():
                expect(card).to_be_in_viewport(ratio=1)


def test_an_invalid_hand_is_shown_before_it_is_declared(
    page: Page, live_site: str, table: Table, seat: int
) -> None:
    open_page(page, live_site, table, seat)
    page.locator('[data-action="draw-closed"]').click()
    expect(page.locator(CARDS)).to_have_count(14, timeout=PATIENCE)
    press(page, '[data-card="9S.0"]')
    page.get_by_role("button", name="Finish", exact=True).click()
    page.locator("dialog[open]").get_by_role("button", name="Finish", exact=True).click()
    expect(page.locator('[data-action="declare"]')).to_be_enabled(timeout=PATIENCE)
    assert game_view(table)["declaration"] is None
    expect(page.locator("dialog[open]")).to_have_count(0)
