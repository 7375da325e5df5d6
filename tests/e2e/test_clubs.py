"""Six people of a family play the weekly evening of their club, two of them in browsers."""

from contextlib import ExitStack
from datetime import time

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, ViewportSize, expect

from accounts.models import User
from tables.chat.moderation import Line
from tables.models import Club, JoinBy, Match, Seat, Table
from tables.players.clubs import services
from tables.players.clubs.chat import say_in_club
from tables.players.clubs.evenings import open_evenings, set_evening
from tables.seating.sitting import take_seat
from tables.seating.supply import compute_usual_amount
from tests.e2e.inspection import axe_faults, resize, small_targets, too_wide
from tests.e2e.seated import PATIENCE
from tests.e2e.visitor import Visitor, await_groups, visit_as
from tests.e2e.world import make_player
from tests.workers import empty_redis

FAMILY = ("Asha", "Ravi", "Meera", "Nila", "Kabir", "Tara")
SIZES = (ViewportSize(width=1366, height=768), ViewportSize(width=390, height=844))


@pytest.fixture
def family(transactional_db: None) -> list[User]:
    empty_redis()
    return [make_player(name) for name in FAMILY]


@pytest.fixture
def club(family: list[User]) -> Club:
    club = services.found_club(
        user_id=family[0].pk,
        name="Sharma Family",
        about="Every Friday at eight.",
        icon="lotus",
        join_by=JoinBy.LINK,
    )
    for person in family[1:]:
        services.join(club_id=club.pk, user_id=person.pk, invite=club.invite_code)
    set_evening(
        club_id=club.pk, user_id=family[0].pk, weekday=4, at=time(20, 0), kind="indian:points",
        seats=6,
    )  # fmt: skip
    return club


def sit(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Sit here").first.click()
    confirm = visitor.page.locator('[data-dialog="sit"] [data-action="confirm"]')
    confirm.click()
    expect(visitor.page.locator('[data-region="me"]')).to_be_visible(timeout=PATIENCE)


@pytest.mark.usefixtures("clock")
def test_a_family_plays_its_weekly_evening(
    browser: Browser, live_site: str, family: list[User], club: Club
) -> None:
    with ExitStack() as stack:
        host, other = (stack.enter_context(visit_as(browser, live_site, one)) for one in family[:2])
        with await_groups(host.page):
            host.visit(f"/clubs/{club.pk}/")
        say_in_club(club_id=club.pk, user_id=family[1].pk, line=Line(text="Who brings tea?"))
        expect(host.page.locator("#chat")).to_contain_text("Who brings tea?", timeout=PATIENCE)
        for size in SIZES:
            resize(host.page, size)
            assert not too_wide(host.page)
            assert not small_targets(host.page)
        assert not axe_faults(host.page)
        Club.objects.update(evening_at=timezone.now())
        assert open_evenings(now=timezone.now()) == 1
        table = Table.objects.get(club=club)
        to_table = host.page.get_by_role("link", name="To the table")
        expect(to_table).to_be_visible(timeout=PATIENCE)
        to_table.click()
        sit(host)
        other.visit(f"/tables/{table.pk}/")
        sit(other)
        for person in family[2:]:
            amount = compute_usual_amount(table, person.pk)
            take_seat(table_id=table.pk, user_id=person.pk, amount=amount)
        assert Seat.objects.filter(table=table, left_at=None).count() == len(family)
        for visitor in (host, other):
            cards = visitor.page.locator('[data-region="hand"] [data-card]')
            expect(cards).to_have_count(13, timeout=PATIENCE)
        match = Match.objects.get(table=table)
        assert sorted(match.participants) == sorted(person.pk for person in family)
