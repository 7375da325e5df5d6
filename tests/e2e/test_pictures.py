"""The comparison of screens, which notices differences and says where they are."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e import pictures
from tests.e2e.conftest import FONTS
from tests.e2e.pictures import blank_page, compare, draw_sample, listen, look, take

PAGE = """<body style="margin:0;background:#17694d;color:#fffefa;font:16px sans-serif">
<h1>Deal 12</h1><p>Started 3 Feb 2031, 17:05 · 2031-02-03 · 17:05:09</p>
<button style="background:{colour};padding:{padding}px">Draw</button></body>"""


def show(page: Page, *, colour: str = "#0f6b4c", padding: int = 8) -> Page:
    page.set_content(PAGE.format(colour=colour, padding=padding))
    return page


@pytest.fixture
def goldens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate folder of golden files. Pages that differ get only two looks."""
    monkeypatch.setattr(pictures, "ROOT", tmp_path)
    monkeypatch.setattr(pictures, "GOLDENS", tmp_path)
    monkeypatch.setattr(pictures, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(pictures, "LOOKS", 2)
    monkeypatch.setattr(pictures, "RENEWS", False)
    return tmp_path


def test_the_same_page_is_the_same_picture(browser):
    with blank_page(browser) as page:
        one = take(show(page))
        found = compare(browser, one, take(show(page)))
    assert found.pixels == 0
    assert not found.is_seen


@pytest.mark.parametrize("change", [{"colour": "#0f7c4c"}, {"padding": 9}])
def test_a_small_change_is_reported_with_a_picture(browser, goldens, change):
    with blank_page(browser) as page:
        (goldens / "deal.png").write_bytes(take(show(page)))
        assert look(browser, page, "deal") == ""
        fault = look(browser, show(page, **change), "deal")
    assert "pixels differ, see results/deal.difference.png" in fault
    names = {path.name for path in (goldens / "results").iterdir()}
    assert names == {"deal.golden.png", "deal.taken.png", "deal.difference.png"}


def test_an_invisible_change_is_ignored(browser):
    with blank_page(browser) as page:
        one = take(show(page))
        assert not compare(browser, one, take(show(page, colour="#126e4f"))).is_seen


def test_another_size_is_another_picture(browser):
    with blank_page(browser) as page:
        one = take(show(page))
        page.set_viewport_size({"width": 400, "height": 321})
        assert compare(browser, one, take(page)).share == 1


def test_days_and_times_are_masked(browser):
    with blank_page(browser) as page:
        take(show(page))
        text = page.locator("p").inner_text()
    assert text == "Started 5 Jan 2026, 10:00 · 2026-01-05 · 10:00:00"


def test_other_words_are_shown_as_a_diff(browser, goldens):
    known = '- heading "Deal 11" [level=1]\n- button "Draw"\n'
    (goldens / "deal.yaml").write_text(known)
    with blank_page(browser) as page:
        show(page).evaluate("document.querySelector('p').remove()")
        lines = listen(page.locator("body"), "deal").splitlines()
        assert lines[0] == "--- deal as it was"
        assert '-- heading "Deal 11" [level=1]' in lines
        assert '+- heading "Deal 12" [level=1]' in lines
        (goldens / "deal.yaml").write_text(known.replace("11", "12"))
        assert listen(page.locator("body"), "deal") == ""


OWN_SETTINGS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><match target="pattern"><edit name="family" mode="prepend" binding="strong">
<string>DejaVu Serif</string></edit></match></fontconfig>"""


def test_fonts_and_settings_of_the_machine_change_nothing(browser, launch_browser, tmp_path):
    """The machine's own settings show all text in a font with serifs."""
    (tmp_path / "fontconfig").mkdir()
    (tmp_path / "fontconfig/fonts.conf").write_text(OWN_SETTINGS)
    own = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    text = {}
    for name, env in {"tests": {**own, "FONTCONFIG_FILE": str(FONTS)}, "machine": own}.items():
        other = launch_browser(env=env)
        text[name] = draw_sample(other)
        other.close()
    assert text["tests"] == draw_sample(browser)
    assert text["machine"] != text["tests"]
