"""The player's own tables: in the lobby, in a bar on other pages, and as tabs at a table; all without a reload."""

import re

from playwright.sync_api import Page, expect

from accounts.models import User
from tables.models import Table
from tables.seating.sitting import leave_table, take_seat
from tests.e2e.inspection import SIZES, SMALL_PHONE, faults_at, resize
from tests.e2e.seated import PATIENCE, expect_online, table_for
from tests.e2e.world import make_player
from tests.points_tables import open_points_table
from tests.tables.driving import BUY_IN, game_view, play_a_turn, player_at

COUNT_CALLS = """
globalThis.calls = 0;
document.addEventListener("turn-elsewhere", () => { globalThis.calls += 1; });
"""
# Returns the parts of the bar that overlap each other or extend beyond the window.
OVERLAPS = """() => {
  const parts = [...document.querySelectorAll(".bar .bar__tool, .bar__title h1, .own-table")]
    .filter((part) => part.checkVisibility());
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const found = [];
  for (const [at, one] of boxes.entries()) {
    if (one.right > innerWidth + 0.5) found.push(parts[at].className);
    for (const other of boxes.slice(at + 1)) {
      const apart = one.right <= other.left + 0.5 || other.right <= one.left + 0.5
        || one.bottom <= other.top + 0.5 || other.bottom <= one.top + 0.5;
      if (!apart) found.push(parts[at].className);
    }
  }
  return found;
}"""


def row(page: Page, table: Table):
    return page.locator(f'[data-own-table="{table.pk}"]')


def test_the_lobby_lists_tables_and_turns_as_they_change(visit, live_site, playing):
    table, player, other = playing
    with visit(other) as visitor:
        page = visitor.page
        visitor.visit("/")
        see_the_list_grow_and_shrink(page, table, other)
        mine = row(page, table)
        expect(mine).to_contain_text(f"{player.player_name} to play")
        expect(mine).to_contain_text("Points")
        expect(mine.locator(".own-table__clock")).to_have_text(re.compile(r"^0:[0-3]\d$"))
        expect(page).not_to_have_title(re.compile("Your turn"))
        play_a_turn(table)
        expect(mine).to_contain_text("Your turn", timeout=PATIENCE)
        expect(page).to_have_title(re.compile("^● Your turn · "))
        expect(page.locator('[data-part="called"]')).to_have_text("Your turn · Banyan Court")
        mine.get_by_text("Return").click()
        page.wait_for_url(f"{live_site}/tables/{table.pk}/")


def see_the_list_grow_and_shrink(page: Page, table: Table, user: User) -> None:
    empty = open_points_table("Sal Room")
    expect(page.locator("[data-own-table]")).to_have_count(1)
    take_seat(table_id=empty.pk, user_id=user.pk, amount=BUY_IN)
    expect(row(page, empty)).to_contain_text("Waiting for players", timeout=PATIENCE)
    expect(row(page, empty)).to_contain_text("Points")
    leave_table(table_id=empty.pk, user_id=user.pk)
    expect(row(page, empty)).to_have_count(0)
    expect(row(page, table)).to_be_visible()


def test_on_other_pages_a_bar_leads_back(visit, live_site, playing):
    table, player, _other = playing
    with visit(make_player("Leela")) as visitor:
        visitor.visit("/wallet/")
        expect(visitor.page.locator(".own-tables")).to_be_hidden()
    with visit(player) as visitor:
        page = visitor.page
        for path in ("/wallet/", "/tournaments/", "/accounts/settings/", "/rules/"):
            visitor.visit(path)
            expect(row(page, table)).to_contain_text("Your turn", timeout=PATIENCE)
        play_a_turn(table)
        expect(row(page, table)).to_contain_text("to play", timeout=PATIENCE)
        row(page, table).get_by_role("link").click()
        page.wait_for_url(f"{live_site}/tables/{table.pk}/")
        # The only table has no tab.
        expect_online(page)
        expect(page.locator(".own-tables")).to_be_hidden()


def test_tabs_lead_from_table_to_table_and_call(visit, live_site, playing):
    table, player, other = playing
    second, third = (
        table_for([player, other], "Sal Room"),
        table_for([player, other], "Teak Room"),
    )
    if player_at(second, game_view(second)["turn"]) == player:
        play_a_turn(second)
    with visit(player) as visitor:
        page = visitor.page
        page.context.add_init_script(COUNT_CALLS)
        visitor.open_table(table)
        expect(page.locator("[data-own-table]")).to_have_count(2)
        tab = row(page, second)
        expect(tab).to_have_attribute("data-state", "other_turn", timeout=PATIENCE)
        expect(tab.locator(".own-table__clock")).to_have_text(re.compile(r"^\d:\d\d$"))
        left = float(tab.evaluate("tab => tab.style.getPropertyValue('--left')"))
        assert 0 < left <= 1
        before = page.evaluate("calls")
        play_a_turn(second)
        expect(tab).to_have_attribute("data-state", "own_turn", timeout=PATIENCE)
        assert page.evaluate("calls") == before + 1
        expect(page.locator('[data-part="called"]')).to_have_text("Your turn · Sal Room")
        tab.get_by_role("link").click()
        page.wait_for_url(f"{live_site}/tables/{second.pk}/")
        expect(page.locator("[data-own-table]")).to_have_count(2)
        expect(row(page, third)).to_be_visible()


def test_tabs_and_bar_fit_any_screen(visit, live_site, playing, longest_texts):
    table, player, other = playing
    for name in ("Rosewood Pavilion", "Teak Room"):
        table_for([player, other], name)
    faults: list[str] = []
    with visit(player, language=longest_texts) as visitor:
        page = visitor.page
        for path in (f"/tables/{table.pk}/", "/wallet/"):
            page.set_viewport_size(SMALL_PHONE)
            visitor.visit(path)
            own = page.locator(".own-table")
            expect(own).to_have_count(2 if "tables" in path else 3, timeout=PATIENCE)
            expect(own.first).to_have_attribute("data-part", "base", timeout=PATIENCE)
            for size in SIZES:
                resize(page, size)
                found = [*faults_at(page, size), *page.evaluate(OVERLAPS)]
                faults += [f"{path} at {size['width']}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)
