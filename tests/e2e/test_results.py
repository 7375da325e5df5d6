"""A result says first what happened to its reader: to a winner, a loser, a player who is out, a watcher."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tables.models import Table
from tests.e2e.seated import PATIENCE, open_page
from tests.e2e.test_pool_match import give_scores, pass_deadline, table_of_three
from tests.e2e.test_rummikub import lay, lay_new_meld, lay_out
from tests.tables.driving import act, game_view

RESULT = '[data-region="result"]'
PAYMENT = '[data-region="result-fee"]'

Pages = Callable[[], BrowserContext]


def reads(page: Page, heading: str, below: str) -> None:
    expect(page.locator(f"{RESULT} h2")).to_have_text(heading, timeout=PATIENCE)
    expect(page.locator('[data-region="result-reason"]')).to_have_text(below)


def watch(page: Page, site: str, table: Table) -> None:
    """Open the result as a visitor without a seat."""
    page.goto(f"{site}/tables/{table.pk}/")
    page.locator('[data-action="last-deal"]').click(timeout=PATIENCE)


def test_a_pool_tells_each_player_their_standing(
    new_context: Pages, live_site: str, transactional_db: None
) -> None:
    table = table_of_three()
    first, second, third = (int(seat) for seat in game_view(table)["order"])
    names = [f"Player{seat}" for seat in (first, second, third)]
    give_scores(table, {first: 100, second: 20, third: 40})
    out, loser, winner = (new_context().new_page() for _ in range(3))
    for page, seat in ((out, first), (loser, second), (winner, third)):
        open_page(page, live_site, table, seat)
    for seat in (first, second):
        assert act(table, seat, kind="drop").refusal is None
    told = f"{names[2]} wins the deal"
    reads(out, "You are out: 3rd of 3", told)
    reads(loser, "You lose 20 points", told)
    reads(winner, "You win the deal", "")

    pass_deadline(table)  # nobody comes back
    give_scores(table, {second: 100})
    pass_deadline(table)  # the break
    while game_view(table)["phase"] == "turn":
        if game_view(table)["turn"] == second:
            assert act(table, second, kind="drop").refusal is None
        else:
            pass_deadline(table)
    told = f"The match goes to {names[2]} · {told}"
    reads(out, "You are out: 3rd of 3", told)
    expect(out.locator(PAYMENT)).to_contain_text("You lose 100 chips.")
    reads(loser, "You are out: 2nd of 3", told)
    reads(winner, "You win the match", "You win the deal")
    expect(winner.locator(PAYMENT)).to_contain_text("You win 170 chips.")
    watcher = new_context().new_page()
    watch(watcher, live_site, table)
    reads(watcher, f"The match goes to {names[2]}", f"{names[2]} wins the deal")
    expect(watcher.locator(PAYMENT)).to_contain_text("Pot 300 chips")
    expect(watcher.locator(PAYMENT)).not_to_contain_text("You")


def test_rummikub_names_the_winner_and_the_losses(
    new_context: Pages, live_site: str, transactional_db: None
) -> None:
    table, first, second = lay_out(first="KS KH KD 4S 4H 4D", other="KC QS 9D")
    page, other, watcher = (new_context().new_page() for _ in range(3))
    open_page(page, live_site, table, first)
    open_page(other, live_site, table, second)
    lay_new_meld(page, "KS.0", "KH.0", "KD.0")
    lay_new_meld(page, "4S.0", "4H.0", "4D.0")
    lay(page)
    reads(page, "You have laid everything and win 34 points", "")
    told = f"Player {first + 1} has laid everything and wins 34 points"
    reads(other, "You lose 34 points", told)
    watch(watcher, live_site, table)
    reads(watcher, told, "")
