"""A player asks what would have been better in a deal, by keys and on a phone, and is asked back."""

import re

import pytest
from playwright.sync_api import Page, expect

from games.analysis.judging import Effort
from games.gin.lab.analysis.report import EFFORT, GinAnalysis
from games.indian.lab.analysis.report import IndianAnalysis
from tables.history.analysing import analyse_waiting
from tables.models import Match, SeatAnalysis
from tables.seating.opening import TableTerms, open_table
from tests.e2e.test_replay import PHONE, make_player, sign_in
from tests.tables.analysing import analyse_by
from tests.tables.driving import play_to_the_end, start_match
from tests.tables.history.dear_deals import dear_deal


@pytest.fixture
def gin_match(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Match:
    analyse_by(monkeypatch, "gin", GinAnalysis(effort=EFFORT.scale(0.05)))
    table = open_table(
        TableTerms(game="gin", preset="game100", name="Neem Grove", max_seats=2, entry_fee=100)
    )
    start_match(table, make_player("Nila"), make_player("Ravi"))
    return play_to_the_end(table, strength="easy")


@pytest.fixture
def rummikub_match(transactional_db: None) -> Match:
    table = open_table(
        TableTerms(game="rummikub", preset="points", name="Palm Grove", max_seats=2, point_value=1)
    )
    start_match(table, make_player("Nila"), make_player("Ravi"))
    return play_to_the_end(table, strength="easy")


@pytest.fixture
def match(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Match:
    """Played by weak bots, so that there are mistakes to be shown."""
    analyse_by(monkeypatch, "indian", IndianAnalysis(effort=Effort().scale(0.15)))
    table = open_table(
        TableTerms(game="indian", preset="points", name="Mango Grove", max_seats=2, point_value=1)
    )
    start_match(table, make_player("Nila"), make_player("Ravi"))
    return play_to_the_end(table, strength="easy")


def test_an_analysis_arrives_without_reload_and_sets_the_costliest_decisions_as_tasks(
    page: Page, live_site: str, match: Match
) -> None:
    sign_in(page, live_site, "Nila")
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    section = page.locator("#analysis")
    button = section.get_by_role("button", name="Analyse my decisions")
    button.focus()
    page.keyboard.press("Enter")
    expect(section.get_by_role("status")).to_have_text(re.compile("waits for its turn|are judged"))
    assert analyse_waiting() == 1
    # Nobody loads the page again.
    expect(section.get_by_text("Points given away", exact=True)).to_be_visible()
    expect(section.locator("progress")).to_have_count(0)

    found = SeatAnalysis.objects.get()
    assert isinstance(found.report, dict)
    dear = [decision for decision in found.report["decisions"] if decision["loss"]]
    tasks = section.locator('[data-region="task"]')
    expect(tasks).to_have_count(min(3, len(dear)))
    assert dear, "an easy bot makes mistakes"
    task = tasks.first
    expect(task.locator("details")).not_to_have_attribute("open", "")
    task.locator("[data-option]").first.press("Enter")
    expect(task.locator("details")).to_have_attribute("open", "")
    expect(task.locator('[data-answer="right"]')).to_have_count(1)

    dearest = max(dear, key=lambda decision: decision["loss"])
    task.get_by_role("button", name="Show it on the table").press("Enter")
    expect(page.locator('[data-region="position"]')).to_have_text(
        re.compile(rf"^Move {dearest['step'] + 1} of ")
    )
    expect_that_it_fits_a_phone(page, live_site, match)


def expect_that_it_fits_a_phone(page: Page, site: str, match: Match) -> None:
    page.set_viewport_size(PHONE)
    for address in (f"{site}/matches/{match.pk}/deals/1/", f"{site}/matches/decisions/"):
        page.goto(address)
        if "deals" in address:
            expect(page.locator(".analysis__bars li").first).to_be_visible()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width == PHONE["width"]
    expect(page.get_by_text("Accuracy", exact=True)).to_be_visible()


def test_an_analysis_of_gin_works_by_keys_and_on_a_phone(
    page: Page, live_site: str, gin_match: Match
) -> None:
    page.set_viewport_size(PHONE)
    sign_in(page, live_site, "Nila")
    deal = dear_deal(gin_match, 0)
    page.goto(f"{live_site}/matches/{gin_match.pk}/deals/{deal}/")
    section = page.locator("#analysis")
    section.get_by_role("button", name="Analyse my decisions").press("Enter")
    expect(section.get_by_role("status")).to_have_text(re.compile("waits for its turn|are judged"))
    assert analyse_waiting() == 1
    expect(section.get_by_text("Points given away", exact=True)).to_be_visible()

    task = section.locator('[data-region="task"]').first
    expect(task).to_contain_text("Knocking with 10 or less")
    task.locator("[data-option]").first.press("Enter")
    expect(task.locator("details")).to_have_attribute("open", "")
    expect(task.locator('[data-answer="right"]')).to_have_count(1)
    expect(task.get_by_text("That gave away")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    task.get_by_role("button", name="Show it on the table").press("Enter")
    expect(page.locator('[data-region="position"]')).to_have_text(re.compile("^Move "))


def test_an_analysis_of_rummikub_shows_tiles(
    page: Page, live_site: str, rummikub_match: Match
) -> None:
    page.set_viewport_size(PHONE)
    sign_in(page, live_site, "Nila")
    page.goto(f"{live_site}/matches/{rummikub_match.pk}/deals/1/")
    section = page.locator("#analysis")
    expect(section).to_contain_text("the most that you could have laid")
    section.get_by_role("button", name="Analyse my decisions").press("Enter")
    assert analyse_waiting() == 1
    task = section.locator('[data-region="task"]').first
    expect(task).to_contain_text("50 points to begin")
    expect(task.locator(".analysis__card").first).to_have_text(re.compile("^(1?[0-9][■●▲◆]|☺)$"))
    task.locator("[data-option]").first.press("Enter")
    expect(task.locator('[data-answer="right"]')).to_have_count(1)
    expect(task.get_by_text("It would lie like this: ")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
