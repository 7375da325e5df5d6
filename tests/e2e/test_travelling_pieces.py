"""Moving elements in the games other than Indian rummy: tiles, melds, jokers, lay-offs, and a knock's text."""

import pytest
from playwright.sync_api import Page, expect

from tables.models import Table
from tests.e2e import test_contract, test_gin, test_rummikub
from tests.e2e.seated import BOARD, SPREAD, open_page
from tests.e2e.test_effects import await_travelled, watch
from tests.tables.driving import act
from tests.tables.gin_deals import knock


@pytest.fixture
def moving(page: Page) -> Page:
    """A page whose reader has not asked for reduced motion."""
    page.emulate_media(reduced_motion="no-preference")
    return page


def open_and_watch(page: Page, site: str, table: Table, seat: int) -> None:
    open_page(page, site, table, seat)
    watch(page)


@pytest.mark.parametrize("width", [1366, 390])
def test_tiles_come_from_their_players_seat_and_laid_tiles_move(moving, live_site, width):
    """A phone has no room for faces here, so the tiles come from the name plate."""
    moving.set_viewport_size({"width": width, "height": 844})
    table, first, second = test_rummikub.lay_out(*test_rummikub.BESIDE, lying=test_rummikub.LIES)
    open_and_watch(moving, live_site, table, second)
    lay = test_rummikub.on_wire(table, first, test_rummikub.REBUILT)
    assert act(table, first, kind="lay", table=lay).refusal is None
    assert sorted(map(str, await_travelled(moving, 4))) == ["blue 7", "blue 8", "blue 9", "red 8"]


def test_own_tiles_travel_as_they_are_built_and_back(moving, live_site):
    table, first, _second = test_rummikub.lay_out()
    open_and_watch(moving, live_site, table, first)
    test_rummikub.lay_new_meld(moving, "KS.0", "KH.0", "KD.0")
    assert sorted(map(str, await_travelled(moving, 3))) == ["black 13", "orange 13", "red 13"]
    moving.keyboard.press("u")
    assert len(await_travelled(moving, 6)) == 6
    # A tile that is dropped lies where it was dragged.
    moving.locator('[data-card="KS.0"]').drag_to(moving.locator(BOARD))
    expect(moving.locator(test_rummikub.STATUS)).to_contain_text("0 of 50 points")
    moving.locator('[data-action="reset"]').click()
    assert await_travelled(moving, 7)[6:] == ["black 13"]
    # A drawn tile comes from the pool, back first.
    moving.locator('[data-action="draw"]').click()
    assert len(await_travelled(moving, 8)) == 8


def test_a_knock_is_seen_by_both_and_its_melds_and_lay_offs_travel(moving, live_site):
    table, first, dealer = test_gin.lay_out()
    test_gin.play_to_knock(table, first, dealer)
    open_and_watch(moving, live_site, table, dealer)
    knock(table, first)
    laid = moving.locator(f"{SPREAD} [data-laid]")
    expect(laid).to_have_count(2)
    # The text, ten cards of the knocker, and two cards laid off on them.
    pieces = await_travelled(moving, 13)
    assert pieces.count("Knock") == 1
    assert {"5H.0", "KS.0", "2C.0", "8H.0"} <= set(pieces)
    moving.locator('[data-laid="8H.0"]').click()
    assert await_travelled(moving, 14)[13:] == ["8H.0"]


def test_a_taken_joker_travels_to_its_new_hand(moving, live_site):
    table, order = test_contract.lay_out_a_run("6H QD 2S")
    open_and_watch(moving, live_site, table, order[1])
    swapped = act(table, order[0], kind="swap_joker", meld=0, card="6H.0", to="hand")
    assert swapped.refusal is None
    assert sorted(map(str, await_travelled(moving, 2))) == ["6H.0", "PJ.0"]


def test_a_bought_card_arrives_with_its_penalty_card(moving, live_site):
    table, order = test_contract.lay_out()
    assert act(table, order[0], kind="draw", source="closed").refusal is None
    open_and_watch(moving, live_site, table, order[0])
    assert act(table, order[1], kind="buy").refusal is None
    # The viewer's own card of this turn, then the bought card and the extra card that comes with it.
    assert await_travelled(moving, 3)[1:] == ["KD.1", None]
