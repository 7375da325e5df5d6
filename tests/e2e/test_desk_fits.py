"""Lists and reports of the administration fit a screen of 1,280 pixels: nothing is cut off.

Every list in English: tests/e2e/test_every_page.py. Here are the widest ones, in Hindi too.
"""

import pytest
from playwright.sync_api import Browser

from tables.models import TableTemplate
from tests.e2e.inspection import cut_off
from tests.e2e.visitor import visiting
from tests.e2e.world import World, make_world

WIDEST = (
    "/admin/accounts/user/",
    "/admin/reports/",
    "/admin/tables/puzzle/",
    "/admin/tables/table/",
    "/admin/tables/tabletemplate/",
    "/admin/tournaments/tournamenttemplate/",
    "/admin/wallet/deposit/",
    "/admin/wallet/transfer/",
)


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
            visitor.page.set_viewport_size({"width": 1_280, "height": 800})
            for path in WIDEST:
                visitor.visit(path)
                wide[f"{path} in {language}"] = cut_off(visitor.page)
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
