"""Looks unlocked by play, and a face: chosen in the settings, readable on every felt, seen by the others."""

from playwright.sync_api import expect

from accounts.people.preferences import EARNED, set_earned
from players.models import PlayerAchievement
from tests.e2e.inspection import axe_faults, contrast_faults
from tests.e2e.seated import PATIENCE
from tests.tables.driving import player_at


def test_a_chosen_look_applies_at_the_table_and_stays_readable(visit, table):
    asha, ravi = player_at(table, 0), player_at(table, 1)
    PlayerAchievement.objects.create(user=asha, code="matches", count=2_000, tier=4)
    set_earned(user_id=ravi.pk, chosen={"frame": "laurel"})
    with visit(asha) as visitor:
        page = visitor.page
        for path, looks in (("", ("Gold",)), ("look/", ("Mandala", "Teak"))):
            visitor.visit(f"/accounts/settings/{path}")
            for look in looks:
                with page.expect_response("**/players/looks/") as kept:
                    page.get_by_label(look, exact=True).check()
                assert kept.value.status == 204
            expect(page.get_by_text("Saved", exact=True)).to_be_visible()
            # Scrolled down, the header would cover part of the page.
            page.evaluate("scrollTo(0, 0)")
            assert not axe_faults(page)
        expect(page.get_by_label("Night sky")).to_be_disabled()
        visitor.open_table(table)
        root = page.locator("html")
        expect(root).to_have_attribute("data-back", "mandala")
        expect(page.locator('[data-seat="0"] [data-frame="gold"]')).to_be_visible(timeout=PATIENCE)
        expect(page.locator('[data-seat="1"] [data-frame="laurel"]')).to_be_visible()
        for felt in EARNED["felt"]:
            root.evaluate("(root, felt) => (root.dataset.felt = felt)", felt)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert not contrast_faults(page), (felt, scheme)


def test_a_face_chosen_by_keyboard_is_shown_at_the_table(visit, table):
    player = player_at(table, 0)
    with visit(player) as visitor:
        visitor.visit("/accounts/settings/")
        faces = visitor.page.get_by_role("group", name="Others see it beside your name.")
        expect(faces.get_by_role("radio")).to_have_count(24)
        faces.get_by_role("radio", name="Kite").focus()
        visitor.page.keyboard.press("Space")
        visitor.page.keyboard.press("ArrowRight")
        expect(faces.get_by_role("radio", name="Lamp")).to_be_checked()
        # Both choices were sent, one after the other. "Saved" refers to the last one.
        expect(visitor.page.get_by_text("Saved")).to_be_visible()
        player.refresh_from_db()
        assert player.face == "lamp"
        expect(visitor.page.locator('.menu use[href$="#lamp"]')).to_have_count(1)
        visitor.open_table(table)
        own = visitor.page.locator('[data-region="me"] .seat__face use[href$="#lamp"]')
        expect(own).to_have_count(1, timeout=PATIENCE)
