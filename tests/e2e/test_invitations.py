"""From a link to a private table to a seat at it, by whatever way somebody signs in on the way."""

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, Page, ViewportSize, expect

from accounts.models import User
from tables.models import Seat, Table, TableTemplate
from tests.e2e.inspection import faults_at, resize, small_targets, too_wide
from tests.e2e.seated import PATIENCE
from tests.e2e.test_first_deal import PASSWORD
from tests.e2e.visitor import visit_as
from tests.e2e.world import make_player
from tests.tables.driving import open_and_sit

SIZES = [
    ViewportSize(width=width, height=height)
    for width, height in ((360, 740), (390, 844), (844, 390), (1280, 800))
]


@pytest.fixture
def asha(transactional_db: None) -> User:
    cache.clear()  # it counts the mails to an address
    return make_player("Asha")


@pytest.fixture
def table(asha: User) -> Table:
    template = TableTemplate.objects.create(
        game="indian", preset="points", name="Neem Room", max_seats=2, point_value=1
    )
    return open_and_sit(template, asha)


def link(table: Table) -> str:
    return f"/tables/{table.pk}/?invite={table.invite_code}"


def press_sit(page: Page) -> None:
    expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=PATIENCE)
    page.get_by_role("button", name="Sit here").click()


def sit(page: Page, table: Table, name: str) -> None:
    press_sit(page)
    page.locator('[data-dialog="sit"] [data-action="confirm"]').click()
    expect(page.locator('[data-region="me"]')).to_contain_text(name, timeout=PATIENCE)
    assert Seat.objects.filter(table=table, left_at=None, user__player_name=name).exists()


def register(page: Page) -> None:
    page.get_by_label("Email").fill("nila@example.com")
    page.get_by_label("Player name").fill("Nila")
    page.get_by_label("18 years").check()
    for field in page.locator("main input[type=password]").all():
        field.fill(PASSWORD)
    page.locator("main form:has(input[name=password1]) button[type=submit]").click()


@pytest.mark.parametrize("strays", [False, True])
def test_a_guest_registers_and_sits(
    browser: Browser, live_site: str, table: Table, strays: bool
) -> None:
    with visit_as(browser, live_site, None) as visitor:
        page = visitor.page
        visitor.visit(link(table))
        if strays:
            # By the front page: no form says where they came from.
            visitor.visit("/rules/")
            page.locator("header").get_by_role("link", name="Register").click()
        else:
            press_sit(page)
            page.locator("dialog[open]").get_by_role("link", name="Register").click()
        register(page)
        page.wait_for_url(live_site + link(table))
        expect(page.locator("body")).not_to_contain_text("signed in")
        sit(page, table, "Nila")


@pytest.mark.parametrize("strays", [False, True])
def test_a_friend_signs_in_and_sits(
    browser: Browser, live_site: str, table: Table, strays: bool
) -> None:
    ravi = make_player("Ravi", PASSWORD)
    with visit_as(browser, live_site, None) as visitor:
        page = visitor.page
        visitor.visit(link(table))
        if strays:
            visitor.visit("/")
            page.locator("header").get_by_role("link", name="Sign in").click()
        else:
            press_sit(page)
            page.locator("dialog[open]").get_by_role("link", name="Sign in").click()
        page.get_by_label("Email").fill(ravi.email)
        page.locator("main input[type=password]").fill(PASSWORD)
        page.locator("main form button[type=submit]").first.click()
        page.wait_for_url(live_site + link(table))
        # Without the code in the address as well, until they sit.
        visitor.visit(f"/tables/{table.pk}/")
        sit(page, table, "Ravi")


def test_a_wrong_invitation_is_forgotten(browser: Browser, live_site: str, table: Table) -> None:
    ravi = make_player("Ravi", PASSWORD)
    with visit_as(browser, live_site, None) as visitor:
        page = visitor.page
        visitor.visit(f"/tables/{table.pk}/?invite=wrong", status=404)
        visitor.visit("/accounts/login/")
        page.get_by_label("Email").fill(ravi.email)
        page.locator("main input[type=password]").fill(PASSWORD)
        page.locator("main form button[type=submit]").first.click()
        page.wait_for_url(f"{live_site}/")
        visitor.visit(f"/tables/{table.pk}/", status=404)


def test_the_link_is_copied_and_shown_as_a_code(
    browser: Browser, live_site: str, asha: User, table: Table
) -> None:
    with visit_as(browser, live_site, asha) as visitor:
        page = visitor.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=live_site)
        visitor.visit(f"/tables/{table.pk}/")
        copy = page.get_by_role("button", name="Copy link")
        copy.click()
        expect(page.locator('[data-invite="copy"]')).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == live_site + link(table)
        # A device with a sheet of its own for that has one more button.
        has_sheet = page.evaluate("'share' in navigator")
        assert page.locator('[data-invite="share"]').is_visible() == has_sheet
        page.get_by_role("button", name="Friends", exact=True).click()
        company = page.locator('dialog[data-dialog="company"]')
        expect(company).to_contain_text("1 of 2 seats are taken.", timeout=PATIENCE)
        expect(company.get_by_role("link")).to_have_attribute("href", live_site + link(table))
        page.get_by_role("button", name="QR code").click()
        dialog = page.locator('dialog[data-dialog="invite"]')
        expect(dialog.get_by_role("img", name="QR code").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        assert visitor.faults == []


def test_the_invitation_fits_any_screen(
    browser: Browser, live_site: str, asha: User, table: Table, longest_texts: str
) -> None:
    faults: list[str] = []
    with visit_as(browser, live_site, asha, language=longest_texts) as visitor:
        page = visitor.page
        page.set_viewport_size(SIZES[0])
        visitor.visit(f"/tables/{table.pk}/")
        for size in SIZES:
            resize(page, size)
            page.locator('[data-invite="company"]').click()
            expect(page.locator(".company__person")).to_have_count(1, timeout=PATIENCE)
            found = faults_at(page, size, SIZES)
            page.locator('[data-invite="code"]').click()
            found += [*too_wide(page), *small_targets(page)]
            code = page.locator(".invite__code").bounding_box()
            assert code is not None
            if code["y"] < 0 or code["y"] + code["height"] > size["height"]:
                found.append("the code is not in sight as a whole")
            faults += [f"at {size['width']}: {fault}" for fault in found]
            page.keyboard.press("Escape")
            expect(page.locator('dialog[data-dialog="invite"]')).to_be_hidden()
    assert not faults, "\n".join(faults)
