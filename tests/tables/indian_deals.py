"""Deals of Indian rummy with chosen cards."""

from typing import Any

from games.cards import CARD_BY_TEXT, CARDS
from games.registry import get_game
from tables.models import Table
from tests.games.values import replace
from tests.tables.driving import state_of

# Four melds and a nine, as they come.
MELDS_AND_A_NINE = "4H 7C 2S PJ 9S 5H QD 7D 3S KD 6H 7S 4S"


def lay(table: Table, seat: int, hand: str, *, coming: str = "5S", wild: str = "8C") -> None:
    """Give the seat this hand, in one group, and set the next closed card and the wild card.

    A page that is already open must be reloaded.
    """
    game = get_game("indian")
    match: Any = game.stored.load(state_of(table))
    deal = match.deal
    own = [CARD_BY_TEXT[f"{face}.0"] for face in hand.split()]
    next_closed, wild_card = CARD_BY_TEXT[f"{coming}.1"], CARD_BY_TEXT[f"{wild}.1"]
    rest = iter([card for card in CARDS if card not in {*own, next_closed, wild_card}])
    players = tuple(
        replace(player, groups=(tuple(own if player.seat == seat else _take(rest, 13)),), rev=1)
        for player in deal.players
    )
    deal = replace(
        deal,
        players=players,
        wild=wild_card,
        open_pile=tuple(_take(rest, 1)),
        closed=(*rest, next_closed),
    )
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(replace(match, deal=deal)))


def _take(cards: Any, count: int) -> list[Any]:
    return [next(cards) for _ in range(count)]
