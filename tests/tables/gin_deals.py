"""Deals of gin and of basic rummy with chosen cards."""

from typing import Any

from games.cards import CARDS
from games.registry import get_game
from tables.models import Table
from tests.games.scenes import faces, groups
from tests.games.values import replace
from tests.tables.driving import act, game_view, hand_of, state_of

# The first player has melds and a two. All but four of the other's loose cards can be laid off on them.
FIRST_HAND = "5H 6H 7H|KS KD KC|9D TD JD|2C"
OTHER_HAND = "4S 4C 4D|6S 7S 8S|8H AC 3C TH"


def lay(table: Table, *hands: str, upcard: str = "QD", coming: str = "3S 9C") -> tuple[int, int]:
    """Set the deal before its first move, with these hands in order of play. Return the first player and the dealer.

    Reload a page that is open.
    """
    game = get_game(table.game)
    match: Any = game.stored.load(state_of(table))
    deal = match.deal
    held = [groups(hand) for hand in hands]
    turned_up, next_closed = faces(upcard)[0], faces(coming)
    named = {turned_up, *next_closed, *(card for hand in held for group in hand for card in group)}
    deck = (*(card for card in CARDS[:52] if card not in named), *next_closed[::-1])
    players = tuple(
        replace(player, groups=hand) for player, hand in zip(deal.players, held, strict=True)
    )
    upcard_of_gin = {"upcard": turned_up} if table.game == "gin" else {}
    deal = replace(deal, players=players, open_pile=(turned_up,), closed=deck, **upcard_of_gin)
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(replace(match, deal=deal)))
    first, dealer = game_view(table)["order"]
    return first, dealer


def play_to_knock(table: Table) -> tuple[int, int]:
    """Play gin to a knock. Return the seat that knocked and the seat that has to answer."""
    first, other = lay(table, FIRST_HAND, OTHER_HAND)
    for seat in (first, other):
        assert act(table, seat, kind="pass").refusal is None
    assert act(table, first, kind="draw", source="closed").refusal is None
    melds = hand_of(table, first)["best_groups"]
    assert act(table, first, kind="knock", card="3S.0", groups=melds).refusal is None
    return first, other
