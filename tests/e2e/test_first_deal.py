"""From nothing to a deal won or lost: what somebody does who has just found the site."""

import random
import re
from typing import Any

from playwright.sync_api import Page, expect

from accounts.models import User
from games.registry import get_game
from tables.models import Match, MatchStatus, Table
from tables.play.reading import snapshot
from tables.seating.opening import TableTerms, open_table
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.money import Currency

PASSWORD = "a-long-enough-word-4"
TURNS = 60


def test_somebody_registers_and_plays_a_deal_to_its_end(
    page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    table = open_table(
        TableTerms(
            game="indian",
            preset="points",
            name="Mango Grove",
            max_seats=2,
            point_value=1,
            bots_wanted=1,
        )
    )
    register(page, live_site)
    sit_down(page)
    play_a_turn_and_drop(page, table)

    result = page.locator('[data-region="result"]')
    expect(result).to_be_visible()
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert match.settlement is not None
    user = User.objects.get(player_name="Nila")
    seat = next(seat for seat, player in match.players.items() if player["user"] == user.pk)
    won = match.settlement["amounts"][seat]
    assert won != 0
    expect(result).to_contain_text(re.compile(rf"{abs(won)}\b"))

    replay = f"/matches/{match.pk}/deals/1/"
    expect(result.get_by_role("link", name="Replay")).to_have_attribute("href", replay)

    page.goto(f"{live_site}/tables/{table.pk}/")
    page.locator('[data-action="leave"]').first.click()
    confirm = page.locator('dialog[open] [data-action="confirm"]')
    if confirm.is_visible():
        confirm.click()
    expect(page).to_have_url(re.compile(r"/$"))
    page.get_by_role("link", name="Wallet").first.click()
    left = balance(chart.player(user.pk, Currency.CHIPS))
    assert left == 10_000 + won
    expect(page.locator("main")).to_contain_text(f"{left:,}")


def register(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_role("link", name="Register", exact=True).click()
    page.get_by_label("Email").fill("nila@example.com")
    page.get_by_label("Player name").fill("Nila")
    page.get_by_label("18 years").check()
    page.locator("input[name=password1]").fill(PASSWORD)
    page.locator("main form:has(input[name=password1]) button[type=submit]").click()
    expect(page.locator("header")).to_contain_text("10,000")


def sit_down(page: Page) -> None:
    page.get_by_role("link", name=re.compile("Lobby")).first.click()
    page.get_by_role("link", name="All tables").click()
    page.locator('[data-table] a:has-text("Play")').first.click()
    expect(page.locator("body")).to_have_attribute("data-net", "online")
    page.get_by_role("button", name=re.compile("Sit here")).first.click()
    page.locator('[data-dialog="sit"] [data-action="confirm"]').click()
    expect(page.locator('[data-region="hand"] [data-card]').first).to_be_visible(timeout=15_000)
    expect(page.locator('[data-region="hand"] [data-card]')).to_have_count(13)


def play_until_the_deal_is_over(page: Page, table: Table) -> None:
    """Play as a bot would, but with the page's own buttons."""
    rng = random.Random(7)
    for _turn in range(TURNS):
        move = await_move(page, table, rng)
        if move is None:
            return
        DO[move["kind"]](page, move)
    raise AssertionError("the deal does not end")


def play_a_turn_and_drop(page: Page, table: Table) -> None:
    """End the deal soon. A whole one is played in tests/e2e/test_guided_deal.py."""
    rng = random.Random(7)
    for _move in range(2):
        move = await_move(page, table, rng)
        assert move is not None
        DO[move["kind"]](page, move)
    assert await_move(page, table, rng) is not None
    drop(page, {})


def await_move(page: Page, table: Table, rng: random.Random) -> dict[str, Any] | None:
    """Wait for this player's turn; None when the match is over."""
    user = User.objects.get(player_name="Nila")
    game = get_game(table.game)
    for _ in range(600):
        seen = snapshot(table_id=table.pk, user_id=user.pk)
        assert seen is not None
        state = seen.state
        if state["table"]["status"] == "between":
            return None
        if seen.seat is not None and is_waited_for(state["game"], seen.seat):
            view = {"public": state["game"], "you": state["you"], "rules": state["rules"]}
            return game.bots(view, seen.seat, strength="medium", rng=rng)
        page.wait_for_timeout(50)
    raise AssertionError("it is never this player's turn")


def is_waited_for(public: dict[str, Any], seat: int) -> bool:
    if public["phase"] == "show":
        player = public["players"][str(seat)]
        return public["declaration"]["seat"] != seat and not player["shown"]
    return bool(public["turn"] == seat)


def draw(page: Page, move: dict[str, Any]) -> None:
    page.locator(f'[data-action="draw-{move["source"]}"]').click()
    expect(page.locator('[data-region="hand"] [data-card]')).to_have_count(14)


def discard(page: Page, move: dict[str, Any]) -> None:
    select(page, move["card"])
    page.locator('[data-action="discard"]').click()
    expect(page.locator('[data-region="hand"] [data-card]')).to_have_count(13)


def finish(page: Page, move: dict[str, Any]) -> None:
    select(page, move["card"])
    page.locator('[data-action="finish"]').click()
    page.locator('dialog[open] [data-action="confirm"]').click()
    expect(page.locator('[data-action="declare"]')).to_be_visible()
    # Groups that are complete already are offered at once; here they are laid first.
    page.wait_for_timeout(300)
    cancel = page.locator('dialog[open] [data-action="cancel"]')
    if cancel.is_visible():
        cancel.click()


def declare(page: Page, move: dict[str, Any]) -> None:
    lay_groups(page, move["groups"])
    page.locator('[data-action="declare"]').click()
    page.locator('dialog[open] [data-action="confirm"]').click()
    expect(page.locator('[data-action="declare"]')).to_be_hidden()


def show(page: Page, move: dict[str, Any]) -> None:
    lay_groups(page, move["groups"])
    page.locator('[data-action="show"]').click()
    confirm = page.locator('dialog[open] [data-action="confirm"]')
    if confirm.is_visible():
        confirm.click()
    expect(page.locator('[data-action="show"]')).to_be_hidden()


def drop(page: Page, _move: dict[str, Any]) -> None:
    page.locator('[data-action="drop"]').click()
    page.locator('dialog[open] [data-action="confirm"]').click()
    expect(page.locator('[data-action="drop"]')).to_be_hidden()


DO = {
    "draw": draw,
    "discard": discard,
    "finish": finish,
    "declare": declare,
    "show": show,
    "drop": drop,
}


def select(page: Page, card: str) -> None:
    # Cards overlap: the visible strip is at the left.
    page.locator(f'[data-region="hand"] [data-card="{card}"]').click(position={"x": 8, "y": 20})


def lay_groups(page: Page, groups: list[list[str]]) -> None:
    for group in groups:
        for card in group:
            select(page, card)
        page.locator('[data-action="group"]').click()
