"""Contract Rummy with three seats in browsers: buying, the contract, lay offs, jokers, the end."""

from typing import Any

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from games.registry import get_game
from tables.models import Match, MatchStatus, Table
from tests.e2e.gin_table import button, choose
from tests.e2e.inspection import faults_in_both_themes, small_targets, too_wide
from tests.e2e.seated import CARDS as HELD
from tests.e2e.seated import PATIENCE, open_page, table_of
from tests.e2e.test_basic import BOARD, CONFIRM, MELD, RESULT, TOAST, draw, offer
from tests.games.contract.scenes import SINGLE, scene
from tests.games.values import replace
from tests.tables.driving import act, game_view, hand_of, state_of

PHONE = ViewportSize(width=360, height=740)
NOTICE = '[data-region="notice"]'
MOVES = '[data-region="moves"]'
NEVER = '[data-action="never-buy"]'
# Who begins holds a set and a run with a joker: the contract of the preset `single`.
FIRST = "9C 9D 9S 4H 5H PJ 7H JC QD 2S"
SECOND = "KS KH QC 6H TS 8D 3C 3D 5S AD"
THIRD = "KC KD JD 7S 8S 2D 4C 6C TH AC"

# What the first deal of a match asks for; two melds lie on the table.
TWO_SETS = "9C 9D 9S KS KH KC 4H 5H QD 2S"
TWO_SETS_LIE: dict[str, Any] = {"table": "TC TD TH|JS JH JD", "has_laid": (2,)}


def lay_out(*hands: str, preset: str = "single", **scenery: Any) -> tuple[Table, list[int]]:
    """Open a table before its first move with these cards in order of play. Return it and the seats in that order."""
    stakes: dict[str, Any] = {}
    if preset != "single":
        stakes = {"point_value": 0, "entry_fee": 50}
    held = hands or (FIRST, SECOND, THIRD)
    table = table_of(len(held), game="contract", preset=preset, **stakes)
    game = get_game("contract")
    match: Any = game.stored.load(state_of(table))
    scenery = {"open_pile": "KD", "next_closed": "JH 8C TD 3H", "rules": match.rules, **scenery}
    drawn_up = scene(*held, **scenery).deal
    order = [player.seat for player in match.deal.players]
    # A scene has its seats from 0; here they are those of the table.
    players = tuple(
        replace(player, groups=like.groups, laid_in=like.laid_in)
        for player, like in zip(match.deal.players, drawn_up.players, strict=True)
    )
    melds = tuple(replace(meld, by=tuple(order[1] for _ in meld.by)) for meld in drawn_up.melds)
    piles = {"closed": drawn_up.closed, "open_pile": drawn_up.open_pile, "melds": melds}
    deal = replace(match.deal, players=players, **piles)
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(replace(match, deal=deal)))
    return table, order


class Browsers:
    """A page for each seat, in order of play."""

    def __init__(self, browser: Browser, site: str, table: Table, order: list[int]) -> None:
        self.contexts = [browser.new_context() for _ in order]
        self.pages = [context.new_page() for context in self.contexts]
        for page, seat in zip(self.pages, order, strict=True):
            open_page(page, site, table, seat)

    def close(self) -> None:
        for context in self.contexts:
            context.close()


def refuse_upcard(page: Page) -> None:
    page.locator('[data-action="draw-closed"]').click()


def say_never(page: Page, *, pressed: str) -> None:
    """Presses "Never buy". The page shows it at once; the others go on when the server knows it."""
    page.locator(NEVER).click()
    expect(page.locator(NEVER)).to_have_attribute("aria-pressed", pressed)
    expect(page.locator(NEVER)).to_be_enabled()


def draw_unsold(table: Table, order: list[int]) -> None:
    """Who begins draws from the closed deck, and nobody buys the upcard."""
    assert act(table, order[0], kind="draw", source="closed").refusal is None
    for seat in order[1:]:
        assert act(table, seat, kind="pass").refusal is None


def answers(page: Page) -> list[Locator]:
    return [button(page, "Buy"), button(page, "Pass")]


def test_c7_the_others_are_asked_at_once_and_nobody_sees_who_wants_the_card(
    browser: Browser, live_site: str, transactional_db: None
) -> None:
    """C7, C20: the first in order of play gets it, and then all are told who wanted it."""
    table, order = lay_out()
    three = Browsers(browser, live_site, table, order)
    first, second, third = three.pages
    refuse_upcard(first)
    for page in (second, third):
        expect(page.locator(NOTICE)).to_contain_text("does not want the king of diamonds. Buy it?")
        for answer in answers(page):
            expect(answer).to_be_enabled()
    expect(first.locator(NOTICE)).to_contain_text("The others are asked")
    expect(first.locator(HELD)).to_have_count(10)  # C7: the closed card comes after the window

    button(third, "Buy").click()
    expect(third.locator(NOTICE)).to_contain_text("You have answered")
    for answer in answers(third):
        expect(answer).to_be_disabled()
    # C20: what has been answered shows nowhere, to nobody.
    for page in (first, second):
        expect(page.locator(".seat--acting:not(.seat--own)")).to_have_count(
            2 if page is first else 1
        )
        expect(page.locator(MOVES)).not_to_contain_text("bought")
    expect(second.locator(NOTICE)).to_contain_text("Buy it?")

    button(second, "Buy").click()
    name = f"Player {order[2] + 1}"
    expect(first.locator(MOVES)).to_contain_text(f"; {name} wanted it too.")
    expect(second.locator(HELD)).to_have_count(12)  # the upcard, and a closed card
    expect(third.locator(HELD)).to_have_count(10)
    expect(first.locator(HELD)).to_have_count(11)
    assert hand_of(table, order[1])["bought"] == ["KD.1", "JH.0"]
    for page in (first, third):
        expect(page.locator(MOVES)).not_to_contain_text("jack of hearts")
    buy_at_once(first, second, third)
    three.close()


def buy_at_once(first: Page, second: Page, third: Page) -> None:
    """C7: the window closes when the first in order of play has said buy."""
    choose(first, "JC.0")
    button(first, "Discard").click()
    refuse_upcard(second)
    for answer in answers(first):
        expect(answer).to_be_enabled()
    button(third, "Buy").click()
    expect(first.locator(MOVES)).to_contain_text("bought the jack of clubs.")
    for answer in answers(first):
        expect(answer).to_be_hidden()
    expect(second.locator(HELD)).to_have_count(13)


def test_never_buy_asks_nothing_a_contract_is_laid_at_once_and_lay_offs_wait(
    browser: Browser, live_site: str, transactional_db: None
) -> None:
    """C4, C7, C9, C10: with what the joker stands for on every page."""
    table, order = lay_out()
    three = Browsers(browser, live_site, table, order)
    first, second, third = three.pages
    expect(first.locator('[data-region="contract"]')).to_have_text("Contract: set of 3 + run of 4")
    expect(first.locator('[data-region="hand-count"]')).to_have_text("You hold the contract")
    assert hand_of(table, order[1])["missing"] == 3
    expect(second.locator('[data-region="hand-count"]')).to_have_text("3 cards missing")
    for page in (second, third):
        say_never(page, pressed="true")
    second.reload()
    expect(second.locator(NEVER)).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    draw(first)  # C7: nobody waits for who never buys, and the closed card is there at once
    expect(third.locator(HELD)).to_have_count(10)
    assert [hand_of(table, seat)["never_buy"] for seat in order] == [False, True, True]
    lay_the_contract(first, table)
    for page in (first, second, third):
        expect(page.locator(MELD)).to_have_count(2)
        expect(page.get_by_role("img", name="joker for 6 of hearts")).to_be_visible()
    expect(second.locator(f'.seat[data-seat="{order[0]}"]')).to_contain_text("contract laid")
    # Taken back it is forgotten.
    say_never(third, pressed="false")
    assert [hand_of(table, seat)["never_buy"] for seat in order] == [False, True, False]
    lay_off_too_early(first, second, third)
    three.close()


def lay_the_contract(page: Page, table: Table) -> None:
    button(page, "Lay the contract").click()
    expect(page.locator(TOAST)).to_contain_text("Put the melds of the contract into groups")
    for group in (("9C.0", "9D.0", "9S.0"), ("4H.0", "5H.0", "PJ.0", "7H.0")):
        for card in group:
            choose(page, card)
        button(page, "Group").click()
    button(page, "Lay the contract").click()
    asked = page.locator("dialog[open]")
    expect(asked.locator(".shown-group")).to_have_count(2)
    expect(asked.get_by_role("img", name="joker for 6 of hearts")).to_be_visible()
    asked.locator('[data-action="cancel"]').click()
    assert game_view(table)["melds"] == []  # no contract by one click
    button(page, "Lay the contract").click()
    page.locator(CONFIRM).click()


def lay_off_too_early(page: Page, other: Page, buyer: Page) -> None:
    """C9: not in the turn of the contract; C10: not before it."""
    choose(page, "JC.0")
    page.keyboard.press("1")
    expect(page.locator(TOAST)).to_contain_text("Lay off from your next turn on.")
    button(page, "Discard").click()
    expect(page.locator(HELD)).to_have_count(3)
    refuse_upcard(other)
    expect(button(buyer, "Buy")).to_be_enabled()
    for one in (page, buyer):
        button(one, "Pass").click()
    expect(other.locator(HELD)).to_have_count(11)
    choose(other, "6H.0")
    other.keyboard.press("2")
    expect(other.locator(TOAST)).to_contain_text("Lay the contract first.")


def test_a_joker_is_taken_or_moved_in_exchange_for_its_card(
    browser: Browser, live_site: str, transactional_db: None
) -> None:
    """C11"""
    table, order = lay_out(
        "6H QD 2S",
        SECOND.replace("6H", "8C"),
        THIRD,
        table="4H 5H PJ=6H 7H|9C 9D PJ=9S",
        has_laid=(0,),
        next_closed="8H 2C",
    )
    page = browser.new_context().new_page()
    open_page(page, live_site, table, order[0])
    draw_unsold(table, order)
    expect(page.locator(HELD)).to_have_count(4)
    choose(page, "6H.0")
    run = page.locator(MELD).first
    expect(run.get_by_role("button", name="Joker to the front")).to_be_visible()
    dead = page.locator(MELD).nth(1)
    expect(dead.get_by_role("button")).to_have_count(0)
    expect(dead.get_by_role("img", name="joker for 9 of spades, stays in its set")).to_be_visible()
    expect(dead.locator(".laid__as--dead")).to_have_text("9♠")
    expect(run.locator(".laid__as")).to_have_text("6♥")
    expect(run.locator(".laid__as--dead")).to_have_count(0)
    run.get_by_role("button", name="Joker to the back").click()
    expect(run.get_by_role("img", name="joker for 8 of hearts")).to_be_visible()
    choose(page, "8H.0")
    run.get_by_role("button", name="Take the joker").click()
    expect(page.locator(f'{HELD}[data-card="PJ.0"]')).to_be_visible()
    # The joker in hand may go to either end, and the page says as what.
    choose(page, "PJ.0")
    expect(run.get_by_role("button", name="Lay off as 3♥")).to_be_visible()
    run.get_by_role("button", name="Lay off as 9♥").click()
    expect(run.get_by_role("img", name="joker for 9 of hearts")).to_be_visible()
    assert game_view(table)["melds"][0]["as"] == ["4H", "5H", "6H", "7H", "8H", "9H"]
    page.context.close()


def test_going_out_ends_the_deal_with_result_and_replay(
    page: Page, live_site: str, transactional_db: None
) -> None:
    """C12, C15"""
    table, order = lay_out(
        "6H QD",
        SECOND.replace("6H", "8C"),
        THIRD,
        table="4H 5H PJ=6H 7H",
        has_laid=(0,),
        next_closed="8H 2C",
    )
    open_page(page, live_site, table, order[0])
    draw_unsold(table, order)
    expect(page.locator(HELD)).to_have_count(3)
    # C10: laid off by drag.
    page.locator(f'{HELD}[data-card="8H.0"]').drag_to(page.locator(MELD).first)
    expect(page.locator(f"{MELD} [data-laid]")).to_have_count(5)
    choose(page, "6H.0")
    page.get_by_role("button", name="Joker to the front").click()
    choose(page, "QD.0")
    button(page, "Discard").click()
    expect(page.locator("#result-title")).to_have_text(
        "You go out first and win the deal", timeout=PATIENCE
    )
    lost = game_view(table)["result"]["points"]
    assert lost[str(order[0])] == 0
    for seat in order[1:]:
        held = hand_of(table, seat)["count"]
        assert lost[str(seat)] == min(held, SINGLE.max_points or 0)
        expect(page.locator(RESULT)).to_contain_text(f"loses {lost[str(seat)]} points")
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    expect(page.locator(".replay__seat")).to_have_count(3)
    page.keyboard.press("End")
    expect(page.locator(f"{BOARD} .shown-group")).to_have_count(1)


def test_c10_laid_off_by_press_and_by_key(
    page: Page, live_site: str, transactional_db: None
) -> None:
    table, order = lay_out(
        "3H 8H QD",
        SECOND.replace("6H", "8C"),
        THIRD,
        table="4H 5H PJ=6H 7H",
        has_laid=(0,),
        next_closed="2C 2D",
    )
    open_page(page, live_site, table, order[0])
    draw_unsold(table, order)
    expect(page.locator(HELD)).to_have_count(4)
    choose(page, "3H.0")
    offer(page, 0).click()
    expect(page.locator(f"{MELD} [data-laid]")).to_have_count(5)
    page.locator(f'{HELD}[data-card="8H.0"]').focus()
    page.keyboard.press("1")
    expect(page.locator(f"{MELD} [data-laid]")).to_have_count(6)
    assert game_view(table)["melds"][0]["as"] == ["3H", "4H", "5H", "6H", "7H", "8H"]


def test_a_turn_by_keys_alone(page: Page, live_site: str, transactional_db: None) -> None:
    table, order = lay_out()
    open_page(page, live_site, table, order[1])
    assert act(table, order[0], kind="draw", source="closed").refusal is None
    expect(button(page, "Pass")).to_be_enabled()
    page.keyboard.press("y")
    expect(page.locator(HELD)).to_have_count(12)
    assert act(table, order[0], kind="discard", card="JC.0").refusal is None
    expect(page.locator('[data-action="draw-open"]')).to_be_enabled()
    page.keyboard.press("o")
    expect(page.locator(HELD)).to_have_count(13)
    page.locator(f'{HELD}[data-card="AD.0"]').focus()
    page.keyboard.press("d")
    expect(page.locator(HELD)).to_have_count(12)


def test_everything_can_be_pressed_and_read_on_a_phone(
    browser: Browser, live_site: str, transactional_db: None
) -> None:
    table, order = lay_out(TWO_SETS, SECOND, THIRD, preset="contract", **TWO_SETS_LIE)
    groups = [["9C.0", "9D.0", "9S.0"], ["KS.0", "KH.0", "KC.0"], ["4H.0", "5H.0", "QD.0", "2S.0"]]
    assert act(table, order[0], kind="arrange", rev=1, groups=groups).refusal is None
    # axe writes styles, which the policy refuses: not in the page that is watched for that.
    with browser.new_context(viewport=PHONE, reduced_motion="reduce") as context:
        page = context.new_page()
        open_page(page, live_site, table, order[1])
        faults = faults_in_both_themes(page)
        assert act(table, order[0], kind="draw", source="closed").refusal is None
        expect(button(page, "Buy")).to_be_enabled()
        faults += faults_in_both_themes(page)
        for seat in order[1:]:
            assert act(table, seat, kind="pass").refusal is None
        open_page(page, live_site, table, order[0])
        button(page, "Lay the contract").click()
        faults += faults_in_both_themes(page)
        page.locator(CONFIRM).click()
        expect(page.locator(MELD)).to_have_count(4)
        faults += faults_in_both_themes(page)
        page.set_viewport_size({"width": 844, "height": 390})
        faults += too_wide(page) + small_targets(page)
    assert not faults, "\n".join(faults)
