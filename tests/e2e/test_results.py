"""Results, which first say what happened to their reader: a winner, a loser, an eliminated player or a watcher."""

from playwright.sync_api import Page, expect

from tables.models import Table
from tests.e2e.inspection import LYING_PHONE, PHONE, SMALL_PHONE, measure_box, resize
from tests.e2e.seated import (
    PATIENCE,
    REASON,
    RESULT,
    button,
    open_replay_at_its_end,
    table_of_two,
)
from tests.e2e.test_pool_match import ASK, table_of_three
from tests.e2e.test_rummikub import lay, lay_new_meld, lay_out
from tests.games.indian.scenes import DECLARABLE, WORTHLESS, scene
from tests.tables.driving import act, expire_turn, game_view, get_match, hand_of
from tests.tables.pools import give_scores
from tests.tables.scenes import lay_scene

HINT = '[data-region="result-more"]'
PAYMENT = '[data-region="result-fee"]'
AMOUNT = '[data-region="result-amount"]'
LESSON = '[data-region="result-lesson"]'


def reads(page: Page, heading: str, below: str) -> None:
    expect(page.locator(f"{RESULT} h2")).to_have_text(heading, timeout=PATIENCE)
    expect(page.locator(REASON)).to_have_text(below)


def watch(page: Page, site: str, table: Table) -> None:
    """Open the result as a visitor without a seat."""
    page.goto(f"{site}/tables/{table.pk}/")
    page.locator('[data-action="last-deal"]').click(timeout=PATIENCE)


def test_a_pool_tells_each_player_their_standing(open_seats, new_context, live_site):
    table = table_of_three()
    first, second, third = game_view(table)["order"]
    winner_name = f"Player{third}"
    give_scores(table, {first: 100, second: 20, third: 40})
    out, loser, winner = open_seats(table, first, second, third)
    for seat in (first, second):
        assert act(table, seat, kind="drop").refusal is None
    told = f"{winner_name} wins the deal"
    reads(out, "You are out: 3rd of 3", f"first drop · {told}")
    reads(loser, "You lose 20 points", f"first drop · {told}")
    reads(winner, "You win the deal", "")
    expect(winner.locator('[data-action="sort"]')).to_be_disabled()

    expire_turn(table)  # nobody rejoins
    give_scores(table, {second: 100})
    expire_turn(table)  # ends the break
    while game_view(table)["phase"] == "turn":
        if game_view(table)["turn"] == second:
            assert act(table, second, kind="drop").refusal is None
        else:
            expire_turn(table)
    told = f"The match goes to {winner_name} · {told}"
    reads(out, "You are out: 3rd of 3", told)
    expect(out.locator(AMOUNT)).to_have_text("\N{MINUS SIGN}100 chips")
    reads(loser, "You are out: 2nd of 3", f"first drop · {told}")
    reads(winner, "You win the match", "You win the deal")
    expect(winner.locator(AMOUNT)).to_have_text("+170 chips")
    watcher = new_context().new_page()
    watch(watcher, live_site, table)
    reads(watcher, f"The match goes to {winner_name}", f"{winner_name} wins the deal")
    expect(watcher.locator(PAYMENT)).to_contain_text("Pot 300 chips")
    expect(watcher.locator(AMOUNT)).to_have_text("")


def test_rummikub_names_the_winner_and_the_losses_and_replays_the_table(
    open_seats, new_context, live_site
):
    table, first, second = lay_out("KS KH KD 4S 4H 4D", "KC QS 9D")
    page, other = open_seats(table, first, second)
    lay_new_meld(page, "KS.0", "KH.0", "KD.0")
    lay_new_meld(page, "4S.0", "4H.0", "4D.0")
    lay(page)
    reads(page, "You have laid everything and win 34 points", "")
    told = f"Player {first + 1} has laid everything and wins 34 points"
    reads(other, "You lose 34 points", f"Rack 34 · {told}")
    watcher = new_context().new_page()
    watch(watcher, live_site, table)
    reads(watcher, told, "")
    open_replay_at_its_end(page, live_site, table)
    expect(page.locator(".replay__meld")).to_have_count(2)
    expect(page.get_by_role("tab", name="Discards")).to_have_count(0)


def test_a_hint_shows_that_the_result_goes_on_below_the_question_to_rejoin(open_seats):
    table = table_of_three()
    first, second, third = game_view(table)["order"]
    give_scores(table, {first: 100, second: 20, third: 40})
    [page] = open_seats(table, first)
    for seat in (first, second):
        assert act(table, seat, kind="drop").refusal is None
    expect(page.locator(ASK)).to_be_visible()
    body = page.locator(".result__body")
    expect(body).to_be_visible()
    for size in (SMALL_PHONE, PHONE, LYING_PHONE):
        body.evaluate("body => body.scrollTo(0, 0)")
        resize(page, size)
        assert body.evaluate("body => body.scrollHeight > body.clientHeight + 12")
        expect(page.locator(HINT)).to_be_visible()
        result, asked = (measure_box(page.locator(part)) for part in (".result", ".ask"))
        assert result["y"] + result["height"] <= asked["y"] + 1
        body.evaluate("body => body.scrollTo(0, body.scrollHeight)")
        expect(page.locator(HINT)).to_be_hidden()


# Returns the buttons and links in the result's last row, from left to right, with their middles; and the duration of
# the ring's animation.
FOOT = """() => [...document.querySelectorAll(".result__foot :is(a, button)")]
  .filter((part) => part.checkVisibility())
  .map((part) => {
    const { left, top, height } = part.getBoundingClientRect();
    return { left, middle: Math.round(top + height / 2), says: part.textContent.trim() };
  })
  .sort((one, other) => one.left - other.left)"""
RING = """() => {
  const [ring] = document
    .querySelector(".result__ways .button--primary:not([hidden])")
    .getAnimations({ subtree: true });
  return ring?.effect.getTiming().duration ?? null;
}"""
# Measures how long the winner's cards take to turn over, all together.
WATCH_TURNS = """() => {
  globalThis.turns = [];
  document.addEventListener("animationstart", ({ animationName, target }) => {
    if (animationName !== "turn-over") return;
    const turn = target.getAnimations().find((one) => one.animationName === animationName);
    turns.push(turn.effect.getComputedTiming().endTime);
  });
}"""
TURNS = "() => Math.max(0, ...turns)"


def declare_against_a_worthless_hand(table: Table, begins: int, other: int) -> None:
    assert act(table, begins, kind="draw", source="closed").refusal is None
    drawn = hand_of(table, begins)["drawn"]
    assert act(table, begins, kind="finish", card=drawn).refusal is None
    groups = hand_of(table, begins)["groups"]
    assert act(table, begins, kind="declare", groups=groups).refusal is None
    shown = hand_of(table, other)["groups"]
    assert act(table, other, kind="show", groups=shown).refusal is None


def test_a_loss_says_its_amount_its_reason_and_what_to_learn_from_it(open_seats):
    table = table_of_two()
    begins, other = lay_scene(table, scene, DECLARABLE, WORTHLESS, next_closed="9C")
    loser, winner = open_seats(table, other, begins)
    winner.emulate_media(reduced_motion="no-preference")
    for page in (loser, winner):
        page.evaluate(WATCH_TURNS)
    declare_against_a_worthless_hand(table, begins, other)
    name = f"Player {begins + 1}"
    why = "all cards count: no pure sequence"
    reads(loser, "You lose 80 points", f"{why} · {name} wins the deal")
    expect(loser.locator(AMOUNT)).to_have_text("\N{MINUS SIGN}80 chips")
    assert loser.locator(AMOUNT).evaluate("sum => getComputedStyle(sum).fontSize") == "34px"
    expect(loser.locator(LESSON)).to_have_text(
        "A pure sequence has three or more cards of one suit in a row, and no joker."
    )
    analysis = loser.get_by_role("link", name="What would have been better?")
    replay = f"/matches/{get_match(table).pk}/deals/1/"
    expect(analysis).to_have_attribute("href", f"{replay}#analysis")
    own = loser.locator(f'.result__hand[data-seat="{other}"]')
    expect(own.locator("strong")).to_have_text("You")
    expect(own.locator("figcaption")).to_have_text(["32 pts", "22 pts", "15 pts", "24 pts"])
    foot = loser.evaluate(FOOT)
    assert [part["says"] for part in foot] == ["Replay", "Report", "Lobby", "Play again"]
    assert len({part["middle"] for part in foot}) == 1
    assert loser.evaluate(RING) is None  # without motion
    assert loser.evaluate(TURNS) == 0

    reads(winner, "You win the deal", "")
    expect(winner.locator(AMOUNT)).to_have_text("+72 chips")
    expect(winner.locator(LESSON)).to_be_hidden()
    expect(button(winner, "Play again")).to_be_visible()
    assert 0 < winner.evaluate(RING) <= 20_000
    assert 0 < winner.evaluate(TURNS) <= 600
