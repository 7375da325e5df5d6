"""Every page of every guide on a small phone, and its print version."""

import re

import pytest
from playwright.sync_api import BrowserContext

from games.registry import GAMES
from tables.learning.views import GUIDE_TOPICS

GUIDES = [code for code, game in GAMES.items() if game.guide is not None]
WIDTH = 360
# Returns the page's width, and the number of cards and tiles on it.
MEASURE = """() => [
  document.documentElement.scrollWidth,
  document.querySelectorAll('main .fan > *, main .tiles > *').length,
  document.querySelectorAll('main li, main dd, main section').length,
]"""


def set_language(context: BrowserContext, live_site: str, language: str) -> None:
    context.add_cookies([{"name": "django_language", "value": language, "url": live_site}])


@pytest.mark.parametrize("code", GUIDES)
def test_a_guide_fits_a_small_phone_and_its_sheet_one_page(page, live_site, longest_texts, code):
    set_language(page.context, live_site, longest_texts)
    page.set_viewport_size({"width": WIDTH, "height": 740})
    for name in GUIDE_TOPICS:
        page.goto(f"{live_site}/rules/{code}/{name}/")
        width, faces, parts = page.evaluate(MEASURE)
        assert width == WIDTH, name
        assert parts >= 2, name
        assert faces or name in ("tips", "terms", "print", "winnings")
    # No language has the longest translation of every text.
    for language in ("en", "hi", "ta"):
        set_language(page.context, live_site, language)
        page.goto(f"{live_site}/rules/{code}/print/")
        sheet = page.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type */Page\b", sheet)) == 1, language
