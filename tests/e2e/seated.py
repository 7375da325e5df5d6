"""Tables with seated players, the players' pages, and the elements on these pages."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Literal

from playwright.sync_api import Locator, Page, expect

from accounts.faces import FACES
from accounts.models import User
from tables.models import MatchStatus, Table
from tests.e2e.world import cookie
from tests.points_tables import open_points_table
from tests.tables.driving import (
    act,
    game_view,
    get_match,
    hand_of,
    player_at,
    start_match,
)
from tests.tables.socket_client import session_of
from wallet import api as wallet

HAND = '[data-region="hand"]'
CARDS = f"{HAND} [data-card]"
BOARD = '[data-region="board"]'
MELD = f"{BOARD} .laid"
SPREAD = '[data-region="spread"]'
NOTICE = '[data-region="notice"]'
MOVES = '[data-region="moves"]'
TOAST = '[data-region="toast"]'
STATUS = '[data-region="status"]'
RESULT = '[data-region="result"]'
TITLE = "#result-title"
REASON = '[data-region="result-reason"]'
DIALOG = "dialog[open]"
CONFIRM = f'{DIALOG} [data-action="confirm"]'
OWN_SEAT = '[data-region="me"]'
DRAW_CLOSED = '[data-action="draw-closed"]'
PATIENCE = 30_000


def table_of_two(**terms: Any) -> Table:
    """Open a table of two players in the first turn of a match."""
    return table_of(2, **terms)


def table_of(count: int, **terms: Any) -> Table:
    """Open a table of this many players in the first turn of a match."""
    return table_for([make_new_player(number) for number in range(1, count + 1)], **terms)


def table_for(players: Sequence[User], name: str = "Peepal Room", **terms: Any) -> Table:
    """Open a table of these players in the first turn of a match."""
    return start_match(open_points_table(name, seats=len(players), **terms), *players)


def make_new_player(number: int) -> User:
    user = User.objects.create_user(
        f"p{number}@example.com",
        None,
        player_name=f"Player {number}",
        face=list(FACES)[number % len(FACES)],
    )
    wallet.grant_welcome_chips(user_id=user.pk)
    return user


def draw_for(table: Table) -> int:
    """Draw a card for the current player. Return their seat."""
    seat: int = game_view(table)["turn"]
    assert act(table, seat, kind="draw", source="closed").refusal is None
    return seat


def open_page(
    page: Page, site: str, table: Table, seat: int, *, until: Literal["load", "commit"] = "load"
) -> None:
    """Open the page of the player at this seat, and wait until it is connected and up to date.

    A test that holds up a file of the page waits `until` "commit" alone: the page may count as loaded only with it.
    """
    page.context.add_cookies([cookie(site, "sessionid", session_of(player_at(table, seat)))])
    page.goto(f"{site}/tables/{table.pk}/", wait_until=until)
    expect_online(page)
    expect(page.locator(CARDS)).to_have_count(len(hand_of(table, seat)["hand"]))
    expect(page.locator(STATUS)).to_have_text("Connected", timeout=PATIENCE)


def expect_online(page: Page) -> None:
    """Wait until the table's page is connected."""
    expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=PATIENCE)


def sit_down(page: Page) -> None:
    """Take the first free seat with the usual amount."""
    page.get_by_role("button", name="Sit here").first.click()
    page.locator('[data-dialog="sit"] [data-action="confirm"]').click()


def expect_cards(page: Page, count: int) -> None:
    """Wait until the hand has this many cards."""
    expect(page.locator(CARDS)).to_have_count(count, timeout=PATIENCE)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def choose(page: Page, *cards: str) -> None:
    """Press these cards of the hand at their left edge, because they overlap."""
    for card in cards:
        page.locator(f'{HAND} [data-card="{card}"]').click(position={"x": 8, "y": 20})


def draw(page: Page) -> None:
    held = page.locator(CARDS).count()
    page.locator(DRAW_CLOSED).click()
    expect_cards(page, held + 1)


def groups_on(page: Page) -> list[list[str]]:
    groups: list[list[str]] = page.evaluate(
        """() => [...document.querySelectorAll('[data-region="hand"] .group')].map((group) =>
          [...group.querySelectorAll("[data-card]")].map((card) => card.dataset.card))"""
    )
    return groups


def list_cards(page: Page) -> list[str]:
    """Return the cards in the hand on the page, sorted."""
    found: list[str] = page.locator(CARDS).evaluate_all(
        "cards => cards.map((card) => card.dataset.card).sort()"
    )
    return found


def wait_for(page: Page, reached: Callable[[], bool]) -> None:
    """Wait for a condition outside the page, and process the page's events meanwhile."""
    until = monotonic() + PATIENCE / 1_000
    while not reached():
        assert monotonic() < until, "it did not come to that"
        page.wait_for_timeout(50)


def wait_until_saved(table: Table, seat: int, page: Page, groups: list[list[str]]) -> None:
    wait_for(page, lambda: hand_of(table, seat)["groups"] == groups)


def open_replay_at_its_end(page: Page, site: str, table: Table) -> None:
    """Open the replay of a finished match's only deal, and go to its last move."""
    match = get_match(table)
    assert match.status == MatchStatus.FINISHED
    page.goto(f"{site}/matches/{match.pk}/deals/1/")
    expect(page.locator(".replay__seat")).to_have_count(len(match.players))
    page.keyboard.press("End")
