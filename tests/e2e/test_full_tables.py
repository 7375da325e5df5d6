"""Tables with melds, with a player on every seat: all of them are seen, and it fits a phone."""

import pytest
from django.conf import LazySettings
from playwright.sync_api import Browser, ViewportSize, expect

from tests.e2e.inspection import small_targets, too_wide
from tests.e2e.seated import open_page, table_of
from tests.tables.driving import game_view

SIZES = (
    ViewportSize(width=1152, height=720),
    ViewportSize(width=360, height=740),
    ViewportSize(width=740, height=360),
)
FULL = {"basic": 6, "contract": 5, "rummikub": 4}


@pytest.mark.parametrize("game", FULL)
def test_every_seat_is_seen_on_desk_and_phone(
    browser: Browser, live_site: str, transactional_db: None, settings: LazySettings, game: str
) -> None:
    settings.GAMES_OFFERED = ["indian", *FULL]
    preset = "single" if game == "contract" else "points"
    table = table_of(FULL[game], game=game, preset=preset)
    seat = game_view(table)["turn"]
    faults = []
    with browser.new_context(viewport=SIZES[0], reduced_motion="reduce") as context:
        page = context.new_page()
        open_page(page, live_site, table, seat)
        for size in SIZES:
            page.set_viewport_size(size)
            for other in range(FULL[game]):
                place = page.locator(f'.seat[data-seat="{other}"]')
                expect(place).to_be_in_viewport(ratio=0.75)
                if other != seat:
                    expect(place).to_contain_text(f"Player {other + 1}")
            expect(page.locator(".seat--own .seat__clock")).to_be_in_viewport(ratio=0.99)
            own = page.locator('[data-region="hand"] [data-card]')
            for card in (own.first, own.last):
                expect(card).to_be_in_viewport(ratio=0.5)
            faults += too_wide(page) + small_targets(page)
    assert not faults, "\n".join(faults)
