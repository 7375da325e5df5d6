"""A family of six plays the weekly evening of its club, two of them in browsers."""

from contextlib import ExitStack
from datetime import time, timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, WebSocketRoute, expect

from players.clubs.chat import post_in_club
from players.clubs.evenings import open_evenings, set_evening
from players.clubs.services import found_club, join
from tables.chat.moderation import ModeratedLine
from tables.models import Club, JoinBy, Seat, Table
from tables.seating.sitting import take_seat
from tables.seating.supply import compute_usual_amount
from tests.accounts.users import SIGNUP
from tests.e2e.inspection import DESK, PHONE, axe_faults, small_targets, too_wide
from tests.e2e.seated import PATIENCE, button, expect_cards, sit_down
from tests.e2e.visitor import await_groups
from tests.e2e.world import make_club, make_player
from tests.given import require
from tests.tables.driving import get_match
from tests.workers import empty_redis

EVENING: dict[str, Any] = {
    "first": timezone.localdate() + timedelta(days=3),
    "at": time(20, 0),
    "kind": "indian:points",
    "seats": 6,
}
FAMILY = ("Asha", "Ravi", "Meera", "Nila", "Kabir", "Tara")


def sit(page: Page) -> None:
    sit_down(page)
    table = page.locator('[data-region="table"]')
    expect(table).to_have_attribute("data-seated", "true", timeout=PATIENCE)


@pytest.mark.usefixtures("clock", "hurried_bots")
def test_a_family_plays_its_weekly_evening(visit):
    empty_redis()
    family = [make_player(name) for name in FAMILY]
    club = make_club(*family[:2])
    for person in family[2:]:
        join(club_id=club.pk, user_id=person.pk, invite=club.invite_code)
    set_evening(club_id=club.pk, user_id=family[0].pk, **EVENING)
    with ExitStack() as stack:
        host, other = (stack.enter_context(visit(one)) for one in family[:2])
        with await_groups(host.page):
            host.visit(f"/clubs/{club.pk}/")
        post_in_club(
            club_id=club.pk, user_id=family[1].pk, line=ModeratedLine(text="Who brings tea?")
        )
        expect(host.page.locator("#chat")).to_contain_text("Who brings tea?", timeout=PATIENCE)
        assert [*too_wide(host.page), *small_targets(host.page), *axe_faults(host.page)] == []
        host.page.set_viewport_size(PHONE)
        assert [*too_wide(host.page), *small_targets(host.page)] == []
        Club.objects.update(evening_at=timezone.now())
        assert open_evenings(now=timezone.now()) == 1
        table = Table.objects.get(club=club)
        to_table = host.page.get_by_role("link", name="To the table")
        expect(to_table).to_be_visible(timeout=PATIENCE)
        to_table.click()
        sit(host.page)
        other.visit(f"/tables/{table.pk}/")
        sit(other.page)
        for person in family[2:]:
            amount = compute_usual_amount(table, person.pk)
            take_seat(table_id=table.pk, user_id=person.pk, amount=amount)
        assert Seat.objects.filter(table=table, left_at=None).count() == len(family)
        button(host.page, "Start").click()
        for visitor in (host, other):
            expect_cards(visitor.page, 13)
        assert sorted(get_match(table).participants) == sorted(person.pk for person in family)


@pytest.mark.usefixtures("fresh_rate_limits")
def test_an_invitation_joins_with_one_press(visit, live_site):
    owner, guest = make_player("Asha"), make_player("Ravi")
    club = found_club(
        user_id=owner.pk, name="Neem Club", about="", icon="lotus", join_by=JoinBy.APPROVAL
    )
    link = f"/clubs/{club.pk}/?invite={club.invite_code}"
    with visit(guest) as visitor:
        page = visitor.page
        visitor.visit(link)
        assert axe_faults(page) == []
        page.get_by_role("button", name="Join the club").click()
        expect(page.get_by_role("heading", name="Members")).to_be_visible()
        expect(page.locator(".club-members")).to_contain_text("Ravi")
        page.set_viewport_size(PHONE)
        assert [*too_wide(page), *small_targets(page)] == []
    with visit(None) as visitor:
        page = visitor.page
        visitor.visit(link)
        assert axe_faults(page) == []
        page.get_by_role("button", name="Register and join").click()
        for field, value in (("player_name", "Leela"), ("email", "leela@example.com")):
            page.locator(f'input[name="{field}"]').fill(value)
        page.locator('input[name="password1"]').fill(SIGNUP["password1"])
        page.locator('input[name="adult"]').check()
        page.get_by_role("main").get_by_role("button", name="Register", exact=True).click()
        expect(page.get_by_text("You are a member of the club now.")).to_be_visible()
    assert club.members.filter(role="member").count() == 2


def test_a_page_whose_connection_was_lost_shows_what_was_said_meanwhile(visit, nila, asha):
    club = make_club(nila, asha)
    sockets: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    with visit(nila) as visitor:
        page = visitor.page
        page.route_web_socket("**/ws/me/", connect)
        with await_groups(page):
            visitor.visit(f"/clubs/{club.pk}/")
        page.locator("#club-line").fill("I come")
        sockets[0].close(code=1012)
        post_in_club(club_id=club.pk, user_id=asha.pk, line=ModeratedLine(text="Who brings tea?"))
        expect(page.locator("#chat")).to_contain_text("Who brings tea?", timeout=PATIENCE)
        assert len(sockets) == 2
        expect(page.locator("#club-line")).to_have_value("I come")


def test_a_phone_shows_the_invitation_and_requests_above_the_chat(visit):
    owner, other = make_player("Asha"), make_player("Ravi")
    club = found_club(
        user_id=owner.pk, name="Neem Club", about="", icon="lotus", join_by=JoinBy.APPROVAL
    )
    join(club_id=club.pk, user_id=other.pk)
    with visit(owner) as visitor:
        page = visitor.page
        page.set_viewport_size(PHONE)
        visitor.visit(f"/clubs/{club.pk}/")
        tops = [
            require(page.locator(f"#{part}").bounding_box())["y"]
            for part in ("club-link", "asked", "chat-title", "members", "leave-club")
        ]
        assert tops == sorted(tops)
        assert tops[0] < PHONE["height"]
        page.set_viewport_size(DESK)
        chat, members = (
            require(page.locator(f"section:has(> #{part})").bounding_box())
            for part in ("chat-title", "members")
        )
        assert members["x"] > chat["x"] + chat["width"]
