"""A friend's link, a name, one press: a seat without an account; and then an account with the seat."""

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from accounts.models import User
from core import throttling
from tables.models import Match, Seat, Table
from tables.seating.opening import TableTerms, open_table
from tables.seating.sitting import leave_table, take_seat
from tests.e2e.inspection import faults_at, resize
from tests.e2e.seated import CARDS, PATIENCE
from tests.e2e.test_guest import Presses, register
from tests.e2e.visitor import visit_as
from tests.e2e.world import make_player

DIALOG = 'dialog[data-dialog="sit"]'


@pytest.fixture
def scene(transactional_db: None) -> tuple[User, Table]:
    """A free table of two at which its host waits."""
    throttling.clear("guests", "guests:127.0.0.1")
    ravi = make_player("Ravi")
    table = open_table(
        TableTerms(
            game="indian",
            preset="points",
            name="Neem Room",
            max_seats=2,
            invite_code="abcdefghijkl",
            opened_by_id=ravi.pk,
        )
    )
    take_seat(table_id=table.pk, user_id=ravi.pk, amount=0, invite=table.invite_code)
    return ravi, table


def sit_down(page: Page, name: str) -> None:
    dialog = page.locator(DIALOG)
    dialog.get_by_label("Your name").fill(name)
    dialog.get_by_label("18 years").check()
    dialog.get_by_role("button", name="Sit down").click()


@pytest.mark.usefixtures("clock")
def test_a_friend_without_an_account_sits_plays_and_registers(
    browser: Browser, live_site: str, scene: tuple[User, Table]
) -> None:
    ravi, table = scene
    path = f"/tables/{table.pk}/?invite={table.invite_code}"
    with visit_as(browser, live_site, ravi) as host, visit_as(browser, live_site, None) as guest:
        host.visit(path)
        guest.visit(path)
        page, dialog = guest.page, guest.page.locator(DIALOG)
        expect(dialog.get_by_role("heading")).to_have_text(
            "Ravi invites you to play", timeout=PATIENCE
        )
        sit_down(page, "Ravi")
        expect(dialog.get_by_role("alert")).to_contain_text("Somebody at this table has a name")
        sit_down(page, "Asha")
        expect(page.locator('[data-region="me"]')).to_contain_text("Asha", timeout=PATIENCE)
        seats = host.page.locator('[data-region="seats"]')
        expect(seats).to_contain_text("(guest)", timeout=PATIENCE)
        expect(page.locator(CARDS)).to_have_count(13, timeout=PATIENCE)
        page.reload()
        expect(page.locator(CARDS)).to_have_count(13, timeout=PATIENCE)
        row = User.objects.get(is_guest=True)
        page.goto(f"{live_site}/accounts/signup/?next=/tables/{table.pk}/")
        expect(page.get_by_label("Player name")).to_have_value("Asha")
        register(page, Presses())
        page.wait_for_url(f"{live_site}/tables/{table.pk}/")
        expect(page.locator(CARDS)).to_have_count(13, timeout=PATIENCE)
        assert guest.faults == host.faults == []
    assert Seat.objects.get(table=table, user=row, left_at=None).user.email == "nila@example.com"
    assert Match.objects.get(table=table).participants == [ravi.pk, row.pk]


def test_the_dialog_of_an_invitation_fits_any_screen(
    browser: Browser, live_site: str, scene: tuple[User, Table], longest_texts: str
) -> None:
    _ravi, table = scene
    sizes = [ViewportSize(width=w, height=h) for w, h in ((390, 844), (844, 390), (1366, 768))]
    faults: list[str] = []
    with visit_as(browser, live_site, None, language=longest_texts) as visitor:
        visitor.page.set_viewport_size(sizes[0])
        visitor.visit(f"/tables/{table.pk}/?invite={table.invite_code}")
        expect(visitor.page.locator(DIALOG)).to_be_visible(timeout=PATIENCE)
        for size in sizes:
            resize(visitor.page, size)
            faults += faults_at(visitor.page, size, sizes)
        assert visitor.faults == []
    assert faults == []


@pytest.mark.usefixtures("clock")
def test_a_guest_who_lost_the_seat_plays_again_in_one_press(
    browser: Browser, live_site: str, scene: tuple[User, Table]
) -> None:
    ravi, table = scene
    with visit_as(browser, live_site, None) as guest:
        page = guest.page
        guest.visit(f"/tables/{table.pk}/?invite={table.invite_code}")
        expect(page.locator(DIALOG)).to_be_visible(timeout=PATIENCE)
        sit_down(page, "Asha")
        expect(page.locator(CARDS)).to_have_count(13, timeout=PATIENCE)
        row = User.objects.get(is_guest=True)
        leave_table(table_id=table.pk, user_id=row.pk)
        result = page.locator('[data-region="result"]')
        result.get_by_role("button", name="Play again").click(timeout=PATIENCE)
        expect(page.locator('[data-region="me"]')).to_contain_text("Asha", timeout=PATIENCE)
        assert guest.faults == []
    assert Seat.objects.filter(table=table, user=row, left_at=None).exists()
    assert User.objects.filter(is_guest=True).get() == row
    assert ravi.pk in Match.objects.latest("pk").participants
