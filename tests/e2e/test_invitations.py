"""A visitor with a link to a private table, who signs in in any way and gets a seat there."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from playwright.sync_api import Page, expect

from accounts.models import User
from tables.models import Seat, Table
from tests.e2e.inspection import (
    SIZES,
    SMALL_PHONE,
    faults_at,
    measure_box,
    resize,
    small_targets,
    too_wide,
)
from tests.e2e.seated import DIALOG, OWN_SEAT, PATIENCE, button, expect_online, sit_down
from tests.e2e.test_guest import Presses, register
from tests.e2e.world import PASSWORD, give_password, make_player
from tests.given import require
from tests.tables.driving import make_kind, open_and_sit


@pytest.fixture
def asha() -> User:
    cache.clear()  # the cache counts mails to an address
    return make_player("Asha")


@pytest.fixture
def table(asha: User) -> Table:
    return open_and_sit(make_kind(), asha)


def link(table: Table) -> str:
    return f"/tables/{table.pk}/?invite={table.invite_code}"


def sit(page: Page, table: Table, name: str) -> None:
    expect_online(page)
    sit_down(page)
    expect(page.locator(OWN_SEAT)).to_contain_text(name, timeout=PATIENCE)
    assert Seat.objects.filter(table=table, left_at=None, user__player_name=name).exists()


def read_link(page: Page, name: str) -> str | None:
    return page.get_by_role("link", name=name).get_attribute("href")


def press_link(page: Page, name: str) -> None:
    """Press a link in the dialog that a visitor sees instead of taking a seat."""
    expect_online(page)
    button(page, "Sit here").click()
    page.locator(DIALOG).get_by_role("link", name=name).click()


@pytest.mark.parametrize("strays", [False, True])
def test_a_guest_registers_and_sits(visit, live_site, table, strays):
    with visit(None) as visitor:
        page = visitor.page
        visitor.visit(link(table))
        if strays:
            # Through the header, whose form does not say from where the visitor came.
            visitor.visit("/rules/")
            page.locator("header").get_by_role("link", name="Register").click()
        else:
            press_link(page, "Register")
        register(page, Presses())
        page.wait_for_url(live_site + link(table))
        expect(page.locator("body")).not_to_contain_text("signed in")
        sit(page, table, "Nila")


@pytest.mark.parametrize("strays", [False, True])
def test_a_friend_signs_in_and_sits(visit, live_site, table, strays):
    ravi = make_player("Ravi", PASSWORD)
    with visit(None) as visitor:
        page = visitor.page
        visitor.visit(link(table))
        if strays:
            visitor.visit("/")
            page.locator("header").get_by_role("link", name="Sign in").click()
        else:
            press_link(page, "Sign in")
        give_password(page, ravi)
        page.wait_for_url(live_site + link(table))
        # Even without the code in the address, the player may still take a seat.
        visitor.visit(f"/tables/{table.pk}/")
        sit(page, table, "Ravi")


def test_a_wrong_invitation_is_forgotten(visit, live_site, table):
    ravi = make_player("Ravi", PASSWORD)
    with visit(None) as visitor:
        page = visitor.page
        visitor.visit(f"/tables/{table.pk}/?invite=wrong", status=404)
        visitor.visit("/accounts/login/")
        give_password(page, ravi)
        page.wait_for_url(f"{live_site}/")
        visitor.visit(f"/tables/{table.pk}/", status=404)


def test_the_link_is_copied_and_shown_as_a_code(visit, live_site, asha, table):
    with visit(asha) as visitor:
        page = visitor.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=live_site)
        visitor.visit(f"/tables/{table.pk}/")
        page.get_by_role("button", name="Copy link").click()
        expect(page.locator('[data-invite="copy"]')).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == live_site + link(table)
        # A device with a share dialog has one more button.
        has_sheet = page.evaluate("'share' in navigator")
        assert page.locator('[data-invite="share"]').is_visible() == has_sheet
        shown = page.get_by_role("link", name=link(table))
        expect(shown).to_have_attribute("href", live_site + link(table))
        expect(page.get_by_role("img", name="QR code")).to_be_visible()
        sent = parse_qs(urlsplit(require(read_link(page, "WhatsApp"))).query)["text"][0]
        assert sent == f"Play Indian rummy with me, Points: {live_site}{link(table)}"


def test_the_invitation_fits_any_screen(visit, asha, table, longest_texts):
    faults: list[str] = []
    with visit(asha, language=longest_texts) as visitor:
        page = visitor.page
        page.set_viewport_size(SMALL_PHONE)
        visitor.visit(f"/tables/{table.pk}/")
        for size in SIZES:
            resize(page, size)
            expect(page.locator(".room__chair")).to_have_count(2, timeout=PATIENCE)
            code = page.locator(".invite__code")
            code.scroll_into_view_if_needed()
            box = measure_box(code)
            found = [*faults_at(page, size), *too_wide(page), *small_targets(page)]
            if box["y"] < 0 or box["y"] + box["height"] > size["height"]:
                found.append("the code is not in sight as a whole")
            faults += [f"at {size['width']}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)
