"""A game of gin to 100 between two browsers: an undercut, gin, and big gin that ends it."""

from playwright.sync_api import Page, expect

from tables.models import MatchStatus, Table
from tests.e2e.seated import (
    CONFIRM,
    DIALOG,
    PATIENCE,
    REASON,
    TITLE,
    button,
    choose,
    draw,
    table_of_two,
)
from tests.games.gin.scenes import GIN_HAND, TEN
from tests.tables.driving import expire_turn, game_view, get_match
from tests.tables.gin_deals import lay

SCORES = '[data-region="result-scores"]'
# Ten cards with one point of deadwood. Against TEN, that is an undercut by nine.
NINE_BETTER = "8S 9S TS|JD JH JC|2D 2H 2S|AC"
# No meld, and 32 points of deadwood.
LOW = "AD AC 2D 2C 3H 3S 4C 4S 6S 6D"


def start_next_deal(table: Table, pages: list[Page], *, coming: str) -> tuple[int, ...]:
    """Start the next deal with a gin hand for the first player, and reload the pages. Return seats in order of play."""
    number = game_view(table)["deal"]
    assert expire_turn(table) is not None
    assert game_view(table)["deal"] == number + 1
    order = lay(table, GIN_HAND, LOW, upcard="QS", coming=coming)
    for page in pages:
        page.reload()
    return order


def play_to_the_first_card(first: Page, dealer: Page) -> None:
    """Let both players pass, and let the first player draw."""
    button(first, "Pass").click()
    button(dealer, "Pass").click()
    draw(first)


def test_a_game_to_a_hundred(open_seats):
    table = table_of_two(game="gin", preset="game100", point_value=0, entry_fee=100)
    first, dealer = lay(table, TEN, NINE_BETTER, upcard="QD", coming="QH")
    loser, winner = pages = open_seats(table, first, dealer)
    undercut_by_the_dealer(loser, winner)
    # The loser deals, so the player who has undercut moves first.
    assert start_next_deal(table, pages, coming="2H") == (dealer, first)
    gin_of_who_begins(winner, loser)
    assert start_next_deal(table, pages, coming="QD") == (dealer, first)
    big_gin_ends_it(winner, loser)
    assert get_match(table).status == MatchStatus.FINISHED
    sheet = game_view(table)["match"]
    assert sheet["scores"] == {str(dealer): 34 + 57 + 63, str(first): 0}
    assert sheet["winners"] == [dealer]


def undercut_by_the_dealer(first: Page, dealer: Page) -> None:
    play_to_the_first_card(first, dealer)
    choose(first, "QH.0")
    button(first, "Knock").click()
    expect(first.locator(DIALOG)).to_contain_text("Deadwood 10")
    first.locator(CONFIRM).click()
    button(dealer, "Lay down").click()
    expect(dealer.locator(DIALOG)).to_contain_text("1 left: an undercut!")
    dealer.locator(CONFIRM).click()
    expect(dealer.locator(TITLE)).to_have_text("You undercut and win 34 points", timeout=PATIENCE)
    # In a race to a score, only the winner's points count.
    expect(first.locator(TITLE)).to_contain_text("undercuts and wins 34 points")


def gin_of_who_begins(first: Page, dealer: Page) -> None:
    play_to_the_first_card(first, dealer)
    choose(first, "2H.0")
    expect(button(first, "Knock")).to_have_count(0)  # the button is named "Gin" instead
    button(first, "Gin").click()
    expect(first.locator(DIALOG)).to_contain_text("Deadwood 0")
    first.locator(CONFIRM).click()
    expect(first.locator(TITLE)).to_have_text("You win 57 points with gin", timeout=PATIENCE)
    expect(first.locator(f"{SCORES} .scores__total")).to_contain_text(["91"])
    expect(first.locator(SCORES)).to_contain_text("Deal 1 · undercut")


def big_gin_ends_it(first: Page, dealer: Page) -> None:
    play_to_the_first_card(first, dealer)
    button(first, "Big gin").click()
    expect(first.locator(f"{DIALOG} .shown-group")).to_have_count(3)
    first.locator(CONFIRM).click()
    expect(first.locator(TITLE)).to_have_text("You win the match", timeout=PATIENCE)
    expect(first.locator(REASON)).to_have_text("You win 63 points with big gin")
    expect(first.locator(SCORES)).to_contain_text("Total, doubled for a shutout")
    expect(first.locator(SCORES)).to_contain_text("Boxes")
    expect(dealer.locator(TITLE)).to_have_text("You lose the match", timeout=PATIENCE)
    expect(dealer.locator(REASON)).to_contain_text("The match goes to")
