"""A player who enters a tournament and is taken from another page to its table."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models.functions import Now
from django.utils import timezone
from playwright.sync_api import BrowserContext, Error, Page, expect

from accounts.models import User
from tests.e2e.seated import RESULT, expect_online, wait_for
from tests.e2e.world import make_player, sign_in
from tests.given import reload
from tests.tables.driving import make_cup
from tests.tournaments.driving import chips_of, play_to_the_end
from tournaments.models import RoundTable, Tournament
from tournaments.registration.services import register
from tournaments.running.tick import tick
from wallet.api import set_starting_fees

READY = '[data-region="ready"]'
TAKEN_OVER = '[data-dialog="confirm"]'
CLAIMS = "localStorage.getItem('openrummy.taken')"


@pytest.fixture(autouse=True)
def _signed_in(context: BrowserContext, live_site: str, nila: User) -> None:
    sign_in(context, live_site, nila)


@pytest.fixture
def tournament() -> Tournament:
    """A tournament that is open for registration. Bots fill it up to six players."""
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
    page.get_by_role("link", name=tournament.name, exact=True).first.click()
    expect(page.locator(".page-head [data-starts]")).to_have_text(
        re.compile(r"^· in (29|30):\d\d$")
    )
    expect(page.locator("main")).to_contain_text("90 chips go to the prize pool")
    page.get_by_role("button", name="Enter · 100 chips").click()
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

    # The player has already been taken to the table once. From now on, a bar offers the way back instead.
    page.get_by_role("link", name="Back to the tournament").click()
    expect(page).to_have_url(f"{live_site}/tournaments/{tournament.pk}/")
    expect(page.locator('[data-region="ready"]')).to_be_visible()
    # The round's two tables, one of them the reader's, and the final that waits for their winners.
    tree = page.get_by_role("group", name="Bracket")
    expect(tree.locator(".bracket__table--own")).to_have_count(1)
    expect(tree.locator(".bracket__table--open")).to_contain_text("Winner of table 1")
    expect(page.locator(".bracket__table")).to_have_count(3)
    page.locator('[data-region="ready"] a').click()
    expect(page).to_have_url(re.compile(rf"/tables/{table.pk}/$"))


def test_who_is_typing_is_shown_the_way_and_keeps_the_text(page, live_site, nila, tournament):
    register(tournament_id=tournament.pk, user_id=nila.pk, now=timezone.now())
    with page.expect_websocket(lambda socket: "/ws/me/" in socket.url):
        page.goto(f"{live_site}/clubs/new/")
    name = page.get_by_label("Name of the club")
    name.fill("Neem")
    page.get_by_role("heading").first.click()
    start(tournament)
    expect(page.locator(READY)).to_be_visible(timeout=30_000)
    expect(name).to_have_value("Neem")
    table = RoundTable.objects.get(seats__entrant__user=nila).table
    page.locator(READY).get_by_role("link").click()
    expect(page).to_have_url(f"{live_site}/tables/{table.pk}/")


def test_a_tournaments_page_updates_live(page, live_site, nila, tournament):
    page.goto(f"{live_site}/tournaments/{tournament.pk}/")
    expect(page.locator(".tree")).to_have_count(0)
    with page.expect_websocket(lambda socket: "/ws/tournaments/" in socket.url):
        page.reload()
    page.wait_for_timeout(500)
    start(tournament)
    seated = page.locator(".tree .bracket__table:not(.bracket__table--open)")
    expect(seated).to_have_count(2, timeout=30_000)
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
    page.get_by_role("button", name="Enter · 100 chips").click()
    expect(page.locator("#tournament-notice")).to_contain_text("You are registered.")
    expect(page.locator(".cup .badge").first).to_have_text("Registered")
    expect(page).to_have_url(f"{live_site}/tournaments/")
    expect(page.get_by_role("button", name="Enter · 100 chips")).to_have_count(0)


def test_a_player_enters_and_withdraws_on_the_card(page, live_site, nila, tournament):
    page.goto(f"{live_site}/tournaments/")
    card = page.locator(".cup", has_text=tournament.name)
    expect(card).to_contain_text("0 of 600 · bots fill up to 6")
    expect(card.locator("[data-starts]")).to_have_text(re.compile(r"^in (29|30):\d\d$"))
    card.get_by_role("button", name="Enter · 100 chips").click()
    expect(card).to_contain_text("Registered")
    expect(page.locator("header")).to_contain_text("9,900")
    card.get_by_role("button", name="Withdraw").click()
    expect(page.locator("#tournament-notice")).to_contain_text("back in your wallet")
    expect(card.get_by_role("button", name="Enter · 100 chips")).to_be_visible()
    expect(page.locator("header")).to_contain_text("10,000")
    assert chips_of(nila) == 10_000
    # Elsewhere, a click on the card opens the tournament.
    card.click(position={"x": 40, "y": 60})
    expect(page).to_have_url(f"{live_site}/tournaments/{tournament.pk}/")


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kolkata"])
def test_times_are_the_readers_own(visit, tournament, zone):
    own = f"{tournament.starts_at.astimezone(ZoneInfo(zone)):%H:%M}"
    with visit(None, zone=zone) as reader:
        reader.visit("/tournaments/")
        shown = reader.page.locator(".cup__time").first
        expect(shown).to_contain_text(own)
        expect(shown).not_to_contain_text("IST")


# Returns the middles of all tables, by round, at a single moment: a notice may move the page.
MIDDLES = """(tree) => [...tree.querySelectorAll(".tree__round")].map((column) =>
  [...column.querySelectorAll(".bracket__table")].map((table) => {
    const { y, height } = table.getBoundingClientRect();
    return y + height / 2;
  }),
)"""


def test_the_tree_joins_each_table_to_those_that_feed_it(page, live_site, nila):
    cup = make_cup(minutes=30, bots_to=8, format="heads-up", seats=2)
    tick()
    register(tournament_id=cup.pk, user_id=nila.pk, now=timezone.now())
    start(cup)
    with page.expect_websocket(lambda socket: "/ws/me/" in socket.url):
        page.goto(f"{live_site}/tournaments/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_site}/tournaments/{cup.pk}/")
    tree = page.get_by_role("group", name="Bracket")
    expect(tree.locator(".slot")).to_have_count(7)
    middles = tree.evaluate(MIDDLES)
    assert [len(column) for column in middles] == [4, 2, 1]
    for feeding, fed in pairwise(middles):
        for number, middle in enumerate(fed):
            assert middle == pytest.approx(sum(feeding[2 * number : 2 * number + 2]) / 2, abs=2)
    expect(tree).to_contain_text("Third place")
    # The tree scrolls in its own box, not with the page.
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert tree.evaluate("box => box.scrollWidth > box.clientWidth")


def test_a_tournament_for_friends_has_a_name_a_day_and_own_rules(visit, live_site, nila):
    set_starting_fees(valid_from=timezone.now() - timedelta(days=1))
    berlin = ZoneInfo("Europe/Berlin")
    day = (timezone.now().astimezone(berlin) + timedelta(days=20)).date()
    with visit(nila, zone="Europe/Berlin") as host:
        host.visit("/tournaments/")
        host.page.get_by_role("link", name="For friends", exact=True).click()
        open_a_cup(host.page, day)
        cup = Tournament.objects.get()
        assert cup.starts_at == datetime.combine(day, time(20, 30), berlin)
        link = copy_the_link(host.page)
    with visit(make_player("Ravi")) as friend:
        friend.visit(link.removeprefix(live_site))
        friend.page.get_by_role("button", name="Enter · 200 chips").click()
        expect(friend.page.locator("main")).to_contain_text("Registered")
    assert reload(cup).seats_taken == 2


def open_a_cup(page: Page, day: date) -> None:
    page.get_by_label("Name").fill("Diwali Cup")
    page.get_by_label("Game").select_option("indian:deals2")
    page.get_by_label("Entry fee").select_option("200")
    page.get_by_label("Start").select_option("on a day and at a time")
    page.get_by_label("Day").fill(day.isoformat())
    page.get_by_label("Time", exact=True).fill("20:30")
    expect(page.locator('[data-part="zone"]')).to_have_text("Central European Time")
    page.get_by_text("More rules").click()
    page.get_by_label("Wrong declaration", exact=True).fill("60")
    # The form is rebuilt, and keeps what was chosen.
    page.get_by_label("Kind").select_option("heads-up")
    expect(page.get_by_label("Seats at a table")).to_have_count(0)
    expect(page.get_by_label("Name")).to_have_value("Diwali Cup")
    page.get_by_role("button", name="Open it").click()
    expect(page.locator("h1")).to_have_text("Diwali Cup")
    expect(page.locator(".page-head")).to_contain_text("20:30")
    expect(page.locator("main")).to_contain_text("Wrong declaration: 60")


def copy_the_link(page: Page) -> str:
    """Press "Copy link". Return the link from the clipboard."""
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    whatsapp = page.get_by_role("link", name="WhatsApp")
    expect(whatsapp).to_have_attribute("href", re.compile("Diwali%20Cup"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied: str = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator(".entrance__link").get_attribute("href")
    return copied


@pytest.fixture
def three_tabs(window, live_site, nila, tournament) -> list[Page]:
    """Three tabs of an entrant in one window. Only the last one is visible."""
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
    """Bring a tab to the front of its window. Once visible, it may at once load another page."""
    tab.bring_to_front()
    try:
        wait_for(tab, lambda: tab.evaluate(SEEN))
    except Error as error:
        if "because of a navigation" not in error.message:
            raise


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
    # Shown again, reloaded or newly opened, the tab stays on its page. The open table is not disturbed.
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
    # After going back, the player is not redirected again. The bar leads to the table.
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
    # A service worker would request the next page itself, so the route below would not catch it.
    seen.context.add_init_script("delete Navigator.prototype.serviceWorker")
    seen.evaluate(UNREGISTER)
    load_page(seen, f"{live_site}/tournaments/")
    seen.route("**/tables/*/", lambda _route: None)  # never answered
    start(tournament)
    expect(rules.locator(READY)).to_be_visible(timeout=30_000)
    wait_for(wallet, lambda: "arrived" in (wallet.evaluate(CLAIMS) or ""))
    seen.close()
    show(rules)
    rules.clock.fast_forward(26_000)  # until the next ping
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


# Presses a second time before the first press has been answered.
PRESS_TWICE = """button => {
  button.click();
  for (const pause of [20, 40, 60]) setTimeout(() => button.click(), pause);
}"""


def test_a_form_whose_button_is_pressed_twice_is_sent_once(page, live_site, nila):
    page.goto(f"{live_site}/tournaments/new/")
    button = page.get_by_role("button", name="Open it")
    button.evaluate(PRESS_TWICE)
    expect(page.locator("body")).to_contain_text("Send your friends the link")
    assert Tournament.objects.count() == 1
    # After going back from the next page, the form opens a second tournament.
    page.go_back()
    button.click()
    wait_for(page, lambda: Tournament.objects.count() == 2)
