"""Contract Rummy with three players in browsers: buying, the contract, lay-offs, jokers, the end."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tables.models import Table
from tests.e2e.inspection import (
    LYING_PHONE,
    SMALL_PHONE,
    faults_in_both_themes,
    small_targets,
    too_wide,
)
from tests.e2e.seated import (
    BOARD,
    CARDS,
    CONFIRM,
    DIALOG,
    DRAW_CLOSED,
    MELD,
    MOVES,
    NOTICE,
    PATIENCE,
    RESULT,
    TITLE,
    TOAST,
    button,
    choose,
    draw,
    expect_cards,
    open_page,
    open_replay_at_its_end,
    table_of,
)
from tests.e2e.test_basic import offer
from tests.games.contract.scenes import SINGLE, scene
from tests.tables.driving import act, game_view, hand_of
from tests.tables.scenes import lay_scene

NEVER = '[data-action="never-buy"]'
# The first player holds a set and a run with a joker: the contract of the preset `single`.
FIRST = "9C 9D 9S 4H 5H PJ 7H JC QD 2S"
SECOND = "KS KH QC 6H TS 8D 3C 3D 5S AD"
THIRD = "KC KD JD 7S 8S 2D 4C 6C TH AC"

# The contract of a match's first deal. Two melds are on the table.
TWO_SETS = "9C 9D 9S KS KH KC 4H 5H QD 2S"
TWO_SETS_LIE: dict[str, Any] = {"table": "TC TD TH|JS JH JD", "has_laid": (2,)}
# The first player has laid the contract.
RUN_LIES: dict[str, Any] = {"table": "4H 5H PJ=6H 7H", "has_laid": (0,), "next_closed": "8H 2C"}


def lay_out(
    first: str = FIRST, second: str = SECOND, *, terms: dict[str, Any] | None = None, **scenery: Any
) -> tuple[Table, tuple[int, ...]]:
    """Open a table before its first move, hands in order of play. Return it and the seats in that order."""
    table = table_of(3, game="contract", **{"preset": "single", **(terms or {})})
    piles = {"open_pile": "KD", "next_closed": "JH 8C TD 3H", **scenery}
    return table, lay_scene(table, scene, first, second, THIRD, **piles)


def lay_out_a_run(first: str, **scenery: Any) -> tuple[Table, tuple[int, ...]]:
    """Open a table on which a run with a joker lies. Nobody buys the first player's upcard."""
    table, order = lay_out(first, SECOND.replace("6H", "8C"), **{**RUN_LIES, **scenery})
    assert act(table, order[0], kind="draw", source="closed").refusal is None
    for seat in order[1:]:
        assert act(table, seat, kind="pass").refusal is None
    return table, order


def say_never(page: Page, *, pressed: str) -> None:
    """Press "Never buy". The page shows it at once, and the button is enabled again when the server has answered."""
    page.locator(NEVER).click()
    expect(page.locator(NEVER)).to_have_attribute("aria-pressed", pressed)
    expect(page.locator(NEVER)).to_be_enabled()


def answers(page: Page) -> list[Locator]:
    return [button(page, "Buy"), button(page, "Pass")]


def test_c7_the_others_are_asked_at_once_and_nobody_sees_who_wants_the_card(open_seats):
    """C7, C20: the first buyer in order of play gets the card. Only then is everybody told who wanted it."""
    table, order = lay_out()
    first, second, third = open_seats(table, *order)
    first.locator(DRAW_CLOSED).click()
    for page in (second, third):
        expect(page.locator(NOTICE)).to_contain_text("does not want the king of diamonds. Buy it?")
        for answer in answers(page):
            expect(answer).to_be_enabled()
    expect(first.locator(NOTICE)).to_contain_text("The others are deciding")
    expect_cards(first, 10)  # C7: the closed card comes after the window

    button(third, "Buy").click()
    expect(third.locator(NOTICE)).to_contain_text("You have answered")
    for answer in answers(third):
        expect(answer).to_be_disabled()
    # C20: no page shows which answers have been given.
    for page in (first, second):
        expect(page.locator(".seat--acting:not(.seat--own)")).to_have_count(
            2 if page is first else 1
        )
        expect(page.locator(MOVES)).not_to_contain_text("bought")
    expect(second.locator(NOTICE)).to_contain_text("Buy it?")

    button(second, "Buy").click()
    name = f"Player {order[2] + 1}"
    expect(first.locator(MOVES)).to_contain_text(f"; {name} wanted it too.")
    expect_cards(second, 12)  # the upcard, and a closed card
    expect_cards(third, 10)
    expect_cards(first, 11)
    assert hand_of(table, order[1])["bought"] == ["KD.1", "JH.0"]
    for page in (first, third):
        expect(page.locator(MOVES)).not_to_contain_text("jack of hearts")
    buy_at_once(first, second, third)


def buy_at_once(first: Page, second: Page, third: Page) -> None:
    """C7: the window closes as soon as the first player in order of play says buy."""
    choose(first, "JC.0")
    button(first, "Discard").click()
    second.locator(DRAW_CLOSED).click()
    for answer in answers(first):
        expect(answer).to_be_enabled()
    button(third, "Buy").click()
    expect(first.locator(MOVES)).to_contain_text("bought the jack of clubs.")
    for answer in answers(first):
        expect(answer).to_be_hidden()
    expect_cards(second, 13)


def test_never_buy_asks_nothing_a_contract_is_laid_at_once_and_lay_offs_wait(open_seats):
    """C4, C7, C9, C10. Every page shows the card for which a joker stands."""
    table, order = lay_out()
    first, second, third = open_seats(table, *order)
    expect(first.locator('[data-region="contract"]')).to_have_text("Contract: set of 3 + run of 4")
    expect(first.locator('[data-region="hand-count"]')).to_have_text("You hold the contract")
    assert hand_of(table, order[1])["missing"] == 3
    expect(second.locator('[data-region="hand-count"]')).to_have_text("3 cards missing")
    for page in (second, third):
        say_never(page, pressed="true")
    second.reload()
    expect(second.locator(NEVER)).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    draw(first)  # C7: no window waits for players who never buy, so the closed card comes at once
    expect_cards(third, 10)
    assert [hand_of(table, seat)["never_buy"] for seat in order] == [False, True, True]
    lay_the_contract(first, table)
    for page in (first, second, third):
        expect(page.locator(MELD)).to_have_count(2)
        expect(page.get_by_role("img", name="joker for 6 of hearts")).to_be_visible()
    expect(second.locator(f'.seat[data-seat="{order[0]}"]')).to_contain_text("contract laid")
    # A second press withdraws "Never buy".
    say_never(third, pressed="false")
    assert [hand_of(table, seat)["never_buy"] for seat in order] == [False, True, False]
    lay_off_too_early(first, second, third)


def lay_the_contract(page: Page, table: Table) -> None:
    button(page, "Lay the contract").click()
    expect(page.locator(TOAST)).to_contain_text("Put the melds of the contract into groups")
    for group in (("9C.0", "9D.0", "9S.0"), ("4H.0", "5H.0", "PJ.0", "7H.0")):
        choose(page, *group)
        button(page, "Group").click()
    button(page, "Lay the contract").click()
    asked = page.locator(DIALOG)
    expect(asked.locator(".shown-group")).to_have_count(2)
    expect(asked.get_by_role("img", name="joker for 6 of hearts")).to_be_visible()
    asked.locator('[data-action="cancel"]').click()
    assert game_view(table)["melds"] == []  # a single click lays no contract
    button(page, "Lay the contract").click()
    page.locator(CONFIRM).click()


def lay_off_too_early(page: Page, other: Page, buyer: Page) -> None:
    """C9: nobody may lay off in the turn of their contract; C10: nor before it."""
    choose(page, "JC.0")
    page.keyboard.press("1")
    expect(page.locator(TOAST)).to_contain_text("You may lay off from your next turn on.")
    button(page, "Discard").click()
    expect_cards(page, 3)
    other.locator(DRAW_CLOSED).click()
    expect(button(buyer, "Buy")).to_be_enabled()
    for one in (page, buyer):
        button(one, "Pass").click()
    expect_cards(other, 11)
    choose(other, "6H.0")
    other.keyboard.press("2")
    expect(other.locator(TOAST)).to_contain_text("Lay the contract first.")


def test_a_joker_is_taken_or_moved_in_exchange_for_its_card(page, live_site):
    """C11: jokers on the table."""
    table, order = lay_out_a_run("6H QD 2S", table="4H 5H PJ=6H 7H|9C 9D PJ=9S")
    open_page(page, live_site, table, order[0])
    choose(page, "6H.0")
    run, dead = page.locator(MELD).first, page.locator(MELD).nth(1)
    expect(run.get_by_role("button", name="Joker to the front")).to_be_visible()
    expect(dead.get_by_role("button")).to_have_count(0)
    expect(dead.get_by_role("img", name="joker for 9 of spades, stays in its set")).to_be_visible()
    expect(dead.locator(".laid__as--dead")).to_have_text("9♠")
    expect(run.locator(".laid__as")).to_have_text("6♥")
    expect(run.locator(".laid__as--dead")).to_have_count(0)
    run.get_by_role("button", name="Joker to the back").click()
    expect(run.get_by_role("img", name="joker for 8 of hearts")).to_be_visible()
    choose(page, "8H.0")
    run.get_by_role("button", name="Take the joker").click()
    expect(page.locator(f'{CARDS}[data-card="PJ.0"]')).to_be_visible()
    # The joker in the hand fits at both ends, and the page names the card that it would be.
    choose(page, "PJ.0")
    expect(run.get_by_role("button", name="Lay off as 3♥")).to_be_visible()
    run.get_by_role("button", name="Lay off as 9♥").click()
    expect(run.get_by_role("img", name="joker for 9 of hearts")).to_be_visible()
    assert game_view(table)["melds"][0]["as"] == ["4H", "5H", "6H", "7H", "8H", "9H"]


def test_cards_are_laid_off_in_three_ways_and_going_out_shows_result_and_replay(page, live_site):
    """C10, C12, C15: laying off, going out and the count."""
    table, order = lay_out_a_run("3H 9H 6H QD")
    open_page(page, live_site, table, order[0])
    choose(page, "3H.0")
    offer(page, 0).click()
    expect(page.locator(f"{MELD} [data-laid]")).to_have_count(5)
    page.locator(f'{CARDS}[data-card="8H.0"]').drag_to(page.locator(MELD).first)
    expect(page.locator(f"{MELD} [data-laid]")).to_have_count(6)
    page.locator(f'{CARDS}[data-card="9H.0"]').focus()
    page.keyboard.press("1")
    expect(page.locator(f"{MELD} [data-laid]")).to_have_count(7)
    assert game_view(table)["melds"][0]["as"] == ["3H", "4H", "5H", "6H", "7H", "8H", "9H"]
    choose(page, "6H.0")
    page.get_by_role("button", name="Joker to the front").click()
    choose(page, "QD.0")
    button(page, "Discard").click()
    expect(page.locator(TITLE)).to_have_text("You go out first and win the deal", timeout=PATIENCE)
    lost = game_view(table)["result"]["points"]
    assert lost[str(order[0])] == 0
    for seat in order[1:]:
        held = hand_of(table, seat)["count"]
        assert lost[str(seat)] == min(held, SINGLE.max_points or 0)
        expect(page.locator(RESULT)).to_contain_text(f"{lost[str(seat)]} points lost")
    open_replay_at_its_end(page, live_site, table)
    expect(page.locator(f"{BOARD} .shown-group")).to_have_count(1)


def test_a_turn_by_keys_alone(page, live_site):
    table, order = lay_out()
    open_page(page, live_site, table, order[1])
    assert act(table, order[0], kind="draw", source="closed").refusal is None
    expect(button(page, "Pass")).to_be_enabled()
    page.keyboard.press("y")
    expect_cards(page, 12)
    assert act(table, order[0], kind="discard", card="JC.0").refusal is None
    expect(page.locator('[data-action="draw-open"]')).to_be_enabled()
    page.keyboard.press("o")
    expect_cards(page, 13)
    page.locator(f'{CARDS}[data-card="AD.0"]').focus()
    page.keyboard.press("d")
    expect_cards(page, 12)


def test_everything_can_be_pressed_and_read_on_a_phone(page, live_site):
    terms = {"preset": "contract", "point_value": 0, "entry_fee": 50}
    table, order = lay_out(TWO_SETS, terms=terms, **TWO_SETS_LIE)
    groups = [["9C.0", "9D.0", "9S.0"], ["KS.0", "KH.0", "KC.0"], ["4H.0", "5H.0", "QD.0", "2S.0"]]
    assert act(table, order[0], kind="arrange", rev=1, groups=groups).refusal is None
    page.set_viewport_size(SMALL_PHONE)
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
    page.set_viewport_size(LYING_PHONE)
    faults += too_wide(page) + small_targets(page)
    assert not faults, "\n".join(faults)
