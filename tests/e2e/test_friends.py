"""Actions of a friend appear on the other's open pages without a reload."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from playwright.sync_api import Browser, expect

from accounts.models import User
from tables.models import LastVisit, Table, TableTemplate
from tables.players import services
from tables.players.away import visit
from tests.e2e.inspection import axe_faults, small_targets
from tests.e2e.seated import PATIENCE
from tests.e2e.visitor import await_groups, visit_as
from tests.e2e.world import make_player
from tests.tables.driving import open_and_sit


@pytest.fixture
def friends(transactional_db: None) -> tuple[User, User]:
    asha, ravi = make_player("Asha"), make_player("Ravi")
    services.follow(user_id=asha.pk, other_id=ravi.pk)
    services.follow(user_id=ravi.pk, other_id=asha.pk)
    return asha, ravi


def open_table_as(user: User) -> Table:
    template = TableTemplate.objects.create(
        game="indian", preset="points", name="Neem Room", max_seats=2, point_value=1
    )
    return open_and_sit(template, user)


def test_an_invitation_appears_on_any_page(
    browser: Browser, live_site: str, friends: tuple[User, User]
) -> None:
    asha, ravi = friends
    table = open_table_as(asha)
    with (
        visit_as(browser, live_site, ravi) as elsewhere,
        visit_as(browser, live_site, ravi) as home,
    ):
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
        elsewhere.page.set_viewport_size({"width": 360, "height": 740})
        assert not small_targets(elsewhere.page)
        bar.get_by_role("link", name="To the table").click()
        expect(elsewhere.page.get_by_role("heading", name=table.name)).to_be_visible(
            timeout=PATIENCE
        )
        expect(elsewhere.page.get_by_role("button", name="Sit here")).to_be_visible(
            timeout=PATIENCE
        )
        assert not elsewhere.faults
        assert not home.faults


def test_an_invitation_put_off_is_hidden_until_the_next_one(
    browser: Browser, live_site: str, friends: tuple[User, User]
) -> None:
    asha, ravi = friends
    table = open_table_as(asha)
    with visit_as(browser, live_site, ravi) as visitor:
        with await_groups(visitor.page):
            visitor.visit("/rules/")
        bar = visitor.page.locator('[data-region="invited"]')
        for _time in range(2):
            services.invite(user_id=asha.pk, friend_id=ravi.pk, table_id=table.pk)
            expect(bar).to_be_visible(timeout=PATIENCE)
            bar.get_by_role("button", name="Later").click()
            expect(bar).to_be_hidden()
        assert not visitor.faults


def test_news_of_an_absence_is_dismissed_in_one_press(
    browser: Browser, live_site: str, transactional_db: None
) -> None:
    asha, ravi = make_player("Asha"), make_player("Ravi")
    visit(asha.pk)
    services.follow(user_id=ravi.pk, other_id=asha.pk)
    LastVisit.objects.update(seen_at=Now() - timedelta(days=2))
    with visit_as(browser, live_site, asha) as visitor:
        visitor.visit("/")
        news = visitor.page.locator(".news")
        expect(news).to_contain_text("Ravi follows you.")
        assert not axe_faults(visitor.page)
        visitor.page.set_viewport_size({"width": 360, "height": 740})
        assert not small_targets(visitor.page)
        news.get_by_role("button", name="Got it").click()
        expect(news).to_have_count(0)
        assert not visitor.faults
