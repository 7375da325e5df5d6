"""The lobby: a short page with one decision, table settings in a sheet, updates without a reload."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from accounts.models import User
from tables.catalog import list_games_with_page
from tables.models import Seat, TableTemplate
from tables.seating.sitting import leave_table, take_seat
from tables.seating.starting_tables import make_starting_tables
from tables.seating.supply import open_from
from tests.e2e.inspection import SMALL_PHONE, faults_at_sizes, measure_box, resize
from tests.e2e.seated import PATIENCE, table_for
from tests.e2e.visitor import Visitor
from tests.e2e.world import make_player
from tests.points_tables import open_points_table
from tests.tables.driving import make_cup

# The most pixels that may be above "all tables", by window width.
MOST_ABOVE = {1280: 1_200, 390: 2_000, 360: 2_000}


@pytest.fixture(autouse=True)
def tables_and_tournaments() -> None:
    """A new site with tables of every game that has a page, and three future tournaments."""
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
        expect_the_first_thing_in_sight(visitor, ".hero", "Play a first deal")
    with visit(nila) as visitor:
        expect_the_first_thing_in_sight(visitor, "form[data-tile]", "Play now")
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


def expect_the_first_thing_in_sight(visitor: Visitor, where: str, words: str) -> None:
    page = visitor.page
    page.set_viewport_size(SMALL_PHONE)
    visitor.visit("/")
    first = page.locator(f"{where} .button--primary").first
    expect(first).to_contain_text(words)
    box, bar = measure_box(first), measure_box(page.locator(".site-nav"))
    assert box["y"] + box["height"] <= bar["y"]


def test_the_first_page_shows_its_games_in_the_first_view(visit):
    with visit(None) as visitor:
        hero = visitor.page.locator(".hero")
        for width, height, most in ((1366, 768, 260), (390, 844, 260), (844, 390, 200)):
            visitor.page.set_viewport_size(ViewportSize(width=width, height=height))
            visitor.visit("/")
            assert measure_box(hero)["height"] <= most, width
            expect(hero.locator(":is(button, a)")).to_have_text(
                [re.compile("Play a first deal"), re.compile("Play with friends")]
            )
            first = measure_box(visitor.page.locator("form[data-tile]").first)
            assert first["y"] < height, width


def test_the_first_play_now_is_reached_by_eight_tabs_at_most(visit, nila):
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # to the content
        tabs = 1
        first = tile(page).get_by_role("button", name="Play now")
        while not first.evaluate("button => button === document.activeElement"):
            assert tabs < 8
            page.keyboard.press("Tab")
            tabs += 1
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(r"/tables/\d+/"))


def test_the_game_played_last_comes_first_and_is_one_press_away(visit, nila):
    template = TableTemplate.objects.get(name="Opal Room")
    table = open_from(template)
    take_seat(table_id=table.pk, user_id=nila.pk, amount=table.min_buy_in)
    leave_table(table_id=table.pk, user_id=nila.pk)
    with visit(nila) as visitor:
        visitor.visit("/")
        first = visitor.page.locator("form[data-tile]").first
        expect(first).to_have_attribute("data-tile", template.game)
        first.get_by_role("button", name="Play now").click()
        visitor.page.wait_for_url(re.compile(r"/tables/\d+/"))
        seat = Seat.objects.select_related("table").get(user=nila, left_at=None)
        assert seat.table.template_id == template.pk


def open_sheet(page: Page, game: str = "indian") -> Locator:
    tile(page, game).locator('[data-part="choice"]').click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    return sheet


def choose(sheet: Locator, name: str) -> None:
    radio = sheet.get_by_role("radio", name=name, exact=True)
    radio.check(force=True)
    expect(radio).to_be_checked()


def test_a_tile_is_adjusted_and_plays_its_choice(visit, nila):  # noqa: PLR0915 - one walk
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/")
        summary = tile(page).locator('[data-part="summary"]')
        expect(summary).to_have_text("Points · 2 players · 1 chip a point")
        sheet = open_sheet(page)
        note, brings = (sheet.locator(f'[data-part="{part}"]') for part in ("note", "brings"))
        expect(brings).to_have_text("You bring up to 160 chips")
        # Every stake is offered for every number of players.
        for stake in ("1 chip a point", "2 chips a point", "5 chips a point"):
            choose(sheet, stake)
            for count in range(2, 7):
                choose(sheet, f"{count} players")
                expect(sheet.get_by_role("radio", name=stake, exact=True)).to_be_checked()
                expect(summary).to_have_text(f"Points · {count} players · {stake}")
                expect(note).to_be_hidden()
        expect(brings).to_have_text("You bring up to 800 chips")
        choose(sheet, "5 players")
        choose(sheet, "2 chips a point")
        sheet.get_by_role("button", name="Done").click()
        expect(sheet).to_be_hidden()
        # Without bots, two chips a point are not offered, and the tile says so.
        page.get_by_role("radio", name="People only").check(force=True)
        expect(summary).to_have_text("Points · 5 players · 1 chip a point")
        told = tile(page).locator('[data-part="note"]')
        expect(told).to_have_text("People only: only with 1 chip a point")
        expect(tile(page).locator('[data-part="choice"]')).to_have_class(re.compile("is-changed"))
        open_sheet(page)
        expect(sheet.locator('[data-part="facts"]')).to_contain_text("rated")
        choose(sheet, "Pool 201")
        expect(note).to_have_text("Pool 201: only with 6 players, Entry 500 chips")
        expect(sheet.locator('[data-choices="seats"]')).to_have_class(re.compile("is-changed"))
        expect(brings).to_have_text("")
        # Choices that this kind does not offer are disabled and say so.
        two = sheet.get_by_role("radio", name="2 players not with Pool 201")
        expect(two).to_be_disabled()
        sheet.get_by_role("button", name="Play now").click()
        page.wait_for_url(re.compile(r"/tables/\d+/"))
        table = Seat.objects.select_related("table__template").get(user=nila).table
        assert table.template is not None
        assert (table.template.preset, table.max_seats, table.entry_fee) == ("pool201", 6, 500)


def test_without_scripts_the_choice_leads_to_the_tables_of_the_game(browser, live_site):
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{live_site}/")
        tile(page, "gin").locator('[data-part="choice"]').click()
        expect(page).to_have_url(re.compile(r"/tables/\?game=gin&free=1$"))
        expect(page.locator("[data-table]").first).to_contain_text("Gin rummy")
    finally:
        context.close()


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
    expect(people).to_have_text("")  # nobody is there, so no count is shown
    first = page.locator("[data-starts]").first
    expect(first).to_have_text(re.compile(r"^[45]:\d\d$"))
    expect(page.locator("[data-starts]").last).to_have_text(re.compile(r"^1:2\d:\d\d$"))
    shown = first.inner_text()
    expect(first).not_to_have_text(shown)
    sheet = open_sheet(page)
    choose(sheet, "3 players")
    page.keyboard.press("Escape")
    table = open_points_table("Sal")
    take_seat(table_id=table.pk, user_id=make_player("Ravi").pk, amount=80)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('now'))")
    expect(people).to_have_text(re.compile(r"1\s+person is playing now"))
    expect(tile(page).locator(".game__live")).to_have_text("1 waiting")
    # A choice made meanwhile is kept.
    expect(tile(page).locator('[data-part="summary"]')).to_contain_text("3 players")


def ask_for_cash_tables(page: Page) -> None:
    told = page.get_by_text("There is no cash table for")
    expect(told).to_be_hidden()
    page.get_by_role("radio", name="Cash").check(force=True)
    expect(told).to_contain_text("Gin rummy, Basic rummy")
    # Games without a table leave no gap.
    expect(tile(page, "gin")).to_be_hidden()
    expect(page.get_by_role("radiogroup", name="Opponents")).to_be_hidden()
    page.get_by_role("radio", name="Chips").check(force=True)
    expect(told).to_be_hidden()
    expect(tile(page, "gin")).to_be_visible()
    expect(page.get_by_role("radiogroup", name="Opponents")).to_be_visible()


def set_the_tile_by_keys(page: Page) -> None:
    opener = tile(page).locator('[data-part="choice"]')
    opener.focus()
    page.keyboard.press("Space")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("radio", name="Points", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    for count in (4, 5, 6):
        page.keyboard.press("ArrowRight")
        expect(sheet.get_by_role("radio", name=f"{count} players", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(opener).to_be_focused()
    expect(opener).to_contain_text("6 players")
    page.get_by_role("radio", name="Bots ready").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="People only")).to_be_checked()


def open_a_table_for_friends(page: Page) -> None:
    tile(page).get_by_role("link", name="With friends").click()
    page.wait_for_url("**/private/**", wait_until="load")  # the form's script has loaded
    page.get_by_label("Kind").select_option(label="Pool 101")
    # Further choices and the price are updated at once.
    page.get_by_label("Played for").select_option(label="Entry 200 chips")
    button = page.get_by_role("button", name="Open the table and bring 200 chips")
    expect(button).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".host__summary")).to_contain_text("720 chips are won")
    button.click()
    page.wait_for_url(re.compile(r"/tables/\d+/\?invite="))


def test_the_lobby_and_its_sheet_are_accessible_at_any_size(visit, nila, longest_texts):
    sit_at_three_tables(nila)
    faults: list[str] = []
    for who in (nila, None):
        with visit(who, language=longest_texts) as visitor:
            for path in ("/", "/tables/"):
                visitor.page.set_viewport_size(SMALL_PHONE)
                visitor.visit(path)
                faults += [f"{path} {fault}" for fault in faults_at_sizes(visitor.page)]
                if path == "/" and who is not None:
                    resize(visitor.page, SMALL_PHONE)
                    open_sheet(visitor.page)
                    faults += [f"the sheet {fault}" for fault in faults_at_sizes(visitor.page)]
    assert not faults, "\n".join(faults)
