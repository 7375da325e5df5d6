"""Two people before two browsers play a pool match: out, back in, and the prize shared."""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import BrowserContext, Page, expect

from games.registry import get_game
from tables.live.clock import act_on_table
from tables.models import Match, MatchStatus, Table
from tables.seating.opening import TableTerms, open_table
from tests.e2e.seated import PATIENCE, open_page
from tests.e2e.world import make_player
from tests.games.values import replace
from tests.tables.driving import act, game_view, let_time_pass, run_out_of_time, seat_all, state_of
from tests.workers import wait_until

FEE = 100
ASK = '[data-region="ask"]'


def table_of_three() -> Table:
    """Pool 101 in its first turn. Whoever asks gets time for the answers on a slow machine."""
    table = open_table(
        TableTerms(game="indian", name="Peepal Room", preset="pool101", max_seats=3, entry_fee=FEE)
    )
    unhurried = {**table.rules, "rejoin_seconds": 120, "split_seconds": 120}
    Table.objects.filter(pk=table.pk).update(rules=unhurried)
    table.refresh_from_db()
    seat_all(table, *(make_player(f"Player{number}") for number in range(3)), amount=FEE)
    let_time_pass(table)
    return table


def give_scores(table: Table, scores: dict[int, int]) -> None:
    """As if earlier deals had gone so."""
    table.refresh_from_db()
    game = get_game(table.game)
    state = game.stored.load(state_of(table))
    state = state.with_standings(
        replace(standing, score=scores.get(standing.seat, standing.score))
        for standing in state.standings
    )
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(state))


def pass_deadline(table: Table) -> None:
    run_out_of_time(table)
    act_on_table(table.pk)


def drop(page: Page) -> None:
    page.locator('[data-action="drop"]').click(timeout=PATIENCE)
    page.locator('dialog[open] [data-action="confirm"]').click()


def has_passed(table: Table, turn: int) -> bool:
    view = game_view(table)
    return (view["phase"], view["turn"]) != ("turn", turn)


def test_players_are_eliminated_rejoin_and_split_the_prize(  # noqa: PLR0915 - one match from its start to its end
    page: Page, new_context: Callable[[], BrowserContext], live_site: str, transactional_db: None
) -> None:
    table = table_of_three()
    first, second, third = (int(seat) for seat in game_view(table)["order"])
    give_scores(table, {first: 100, second: 20, third: 40})
    other = new_context().new_page()
    open_page(page, live_site, table, first)
    open_page(other, live_site, table, second)

    # The first deal: out with 120 points, and back for another entry fee.
    drop(page)
    drop(other)
    expect(page.locator(ASK)).to_be_visible(timeout=PATIENCE)
    expect(page.locator(ASK)).to_contain_text("100")
    page.locator(f'{ASK} [data-action="ask-yes"]').click()
    wait_until(lambda: game_view(table)["phase"] == "between")
    match = Match.objects.get(table=table)
    standings = game_view(table)["match"]["standings"]
    assert standings[str(first)]["membership"] == "in"
    assert standings[str(first)]["score"] == 41

    # The second deal: the third player goes out and stays out.
    give_scores(table, {third: 100})
    pass_deadline(table)
    assert game_view(table)["phase"] == "turn"
    while game_view(table)["phase"] == "turn":
        turn = game_view(table)["turn"]
        if turn == third:
            assert act(table, third, kind="drop").refusal is None
        else:
            drop(page if turn == first else other)
            wait_until(partial(has_passed, table, turn))
    assert game_view(table)["phase"] == "rejoin"
    pass_deadline(table)
    assert game_view(table)["phase"] == "between"
    assert game_view(table)["match"]["standings"][str(third)]["membership"] == "eliminated"

    # One proposes to share, the other agrees.
    page.locator(f'{ASK} [data-action="ask-yes"]').click(timeout=PATIENCE)
    wait_until(lambda: game_view(table)["phase"] == "split")
    assert game_view(table)["match"]["split_asker"] == first
    expect(other.locator(ASK)).to_contain_text("Player", timeout=PATIENCE)
    expect(other.locator('[data-action="ask-no"]')).to_be_visible()
    other.locator(f'{ASK} [data-action="ask-yes"]').click()
    finished = Match.objects.filter(pk=match.pk, status=MatchStatus.FINISHED)
    wait_until(finished.exists)
    match.refresh_from_db()
    assert match.settlement is not None
    assert match.settlement["gross"] == 4 * FEE
    shares = [match.settlement["amounts"][str(seat)] for seat in (first, second)]
    assert sum(shares) + 3 * FEE == match.settlement["net"]
    for one, share in ((page, shares[0]), (other, shares[1])):
        result = one.locator('[data-region="result"]')
        expect(result).to_be_visible(timeout=PATIENCE)
        expect(result).to_contain_text(str(abs(share)), timeout=PATIENCE)
