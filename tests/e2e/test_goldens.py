"""A dozen screens look as they did when somebody last looked (docs/testing.md: how to renew)."""

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e.pictures import (
    MODE,
    MOST_DIFFERENT,
    difference,
    golden_words,
    note_what_they_are_made_of,
    why_not_comparable,
)
from tests.e2e.visitor import visiting
from tests.e2e.world import World, make_world
from tests.tables.driving import game_view, player_at

PHONE = ViewportSize(width=360, height=740)
LYING = ViewportSize(width=740, height=360)
DESK = ViewportSize(width=1280, height=800)
# What is another in every run: times, running clocks, charts over time, secrets.
CHANGING = (
    "time",
    "[data-time]",
    '[data-region="seats"]',
    '[data-region="me"]',
    '[data-region="notice"]',
    '[data-region="discards"]',
    ".net",
    ".chart",
    "code",
    "td[data-label=When]",
    "td[data-label=Started]",
    ".muted",
    ".figure dd",
)


@dataclass(frozen=True)
class Screen:
    name: str
    path: str
    who: str | None
    size: ViewportSize = field(default_factory=lambda: DESK)
    scheme: str = "light"


def screens(world: World) -> list[Screen]:
    playing = f"/tables/{world.playing.pk}/"
    replay = f"/matches/{world.match.pk}/deals/1/#4"
    registering = f"/tournaments/{world.registering.pk}/"
    return [
        Screen("lobby", "/", None),
        Screen("lobby-phone-dark", "/", "nila", PHONE, "dark"),
        Screen("table", playing, "nila"),
        Screen("table-phone", playing, "nila", PHONE),
        Screen("table-lying-dark", playing, "ravi", LYING, "dark"),
        Screen("replay", replay, "nila"),
        Screen("rules-phone", "/rules/", None, PHONE),
        Screen("tournament-phone-dark", registering, "nila", PHONE, "dark"),
        Screen("tournaments", "/tournaments/", None),
        Screen("wallet", "/wallet/", "nila"),
        Screen("profile-phone", "/accounts/profile/", "ravi", PHONE),
        Screen("login-dark", "/accounts/login/", None, DESK, "dark"),
        Screen("offline-phone", "/offline/en/", None, PHONE),
    ]


def take(page: Page) -> bytes:
    if page.locator("main.table").count():
        expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=30_000)
    changing = [page.locator(selector) for selector in CHANGING]
    return page.screenshot(animations="disabled", caret="hide", mask=changing, mask_color="#808080")


def test_a_dozen_screens_look_as_they_did(
    browser: Browser, live_site: str, request: pytest.FixtureRequest
) -> None:
    reason = why_not_comparable(browser, drawn=True)
    if reason:
        pytest.skip(reason)
    request.getfixturevalue("transactional_db")
    world = make_world()
    differences: dict[str, float] = {}
    for screen in screens(world):
        user = getattr(world, screen.who) if screen.who else None
        with visiting(browser, live_site, user, scheme=screen.scheme) as visitor:
            visitor.page.set_viewport_size(screen.size)
            visitor.visit(screen.path)
            differences[screen.name] = difference(browser, screen.name, take(visitor.page))
    if MODE == "renew":
        note_what_they_are_made_of(browser)
    found = {name: part for name, part in differences.items() if part > MOST_DIFFERENT}
    assert not found, f"see test-results/goldens: {found}"


def words_of(page: Page) -> str:
    """What a screen reader finds at the table, but for the clocks and who is connected."""
    expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=30_000)
    parts = ("piles", "hand", "actions")
    return "\n".join(page.locator(f'[data-region="{part}"]').aria_snapshot() for part in parts)


def test_a_screen_reader_finds_the_table_as_it_did(
    browser: Browser, live_site: str, request: pytest.FixtureRequest
) -> None:
    reason = why_not_comparable(browser, drawn=False)
    if reason:
        pytest.skip(reason)
    request.getfixturevalue("transactional_db")
    world = make_world()
    turn = game_view(world.playing)["turn"]
    path = f"/tables/{world.playing.pk}/"
    with visiting(browser, live_site, player_at(world.playing, turn)) as visitor:
        visitor.visit(path)
        draw = words_of(visitor.page) + "\n"
        assert draw == golden_words("table-draw", draw)
        visitor.page.keyboard.press("c")
        expect(visitor.page.locator('[data-region="hand"] [data-card]')).to_have_count(14)
        expect(visitor.page.locator('[data-action="sort"]')).to_be_enabled()
        discard = words_of(visitor.page) + "\n"
        assert discard == golden_words("table-discard", discard)
