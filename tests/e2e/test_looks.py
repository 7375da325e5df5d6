"""Three palettes of suits and two themes: readable, and saved in the browser and in the account."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.e2e.world import make_player

SUITS = ("S", "H", "D", "C")
# WCAG 1.4.3 for text of any size; ranks and suits are text here.
LEAST_CONTRAST = 4.5
COLOURS = """() => {
  const rgb = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const cards = [...document.querySelectorAll('[data-region="suits"] .card')];
  return cards.map((card) => {
    const style = getComputedStyle(card);
    return [rgb(style.color), rgb(style.backgroundColor)];
  });
}"""


@pytest.fixture
def nila() -> User:
    return make_player("Nila")


def luminance(colour: list[float]) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: list[float], second: list[float]) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def colours_of(page: Page) -> list[tuple[float, ...]]:
    """Check that the four suits are readable. Return their colours."""
    found = page.evaluate(COLOURS)
    assert len(found) == len(SUITS)
    for suit, (ink, face) in zip(SUITS, found, strict=True):
        assert contrast(ink, face) >= LEAST_CONTRAST, (suit, ink, face)
    return [tuple(ink) for ink, _face in found]


def test_palettes_are_chosen_remembered_and_readable(visit, nila):
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/accounts/settings/look/")
        palettes: dict[tuple[str, str], list[tuple[float, ...]]] = {}
        for theme in ("dark", "light"):
            with page.expect_response("**/accounts/preferences/"):
                page.locator(f'button[data-theme-choice="{theme}"]').click()
            for suits in ("four", "two", "clear"):
                with page.expect_response("**/accounts/preferences/") as kept:
                    page.get_by_label("Suits").select_option(suits)
                assert kept.value.status == 204
                palettes[theme, suits] = colours_of(page)
        # The last choice takes effect on every page before anything is drawn.
        visitor.visit("/rules/")
        expect(page.locator("html")).to_have_attribute("data-suits", "clear")
        expect(page.locator("html")).to_have_attribute("data-theme", "light")
        visitor.visit("/accounts/settings/look/")
        expect(page.get_by_label("Suits")).to_have_value("clear")
    with visit(nila) as elsewhere:
        elsewhere.visit("/rules/")
        expect(elsewhere.page.locator("html")).to_have_attribute("data-suits", "clear")
        expect(elsewhere.page.locator("html")).to_have_attribute("data-theme", "light")
    for (_theme, suits), colours in palettes.items():
        spades, hearts, diamonds, clubs = colours
        assert len(set(colours)) == (2 if suits == "two" else 4)
        assert (spades == clubs, hearts == diamonds) == (suits == "two", suits == "two")


def test_a_choice_not_yet_stored_holds_on_the_next_page(visit, nila):
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/accounts/settings/look/")
        with page.expect_response("**/accounts/preferences/"):
            page.get_by_label("Suits").select_option("four")
        # The second choice does not reach the account, as if it were slower than the next page.
        page.context.set_offline(True)
        page.get_by_label("Suits").select_option("clear")
        expect(page.get_by_text("Not saved:")).to_be_visible()
        page.context.set_offline(False)
        visitor.visit("/rules/")
        expect(page.locator("html")).to_have_attribute("data-suits", "clear")
        # After a few seconds, the account's choice is used again.
        page.evaluate("localStorage['openrummy.chosen'] = `suits ${Date.now() - 10_000}`")
        visitor.visit("/rules/")
        expect(page.locator("html")).to_have_attribute("data-suits", "four")
        visitor.faults.clear()  # from the choice that was not stored
