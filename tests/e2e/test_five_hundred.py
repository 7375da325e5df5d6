"""500 Rum in a browser: the spread open pile, a card that has to be laid, a whole deal to its replay."""

from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect

from games.registry import get_game
from tables.models import Match, MatchStatus, Table
from tests.e2e.gin_table import button, choose
from tests.e2e.inspection import faults_at, resize
from tests.e2e.seated import CARDS as HELD
from tests.e2e.seated import PATIENCE, open_page, table_of_two
from tests.games.five_hundred.scenes import scene
from tests.games.values import replace
from tests.tables.driving import act, game_view, state_of

SIZES = [ViewportSize(width=390, height=844), ViewportSize(width=1280, height=800)]
MELD = '[data-region="board"] .laid'
SPREAD = '[data-region="spread"]'
NOTICE = '[data-region="notice"]'
PILE = "3C 7S 2D 9D TD QC 4H 6S JH 8S 2C KD"


def lay_out(first: str, other: str, **scenery: Any) -> tuple[Table, int, int]:
    """Return a table before its first move with these cards, the seat that begins, and the dealer."""
    table = table_of_two(game="five_hundred")
    game = get_game("five_hundred")
    match: Any = game.stored.load(state_of(table))
    drawn_up = scene(first, other, **scenery).deal
    players = tuple(
        replace(player, groups=like.groups)
        for player, like in zip(match.deal.players, drawn_up.players, strict=True)
    )
    piles = {"closed": drawn_up.closed, "open_pile": drawn_up.open_pile, "melds": drawn_up.melds}
    deal = replace(match.deal, players=players, **piles)
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(replace(match, deal=deal)))
    begins, deals = game_view(table)["order"]
    return table, begins, deals


def test_every_card_of_the_open_pile_is_visible_and_taken_if_it_can_be_laid(
    browser: Browser, live_site: str, transactional_db: None
) -> None:
    table, first, _ = lay_out("7H 7D QD|4C 5C|AS", "9C 5S KH KC", open_pile=PILE)
    # axe writes styles, which the policy refuses: not in the page that is watched for that.
    with browser.new_context(viewport=SIZES[0], reduced_motion="reduce") as context:
        page = context.new_page()
        open_page(page, live_site, table, first)
        spread = page.locator(SPREAD)
        expect(spread.locator(".spread__card")).to_have_count(12)
        expect(spread.locator("button")).to_have_count(2)
        faults = faults_at_all_sizes(page)
        spread.get_by_role("button", name="Take the 7 of spades and the 10 cards above it").click()
        expect(page.locator(HELD)).to_have_count(17)
        expect(page.locator(NOTICE)).to_contain_text("First lay down the 7 of spades")
        expect(button(page, "Discard")).to_be_disabled()
        faults += faults_at_all_sizes(page)
        lay(page, "7H.0", "7D.0", "7S.0")
        expect(page.locator("body")).to_contain_text("21 laid")
        faults += faults_at_all_sizes(page)
    assert not faults, "\n".join(faults)


def faults_at_all_sizes(page: Page) -> list[str]:
    faults: list[str] = []
    for size in SIZES:
        resize(page, size)
        faults += faults_at(page, size, SIZES)
    return faults


def lay(page: Page, *cards: str) -> None:
    melds = page.locator(MELD).count()
    for card in cards:
        choose(page, card)
    button(page, "Lay down").click()
    expect(page.locator(MELD)).to_have_count(melds + 1)


def discard(page: Page, card: str, *, left: int) -> None:
    choose(page, card)
    button(page, "Discard").click()
    expect(page.locator(HELD)).to_have_count(left)


def turn_of_the_other(table: Table, seat: int, card: str) -> None:
    assert act(table, seat, kind="draw", source="closed").refusal is None
    assert act(table, seat, kind="discard", card=card).refusal is None


def test_a_whole_deal(page: Page, live_site: str, transactional_db: None) -> None:
    """F6 to F12: taken, laid and laid off until no card is left; the result and the replay."""
    table, first, second = lay_out(
        "7H 7D|QD|4C 5C", "8C 9S", open_pile="6C 7S", next_closed="KS 7C"
    )
    open_page(page, live_site, table, first)
    page.locator(SPREAD).get_by_role("button", name="Take the 7 of spades").click()
    lay(page, "7H.0", "7D.0", "7S.0")
    discard(page, "QD.0", left=2)
    turn_of_the_other(table, second, "KS.0")
    page.locator(SPREAD).get_by_role("button", name="Take the 6 of clubs").click()
    expect(page.locator(HELD)).to_have_count(5)
    lay(page, "4C.0", "5C.0", "6C.0")
    discard(page, "KS.0", left=1)
    turn_of_the_other(table, second, "7C.0")
    page.locator('[data-action="draw-open"]').click()
    expect(page.locator(HELD)).to_have_count(2)
    choose(page, "7C.0")
    page.locator('[data-action="lay-off"][data-meld="1"]').click()
    expect(page.locator(f"{MELD} [data-laid]")).to_have_count(7)
    discard(page, "QD.0", left=0)
    expect(page.locator("#result-title")).to_contain_text("most points", timeout=PATIENCE)
    assert game_view(table)["result"]["points"] == {str(first): 0, str(second): 60}
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    expect(page.locator(".replay__seat")).to_have_count(2)
    page.keyboard.press("End")
    expect(page.locator('[data-region="board"] .shown-group')).to_have_count(2)
    expect(page.locator('[data-region="moves"]')).to_contain_text("down to the 6 of clubs")
