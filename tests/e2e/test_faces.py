"""A face is chosen by keyboard, and sits at the table."""

from playwright.sync_api import expect

from tests.e2e.seated import PATIENCE, table_of_two
from tests.tables.driving import player_at


def test_a_face_chosen_by_keyboard_is_shown_at_the_table(visit):
    table = table_of_two()
    with visit(player_at(table, 0)) as visitor:
        visitor.visit("/accounts/profile/")
        faces = visitor.page.get_by_role("group", name="Others see it beside your name.")
        expect(faces.get_by_role("radio")).to_have_count(24)
        faces.get_by_role("radio", name="Kite").focus()
        visitor.page.keyboard.press("Space")
        visitor.page.keyboard.press("ArrowRight")
        expect(faces.get_by_role("radio", name="Lamp")).to_be_checked()
        visitor.page.keyboard.press("Enter")
        expect(visitor.page.get_by_text("This is your face from now on.")).to_be_visible()
        expect(visitor.page.locator('.menu use[href$="#lamp"]')).to_have_count(1)
        visitor.open_table(table)
        own = visitor.page.locator('[data-region="me"] .seat__face use[href$="#lamp"]')
        expect(own).to_have_count(1, timeout=PATIENCE)
