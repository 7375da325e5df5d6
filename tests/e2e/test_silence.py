"""A silenced player, who reads at the open table and club how long it lasts, and can write afterwards."""

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import expect

from tables.chat.sanctions import Grounds, lift, silence
from tables.models import ReportReason
from tests.e2e.inspection import PHONE, too_wide
from tests.e2e.seated import PATIENCE
from tests.e2e.visitor import await_groups
from tests.e2e.world import make_club
from tests.wallet.cash_players import make_staff

NOTICE = '[data-region="silence"]'
FIELD = "#chat-text"


def silence_for(user, boss, lasts):
    grounds = Grounds(ReportReason.ABUSE, "You called others fools.")
    now = timezone.now()
    return silence(user_id=user.pk, staff_id=boss.pk, grounds=grounds, lasts=lasts, now=now)


def test_at_the_table_it_takes_the_place_of_the_field_as_it_begins_and_gives_it_back(
    visit, playing
):
    table, player, _other = playing
    boss = make_staff("Boss")
    with visit(player) as visitor:
        page = visitor.page
        visitor.open_table(table)
        page.locator('.bar [data-action="chat"]').click(timeout=PATIENCE)
        expect(page.locator(FIELD)).to_be_visible()
        made = silence_for(player, boss, timedelta(days=1))
        expect(page.locator(NOTICE)).to_contain_text("Our staff have silenced you until")
        expect(page.locator(NOTICE).get_by_role("link")).to_have_attribute("href", "/support/")
        expect(page.locator(FIELD)).to_be_hidden()
        page.get_by_role("button", name="Well played").click()
        expect(page.locator(".chat__own")).to_contain_text("Well played")
        page.set_viewport_size(PHONE)
        assert not too_wide(page)
        lift(sanction_id=made.pk, staff_id=make_staff("Other").pk, now=timezone.now())
        expect(page.locator(NOTICE)).to_have_count(0)
        expect(page.locator(FIELD)).to_have_count(1)
        # The silence ends while the page stays open.
        silence_for(player, boss, timedelta(seconds=4))
        expect(page.locator(NOTICE)).to_have_count(1)
        expect(page.locator(NOTICE)).to_have_count(0)
        page.locator(FIELD).fill("I am sorry")
        page.locator(FIELD).press("Enter")
        expect(page.locator(".chat__own").last).to_contain_text("I am sorry")


def test_in_a_club_phrases_take_the_place_of_the_field(visit, nila, asha):
    club, boss = make_club(nila, asha), make_staff("Boss")
    with visit(asha) as visitor:
        page = visitor.page
        with await_groups(page):
            visitor.visit(f"/clubs/{club.pk}/")
        expect(page.locator("input#club-line")).to_be_visible()
        silence_for(asha, boss, timedelta(seconds=6))
        expect(page.locator(NOTICE)).to_contain_text("Our staff have silenced you until")
        expect(page.locator("input#club-line")).to_have_count(0)
        expect(page.locator("select#club-line")).to_be_visible()
        expect(page.locator("input#club-line")).to_be_visible()
        expect(page.locator(NOTICE)).to_have_count(0)
