"""Two players in browsers play a pool match: elimination, a rejoin, and a split prize."""

from functools import partial

from playwright.sync_api import Page, expect

from tables.models import Match, MatchStatus, Table
from tests.e2e.seated import CONFIRM, PATIENCE, RESULT
from tests.e2e.world import make_player
from tests.points_tables import open_points_table
from tests.tables.driving import act, expire_turn, game_view, start_match
from tests.tables.pools import FEE, give_scores
from tests.workers import wait_until

ASK = '[data-region="ask"]'
YES = f'{ASK} [data-action="ask-yes"]'


def table_of_three() -> Table:
    """Pool 101 in its first turn. The times for answers are long enough for a slow machine."""
    stakes = {"preset": "pool101", "point_value": 0, "entry_fee": FEE}
    table = open_points_table("Peepal Room", seats=3, **stakes)
    unhurried = {**table.rules, "rejoin_seconds": 120, "split_seconds": 120}
    Table.objects.filter(pk=table.pk).update(rules=unhurried)
    table.refresh_from_db()
    return start_match(table, *(make_player(f"Player{number}") for number in range(3)))


def drop(page: Page) -> None:
    page.locator('[data-action="drop"]').click(timeout=PATIENCE)
    page.locator(CONFIRM).click()


def has_passed(table: Table, turn: int) -> bool:
    view = game_view(table)
    return (view["phase"], view["turn"]) != ("turn", turn)


def test_players_are_eliminated_rejoin_and_split_the_prize(open_seats):  # noqa: PLR0915 - one match from its start to its end
    table = table_of_three()
    first, second, third = game_view(table)["order"]
    give_scores(table, {first: 100, second: 20, third: 40})
    page, other = open_seats(table, first, second)

    # First deal: out with 120 points, and back in for another entry fee.
    drop(page)
    drop(other)
    expect(page.locator(ASK)).to_be_visible(timeout=PATIENCE)
    expect(page.locator(ASK)).to_contain_text("100")
    page.locator(YES).click()
    wait_until(lambda: game_view(table)["phase"] == "between")
    match = Match.objects.get(table=table)
    standings = game_view(table)["match"]["standings"]
    assert standings[str(first)]["membership"] == "in"
    assert standings[str(first)]["score"] == 41

    # Second deal: the third player is eliminated and does not rejoin.
    give_scores(table, {third: 100})
    expire_turn(table)
    assert game_view(table)["phase"] == "turn"
    while game_view(table)["phase"] == "turn":
        turn = game_view(table)["turn"]
        if turn == third:
            assert act(table, third, kind="drop").refusal is None
        else:
            drop(page if turn == first else other)
            wait_until(partial(has_passed, table, turn))
    assert game_view(table)["phase"] == "rejoin"
    expire_turn(table)
    assert game_view(table)["phase"] == "between"
    assert game_view(table)["match"]["standings"][str(third)]["membership"] == "eliminated"

    # One player offers to split the prize, and the other agrees.
    page.locator(YES).click(timeout=PATIENCE)
    wait_until(lambda: game_view(table)["phase"] == "split")
    assert game_view(table)["match"]["split_asker"] == first
    expect(other.locator(ASK)).to_contain_text("Player", timeout=PATIENCE)
    expect(other.locator('[data-action="ask-no"]')).to_be_visible()
    other.locator(YES).click()
    finished = Match.objects.filter(pk=match.pk, status=MatchStatus.FINISHED)
    wait_until(finished.exists)
    match.refresh_from_db()
    assert match.settlement is not None
    assert match.settlement["gross"] == 4 * FEE
    shares = [match.settlement["amounts"][str(seat)] for seat in (first, second)]
    assert sum(shares) + 3 * FEE == match.settlement["net"]
    for one, share in ((page, shares[0]), (other, shares[1])):
        expect(one.locator(RESULT)).to_contain_text(str(abs(share)), timeout=PATIENCE)
