"""axe finds nothing on any page in either theme, on a phone and on a desk."""

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.e2e.inspection import axe_faults, small_targets, too_wide
from tests.e2e.site_map import places
from tests.e2e.test_every_page import by_person
from tests.e2e.visitor import Visitor, visiting
from tests.e2e.world import World, make_world

PHONE = ViewportSize(width=360, height=740)
DESK = ViewportSize(width=1280, height=800)


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_world()


def look(visitor: Visitor, path: str, status: int) -> list[str]:
    page = visitor.page
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
    visitor.visit(path, status=status)
    faults = [f"on a phone too wide: {fault}" for fault in too_wide(page)]
    faults += [f"on a phone too small: {fault}" for fault in small_targets(page)]
    faults += [f"light: {fault}" for fault in axe_faults(page)]
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="dark")
    faults += [f"too small: {fault}" for fault in small_targets(page)]
    return faults + [f"dark: {fault}" for fault in axe_faults(page)]


def test_no_page_shuts_anybody_out(browser: Browser, live_site: str, world: World) -> None:
    faults: list[str] = []
    looked_at = 0
    for who, places_of in by_person(places(world)):
        with visiting(browser, live_site, getattr(world, who, None)) as visitor:
            for place in places_of:
                found = look(visitor, place.path, place.status)
                faults += [f"{place}: {fault}" for fault in found]
                looked_at += 1
    assert looked_at > 50
    assert not faults, "\n".join(faults)
