"""A game of gin to 100 between two browsers: an undercut, gin, and big gin that ends it."""

from playwright.sync_api import Browser, Page, expect

from tables.live.clock import act_on_table
from tables.models import Match, MatchStatus, Table
from tests.e2e.gin_table import button, choose
from tests.e2e.seated import CARDS, PATIENCE, open_page, table_of_two
from tests.games.gin.scenes import GIN_HAND, TEN
from tests.tables.driving import game_view, run_out_of_time
from tests.tables.gin_deals import lay

CONFIRM = 'dialog[open] [data-action="confirm"]'
TITLE = "#result-title"
# Ten cards of which one counts, against TEN: an undercut by nine.
NINE_BETTER = "8S 9S TS|JD JH JC|2D 2H 2S|AC"
# No meld, and 32 points.
LOW = "AD AC 2D 2C 3H 3S 4C 4S 6S 6D"


def start_next_deal(table: Table) -> None:
    number = game_view(table)["deal"]
    run_out_of_time(table)
    assert act_on_table(table.pk) is not None
    assert game_view(table)["deal"] == number + 1


def to_the_first_card(
    table: Table, pages: dict[int, Page], site: str, order: tuple[int, int]
) -> Page:
    """Both pass, and who begins draws; the page of who begins."""
    for seat, page in pages.items():
        open_page(page, site, table, seat)
    first, dealer = (pages[seat] for seat in order)
    button(first, "Pass").click()
    button(dealer, "Pass").click()
    first.locator('[data-action="draw-closed"]').click()
    expect(first.locator(CARDS)).to_have_count(11)
    return first


def test_a_game_to_a_hundred(
    page: Page, browser: Browser, live_site: str, transactional_db: None
) -> None:
    table = table_of_two(game="gin", preset="game100", point_value=0, entry_fee=100)
    first, dealer = lay(table, TEN, NINE_BETTER, upcard="QD", coming="QH")
    beside = browser.new_context()
    pages = {first: page, dealer: beside.new_page()}

    undercut_by_the_dealer(table, pages, live_site, (first, dealer))
    start_next_deal(table)
    # The loser deals, so that who has undercut begins.
    assert lay(table, GIN_HAND, LOW, upcard="QS", coming="2H") == (dealer, first)
    gin_of_who_begins(table, pages, live_site, (dealer, first))
    start_next_deal(table)
    assert lay(table, GIN_HAND, LOW, upcard="QS", coming="QD") == (dealer, first)
    big_gin_ends_it(table, pages, live_site, (dealer, first))

    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    sheet = game_view(table)["match"]
    assert sheet["scores"] == {str(dealer): 34 + 57 + 63, str(first): 0}
    assert sheet["winners"] == [dealer]
    beside.close()


def undercut_by_the_dealer(
    table: Table, pages: dict[int, Page], site: str, order: tuple[int, int]
) -> None:
    first = to_the_first_card(table, pages, site, order)
    dealer = pages[order[1]]
    choose(first, "QH.0")
    button(first, "Knock").click()
    expect(first.locator("dialog[open]")).to_contain_text("Deadwood 10")
    first.locator(CONFIRM).click()
    button(dealer, "Lay down").click()
    expect(dealer.locator("dialog[open]")).to_contain_text("1 left: an undercut!")
    dealer.locator(CONFIRM).click()
    expect(dealer.locator(TITLE)).to_have_text("You undercut and win 34 points", timeout=PATIENCE)
    # Nobody loses points in a race.
    expect(first.locator(TITLE)).to_contain_text("undercuts and wins 34 points")


def gin_of_who_begins(
    table: Table, pages: dict[int, Page], site: str, order: tuple[int, int]
) -> None:
    first = to_the_first_card(table, pages, site, order)
    choose(first, "2H.0")
    expect(button(first, "Knock")).to_have_count(0)  # the button says what it is
    button(first, "Gin").click()
    expect(first.locator("dialog[open]")).to_contain_text("Deadwood 0")
    first.locator(CONFIRM).click()
    expect(first.locator(TITLE)).to_have_text("You win 57 points with gin", timeout=PATIENCE)
    sheet = first.locator('[data-region="result-scores"]')
    expect(sheet.locator(".scores__total")).to_contain_text(["91"])
    expect(sheet).to_contain_text("Deal 1 · undercut")


def big_gin_ends_it(
    table: Table, pages: dict[int, Page], site: str, order: tuple[int, int]
) -> None:
    first = to_the_first_card(table, pages, site, order)
    button(first, "Big gin").click()
    expect(first.locator("dialog[open] .shown-group")).to_have_count(3)
    first.locator(CONFIRM).click()
    expect(first.locator(TITLE)).to_have_text("You win the match", timeout=PATIENCE)
    expect(first.locator('[data-region="result-reason"]')).to_have_text(
        "You win 63 points with big gin"
    )
    sheet = first.locator('[data-region="result-scores"]')
    expect(sheet).to_contain_text("Total, doubled for a shutout")
    expect(sheet).to_contain_text("Boxes")
    other = pages[order[1]]
    expect(other.locator(TITLE)).to_have_text("You lose the match", timeout=PATIENCE)
    expect(other.locator('[data-region="result-reason"]')).to_contain_text("The match goes to")
