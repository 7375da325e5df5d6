"""Help with one's own hand, on the page: laid out in one press, judged before it is declared."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from tables.models import Table
from tables.services.opening import TableWish, open_table
from tests.tables.driving import act, game_view, hand_of, player_at, start_match
from tests.tables.socket_client import session_of
from wallet import services as wallet

HAND = '[data-region="hand"]'
PATIENCE = 30_000


@pytest.fixture
def at_the_table(page: Page, live_site: str, transactional_db: None):
    """Opens the page for whose turn it is, with a card drawn; the table helps or not."""

    def sit(*, helps: bool) -> tuple[Table, int]:
        wallet.set_starting_fees(valid_from=timezone.now())
        players = [new_player(number) for number in (1, 2)]
        wish = TableWish(
            name="Peepal Room",
            max_seats=2,
            point_value=1,
            offers_arrangement=helps,
            offers_verdict=helps,
        )
        table = start_match(open_table(wish), *players)
        seat = game_view(table)["turn"]
        assert act(table, seat, kind="draw", source="closed").refusal is None
        cookie = session_of(player_at(table, seat))
        page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_site}])
        page.goto(f"{live_site}/tables/{table.pk}/")
        expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=PATIENCE)
        expect(page.locator(f"{HAND} [data-card]")).to_have_count(14)
        expect(page.locator('[data-action="sort"]')).to_be_enabled()
        return table, seat

    return sit


def new_player(number: int) -> User:
    user = User.objects.create_user(f"p{number}@example.com", None, player_name=f"Player {number}")
    wallet.grant_welcome_chips(user_id=user.pk)
    return user


def groups_on(page: Page) -> list[list[str]]:
    groups: list[list[str]] = page.evaluate(
        """() => [...document.querySelectorAll('[data-region="hand"] .group')].map((group) =>
          [...group.querySelectorAll("[data-card]")].map((card) => card.dataset.card))"""
    )
    return groups


def wait_until_saved(table: Table, seat: int, page: Page, groups: list[list[str]]) -> None:
    for _ in range(600):
        if hand_of(table, seat)["groups"] == groups:
            return
        page.wait_for_timeout(50)
    raise AssertionError("the arrangement was not saved")


def test_one_press_lays_the_hand_out_and_another_brings_it_back(page: Page, at_the_table) -> None:
    table, seat = at_the_table(helps=True)
    mine = groups_on(page)
    page.get_by_role("button", name="Best", exact=True).click()
    undo = page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_be_visible(timeout=PATIENCE)
    best = groups_on(page)
    assert best != mine
    assert len(best[-1]) == 1, "the card to discard lies by itself"
    wait_until_saved(table, seat, page, best)

    undo.click()
    expect(page.get_by_role("button", name="Best", exact=True)).to_be_visible()
    assert groups_on(page) == mine
    wait_until_saved(table, seat, page, mine)

    page.keyboard.press("b")
    expect(undo).to_be_visible(timeout=PATIENCE)
    page.reload()
    expect(page.locator(f"{HAND} [data-card]")).to_have_count(14)
    assert groups_on(page) == best


def test_the_verdict_of_the_table_comes_before_the_declaration(page: Page, at_the_table) -> None:
    table, seat = at_the_table(helps=True)
    last = page.locator(f"{HAND} [data-card]").last
    last.click(position={"x": 8, "y": 20})
    page.get_by_role("button", name="Finish", exact=True).click()
    dialog = page.locator('[data-dialog="confirm"]')
    verdict = dialog.locator('[data-part="verdict"]')
    expect(verdict).to_have_attribute("data-tone", "bad", timeout=PATIENCE)
    expect(verdict).to_contain_text(re.compile(r"^Group \d: .+ costs 80 points \(80 chips\)"))
    expect(dialog.locator(".shown-group--failed")).to_have_count(1)
    dialog.get_by_role("button", name="Cancel").click()
    assert game_view(table)["finish"] is None
    assert game_view(table)["turn"] == seat


def test_where_it_is_not_offered_the_page_asks_with_the_points_at_stake(
    page: Page, at_the_table
) -> None:
    table, _seat = at_the_table(helps=False)
    expect(page.locator('[data-action="best"]')).to_be_hidden()
    before = groups_on(page)
    page.keyboard.press("b")
    page.locator(f"{HAND} [data-card]").last.click(position={"x": 8, "y": 20})
    page.get_by_role("button", name="Finish", exact=True).click()
    verdict = page.locator('[data-dialog="confirm"] [data-part="verdict"]')
    expect(verdict).to_have_text("A wrong declaration costs 80 points (80 chips).")
    expect(verdict).to_have_attribute("data-tone", "open")
    page.keyboard.press("Escape")
    assert groups_on(page) == before
    assert game_view(table)["finish"] is None


def test_every_shortcut_is_listed(page: Page, at_the_table) -> None:
    at_the_table(helps=True)
    page.keyboard.press("?")
    sheet = page.locator('[data-dialog="keys"]')
    expect(sheet).to_be_visible()
    for key in "CODFGSBUR":
        expect(sheet.locator("kbd", has_text=re.compile(f"^{key}$"))).to_have_count(1)
    sheet.get_by_role("button", name="Done").click()
    expect(sheet).to_be_hidden()
