"""A player asks for the analysis of a deal by keyboard and on a phone, and answers its questions."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.analysis.judging import Effort
from games.gin.lab.analysis.report import EFFORT, GinAnalysis
from games.indian.lab.analysis.report import IndianAnalysis
from history.analysing import analyse_waiting
from history.models import SeatAnalysis
from tables.models import Match
from tests.e2e.inspection import SMALL_PHONE, too_wide
from tests.e2e.world import make_player, sign_in
from tests.history.dear_deals import dear_deal
from tests.points_tables import open_points_table
from tests.tables.analysing import analyse_by
from tests.tables.driving import play_to_the_end, start_match


def play(nila: User, **terms: Any) -> Match:
    """Play a match with weak bots, so that it contains mistakes."""
    table = open_points_table(**terms)
    start_match(table, nila, make_player("Ravi"))
    return play_to_the_end(table, strength="easy")


def ask_for_analysis(
    page: Page, site: str, nila: User, match: Match, *, deal: int = 1, told: str = ""
) -> Locator:
    """Ask for the analysis by keyboard on the replay's page, which mentions `told`. Return its section."""
    sign_in(page.context, site, nila)
    page.goto(f"{site}/matches/{match.pk}/deals/{deal}/")
    section = page.locator('[data-region="analysis"]')
    expect(section).to_be_hidden()
    page.get_by_role("tab", name="Analysis").press("Enter")
    expect(section).to_contain_text(told)
    section.get_by_role("button", name="Analyse my decisions").press("Enter")
    expect(section.get_by_role("status")).to_have_text(
        re.compile("is in the queue|are being judged")
    )
    assert analyse_waiting() == 1
    # The page updates without a reload.
    expect(section.get_by_text("Points given away", exact=True)).to_be_visible()
    return section


def test_an_analysis_arrives_without_reload_and_sets_the_costliest_decisions_as_tasks(
    page, live_site, nila, monkeypatch
):
    analyse_by(monkeypatch, "indian", IndianAnalysis(effort=Effort().scale(0.15)))
    match = play(nila)
    section = ask_for_analysis(page, live_site, nila, match)
    expect(section.locator("progress")).to_have_count(0)
    found = SeatAnalysis.objects.get()
    assert isinstance(found.report, dict)
    dear = [decision for decision in found.report["decisions"] if decision["loss"]]
    tasks = section.locator('[data-region="task"]')
    expect(tasks).to_have_count(min(3, len(dear)))
    assert dear, "an easy bot makes mistakes"
    task = tasks.first
    expect(task.locator("details")).not_to_have_attribute("open", "")
    answer_as_in_the_deal_and_then_rightly(task)

    dearest = max(dear, key=lambda decision: decision["loss"])
    task.get_by_role("button", name="Show it on the table").press("Enter")
    expect(page.locator('[data-region="position"]')).to_have_text(
        re.compile(rf"^Move {dearest['step'] + 1} of ")
    )
    page.set_viewport_size(SMALL_PHONE)
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/analysis/")
    expect(page).to_have_url(re.compile("/deals/1/#analysis$"))
    expect(page.locator(".analysis__bars li").first).to_be_visible()
    assert too_wide(page) == []
    page.goto(f"{live_site}/matches/decisions/")
    expect(page.get_by_text("Accuracy", exact=True)).to_be_visible()
    assert too_wide(page) == []


def answer_as_in_the_deal_and_then_rightly(task: Locator) -> None:
    best, chosen = (task.get_attribute(f"data-{name}") for name in ("best", "chosen"))
    said = task.get_by_role("status")
    task.locator(f'[data-option="{chosen}"]').press("Enter")
    expect(task.locator("details")).to_have_attribute("open", "")
    expect(said).to_have_text("You played it the same way in the deal. There was a better move.")
    expect(task.locator('[data-answer="right"]')).to_have_count(1)
    task.locator(f'[data-option="{best}"]').press("Enter")
    expect(said).to_have_text("Right!")
    expect(task.locator('[data-answer="wrong"]')).to_have_count(0)
    expect(task).not_to_contain_text("Better:")


def test_an_analysis_of_gin_works_by_keys_and_on_a_phone(page, live_site, nila, monkeypatch):
    analyse_by(monkeypatch, "gin", GinAnalysis(effort=EFFORT.scale(0.05)))
    match = play(nila, game="gin", preset="game100", point_value=0, entry_fee=100)
    page.set_viewport_size(SMALL_PHONE)
    section = ask_for_analysis(page, live_site, nila, match, deal=dear_deal(match, 0))
    task = section.locator('[data-region="task"]').first
    expect(task).to_contain_text("Knocking with 10 or less")
    task.locator("[data-option]").first.press("Enter")
    expect(task.locator("details")).to_have_attribute("open", "")
    expect(task.locator('[data-answer="right"]')).to_have_count(1)
    expect(task.get_by_text("That gave away")).to_be_visible()
    assert too_wide(page) == []
    task.get_by_role("button", name="Show it on the table").press("Enter")
    expect(page.locator('[data-region="position"]')).to_have_text(re.compile("^Move "))


def test_an_analysis_of_rummikub_shows_tiles(page, live_site, nila):
    page.set_viewport_size(SMALL_PHONE)
    match, told = play(nila, game="rummikub"), "the most that you could have laid"
    section = ask_for_analysis(page, live_site, nila, match, told=told)
    task = section.locator('[data-region="task"]').first
    expect(task).to_contain_text("50 points to begin")
    expect(task.locator(".analysis__card").first).to_have_text(re.compile("^(1?[0-9][■●▲◆]|☺)$"))
    task.locator("[data-option]").first.press("Enter")
    expect(task.locator('[data-answer="right"]')).to_have_count(1)
    expect(task.get_by_text("It would lie like this: ")).to_be_visible()
    assert too_wide(page) == []
