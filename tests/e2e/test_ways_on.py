"""Results, which name the players even after they have left, and offer the reader's next steps."""

import pytest
from django.db.models.expressions import RawSQL
from playwright.sync_api import expect

from accounts.models import User
from core.values.isolation import unwrap
from tables.models import Deal, Match, SeatStatus
from tables.seating.sitting import leave_table
from tests.e2e.seated import (
    NOTICE,
    PATIENCE,
    REASON,
    RESULT,
    expect_cards,
    expect_online,
    open_page,
    table_of_two,
    wait_for,
)
from tests.e2e.world import cookie, make_player
from tests.points_tables import open_points_table
from tests.tables.driving import act, game_view, play_a_turn, player_at, start_with_a_bot
from wallet.ledger.balances import get_seat_balances
from wallet.money import Currency

GAMES = {
    "indian": {"game": "indian", "preset": "pool101"},
    "gin": {"game": "gin", "preset": "game100"},
    "basic": {"game": "basic", "preset": "race100"},
    "contract": {"game": "contract", "preset": "contract"},
    "rummikub": {"game": "rummikub", "preset": "session4"},
}


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_ends_while_seats_are_emptied_keeps_its_names(game, page, live_site):
    table = table_of_two(**GAMES[game], point_value=0, entry_fee=100)
    loser, winner = player_at(table, 0), player_at(table, 1)
    open_page(page, live_site, table, 0)
    for player in (loser, winner):
        leave_table(table_id=table.pk, user_id=player.pk)
    assert not table.sittings.exclude(status=SeatStatus.LEFT).exists()
    result = page.locator(RESULT)
    expect(result.locator("h2")).to_have_text("You lose the match", timeout=PATIENCE)
    reason = result.locator(REASON)
    expect(reason).to_contain_text("The match goes to Player 2")
    names = result.locator(".result__player strong").all_inner_texts()
    assert {name.removeprefix("★ ") for name in names} <= {"You", "Player 2"}
    fee = result.locator('[data-region="result-fee"]')
    expect(fee).to_have_text("Pot 200 chips, service fee 10%: 20 chips, to Player 2: 180 chips.")
    expect(result.get_by_role("link", name="Lobby")).to_be_visible()
    result.get_by_role("button", name="Play again: 100 chips").click()
    expect(page.locator(NOTICE)).to_have_text("Waiting for another player")
    assert table.sittings.get(left_at=None).number == 0


# Returns where each text of a paragraph is drawn, from the paragraph's left edge.
WHERE = """(paragraph, texts) => texts.map((text) => {
  const node = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  range.setStart(node, node.data.indexOf(text));
  range.setEnd(node, node.data.indexOf(text) + text.length);
  return range.getBoundingClientRect().left;
})"""


def test_an_amount_is_drawn_behind_a_name_from_right_to_left(page, live_site):
    name = "\u0643\u0628\u064a\u0631"
    table = table_of_two(**GAMES["gin"], point_value=0, entry_fee=100)
    winner = player_at(table, 1)
    Match.objects.filter(table=table).update(
        players=RawSQL("jsonb_set(players, '{1,name}', to_jsonb(%s::text))", [name])
    )
    User.objects.filter(pk=winner.pk).update(player_name=name)
    page.set_viewport_size({"width": 1366, "height": 768})
    open_page(page, live_site, table, 0)
    leave_table(table_id=table.pk, user_id=player_at(table, 0).pk)
    fee = page.locator('[data-region="result-fee"]')
    expect(fee).to_contain_text("180 chips", timeout=PATIENCE)
    texts = ["20 chips", name, "180 chips"]
    drawn = fee.evaluate(WHERE, texts)
    assert drawn == sorted(drawn), dict(zip(texts, drawn, strict=True))


def test_a_player_who_stays_pays_for_the_next_match_in_the_same_press(page, live_site):
    table = table_of_two(**GAMES["gin"], point_value=0, entry_fee=100)
    open_page(page, live_site, table, 1)
    leave_table(table_id=table.pk, user_id=player_at(table, 0).pk)
    result = page.locator(RESULT)
    expect(result.locator("h2")).to_have_text("You win the match", timeout=PATIENCE)
    expect(result.locator('[data-region="result-fee"]')).to_have_text(
        "Pot 200 chips, service fee 10%: 20 chips, to you: 180 chips."
    )
    result.get_by_role("button", name="Play again: 100 chips").click()
    expect(result.get_by_role("button", name="Play again")).to_be_hidden(timeout=PATIENCE)
    sitting = table.sittings.get(number=1, left_at=None)
    assert get_seat_balances([sitting.pk], currency=Currency.CHIPS) == {sitting.pk: 100}
    result.get_by_role("button", name="Lobby").click()
    page.wait_for_url(f"{live_site}/")
    assert not table.sittings.exclude(status=SeatStatus.LEFT).exists()


@pytest.mark.usefixtures("clock")
def test_friends_play_again_once_all_are_ready_and_the_host_starts(visit):
    table = table_of_two(invite_code="abcdefghijkl")
    first, second = player_at(table, 0), player_at(table, 1)
    with visit(first) as one, visit(second) as other:
        for visitor in (one, other):
            visitor.open_table(table)
        assert act(table, game_view(table)["turn"], kind="drop").refusal is None
        results = [visitor.page.locator(RESULT) for visitor in (one, other)]
        start = results[0].get_by_role("button", name="Start")
        start.click(timeout=PATIENCE)
        toast = one.page.locator('[data-region="toast"]')
        expect(toast).to_contain_text("have not pressed “Play again” yet: Player 2")
        expect(results[1]).to_contain_text("Player 1 starts the next match when all are ready")
        results[1].get_by_role("button", name="Play again").click()
        agreed = '[data-region="result-again"]'
        expect(one.page.locator(agreed)).to_have_text(
            "Playing again: Player 2. Still to answer: you."
        )
        expect(results[1].get_by_role("button", name="Start")).to_be_hidden()
        start.click()
        for visitor in (one, other):
            expect(visitor.page.locator(RESULT)).to_be_hidden(timeout=PATIENCE)
            expect_cards(visitor.page, 13)
    assert Match.objects.filter(table=table).count() == 2


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("preset", ["points", "pool101"])
def test_the_next_deal_against_bots_waits_for_the_player(preset, page, live_site):
    stake = {"point_value": 1} if preset == "points" else {"entry_fee": 100, "point_value": 0}
    opened = open_points_table("Mango Grove", seats=2, preset=preset, bots_wanted=1, **stake)
    table = start_with_a_bot(opened, make_player("Nila"))
    open_page(page, live_site, table, 0)
    if game_view(table)["turn"] != 0:
        play_a_turn(table)
    assert act(table, 0, kind="drop").refusal is None
    result = page.locator(RESULT)
    expect(result).to_contain_text("The next deal waits until you ask for it", timeout=PATIENCE)
    again = "Play again" if preset == "points" else "Next deal"
    page.reload()
    expect_online(page)
    expect(page.locator(NOTICE)).to_have_text("The next deal waits until you ask for it")
    if not result.is_visible():
        page.get_by_role("button", name="Last deal").click()
    assert Deal.objects.filter(match__table=table).count() == 1
    result.get_by_role("button", name=again).click()
    expect_cards(page, 13)
    wait_for(page, lambda: Deal.objects.filter(match__table=table).count() == 2)


def test_the_next_deal_starts_in_one_press(page, live_site):
    table = table_of_two(**GAMES["indian"], point_value=0, entry_fee=100)
    open_page(page, live_site, table, 0)
    assert act(table, 0, kind="drop").refusal is None
    result = page.locator(RESULT)
    expect(result).to_be_visible(timeout=PATIENCE)
    expect(result.get_by_role("button", name="Leave")).to_be_hidden()
    result.get_by_role("button", name="Go on").click()
    expect(result).to_be_hidden()


def test_a_bot_is_named_in_the_readers_language(page, live_site):
    opened = open_points_table("Mango Grove", seats=2, bots_wanted=1, point_value=1)
    table = start_with_a_bot(opened, make_player("Nila"))
    open_page(page, live_site, table, 0)
    page.context.add_cookies([cookie(live_site, "django_language", "hi")])
    page.reload()
    # The bot's mark is shown once, beside the name. The accessible name contains both.
    name = unwrap(player_at(table, 1).player_name).removesuffix(" (bot)")
    expect(page.locator(".seat__name", has_text=name)).to_have_text(name, timeout=PATIENCE)
    expect(page.get_by_role("button", name=f"{name} (बॉट)")).to_be_visible()
