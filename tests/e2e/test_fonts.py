"""Indian languages for readers whose device has no font of their script."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.conftest import FONTS
from tests.programs import ROOT

LATIN_ALONE = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts/truetype/dejavu</dir>
  <dir>{unpacked}/usr/share/fonts/truetype/dejavu</dir>
  <cachedir>{cache}</cachedir>
</fontconfig>
"""
SCRIPTS = {
    "bn": "Bengali",
    "hi": "Devanagari",
    "kn": "Kannada",
    "mr": "Devanagari",
    "ta": "Tamil",
    "te": "Telugu",
}
# Returns the fonts that the page has loaded from the site.
LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts].filter((font) => font.status === "loaded").map((font) => font.family);
}"""


# Returns the widths of links and buttons, before and after a new layout of the page.
WIDTHS = """() => {
  const widths = () => [...document.querySelectorAll("a, button")].map((part) => part.offsetWidth);
  const before = widths();
  document.body.hidden = true;
  void document.body.offsetHeight;
  document.body.hidden = false;
  return [before, widths()];
}"""


@pytest.fixture
def browser_without_scripts(
    launch_browser: Callable[..., Browser], tmp_path: Path
) -> Iterator[Browser]:
    config = tmp_path / "fonts.conf"
    config.write_text(
        LATIN_ALONE.format(unpacked=ROOT / "var/programs/root", cache=tmp_path / "cache")
    )
    browser = launch_browser(env={**os.environ, "FONTCONFIG_FILE": str(config)})
    yield browser
    browser.close()


def fonts_of(page: Page, site: str, language: str) -> tuple[list[str], list[str]]:
    """Return the fonts that the page requests, and the fonts in which it then shows text."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.add_cookies([{"name": "django_language", "value": language, "url": site}])
    page.goto(f"{site}/")
    page.wait_for_load_state("networkidle")
    assert page.locator("html").get_attribute("lang") == language
    return [url for url in asked if url.endswith(".woff2")], page.evaluate(LOADED)


def test_a_machine_without_a_script_gets_its_font(browser_without_scripts, live_site):
    with browser_without_scripts.new_context() as context:
        for language, script in SCRIPTS.items():
            page = context.new_page()
            asked, loaded = fonts_of(page, live_site, language)
            assert any(f"/NotoSans{script}-" in url for url in asked), language
            assert "OpenRummy Indic" in loaded[0], language
            before, after = page.evaluate(WIDTHS)
            assert before == after, language
            page.close()


def test_a_machine_with_the_script_loads_none(page, live_site):
    assert FONTS.is_file()
    assert fonts_of(page, live_site, "hi") == ([], [])
