"""Lists and reports of the administration fit a screen of 1,400 pixels: nothing is cut off."""

import pytest
from playwright.sync_api import Browser

from tables.models import TableTemplate
from tests.e2e.visitor import visiting
from tests.e2e.world import World, make_world

WIDTH = 1_400
TOO_WIDE = """() => [...document.querySelectorAll(".results, .panel-table")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ scrollWidth, clientWidth }) => `${scrollWidth} > ${clientWidth}`)"""


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_world()


def test_nothing_is_cut_off(browser: Browser, live_site: str, world: World) -> None:
    TableTemplate.objects.create(
        game="indian", preset="junglee-pool201", name="Banyan Garden", entry_fee=2_500, max_seats=6
    )
    wide = {}
    for language in ("en", "hi"):
        with visiting(browser, live_site, world.staff, language=language) as visitor:
            visitor.page.set_viewport_size({"width": WIDTH, "height": 900})
            for path in ("/admin/tables/tabletemplate/", "/admin/reports/"):
                visitor.visit(path)
                wide[f"{path} in {language}"] = visitor.page.evaluate(TOO_WIDE)
    assert wide == {path: [] for path in wide}


def test_fields_of_another_format_are_not_shown(
    browser: Browser, live_site: str, world: World
) -> None:
    with visiting(browser, live_site, world.staff) as visitor:
        page = visitor.page
        visitor.visit("/admin/tournaments/tournamenttemplate/add/")
        shown = {
            kind: [
                page.locator(f".form-row.field-{name}").is_visible()
                for name in ("stakes", "start_chips", "rebuys", "rebuy_below")
            ]
            for kind in ("knock-out", "shoot-out")
            if page.select_option("#id_format", kind)
        }
        assert visitor.faults == []
    assert shown == {
        "knock-out": [False, False, True, True],
        "shoot-out": [True, True, False, False],
    }
