"""A beginner in each game, who plays a whole first deal only by the coach's instructions."""

import re

import pytest
from playwright.sync_api import expect

from tables.models import MatchStatus, Table
from tests.e2e.coached import COACH, faults_beside_the_coach, play_by_the_coach
from tests.e2e.inspection import axe_faults
from tests.e2e.seated import PATIENCE, expect_cards
from tests.e2e.visitor import Visitor
from tests.tables.driving import get_match

# A game's name, how many cards or tiles are dealt, and the steps that the coach has named by the end.
GAMES = {
    "basic": ("Basic rummy", 10, "discard"),
    "contract": ("Contract Rummy", 10, "discard"),
    "five_hundred": ("500 Rum", 7, "discard"),
    "gin": ("Gin", 10, "discard"),
    "rummikub": ("Rummikub", 14, "open"),
}
COACH_SCRIPT = re.compile(r"/coach[^/]*\.js")


def begin(visitor: Visitor, name: str, dealt: int) -> None:
    visitor.visit("/learn/")
    page = visitor.page
    page.get_by_role("navigation", name="Games").get_by_role("link", name=name).click()
    page.get_by_role("button", name="Deal me in").click()
    expect_cards(page, dealt)
    expect(page.locator(COACH)).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize("game", GAMES)
def test_the_coach_covers_nothing_and_leads_through_a_whole_deal(
    game, visit, nila, clock, hurried_bots
):
    name, dealt, goal = GAMES[game]
    with visit(nila) as visitor:
        page = visitor.page
        begin(visitor, name, dealt)
        assert faults_beside_the_coach(page, cards=dealt) == []
        assert axe_faults(page) == []
        said = {advice for advice, _step in play_by_the_coach(page)}
        assert game != "rummikub" or {"open", "lay"} <= said
        ends = "won|lost|even" if game == "gin" else "won|lost"
        expect(page.locator(COACH)).to_have_attribute("data-advice", re.compile(f"^({ends})$"))
        assert page.locator(f'[data-goal="{goal}"]').get_attribute("data-done") == "true"
    table = Table.objects.get(is_lesson=True)
    assert table.game == game
    assert get_match(table).status == MatchStatus.FINISHED


def test_a_lost_script_of_the_coach_is_loaded_again(visit, nila, clock, hurried_bots):
    with visit(nila) as visitor:
        visitor.page.route(COACH_SCRIPT, lambda route, _: route.abort(), times=1)
        begin(visitor, "Gin", 10)
        assert len(visitor.faults) == 3
        assert all(re.search(r"ERR_FAILED|coach\.js", fault) for fault in visitor.faults)
        visitor.faults.clear()
