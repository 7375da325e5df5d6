"""Pool matches for an entry fee: elimination, rejoining and splitting the prize."""

from collections.abc import Mapping
from typing import Any

from django.db.models.functions import Now

from accounts.models import User
from games.registry import get_game
from tables.models import Match, Table, TableStatus
from tests.games.values import replace
from tests.given import reload
from tests.tables.driving import (
    act,
    begin_match,
    begin_next_deal,
    drop,
    expire_turn,
    game_view,
    hand_of,
    play_a_turn,
    start_match,
    state_of,
)
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.money import Currency

FEE = 100


def pot_of(match: Match) -> int:
    return balance(chart.pot(match.pk, Currency.CHIPS))


def lose_deals(table: Table, loser: int) -> dict[str, Any]:
    """Let this seat make wrong declarations until it may rejoin or the match is over. Return the public view."""
    for _ in range(100):
        view = game_view(reload(table))
        if table.status != TableStatus.PLAYING or view["phase"] == "rejoin":
            return view
        if view["phase"] == "between":
            begin_next_deal(table)
        elif view["turn"] == loser:
            declare_wrongly(table, loser)
        elif view["players"][str(loser)]["status"] == "playing":
            play_a_turn(table)
        else:
            drop(table)
    raise AssertionError("nothing comes to an end")


def declare_wrongly(table: Table, seat: int) -> None:
    assert act(table, seat, kind="draw", source="closed").refusal is None
    assert act(table, seat, kind="finish", card=hand_of(table, seat)["drawn"]).refusal is None
    assert act(table, seat, kind="declare", groups=hand_of(table, seat)["groups"]).refusal is None


def ask_to_rejoin(make_player: Any, make_table: Any) -> tuple[Table, list[User], Match]:
    """Play until the player at seat 0 of three is eliminated and may rejoin. Return table, players and match."""
    table = make_table(preset="pool201", entry_fee=FEE, max_seats=3)
    players = [make_player() for _ in range(3)]
    match = begin_match(table, *players)
    assert lose_deals(table, 0)["phase"] == "rejoin"
    return table, players, match


def play_to_two(make_table: Any, make_player: Any) -> Table:
    """Play a Pool 101 until two of three are left and the next deal is due."""
    table: Table = make_table(preset="pool101", entry_fee=FEE, max_seats=3)
    start_match(table, *(make_player() for _ in range(3)))
    order = game_view(table)["order"]
    give_scores(table, dict(zip(order, (100, 20, 40), strict=True)))
    act(table, order[0], kind="drop")  # 120 points: eliminated, and low enough to rejoin
    act(table, order[1], kind="drop")
    return table


def give_scores(table: Table, scores: Mapping[int, int]) -> None:
    """Set the scores of these seats, as if they came from earlier deals."""
    game = get_game(reload(table).game)
    state: Any = game.stored.load(state_of(table))
    state = state.with_standings(
        replace(standing, score=scores.get(standing.seat, standing.score))
        for standing in state.standings
    )
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(state))


def end_rejoin(table: Table) -> None:
    """Let the time for rejoining run out."""
    if game_view(table)["phase"] == "rejoin":
        expire_turn(table)
    assert game_view(table)["phase"] == "between"


def bring_offer_forward(table: Table) -> None:
    """Make the split offer due now."""
    assert reload(table).split_offer_at is not None
    Table.objects.filter(pk=table.pk).update(split_offer_at=Now())
