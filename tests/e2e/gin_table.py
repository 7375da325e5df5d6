"""Hands on the page of a table of gin."""

from playwright.sync_api import Locator, Page

from tests.e2e.seated import HAND


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def choose(page: Page, card: str) -> None:
    page.locator(f'{HAND} [data-card="{card}"]').click(position={"x": 8, "y": 20})
