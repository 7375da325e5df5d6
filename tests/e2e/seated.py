"""A table of two, and the page of one who sits there."""

from collections.abc import Sequence

from playwright.sync_api import Page, expect

from accounts.faces import FACES
from accounts.models import User
from tables.models import Table
from tables.seating.opening import TableTerms, open_table
from tests.tables.driving import act, game_view, hand_of, player_at, start_match
from tests.tables.socket_client import session_of
from wallet import api as wallet

HAND = '[data-region="hand"]'
CARDS = f"{HAND} [data-card]"
PATIENCE = 30_000


def table_of_two(**terms: object) -> Table:
    """A match of two people in its first turn."""
    return table_of(2, **terms)


def table_of(count: int, **terms: object) -> Table:
    """A match of so many people in its first turn."""
    return table_for([make_new_player(number) for number in range(1, count + 1)], **terms)


def table_for(players: Sequence[User], **terms: object) -> Table:
    """A match of these players in its first turn."""
    opened = open_table(
        TableTerms(
            **{  # type: ignore[arg-type]
                "game": "indian",
                "preset": "points",
                "name": "Peepal Room",
                "max_seats": len(players),
                "point_value": 1,
                **terms,
            }
        )
    )
    return start_match(opened, *players)


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
    """Draw for the player at turn, and return their seat."""
    seat: int = game_view(table)["turn"]
    assert act(table, seat, kind="draw", source="closed").refusal is None
    return seat


def open_page(page: Page, site: str, table: Table, seat: int) -> None:
    """The page of who sits there, connected and up to date."""
    cookie = session_of(player_at(table, seat))
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    page.goto(f"{site}/tables/{table.pk}/")
    expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=PATIENCE)
    expect(page.locator(CARDS)).to_have_count(len(hand_of(table, seat)["hand"]))
    expect(page.locator('[data-region="status"]')).to_have_text("Connected", timeout=PATIENCE)


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
