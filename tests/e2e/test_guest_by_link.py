"""A guest who takes a seat with a friend's link and a name, and later makes an account that keeps the seat."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from core import throttling
from tables.models import Seat, Table
from tables.seating.hosting.services import start_table
from tests.e2e.inspection import SMALL_PHONE, faults_at_sizes
from tests.e2e.seated import OWN_SEAT, PATIENCE, RESULT, button, expect_cards
from tests.e2e.test_guest import Presses, register
from tests.e2e.world import make_player
from tests.points_tables import open_points_table
from tests.tables.driving import FREE, get_match, leave, seat_all

DIALOG = 'dialog[data-dialog="sit"]'


@pytest.fixture
def scene() -> tuple[User, Table]:
    """A host who waits at a free table of two, and the table."""
    throttling.clear("guests", "guests:127.0.0.1")
    ravi = make_player("Ravi")
    table = open_points_table(**FREE, opened_by_id=ravi.pk)
    seat_all(table, ravi)
    return ravi, table


def sit_down_as(page: Page, name: str) -> None:
    dialog = page.locator(DIALOG)
    dialog.get_by_label("Your name").fill(name)
    dialog.get_by_label("18 years").check()
    dialog.get_by_role("button", name="Sit down").click()


@pytest.mark.usefixtures("clock", "hurried_bots")
def test_a_friend_without_an_account_sits_plays_and_registers(visit, live_site, scene):
    ravi, table = scene
    path = f"/tables/{table.pk}/?invite={table.invite_code}"
    with visit(ravi) as host, visit(None) as guest:
        host.visit(path)
        guest.visit(path)
        page, dialog = guest.page, guest.page.locator(DIALOG)
        heading = dialog.get_by_role("heading")
        expect(heading).to_have_text("Ravi invites you to play", timeout=PATIENCE)
        sit_down_as(page, "Ravi")
        expect(dialog.get_by_role("alert")).to_contain_text(
            "Somebody at this table has a similar name"
        )
        sit_down_as(page, "Asha")
        expect(page.locator(OWN_SEAT)).to_contain_text("Asha", timeout=PATIENCE)
        seats = host.page.locator('[data-region="seats"]')
        expect(seats).to_contain_text("(guest)", timeout=PATIENCE)
        button(host.page, "Start").click()
        expect_cards(page, 13)
        page.reload()
        expect_cards(page, 13)
        row = User.objects.get(is_guest=True)
        page.goto(f"{live_site}/accounts/signup/?next=/tables/{table.pk}/")
        expect(page.get_by_label("Player name")).to_have_value("Asha")
        register(page, Presses())
        page.wait_for_url(f"{live_site}/tables/{table.pk}/")
        expect_cards(page, 13)
    assert Seat.objects.get(table=table, user=row, left_at=None).user.email == "nila@example.com"
    assert get_match(table).participants == [ravi.pk, row.pk]


def test_the_dialog_of_an_invitation_fits_any_screen(visit, scene, longest_texts):
    _ravi, table = scene
    with visit(None, language=longest_texts) as visitor:
        visitor.page.set_viewport_size(SMALL_PHONE)
        visitor.visit(f"/tables/{table.pk}/?invite={table.invite_code}")
        expect(visitor.page.locator(DIALOG)).to_be_visible(timeout=PATIENCE)
        assert faults_at_sizes(visitor.page) == []


@pytest.mark.usefixtures("clock", "hurried_bots")
def test_a_guest_who_lost_the_seat_plays_again_in_one_press(visit, scene):
    ravi, table = scene
    with visit(None) as guest:
        page = guest.page
        guest.visit(f"/tables/{table.pk}/?invite={table.invite_code}")
        expect(page.locator(DIALOG)).to_be_visible(timeout=PATIENCE)
        sit_down_as(page, "Asha")
        expect(page.locator(OWN_SEAT)).to_contain_text("Asha", timeout=PATIENCE)
        with ThreadPoolExecutor(1) as threads:
            threads.submit(start_table, table_id=table.pk, user_id=ravi.pk).result(30)
        expect_cards(page, 13)
        row = User.objects.get(is_guest=True)
        leave(table, row)
        result = page.locator(RESULT)
        result.get_by_role("button", name="Play again").click(timeout=PATIENCE)
        expect(page.locator(OWN_SEAT)).to_contain_text("Asha", timeout=PATIENCE)
    assert Seat.objects.filter(table=table, user=row, left_at=None).exists()
    assert User.objects.filter(is_guest=True).get() == row
    assert ravi.pk in get_match(table).participants
