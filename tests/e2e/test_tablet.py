"""Between a phone and a desk: the header has room for everything that it holds."""

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.e2e.inspection import too_wide
from tests.e2e.visitor import visiting
from tests.e2e.world import World, make_world

# Where the header changes its shape, and tablets upright and lying.
WIDTHS = (705, 768, 820, 961, 1024, 1089, 1180, 1281)
STICKS_OUT = """() => {
  const end = (name) => document.querySelector(name).getBoundingClientRect().right;
  return end(".menu > summary") > end(".site-header__inner") + 0.5;
}"""


@pytest.fixture
def world(transactional_db: None) -> World:
    world = make_world()
    # The longest name there may be.
    world.nila.player_name = "Nilakshi Bhattachary"
    world.nila.save()
    return world


@pytest.mark.parametrize("language", ["en", "hi"])
def test_nothing_sticks_out_at_any_width(
    browser: Browser, live_site: str, world: World, language: str
) -> None:
    faults: list[str] = []
    with visiting(browser, live_site, world.nila, language=language) as visitor:
        for width in WIDTHS:
            visitor.page.set_viewport_size(ViewportSize(width=width, height=800))
            visitor.visit("/tournaments/")
            faults += [f"at {width}: {fault}" for fault in too_wide(visitor.page)]
            if visitor.page.evaluate(STICKS_OUT):
                faults.append(f"at {width}: the header is too full")
    assert not faults, "\n".join(faults)
