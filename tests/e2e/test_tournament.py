"""A player enters a tournament and is taken to its table from another page."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models.functions import Now
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from tests.e2e.seated import RESULT, expect_online, wait_for
from tests.e2e.world import sign_in
from tests.tables.driving import make_cup
from tests.tournaments.driving import play_to_the_end
from tournaments.models import RoundTable, Tournament
from tournaments.registration.services import register
from tournaments.running.tick import tick

READY = '[data-region="ready"]'
TAKEN_OVER = '[data-dialog="confirm"]'
CLAIMS = "localStorage.getItem('openrummy.taken')"


@pytest.fixture(autouse=True)
def _signed_in(context: BrowserContext, live_site: str, nila: User) -> None:
    sign_in(context, live_site, nila)


@pytest.fixture
def tournament() -> Tournament:
    """One that is open for registration, with bots for six in all."""
    cup = make_cup(minutes=30, entry_fee=100, rake_bps=1_000, bots_to=6)
    tick()
    return cup


def start(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=Now(), due_at=Now())
    # Playwright's event loop runs in this thread.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(tick).result(30)


def test_a_player_is_taken_to_the_table_from_any_page(page, live_site, nila, tournament):
    page.goto(f"{live_site}/tournaments/")
    page.get_by_role("link", name="Details").first.click()
    expect(page.locator(".page-head time")).to_have_text(re.compile(r"^(29|30):\d\d$"))
    expect(page.locator("main")).to_contain_text("90 chips go to the prize pool")
    page.get_by_role("button", name="Register for 100 chips").click()
    expect(page.locator("body")).to_contain_text("You are registered.")
    expect(page.locator("header")).to_contain_text("9,900")

    page.goto(f"{live_site}/rules/")
    expect(page.locator("h1")).to_be_visible()
    start(tournament)
    table = RoundTable.objects.get(seats__entrant__user=nila).table
    expect(page).to_have_url(f"{live_site}/tables/{table.pk}/", timeout=30_000)
    expect_online(page)
    expect(page.locator('[data-action="leave"]')).to_be_hidden()

    page.get_by_role("button", name="Tournament").click()
    expect(page.locator('[data-region="event"]')).to_contain_text("best 1 of 3 go on")
    expect(page.locator('[data-region="event"]')).to_contain_text("Prizes")
    page.keyboard.press("Escape")

    # They have been there: now a bar offers the way back instead of taking them by force.
    page.get_by_role("link", name="Back to the tournament").click()
    expect(page).to_have_url(f"{live_site}/tournaments/{tournament.pk}/")
    expect(page.locator('[data-region="ready"]')).to_be_visible()
    # One's own way, and the two tables of the round.
    expect(page.locator(".bracket__table--own")).to_have_count(2)
    expect(page.locator(".bracket__table")).to_have_count(3)
    page.locator('[data-region="ready"] a').click()
    expect(page).to_have_url(re.compile(rf"/tables/{table.pk}/$"))


def test_a_tournaments_page_updates_live(page, live_site, nila, tournament):
    page.goto(f"{live_site}/tournaments/{tournament.pk}/")
    expect(page.locator(".bracket")).to_have_count(0)
    with page.expect_websocket(lambda socket: "/ws/tournaments/" in socket.url):
        page.reload()
    page.wait_for_timeout(500)
    start(tournament)
    expect(page.locator(".bracket__table")).to_have_count(2, timeout=30_000)
    expect(page.locator("main .badge").first).to_have_text("Running")


def test_the_result_of_the_last_match_shows_the_readers_place(page, live_site, nila, tournament):
    register(tournament_id=tournament.pk, user_id=nila.pk, now=timezone.now())
    start(tournament)
    table = RoundTable.objects.get(seats__entrant__user=nila).table
    page.goto(f"{live_site}/tables/{table.pk}/")
    expect_online(page)
    tournament.refresh_from_db()
    with ThreadPoolExecutor(1) as threads:
        threads.submit(play_to_the_end, tournament).result(120)
    rank = tournament.entrants.get(user=nila).rank
    result = page.locator(RESULT)
    told = page.locator('[data-region="result-event"]')
    expect(told).to_contain_text(f"You finished {ordinal(rank)} of 6.", timeout=30_000)
    expect(result.get_by_role("link", name="Back to the tournament")).to_be_visible()


def test_registering_from_the_list_stays_there(page, live_site, nila, tournament):
    page.goto(f"{live_site}/tournaments/")
    page.get_by_role("button", name="Register for 100 chips").click()
    expect(page.locator("#tournament-notice")).to_contain_text("You are registered.")
    expect(page.locator(".table-card .badge").first).to_have_text("Registered")
    expect(page).to_have_url(f"{live_site}/tournaments/")
    expect(page.get_by_role("button", name="Register for 100 chips")).to_have_count(0)


@pytest.fixture
def three_tabs(window, live_site, nila, tournament) -> list[Page]:
    """Three tabs of an entrant in one window, of which the last one is seen."""
    register(tournament_id=tournament.pk, user_id=nila.pk, now=timezone.now())
    sign_in(window, live_site, nila)
    tabs = [window.pages[0]]
    load_page(tabs[0], f"{live_site}/wallet/")
    for path in ("/rules/", "/tournaments/"):
        tabs.append(window.new_page())
        load_page(tabs[-1], live_site + path)
    assert [tab.evaluate(SEEN) for tab in tabs] == [False, False, True]
    return tabs


UNREGISTER = """async () => {
  for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
}"""
SEEN = "document.visibilityState === 'visible' && document.hasFocus()"


def load_page(tab: Page, url: str) -> None:
    with tab.expect_websocket(lambda socket: socket.url.endswith("/ws/me/")):
        tab.goto(url)


def show(tab: Page) -> None:
    """Bring a tab to the front, over the others of its window."""
    tab.bring_to_front()
    wait_for(tab, lambda: tab.evaluate(SEEN))


def table_of(user: User) -> int:
    table: int = RoundTable.objects.get(seats__entrant__user=user).table_id
    return table


def test_only_the_tab_that_is_seen_goes_and_no_other_disturbs_it(
    three_tabs, live_site, nila, tournament
):
    wallet, rules, seen = three_tabs
    start(tournament)
    table = f"{live_site}/tables/{table_of(nila)}/"
    expect(seen).to_have_url(table, timeout=30_000)
    expect_online(seen)
    for tab, path in ((wallet, "/wallet/"), (rules, "/rules/")):
        expect(tab.locator(READY)).to_be_visible()
        assert tab.url == live_site + path
    # Seen again, loaded again, opened anew: it stays where it is, and the table is left alone.
    show(rules)
    rules.reload()
    expect(rules.locator(READY)).to_be_visible()
    show(seen)
    seen.get_by_role("button", name="Help").click()
    with seen.context.expect_page() as opened:
        seen.get_by_role("link", name="How to play").first.click()
    help_page = opened.value
    expect(help_page.locator(READY)).to_be_visible()
    assert "/rules/" in help_page.url
    expect_online(seen)
    expect(seen.locator(TAKEN_OVER)).to_be_hidden()
    # Who goes back has been there; the bar leads on.
    show(seen)
    seen.go_back()
    expect(seen.locator(READY)).to_be_visible()
    assert seen.url == f"{live_site}/tournaments/"
    seen.locator(f"{READY} a").click()
    expect(seen).to_have_url(table)
    expect_online(seen)


def test_a_tab_that_is_seen_later_goes_then(three_tabs, live_site, nila, tournament):
    wallet, rules, seen = three_tabs
    seen.goto("about:blank")  # another site
    start(tournament)
    for tab in (wallet, rules):
        expect(tab.locator(READY)).to_be_visible(timeout=30_000)
    assert (wallet.url, rules.url) == (f"{live_site}/wallet/", f"{live_site}/rules/")
    show(rules)
    expect(rules).to_have_url(f"{live_site}/tables/{table_of(nila)}/")
    expect_online(rules)
    show(wallet)
    expect(wallet.locator(READY)).to_be_visible()
    assert wallet.url == f"{live_site}/wallet/"


def test_a_tab_that_is_closed_on_its_way_is_replaced(three_tabs, live_site, nila, tournament):
    wallet, rules, seen = three_tabs
    show(rules)
    rules.clock.install()
    load_page(rules, f"{live_site}/rules/")
    show(seen)
    # A service worker would ask for the next page itself, past the route.
    seen.context.add_init_script("delete Navigator.prototype.serviceWorker")
    seen.evaluate(UNREGISTER)
    load_page(seen, f"{live_site}/tournaments/")
    seen.route("**/tables/*/", lambda _route: None)  # never answered
    start(tournament)
    expect(rules.locator(READY)).to_be_visible(timeout=30_000)
    wait_for(wallet, lambda: "arrived" in (wallet.evaluate(CLAIMS) or ""))
    seen.close()
    show(rules)
    rules.clock.fast_forward(26_000)  # to the next ping
    expect(rules).to_have_url(f"{live_site}/tables/{table_of(nila)}/")
    expect_online(rules)
    assert wallet.url == f"{live_site}/wallet/"


def test_a_table_open_in_another_browser_is_left_alone(page, visit, live_site, nila, tournament):
    register(tournament_id=tournament.pk, user_id=nila.pk, now=timezone.now())
    start(tournament)
    table = f"{live_site}/tables/{table_of(nila)}/"
    page.goto(table)
    expect_online(page)
    with visit(nila) as phone:
        phone.visit("/rules/")
        expect(phone.page.locator(READY)).to_be_visible()
        assert phone.page.url == f"{live_site}/rules/"
        expect_online(page)
