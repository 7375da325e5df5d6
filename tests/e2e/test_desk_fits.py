"""The administration's lists, reports and forms on a screen 1,280 pixels wide: nothing is cut off.

tests/e2e/test_every_page.py checks every list in English. These tests check the widest ones in Hindi.
"""

from tables.models import TableTemplate
from tests.e2e.inspection import cut_off
from tests.wallet.cash_players import make_staff

# A form, and a list whose row is not part of the world.
IN_ENGLISH = ("/admin/tables/tabletemplate/", "/admin/tournaments/tournamenttemplate/add/")
WIDEST = (
    *IN_ENGLISH,
    "/admin/accounts/user/",
    "/admin/reports/",
    "/admin/history/puzzle/",
    "/admin/tables/table/",
    "/admin/tournaments/tournamenttemplate/",
    "/admin/wallet/deposit/",
    "/admin/wallet/transfer/",
)


def test_nothing_is_cut_off(visit, world):
    TableTemplate.objects.create(
        game="indian", preset="junglee-pool201", name="Banyan Garden", entry_fee=2_500, max_seats=6
    )
    wide = {}
    for language, paths in (("en", IN_ENGLISH), ("hi", WIDEST)):
        with visit(world.staff, language=language) as visitor:
            visitor.page.set_viewport_size({"width": 1_280, "height": 800})
            for path in paths:
                visitor.visit(path)
                wide[f"{path} in {language}"] = cut_off(visitor.page)
    assert wide == {path: [] for path in wide}


def test_the_form_hides_fields_of_other_formats_and_rules(visit):
    fields = ("stakes", "start_chips", "rebuys", "rebuy_below", "deals")
    with visit(make_staff("Boss")) as visitor:
        page = visitor.page
        visitor.visit("/admin/tournaments/tournamenttemplate/add/")
        shown = {
            f"{kind} {rules}": [
                page.locator(f".form-row.field-{name}").is_visible() for name in fields
            ]
            for kind in ("knock-out", "shoot-out")
            for rules in ("indian:pool101", "indian:deals2")
            if page.select_option("#id_format", kind) and page.select_option("#id_preset", rules)
        }
    assert shown == {
        "knock-out indian:pool101": [False, False, True, False, False],
        "knock-out indian:deals2": [False, False, True, True, True],
        "shoot-out indian:pool101": [True, True, False, False, False],
        "shoot-out indian:deals2": [True, True, False, False, True],
    }
