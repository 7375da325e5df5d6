"""Browser contexts, which carry nothing over from the test before. Changed contexts are closed."""

from datetime import UTC, datetime
from functools import partial

import pytest

from tests.e2e.seated import wait_for
from tests.e2e.world import cookie

pytestmark = pytest.mark.usefixtures("fresh_contexts")
LEAVE = """() => {
  localStorage.setItem("left", "1");
  indexedDB.open("left");
}"""
IS_LEFT = """async () => (await indexedDB.databases()).some(({ name }) => name === "left")
  && (await navigator.serviceWorker.getRegistration())?.active != null"""
FOUND = """async () => [
  localStorage.getItem("left"),
  (await indexedDB.databases()).some(({ name }) => name === "left"),
  document.cookie.includes("left"),
  (await navigator.permissions.query({ name: "notifications" })).state === "granted",
]"""
NOTHING = [None, False, False, False]


def test_nothing_of_the_previous_test_is_left(browser, live_site):
    contexts: list[object] = []
    heard: list[object] = []
    for _ in range(2):
        context = browser.new_context()
        contexts.append(context)
        assert context.pages == []
        page = context.new_page()
        page.goto(f"{live_site}/rules/")
        assert page.evaluate(FOUND) == NOTHING
        before = len(heard)
        page.evaluate("console.log('a word')")
        assert len(heard) == before
        page.evaluate(LEAVE)
        wait_for(page, partial(page.evaluate, IS_LEFT))
        context.on("console", lambda message: heard.append(message))  # noqa: PLW0108 - it marks it
        context.add_cookies([cookie(live_site, "left", "1")])
        context.grant_permissions(["notifications"], origin=live_site)
        assert page.evaluate(FOUND) == ["1", True, True, True]
        context.close()
    assert contexts[0] is contexts[1]


@pytest.mark.parametrize(
    "change",
    [
        lambda context: context.add_init_script("globalThis.left = 1"),
        lambda context: context.new_page().clock.set_fixed_time(datetime(2026, 1, 5, tzinfo=UTC)),
        lambda context: context.route("**/left", lambda route: route.abort()),
        lambda context: context.set_offline(True),
    ],
    ids=["script", "clock", "route", "network"],
)
def test_a_changed_context_is_closed(browser, change):
    context = browser.new_context()
    change(context)
    context.close()
    another = browser.new_context()
    assert another is not context
    another.close()


def test_pages_with_a_fixed_time_have_separate_contexts(browser):
    noon = datetime(2026, 1, 5, 6, 30, tzinfo=UTC)
    options: dict[str, object] = {"fixed_time": noon}
    for _ in range(2):
        context = browser.new_context(**options)
        page = context.new_page()
        assert page.evaluate("Date.now()") == noon.timestamp() * 1_000
        context.close()
        other = browser.new_context()
        assert other.new_page().evaluate("Date.now()") != noon.timestamp() * 1_000
        other.close()
