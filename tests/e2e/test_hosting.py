"""Friends at a private table, who wait for each other until their host presses Start."""

import pytest
from playwright.sync_api import expect

from tables.models import Match
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.hosting.services import start_table
from tests.e2e.seated import PATIENCE, button, expect_cards, sit_down
from tests.e2e.world import make_player
from tests.given import reload
from tests.tables.driving import (
    end_match,
    leave,
    let_time_pass,
    make_kind,
    open_and_sit,
    seat_all,
)


@pytest.mark.usefixtures("clock", "hurried_bots")
def test_the_host_starts_a_match_of_two_at_a_table_for_three(visit):
    nila, ravi = make_player("Nila"), make_player("Ravi")
    table = open_and_sit(make_kind(preset="pool101", max_seats=3, entry_fee=100), nila)
    path = f"/tables/{table.pk}/?invite={table.invite_code}"
    with visit(nila) as host, visit(ravi) as guest:
        host.visit(path)
        start = button(host.page, "Start")
        status = host.page.locator(".room__status")
        expect(status).to_have_text("Waiting for another player")
        expect(start).to_be_hidden()
        guest.visit(path)
        guest.page.get_by_role("button", name="Sit here").first.click()
        asked = guest.page.locator('dialog[data-dialog="sit"]')
        expect(asked).to_contain_text("The entry fee of a match is 100 chips")
        expect(asked.get_by_role("spinbutton")).to_be_hidden()
        asked.get_by_role("button", name="Sit down for 100 chips").click()
        waits = "2 of 2 are ready · waiting for Nila to press Start"
        expect(guest.page.locator(".room__status")).to_have_text(waits, timeout=PATIENCE)
        expect(button(guest.page, "Start")).to_be_hidden()
        expect(status).to_have_text("2 of 2 are ready", timeout=PATIENCE)
        assert reload(table).deadline_at is None
        start.click()
        for visitor in (host, guest):
            expect_cards(visitor.page, 13)
    assert len(Match.objects.get().players) == 2


@pytest.mark.usefixtures("clock", "hurried_bots")
def test_friends_agree_to_changed_rules_before_the_next_match(visit):
    nila, ravi = make_player("Nila"), make_player("Ravi")
    table = open_hosted_table(HostTerms(game="indian", preset="points", seats=3), user_id=nila.pk)
    seat_all(table, ravi)
    path = f"/tables/{table.pk}/?invite={table.invite_code}"
    with visit(nila) as host, visit(ravi) as guest:
        for visitor in (host, guest):
            visitor.visit(path)
            expect(visitor.page.locator(".room__head")).to_contain_text("Points")
        host.page.get_by_role("link", name="Change the rules").click()
        host.page.get_by_label("Kind").select_option("deals2")
        button(host.page, "Change the rules").click()
        changed = "The rules have changed: read them, then press “I am ready” again."
        expect(guest.page.locator(".room__status")).to_have_text(changed, timeout=PATIENCE)
        expect(guest.page.locator(".room__head")).to_contain_text("Best of 2")
        expect(host.page.locator(".room__status")).to_have_text("1 of 2 are ready")
        button(host.page, "Start").click()
        expect(host.page.locator('[data-region="toast"]')).to_contain_text("Ravi", timeout=PATIENCE)
        button(guest.page, "I am ready").click()
        expect(host.page.locator(".room__status")).to_have_text(
            "2 of 2 are ready", timeout=PATIENCE
        )
        button(host.page, "Start").click()
        for visitor in (host, guest):
            expect_cards(visitor.page, 13)
    assert Match.objects.get().rules["name"] == "deals2"


@pytest.mark.usefixtures("clock")
def test_who_has_left_a_match_sits_down_again_in_the_room_after_it(visit):
    nila, ravi, dev = (make_player(name) for name in ("Nila", "Ravi", "Dev"))
    table = open_hosted_table(HostTerms(game="indian", preset="points", seats=3), user_id=nila.pk)
    seat_all(table, ravi, dev)
    start_table(table_id=table.pk, user_id=nila.pk)
    let_time_pass(table)
    leave(table, dev)
    end_match(table)
    path = f"/tables/{table.pk}/?invite={table.invite_code}"
    with visit(nila) as host, visit(dev) as late:
        host.visit(path)
        host.page.locator('.result [data-action="close-result"]').first.click()
        expect(host.page.locator(".room__status")).to_have_text("0 of 2 are ready")
        late.visit(path)
        sit_down(late.page)
        expect(host.page.locator(".room__status")).to_have_text(
            "1 of 3 are ready", timeout=PATIENCE
        )
        button(host.page, "I am ready").click()
        expect(host.page.locator(".room__status")).to_have_text(
            "2 of 3 are ready", timeout=PATIENCE
        )
    assert reload(table).deadline_at is not None  # the room is kept for half an hour
    assert Match.objects.count() == 1
