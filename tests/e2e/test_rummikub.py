"""Rummikub in two browsers: the initial meld, rearranging the table, a joker, undo, the result."""

from typing import Any

from playwright.sync_api import Page, ViewportSize, expect

from games.registry import get_game
from tables.models import Table
from tests.e2e.inspection import SMALL_PHONE, axe_faults, resize, small_targets, too_wide
from tests.e2e.seated import (
    BOARD,
    CARDS,
    HAND,
    PATIENCE,
    expect_cards,
    open_page,
    table_of_two,
)
from tests.games.rummikub.scenes import scene, table_of
from tests.tables.driving import act, state_of
from tests.tables.scenes import lay_scene

LYING = ViewportSize(width=740, height=360)
STATUS = '[data-region="build-status"]'
# The first player can make the initial meld and keeps one tile. The other one needs the tiles laid by the first.
FIRST, OTHER = "KS KH KD 4S 4H 4D 2C", "KC QS QH QD 8H 9H TH 9D"

# A table in the middle of a deal, both players' racks, and the first player's lay: three tiles of the rack are laid,
# and the nine of clubs moves.
LIES = "5H 6H 7H|3D PJ=4D 5D|4H 4D 4C|AC 2C 3C|9S 9H 9D 9C|TS JS QS KS"
BESIDE = ("8H 7C 8C 2D KD KH 7S AD", "QH QC PJ 6D 2S 2H TD JD JH 8S 8D AS 3S 5C")
REBUILT = "5H 6H 7H 8H|3D PJ=4D 5D|4H 4D 4C|AC 2C 3C|9S 9H 9D|TS JS QS KS|7C 8C 9C"


def lay_out(first: str = FIRST, other: str = OTHER, *, lying: str = "") -> tuple[Table, int, int]:
    """Open a table before its first move with these racks. Return it, the seat to move first, and the next one.

    If there are melds on the table, both players have already made their initial meld.
    """
    table = table_of_two(game="rummikub")
    begins, follows = lay_scene(table, scene, first, other, table=lying, opened=bool(lying))
    return table, begins, follows


def on_wire(table: Table, seat: int, text: str) -> list[Any]:
    """Return a table given as text in wire format. Its tiles come from the table and the seat's rack."""
    match: Any = get_game("rummikub").stored.load(state_of(table))
    return table_of(match, seat, text)


def choose(page: Page, *tiles: str) -> None:
    for tile in tiles:
        page.locator(f'[data-card="{tile}"]').click()


def lay_new_meld(page: Page, *tiles: str) -> None:
    choose(page, *tiles)
    page.get_by_role("button", name="New meld").click()


def lay(page: Page) -> None:
    button = page.locator('[data-action="lay"]')
    expect(button).to_be_enabled(timeout=PATIENCE)
    button.click()


def test_a_deal_between_two_browsers(open_seats):
    table, first, second = lay_out()
    page, other = open_seats(table, first, second)
    # K7: half of the initial meld is not enough. K12: nobody else sees a draft.
    lay_new_meld(page, "KS.0", "KH.0", "KD.0")
    expect(page.locator(STATUS)).to_contain_text("39 of 50 points", timeout=PATIENCE)
    expect(page.locator('[data-action="lay"]')).to_be_disabled()
    expect(other.locator(f"{BOARD} [data-card]")).to_have_count(0)
    lay_new_meld(page, "4S.0", "4H.0", "4D.0")
    expect(page.locator(STATUS)).to_contain_text("✓ 51 of 50 points", timeout=PATIENCE)
    lay(page)
    expect(other.locator(f"{BOARD} [data-card]")).to_have_count(6, timeout=PATIENCE)
    expect(other.locator(STATUS)).to_contain_text("laid 6 tiles")

    # K7: when a tile is pulled off the table, the page says why it does not count for the initial meld.
    choose(other, "KS.0")
    other.get_by_role("button", name="New meld").click()
    why = "First lay 50 points only from your own rack"
    expect(other.locator(STATUS)).to_contain_text(why, timeout=PATIENCE)
    other.locator('[data-action="reset"]').click()

    # K7: the other player makes the initial meld from the rack, and uses the table in the same lay.
    lay_new_meld(other, "QS.0", "QH.0", "QD.0")
    lay_new_meld(other, "8H.0", "9H.0", "TH.0")
    choose(other, "KC.0")
    other.get_by_role("button", name="Add the chosen tiles to meld 1").click()
    expect(other.locator(STATUS)).to_contain_text("✓ 63 of 50", timeout=PATIENCE)
    other.locator('[data-action="reset"]').click()
    expect_cards(other, 8)
    other.locator('[data-action="draw"]').click()
    expect_cards(other, 9)

    page.locator('[data-action="draw"]').click()
    expect_cards(page, 2)


def test_k18_the_others_see_tiles_laid_and_moved_in_the_last_turn(page, live_site):
    table, first, second = lay_out(*BESIDE, lying=LIES)
    open_page(page, live_site, table, second)
    assert act(table, first, kind="lay", table=on_wire(table, first, REBUILT)).refusal is None
    expect(page.locator(STATUS)).to_have_text(
        f"Player {first + 1} laid 3 tiles and moved 1.", timeout=PATIENCE
    )
    assert list_marked(page, "tile--new") == ["7C.0", "8C.0", "8H.0"]
    assert list_marked(page, "tile--moved") == ["9C.0"]
    for name in ("red 8, laid in the last turn", "blue 9, moved in the last turn"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    # K9: what a joker on the table stands for.
    expect(page.get_by_role("button", name="joker for orange 4")).to_be_visible()


def list_marked(page: Page, mark: str) -> list[str]:
    found: list[str] = page.locator(f"{BOARD} .{mark}").evaluate_all(
        "tiles => tiles.map((tile) => tile.dataset.card).sort()"
    )
    return found


def test_tiles_are_built_by_keyboard_and_by_dragging_and_a_reload_brings_them_back(page, live_site):
    table, first, _second = lay_out()
    open_page(page, live_site, table, first)
    built = page.locator(f"{BOARD} [data-card]")
    for tile in ("KS.0", "KH.0", "KD.0"):
        page.locator(f'{HAND} [data-card="{tile}"]').focus()
        page.keyboard.press("Enter")
    page.keyboard.press("n")
    expect(built).to_have_count(3)
    page.keyboard.press("u")
    expect(built).to_have_count(0)
    page.locator(f'{HAND} [data-card="KS.0"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"{CARDS}:focus")).to_have_count(1)

    page.locator(f'{HAND} [data-card="KS.0"]').drag_to(page.locator(BOARD))
    expect(built).to_have_count(1)
    page.locator(f'{HAND} [data-card="KH.0"]').drag_to(page.locator(f"{BOARD} .meld").first)
    expect(page.locator(f"{BOARD} .meld [data-card]")).to_have_count(2)
    page.locator(f'{BOARD} [data-card="KH.0"]').drag_to(page.locator(HAND))
    expect(built).to_have_count(1)

    for _change in range(3):
        page.keyboard.press("u")
    expect(built).to_have_count(0)
    lay_new_meld(page, "KS.0", "KH.0", "KD.0")
    expect(page.locator(STATUS)).to_contain_text("39 of 50 points", timeout=PATIENCE)
    page.reload()
    expect(built).to_have_count(3, timeout=PATIENCE)
    page.locator('[data-action="reset"]').click()
    expect(built).to_have_count(0)
    expect(page.locator('[data-action="draw"]')).to_be_enabled()
    page.keyboard.press("d")
    expect_cards(page, 8)


def test_rummikub_fits_a_phone_and_announces_turns(page, live_site):
    table, first, _second = lay_out()
    page.set_viewport_size(SMALL_PHONE)
    open_page(page, live_site, table, first)
    lay_new_meld(page, "KS.0", "KH.0", "KD.0")
    expect(page.get_by_role("button", name="black 13, of your rack")).to_be_visible()
    for size in (SMALL_PHONE, LYING):
        resize(page, size)
        assert [*too_wide(page), *small_targets(page), *axe_faults(page)] == []
