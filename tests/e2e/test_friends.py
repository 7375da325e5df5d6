"""A friend's actions, which appear on the other friend's open pages without a reload."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from playwright.sync_api import expect

from accounts.models import User
from players import away, services
from players.models import LastVisit
from tests.e2e.inspection import SMALL_PHONE, axe_faults, small_targets
from tests.e2e.seated import PATIENCE
from tests.e2e.visitor import await_groups
from tests.e2e.world import make_player
from tests.tables.driving import befriend, make_kind, open_and_sit


@pytest.fixture
def ravi(asha: User) -> User:
    """A friend of Asha."""
    ravi = make_player("Ravi")
    befriend(asha, ravi)
    return ravi


def test_an_invitation_appears_on_any_page(visit, asha, ravi):
    table = open_and_sit(make_kind(), asha)
    with visit(ravi) as elsewhere, visit(ravi) as home:
        for visitor, path in ((elsewhere, "/wallet/"), (home, "/")):
            with await_groups(visitor.page):
                visitor.visit(path)
        bar = elsewhere.page.locator('[data-region="invited"]')
        expect(bar).to_be_hidden()
        expect(home.page.locator('[data-region="invitation"]')).to_have_count(0)
        services.invite(user_id=asha.pk, friend_id=ravi.pk, table_id=table.pk)
        expect(bar).to_contain_text(f"Asha invites you to {table.name}.", timeout=PATIENCE)
        expect(home.page.locator('[data-region="invitation"]')).to_contain_text(
            f"Asha invites you to {table.name}.", timeout=PATIENCE
        )
        expect(home.page.locator('[data-region="invited"]')).to_be_hidden()
        assert not axe_faults(elsewhere.page)
        elsewhere.page.set_viewport_size(SMALL_PHONE)
        assert not small_targets(elsewhere.page)
        bar.get_by_role("link", name="To the table").click()
        for element in (("heading", table.name), ("button", "Sit here")):
            shown = elsewhere.page.get_by_role(element[0], name=element[1]).last
            expect(shown).to_be_visible(timeout=PATIENCE)


def test_an_invitation_put_off_is_hidden_until_the_next_one(visit, asha, ravi):
    table = open_and_sit(make_kind(), asha)
    with visit(ravi) as visitor:
        with await_groups(visitor.page):
            visitor.visit("/rules/")
        bar = visitor.page.locator('[data-region="invited"]')
        for _time in range(2):
            services.invite(user_id=asha.pk, friend_id=ravi.pk, table_id=table.pk)
            expect(bar).to_be_visible(timeout=PATIENCE)
            bar.get_by_role("button", name="Later").click()
            expect(bar).to_be_hidden()


def test_news_of_an_absence_is_dismissed_in_one_press(visit, asha):
    ravi = make_player("Ravi")
    away.visit(asha.pk)
    services.follow(user_id=ravi.pk, other_id=asha.pk)
    LastVisit.objects.update(seen_at=Now() - timedelta(days=2))
    with visit(asha) as visitor:
        visitor.visit("/")
        news = visitor.page.locator(".news")
        expect(news).to_contain_text("Ravi now follows you.")
        assert not axe_faults(visitor.page)
        visitor.page.set_viewport_size(SMALL_PHONE)
        assert not small_targets(visitor.page)
        news.get_by_role("button", name="Got it").click()
        expect(news).to_have_count(0)
