"""Deals of gin and of basic rummy with chosen cards."""

from games.gin.rules.state import Phase
from tables.models import Table
from tests.games.basic import scenes as basic
from tests.games.gin import scenes as gin
from tests.tables.driving import act, hand_of
from tests.tables.scenes import lay_scene

# The first player has melds and a two. All but four of the other's loose cards can be laid off on them.
FIRST_HAND = "5H 6H 7H|KS KD KC|9D TD JD|2C"
OTHER_HAND = "4S 4C 4D|6S 7S 8S|8H AC 3C TH"


def lay(
    table: Table, first: str, other: str, *, upcard: str = "QD", coming: str = "3S 9C"
) -> tuple[int, ...]:
    """Replace the cards of a deal before its first move: hands in order of play. Return first player and dealer.

    A page that is already open must be reloaded.
    """
    piles = {"open_pile": upcard, "next_closed": coming}
    if table.game == "basic":
        return lay_scene(table, basic.scene, first, other, **piles)
    return lay_scene(table, gin.scene, first, other, phase=Phase.UPCARD, **piles)


def play_to_knock(table: Table) -> tuple[int, ...]:
    """Play gin to a knock. Return the seat that knocked and the seat that has to answer."""
    first, other = lay(table, FIRST_HAND, OTHER_HAND)
    for seat in (first, other):
        assert act(table, seat, kind="pass").refusal is None
    assert act(table, first, kind="draw", source="closed").refusal is None
    knock(table, first)
    return first, other


def knock(table: Table, seat: int) -> None:
    """Knock with the best melds, discarding the drawn card."""
    melds = hand_of(table, seat)["best_groups"]
    assert act(table, seat, kind="knock", card="3S.0", groups=melds).refusal is None
