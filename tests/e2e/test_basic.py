"""Basic rummy in two browsers: melds on the table, laying off, going out, the result, the replay."""

from typing import Any

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from games.registry import get_game
from tables.models import Match, MatchStatus, Table
from tests.e2e.gin_table import button, choose
from tests.e2e.inspection import faults_in_both_themes
from tests.e2e.seated import CARDS as HELD
from tests.e2e.seated import HAND, PATIENCE, open_page, table_of_two
from tests.games.basic.scenes import scene
from tests.games.values import replace
from tests.tables.driving import act, game_view, hand_of, state_of

PHONE = ViewportSize(width=360, height=740)
BOARD = '[data-region="board"]'
MELD = f"{BOARD} .laid"
RESULT = '[data-region="result"]'
TOAST = '[data-region="toast"]'
CONFIRM = 'dialog[open] [data-action="confirm"]'
# Who begins has a sequence and a set; the other one can lay off on both of them.
FIRST = "5H 6H 7H|KS KD KC|9D|2C 3C 4D"
OTHER = "8H 9H|KH|2S 4S|6C 7C|JD QD|AS"


def lay_out(
    first: str = FIRST, other: str = OTHER, *, preset: str = "points", **scenery: Any
) -> tuple[Table, int, int]:
    """Open a table before its first move with these cards. Return it, the seat that begins, and the dealer."""
    stakes = {"preset": preset, "point_value": 0, "entry_fee": 50} if preset != "points" else {}
    table = table_of_two(game="basic", **stakes)
    game = get_game("basic")
    match: Any = game.stored.load(state_of(table))
    drawn_up = scene(first, other, **{"open_pile": "QS", "next_closed": "TH 3D", **scenery}).deal
    players = tuple(
        replace(player, groups=like.groups)
        for player, like in zip(match.deal.players, drawn_up.players, strict=True)
    )
    piles = {"closed": drawn_up.closed, "open_pile": drawn_up.open_pile}
    deal = replace(match.deal, players=players, **piles)
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(replace(match, deal=deal)))
    begins, deals = game_view(table)["order"]
    return table, begins, deals


def offer(page: Page, meld: int) -> Locator:
    return page.locator(f'{BOARD} [data-action="lay-off"][data-meld="{meld}"]')


def draw(page: Page) -> None:
    held = page.locator(HELD).count()
    page.locator('[data-action="draw-closed"]').click()
    expect(page.locator(HELD)).to_have_count(held + 1)


def test_melds_lie_on_the_table_for_both_browsers(
    page: Page, browser: Browser, live_site: str, transactional_db: None
) -> None:
    table, first, second = lay_out()
    beside = browser.new_context()
    other = beside.new_page()
    open_page(page, live_site, table, first)
    open_page(other, live_site, table, second)
    expect(page.locator(BOARD)).to_contain_text("No melds yet.")
    draw(page)
    lay_what_is_a_meld(page, other, first)
    assert [meld["by"] for meld in game_view(table)["melds"]] == [[first] * 3]  # B16
    lay_the_other_groups(page, other)
    lay_off_on_both(other, page)
    assert game_view(table)["melds"][1]["by"] == [first, first, first, second]
    beside.close()


def lay_what_is_a_meld(page: Page, other: Page, seat: int) -> None:
    """B4: what is none stays in the hand."""
    for card in ("9D.0", "2C.0", "3C.0"):
        choose(page, card)
    expect(button(page, "Lay down")).to_be_disabled()
    page.keyboard.press("l")
    expect(page.locator(TOAST)).to_contain_text("These cards are not a meld.")
    page.keyboard.press("Escape")
    for card in ("5H.0", "6H.0", "7H.0"):
        choose(page, card)
    button(page, "Lay down").click()
    for seen in (page, other):
        expect(seen.locator(MELD)).to_have_count(1)
        expect(seen.locator(MELD)).to_contain_text(f"Player {seat + 1}")


def lay_the_other_groups(page: Page, other: Page) -> None:
    """B5: as often as one likes; without a choice all groups that are melds, after a question."""
    button(page, "Lay down").click()
    expect(page.locator("dialog[open] .shown-group")).to_have_count(1)
    page.locator(CONFIRM).click()
    expect(other.locator(MELD)).to_have_count(2)
    choose(page, "9D.0")
    button(page, "Discard").click()
    expect(page.locator(HELD)).to_have_count(4)


def lay_off_on_both(page: Page, other: Page) -> None:
    """B6: by who has laid nothing yet; a card that does not fit stays in the hand."""
    draw(page)
    choose(page, "AS.0")
    expect(offer(page, 0)).to_have_count(0)
    page.keyboard.press("1")
    expect(page.locator(TOAST)).to_contain_text("do not fit")
    page.keyboard.press("Escape")
    choose(page, "8H.0")
    choose(page, "9H.0")
    offer(page, 0).click()
    expect(other.locator(f"{MELD} >> nth=0 >> [data-laid]")).to_have_count(5)
    # Who laid what: the two cards of this player bear their mark.
    expect(other.locator(f"{MELD} .laid__other")).to_have_count(2)
    page.locator(f'{HAND} [data-card="KH.0"]').drag_to(page.locator(MELD).nth(1))
    expect(other.locator(f"{MELD} >> nth=1 >> [data-laid]")).to_have_count(4)


def test_going_rummy(page: Page, live_site: str, transactional_db: None) -> None:
    """B8, B9: everything in one turn counts double; the replay shows the melds."""
    table, first, second = lay_out(first="5H 6H 7H|KS KD KC|2C 3C 4C|JH", next_closed="5C 3D")
    open_page(page, live_site, table, first)
    draw(page)
    button(page, "Lay down").click()
    page.locator(CONFIRM).click()
    choose(page, "5C.0")
    offer(page, 2).click()
    choose(page, "JH.0")
    button(page, "Discard").click()
    expect(page.locator("#result-title")).to_contain_text("You go rummy", timeout=PATIENCE)
    held = hand_of(table, second)["count"]
    assert game_view(table)["result"]["points"][str(second)] == 2 * held
    expect(page.locator(RESULT)).to_contain_text(f"{held} left in hand")
    expect(page.locator(RESULT)).to_contain_text(f"loses {2 * held} points")
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    expect(page.locator(".replay__seat")).to_have_count(2)
    expect(page.locator(BOARD)).to_contain_text("No melds yet.")
    page.keyboard.press("End")
    expect(page.locator(f"{BOARD} .shown-group")).to_have_count(3)
    expect(page.locator('[data-region="moves"]')).to_contain_text("5 of clubs")


# The browser tells later that the first question is closed, when the second one is already asked.
CLOSE_AND_LAY = """() => {
  document.querySelector("dialog[open]").close();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "l", bubbles: true }));
}"""


def test_a_turn_by_keys_alone(page: Page, live_site: str, transactional_db: None) -> None:
    table, first, second = lay_out()
    open_page(page, live_site, table, first)
    page.keyboard.press("l")
    assert game_view(table)["melds"] == []  # B5: draw first
    page.keyboard.press("c")
    expect(page.locator(HELD)).to_have_count(11)
    page.keyboard.press("l")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert game_view(table)["melds"] == []
    page.keyboard.press("l")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.evaluate(CLOSE_AND_LAY)
    page.keyboard.press("Tab")
    page.locator(CONFIRM).focus()
    page.keyboard.press("Enter")
    expect(page.locator(MELD)).to_have_count(2)
    page.locator(f'{HAND} [data-card][tabindex="0"]').focus()
    page.keyboard.press("End")
    page.keyboard.press("d")
    expect(page.locator(HELD)).to_have_count(4)
    # The other one lays the eight of hearts off on the first meld.
    open_page(page, live_site, table, second)
    page.keyboard.press("c")
    expect(page.locator(HELD)).to_have_count(11)
    page.locator(f'{HAND} [data-card="8H.0"]').focus()
    page.keyboard.press("1")
    expect(page.locator(f"{MELD} >> nth=0 >> [data-laid]")).to_have_count(4)


def test_everything_can_be_pressed_and_read_on_a_phone(
    browser: Browser, live_site: str, transactional_db: None
) -> None:
    table, first, second = lay_out(preset="race100")
    # axe writes styles, which the policy refuses: not in the page that is watched for that.
    with browser.new_context(viewport=PHONE, reduced_motion="reduce") as context:
        page = context.new_page()
        open_page(page, live_site, table, first)
        faults = faults_in_both_themes(page)
        draw(page)
        button(page, "Lay down").click()
        faults += faults_in_both_themes(page)
        page.locator(CONFIRM).click()
        expect(page.locator(MELD)).to_have_count(2)
        choose(page, "9D.0")
        button(page, "Discard").click()
        expect(page.locator(HELD)).to_have_count(4)
        open_page(page, live_site, table, second)
        draw(page)
        choose(page, "8H.0")
        expect(offer(page, 0)).to_be_visible()
        faults += faults_in_both_themes(page)
        assert act(table, second, kind="leave").refusal is None
        open_page(page, live_site, table, first)
        faults += faults_in_both_themes(page)
    assert not faults, "\n".join(faults)
