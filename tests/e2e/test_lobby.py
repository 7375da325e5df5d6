"""The lobby as one decision: short, set by steppers, alive without a reload."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import User
from tables.catalog import list_games_with_page
from tables.models import Seat
from tables.seating.sitting import take_seat
from tables.seating.starting_tables import make_starting_tables
from tests.e2e.inspection import SMALL_PHONE, faults_at_sizes, measure_box, resize
from tests.e2e.seated import PATIENCE, table_for
from tests.e2e.visitor import Visitor
from tests.e2e.world import make_player
from tests.points_tables import open_points_table
from tests.tables.driving import make_cup

# How far down "all tables" begins at most.
MOST_ABOVE = {1280: 1_200, 390: 2_000, 360: 2_000}


@pytest.fixture(autouse=True)
def tables_and_tournaments() -> None:
    """A new site: tables of every game that has a page, and three tournaments to come."""
    make_starting_tables()
    for minutes in (5, 20, 90):
        make_cup(minutes=minutes)


def sit_at_three_tables(user: User) -> None:
    for name in ("Sal Room", "Teak Room", "Ebony Room"):
        table_for([user, make_player(f"Other {name[:3]}")], name)


def tile(page: Page, game: str = "indian"):
    return page.locator(f'form[data-tile="{game}"]')


def test_the_lobby_is_short_with_its_first_button_in_view(visit, nila):
    with visit(None) as visitor:
        expect_the_first_thing_in_sight(visitor, "Play a first deal")
    with visit(nila) as visitor:
        expect_the_first_thing_in_sight(visitor, "Play now")
        sit_at_three_tables(nila)
        visitor.visit("/")
        for width, most in MOST_ABOVE.items():
            resize(visitor.page, ViewportSize(width=width, height=800))
            expect(visitor.page.locator("[data-own-table]")).to_have_count(3)
            expect(visitor.page.locator("form[data-tile]")).to_have_count(
                len(list_games_with_page())
            )
            expect(visitor.page.locator("[data-starts]")).to_have_count(3)
            above = measure_box(visitor.page.locator(".all-tables"))
            assert 400 < above["y"] <= most, width


def expect_the_first_thing_in_sight(visitor: Visitor, words: str) -> None:
    page = visitor.page
    page.set_viewport_size(SMALL_PHONE)
    visitor.visit("/")
    first = page.locator(".hero .button--primary")
    expect(first).to_have_text(words)
    box, bar = measure_box(first), measure_box(page.locator(".site-nav"))
    assert box["y"] + box["height"] <= bar["y"]


def test_a_tile_is_adjusted_and_plays_its_choice(visit, nila):  # noqa: PLR0915 - one walk
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/")
        indian = tile(page)
        stake, seats = indian.locator('[data-part="stake"]'), indian.locator('[data-part="seats"]')
        expect(stake).to_have_text("1 chip a point")
        note, brings = (indian.locator(f'[data-part="{part}"]') for part in ("note", "brings"))
        expect(brings).to_have_text("You bring up to 160 chips")
        # More seats, at the stake that was chosen.
        for count in (3, 4, 5, 6):
            indian.get_by_role("button", name="More seats").click()
            expect(seats).to_have_text(f"{count} seats")
            expect(stake).to_have_text("1 chip a point")
        expect(note).to_be_hidden()
        # A press on the end changes nothing.
        higher = indian.get_by_role("button", name="Higher stake")
        for _ in range(2):
            higher.click()
        expect(stake).to_have_text("5 chips a point")
        expect(brings).to_have_text("You bring up to 800 chips")
        expect(higher).to_have_attribute("aria-disabled", "true")
        higher.click(force=True)
        expect(stake).to_have_text("5 chips a point")
        expect(seats).to_have_text("6 seats")
        indian.get_by_role("button", name="Fewer seats").click()
        # People instead of bots: five seats are not to be had, and the tile says so.
        page.get_by_role("switch", name="Practice with bots").click()
        expect(seats).to_have_text("4 seats")
        expect(stake).to_have_text("5 chips a point")
        expect(note).to_have_text("Without bots: only with 4 seats")
        expect(seats).to_have_class("is-changed")
        expect(indian.locator('[data-part="facts"]')).to_contain_text("rated")
        expect(indian.get_by_role("radio", name="Pool 61")).to_be_visible()
        indian.get_by_role("radio", name="Pool 201").check(force=True)
        expect(stake).to_have_text("Entry 500 chips")
        expect(seats).to_have_text("6 seats")
        expect(note).to_have_text("Pool 201: only with 6 seats, Entry 500 chips")
        expect(brings).to_have_text("")
        indian.get_by_role("button", name="Play now").click()
        page.wait_for_url(re.compile(r"/tables/\d+/"))
        table = Seat.objects.select_related("table__template").get(user=nila).table
        assert table.template is not None
        assert (table.template.preset, table.max_seats, table.entry_fee) == ("pool201", 6, 500)


def test_the_lobby_updates_counts_explains_shortages_works_by_keys_and_leads_to_friends(
    visit, nila
):
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/")
        see_people_and_tournaments_counted(page)
        ask_for_cash_tables(page)
        set_the_tile_by_keys(page)
        open_a_table_for_friends(page)
    seat = Seat.objects.select_related("table").get(user=nila)
    assert (seat.table.opened_by, seat.table.entry_fee) == (nila, 200)
    assert seat.table.is_private


def see_people_and_tournaments_counted(page: Page) -> None:
    people = page.locator("#people")
    expect(people).to_have_text("")  # nobody: nothing is said
    first = page.locator("[data-starts]").first
    expect(first).to_have_text(re.compile(r"^[45]:\d\d$"))
    expect(page.locator("[data-starts]").last).to_have_text(re.compile(r"^1:2\d:\d\d$"))
    shown = first.inner_text()
    expect(first).not_to_have_text(shown)
    tile(page).get_by_role("button", name="More seats").click()
    table = open_points_table("Sal")
    take_seat(table_id=table.pk, user_id=make_player("Ravi").pk, amount=80)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('now'))")
    expect(people).to_have_text(re.compile(r"1\s+person is playing now"))
    # What was chosen meanwhile stays.
    expect(tile(page).locator('[data-part="seats"]')).to_have_text("3 seats")


def ask_for_cash_tables(page: Page) -> None:
    told = page.get_by_text("There is no cash table of this game now.").first
    expect(told).to_be_hidden()
    page.get_by_role("radio", name="Cash").check(force=True)
    expect(told).to_be_visible()
    expect(page.get_by_role("switch", name="Practice with bots")).to_be_hidden()
    empty = page.locator("form.tile", has=page.get_by_text("no cash table").locator("visible=true"))
    expect(empty.first.locator('[data-part="facts"]')).to_be_hidden()
    page.get_by_role("radio", name="Chips").check(force=True)
    expect(told).to_be_hidden()
    expect(page.get_by_role("switch", name="Practice with bots")).to_be_visible()


def set_the_tile_by_keys(page: Page) -> None:
    more = tile(page).get_by_role("button", name="More seats")
    more.focus()
    for _ in range(5):
        page.keyboard.press("Enter")
    expect(tile(page).locator('[data-part="seats"]')).to_have_text("6 seats")
    # At the end it still has the focus.
    expect(more).to_be_focused()
    tile(page).get_by_role("radio", name="Points").focus()
    page.keyboard.press("ArrowRight")
    expect(tile(page).locator('[data-part="stake"]')).to_contain_text("Entry")
    page.get_by_role("switch").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("switch")).not_to_be_checked()


def open_a_table_for_friends(page: Page) -> None:
    tile(page).get_by_role("link", name="With friends").click()
    page.wait_for_url("**/private/**", wait_until="load")  # the form listens from then on
    page.get_by_label("Kind").select_option(label="Pool 101")
    # What may be chosen, and what it costs, follow at once.
    page.get_by_label("Played for").select_option(label="Entry 200 chips")
    button = page.get_by_role("button", name="Open the table and bring 200 chips")
    expect(button).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".host__summary")).to_contain_text("720 chips are won")
    button.click()
    page.wait_for_url(re.compile(r"/tables/\d+/\?invite="))


def test_the_lobby_is_accessible_at_any_size(visit, nila, longest_texts):
    sit_at_three_tables(nila)
    faults: list[str] = []
    for who in (nila, None):
        with visit(who, language=longest_texts) as visitor:
            for path in ("/", "/tables/"):
                visitor.page.set_viewport_size(SMALL_PHONE)
                visitor.visit(path)
                faults += [f"{path} {fault}" for fault in faults_at_sizes(visitor.page)]
    assert not faults, "\n".join(faults)
