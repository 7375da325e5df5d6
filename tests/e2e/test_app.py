"""The site as an installable app, which says so when there is no network."""

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from accounts.models import User
from accounts.models.sessions import PushSubscription
from accounts.push.sender import build_message
from accounts.push.services import Call, subscribe
from accounts.push.web_push import make_private_key
from config.assets.pwa import SHELL
from tests.accounts.push_service import Device
from tests.e2e.inspection import DESK, PHONE, axe_faults
from tests.e2e.seated import expect_cards, table_of_two, wait_for
from tests.e2e.visitor import Visitor
from tests.e2e.world import cookie, make_player
from tests.points_tables import open_points_table
from tests.tables.driving import play_short_match, player_at
from tests.workers import wait_until

PUSH = "https://fcm.googleapis.com/fcm/send/"
IMAGES = Path(__file__).resolve().parents[2] / "static/img"
SIZE_OF_PICTURE = """() => {
  const { naturalWidth, naturalHeight } = document.querySelector("img");
  return [naturalWidth, naturalHeight];
}"""

WORKING = """async () => {
  const active = (await navigator.serviceWorker.getRegistration())?.active;
  return active?.state === "activated" ? new URL(active.scriptURL).pathname : null;
}"""
KEPT = """async () => {
  const names = await caches.keys();
  const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return all.flat().map(({ url }) => new URL(url).pathname);
}"""

# Waits until a notification is shown, and returns its contents.
SHOWN = """async () => {
  const { getNotifications } = ServiceWorkerRegistration.prototype;
  const registration = await navigator.serviceWorker.getRegistration();
  for (let tries = 0; tries < 300; tries += 1) {
    const shown = await getNotifications.call(registration);
    const parts = ({ title, body, tag, data, silent }) => ({ title, body, tag, data, silent });
    if (shown.length > 0) return shown.map(parts);
    await new Promise((go) => setTimeout(go, 100));
  }
  return [];
}"""


def subscribe_device(user: User, name: str) -> Device:
    """Subscribe a device of the player to push messages."""
    device = Device(f"{PUSH}{name}")
    subscribe(user=user, browser=device.sent(user_agent="Chrome/ X11"))
    return device


def wait_for_worker(page: Page) -> str:
    """Wait until the site's service worker is active. Return the path of its script."""
    wait_for(page, lambda: page.evaluate(WORKING) is not None)
    path: str = page.evaluate(WORKING)
    return path


def test_the_browser_finds_the_app_installable_in_the_visitors_language(visit, live_site):
    with visit(None) as visitor:
        visitor.visit("/")
        protocol = visitor.page.context.new_cdp_session(visitor.page)
        found: dict[str, Any] = protocol.send("Page.getAppManifest")
        problems = protocol.send("Page.getInstallabilityErrors")["installabilityErrors"]
        answer = visitor.page.request.get(f"{live_site}/manifest.webmanifest")
        manifest = json.loads(found["data"])
        screens = {screen["form_factor"]: screen for screen in manifest["screenshots"]}
        for screen in screens.values():
            visitor.visit(screen["src"])
            size = visitor.page.evaluate(SIZE_OF_PICTURE)
            assert f"{size[0]}x{size[1]}" == screen["sizes"]
        visitor.page.context.add_cookies([cookie(live_site, "django_language", "hi")])
        visitor.visit("/")
        in_hindi = json.loads(protocol.send("Page.getAppManifest")["data"])
    assert found["errors"] == []
    # Playwright's windows lose their data when closed, like private windows.
    assert {problem["errorId"] for problem in problems} <= {"in-incognito"}
    assert answer.headers["content-type"] == "application/manifest+json"
    told = [manifest[name] for name in ("name", "display", "scope")]
    assert told == ["OpenRummy", "standalone", "/"]
    sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    paths = [icon["src"] for icon in manifest["icons"]]
    paths += [shortcut["url"] for shortcut in manifest["shortcuts"]]
    assert len(paths) == 6
    sizes_of = {factor: screen["sizes"] for factor, screen in screens.items()}
    assert sizes_of == {"narrow": "390x844", "wide": "1280x800"}
    assert in_hindi["lang"] == "hi"
    assert "रमी" in in_hindi["description"]


if os.environ.get("PICTURES") == "renew":

    def test_the_manifests_pictures_show_the_current_pages(visit):
        table = table_of_two()
        for name, size in {"phone": PHONE, "desk": DESK}.items():
            with visit(player_at(table, 0)) as visitor:
                visitor.page.set_viewport_size(size)
                visitor.visit(f"/tables/{table.pk}/")
                expect_cards(visitor.page, 13)
                session = visitor.page.context.new_cdp_session(visitor.page)
                asked = {"format": "webp", "quality": 70}
                picture = session.send("Page.captureScreenshot", asked)["data"]
            (IMAGES / f"screen-{name}.webp").write_bytes(base64.b64decode(picture))


# The browser's own install offer, which may come at any time, must not interfere.
OURS_ALONE = """addEventListener("beforeinstallprompt", (event) => {
  if (event.isTrusted) event.stopImmediatePropagation();
}, true);"""
OFFERED = """() => {
  const event = new Event("beforeinstallprompt", { cancelable: true });
  event.prompt = () => { document.documentElement.dataset.asked = "yes"; };
  dispatchEvent(event);
  return event.defaultPrevented;
}"""


def test_after_a_match_the_lobby_offers_the_app_and_asks_once_for_the_colours(visit, nila):
    with visit(nila) as visitor:
        page = visitor.page
        page.add_init_script(OURS_ALONE)
        card = page.locator('[data-region="install"]')
        question = page.get_by_role(
            "region", name=("Which cards are easiest for you to tell apart?")
        )
        visitor.visit("/")
        assert page.evaluate(OFFERED) is False  # she has played nothing yet
        expect(question).to_have_count(0)
        play_short_match(open_points_table(), nila, make_player("Ravi"))
        visitor.visit("/")
        expect(question).to_have_count(1)
        expect(card).to_be_hidden()  # the browser offers nothing yet
        assert page.evaluate(OFFERED) is True
        assert axe_faults(page) == []
        with page.expect_response("**/accounts/preferences/"):
            question.get_by_role("button", name="Four colours").click()
        expect(question).to_have_count(0)
        expect(page.locator("html")).to_have_attribute("data-suits", "four")
        card.get_by_role("button", name="Install").click()
        # The title is not checked, because the lobby rewrites it at each refresh.
        expect(page.locator("html")).to_have_attribute("data-asked", "yes")
        expect(card).to_be_hidden()
        visitor.visit("/")
        expect(question).to_have_count(0)
        page.evaluate(OFFERED)
        card.get_by_role("button", name="Not now").click()
        visitor.visit("/")
        assert page.evaluate(OFFERED) is False
        expect(card).to_be_hidden()
    with visit(nila) as visitor:
        expect_to_be_told_what_to_press_on_an_iphone(visitor)


def test_the_question_for_the_colours_is_asked_once_without_an_answer_too(visit, nila):
    play_short_match(open_points_table(), nila, make_player("Ravi"))
    with visit(nila) as visitor:
        question = visitor.page.get_by_role(
            "region", name=("Which cards are easiest for you to tell apart?")
        )
        with visitor.page.expect_response("**/accounts/preferences/"):
            visitor.visit("/")
        expect(question).to_have_count(1)
        visitor.visit("/")
        expect(question).to_have_count(0)
        expect(visitor.page.locator("html")).not_to_have_attribute("data-suits", "four")


def expect_to_be_told_what_to_press_on_an_iphone(visitor: Visitor) -> None:
    visitor.page.add_init_script("Object.defineProperty(navigator, 'standalone', { value: false })")
    visitor.visit("/")
    card = visitor.page.locator('[data-region="install"]')
    expect(card).to_contain_text("press Share in Safari")
    expect(card.get_by_role("button", name="Install")).to_be_hidden()


@pytest.mark.usefixtures("fresh_contexts")
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "There is no connection"), ("hi", "नेटवर्क नहीं है")],
)
def test_a_page_without_network_says_so_and_recovers(visit, live_site, nila, language, words):
    with visit(nila, language=language) as visitor:
        page = visitor.page
        visitor.visit("/wallet/")
        assert wait_for_worker(page) == "/sw.js"
        page.context.set_offline(True)
        page.goto(f"{live_site}/tournaments/")
        expect(page.locator("h1")).to_have_text(words)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        # The page looks right, so its style sheets are there too.
        assert page.evaluate("getComputedStyle(document.querySelector('.lost')).display") == "grid"
        page.context.set_offline(False)
        expect(page.locator("h1")).not_to_have_text(words, timeout=30_000)
        expect(page).to_have_url(f"{live_site}/tournaments/")
        visitor.faults.clear()  # about the lost connection


@pytest.mark.usefixtures("fresh_contexts")
def test_the_browser_stores_no_money_or_cards_and_one_offline_page_for_all(visit, live_site, nila):
    with visit(nila) as visitor:
        for path in ("/", "/wallet/", "/matches/", "/accounts/settings/"):
            visitor.visit(path)
            wait_for_worker(visitor.page)
        kept = visitor.page.evaluate(KEPT)
        own = visitor.visit("/offline/en/").text()
        foreign = visitor.page.request.get(f"{live_site}/offline/xx/").status
        visitor.page.context.clear_cookies()
        assert visitor.visit("/offline/en/").text() == own
    assert sorted(kept) == sorted(["/offline/en/", *(f"/static/{path}" for path in SHELL)])
    assert "Nila" not in own
    assert foreign == 404


def test_the_notification_switch_shows_its_state(visit, whole_browser, nila, settings):
    settings.VAPID_PRIVATE_KEY = make_private_key()
    with visit(nila, within=whole_browser) as visitor:
        page = visitor.page
        visitor.visit("/accounts/settings/notices/")
        expect(page.locator('[data-region="calls"]')).to_contain_text("Turned off for this device.")
        expect(page.get_by_role("button", name="Turn on")).to_be_visible()
        assert axe_faults(page) == []
        subscribe_device(nila, "abc")
        visitor.visit("/accounts/settings/notices/")
        expect(page.locator('[data-region="calls"] li')).to_contain_text("Chrome")
        page.get_by_role("button", name="Turn off everywhere").click()
        expect(page.locator(".messages")).to_contain_text("Messages are turned off on all devices.")
    assert not PushSubscription.objects.exists()


NO_WORKER = """ServiceWorkerContainer.prototype.register = async () => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};"""


def test_a_browser_that_forbids_service_workers_says_so(visit, whole_browser, nila, settings):
    settings.VAPID_PRIVATE_KEY = make_private_key()
    with visit(nila, within=whole_browser) as visitor:
        page = visitor.page
        page.context.grant_permissions(["notifications"])
        page.add_init_script(NO_WORKER)
        visitor.visit("/accounts/settings/notices/")
        section = page.locator('[data-region="calls"]')
        expect(section).to_contain_text("This browser cannot show notifications.")
        expect(page.get_by_role("button", name="Turn on")).to_be_hidden()


def find_registration(page: Page, site: str) -> tuple[CDPSession, str]:
    """Return a debugging session of the browser, and the id of the site's service worker in it.

    The browser reports the workers of all its contexts, including closed ones.
    """
    protocol = page.context.new_cdp_session(page)
    found: dict[str, str] = {}

    def note(told: dict[str, Any]) -> None:
        for one in told["registrations"]:
            found.pop(one["registrationId"], None)
            if not one["isDeleted"]:
                found[one["registrationId"]] = one["scopeURL"]

    protocol.on("ServiceWorker.workerRegistrationUpdated", note)
    protocol.send("ServiceWorker.enable")
    wait_until(lambda: f"{site}/" in found.values(), meanwhile=page.title)
    return protocol, [number for number, scope in found.items() if scope == f"{site}/"][-1]


@pytest.mark.usefixtures("fresh_contexts")
@pytest.mark.parametrize("is_seen", [False, True], ids=["hidden", "seen"])
def test_a_push_message_is_always_shown(visit, whole_browser, live_site, is_seen):
    """Safari revokes the permission of a site that shows no message. Beside an open page, the message is silent."""
    call = Call(kind="turn", name="Mango Grove", url="/rules/", tag="table-7", seconds=60)
    text = build_message(call, "en").decode()
    with visit(None, within=whole_browser) as visitor:
        page = visitor.page
        page.context.grant_permissions(["notifications"], origin=live_site)
        visitor.visit("/rules/")
        wait_for_worker(page)
        protocol, registration = find_registration(page, live_site)
        terms = {"origin": live_site, "registrationId": registration, "data": text}
        if not is_seen:
            page.goto("about:blank")
        protocol.send("ServiceWorker.deliverPushMessage", terms)
        if not is_seen:
            visitor.visit("/rules/")
        [shown] = page.evaluate(SHOWN)
        assert (shown["title"], shown["body"]) == (
            "Your turn",
            "The other players are waiting for you at Mango Grove.",
        )
        assert (shown["tag"], shown["data"]) == ("table-7", {"url": "/rules/"})
        assert shown["silent"] is is_seen


@pytest.mark.usefixtures("fresh_contexts")
@pytest.mark.parametrize("data", ["", "no JSON", "3"])
def test_a_push_message_that_cannot_be_read_is_shown_as_one_of_the_site(
    visit, whole_browser, live_site, data
):
    with visit(None, within=whole_browser) as visitor:
        page = visitor.page
        page.context.grant_permissions(["notifications"], origin=live_site)
        visitor.visit("/rules/")
        wait_for_worker(page)
        protocol, registration = find_registration(page, live_site)
        terms = {"origin": live_site, "registrationId": registration, "data": data}
        protocol.send("ServiceWorker.deliverPushMessage", terms)
        [shown] = page.evaluate(SHOWN)
        assert (shown["title"], shown["data"]) == ("OpenRummy", {"url": "/"})


HAS_SUBSCRIPTION = """(endpoint) => {
  globalThis.left = false;
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys: {} }),
    unsubscribe: async () => { globalThis.left = true; return true; },
  };
  PushManager.prototype.getSubscription = async () => (globalThis.left ? null : subscription);
}"""


@pytest.mark.usefixtures("fresh_contexts")
def test_a_browser_whose_messages_are_of_somebody_else_says_off(
    visit, whole_browser, live_site, nila, settings
):
    settings.VAPID_PRIVATE_KEY = make_private_key()
    own, others = subscribe_device(nila, "own"), Device(f"{PUSH}others")
    for device, says in (
        (own, "Turned on for this device."),
        (others, "Turned off for this device."),
    ):
        with visit(nila, within=whole_browser) as visitor:
            page = visitor.page
            page.context.grant_permissions(["notifications"], origin=live_site)
            page.route("**/accounts/push/on/", lambda route: route.fulfill(status=204))
            page.add_init_script(f"({HAS_SUBSCRIPTION})({json.dumps(device.endpoint)})")
            visitor.visit("/accounts/settings/notices/")
            state = page.locator('[data-region="calls"] [data-part="state"]')
            expect(state).to_have_text(says)
            wait_until(lambda: page.evaluate("left") == (device is others), meanwhile=page.title)  # noqa: B023


OPENED = """async (url) => {
  let opened = "";
  Object.defineProperty(self.clients, "openWindow", { value: async (one) => { opened = one; } });
  await open(url);
  return opened;
}"""


@pytest.mark.usefixtures("fresh_contexts")
def test_the_service_worker_opens_a_table_after_signing_in_and_renews_an_ended_subscription(
    visit, live_site, nila, settings
):
    settings.VAPID_PRIVATE_KEY = make_private_key()
    old, new = subscribe_device(nila, "old"), Device(f"{PUSH}new")
    with visit(nila) as visitor:
        visitor.visit("/rules/")
        wait_for_worker(visitor.page)
        [worker] = visitor.page.context.service_workers
        # Once the session has ended, the table's address would answer without a page.
        led = worker.evaluate(OPENED, "/tables/7/")
        assert led == "/accounts/login/?next=%2Ftables%2F7%2F"
        worker.evaluate(
            """async ({ old, fresh }) => {
              const event = new ExtendableEvent("pushsubscriptionchange");
              event.oldSubscription = { endpoint: old };
              event.newSubscription = fresh;
              const done = new Promise((go) => { event.waitUntil = go; });
              self.dispatchEvent(event);
              await done;
            }""",
            {"old": old.endpoint, "fresh": new.subscription()},
        )
        wait_until(
            lambda: PushSubscription.objects.filter(user=nila, endpoint=new.endpoint).exists(),
            meanwhile=visitor.page.title,
        )
        # A user who is still signed in is redirected at once.
        visitor.page.goto(live_site + led.replace("%2Ftables%2F7%2F", "%2Frules%2F"))
        assert visitor.page.url == f"{live_site}/rules/"
    assert PushSubscription.objects.get().endpoint == new.endpoint


def test_an_error_of_a_script_is_reported_and_one_of_an_extension_is_not(visit, live_site):
    fails = """(address) => {
      const error = new TypeError("a planted error");
      error.stack = `TypeError: a planted error\\n    at draw (${address}:1:2)`;
      setTimeout(() => { throw error; });
    }"""
    with visit(None) as visitor:
        page = visitor.page
        visitor.visit("/rules/")
        sent = []
        page.on("request", lambda request: sent.append(request.url))
        page.evaluate(fails, "chrome-extension://abc/content.js")
        with page.expect_response(f"{live_site}/script-errors/") as answered:
            page.evaluate(fails, f"{live_site}/static/js/lobby.js")
        visitor.faults.clear()  # from the planted errors
    assert answered.value.status == 204
    assert [url for url in sent if url.endswith("/script-errors/")] == [
        f"{live_site}/script-errors/"
    ]
    told: Any = answered.value.request.post_data_json
    assert (told["message"], told["page"]) == ("a planted error", "/rules/")
