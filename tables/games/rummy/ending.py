"""How a deal with melds on the table ends, and what everybody loses by it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tables.games.rummy import events
from tables.games.rummy.deal import DealT, How, Phase, Player, Status
from tables.games.rummy.events import Events

# What a hand counts.
CountHand = Callable[[Player], int]


def end_lowest(
    deal: DealT, how: How, lost: Callable[[int], int], count: CountHand
) -> tuple[DealT, Events]:
    """B11: the lowest count wins, the others lose the difference to it; equal lowest share."""
    counts = {player.seat: count(player) for player in deal.playing}
    lowest = min(counts.values())
    points = {seat: lost(held - lowest) for seat, held in counts.items()}
    return ended(deal, how, points, winners=[s for s, held in counts.items() if held == lowest])


def end_with_last_player(deal: DealT) -> tuple[DealT, Events]:
    """B15, C19: what the others lose has been counted when they went."""
    [last] = deal.playing
    return ended(deal, How.LAST_PLAYER, {last.seat: 0}, winners=[last.seat])


def ended(
    deal: DealT, how: How, points: Mapping[int, int], *, winners: list[int]
) -> tuple[DealT, Events]:
    """`points` are those of everybody who has played to the end."""

    def final(player: Player) -> Player:
        if player.seat not in points:
            return player
        status = Status.WON if player.seat in winners else Status.LOST
        return replace(player, status=status, points=points[player.seat])

    over = replace(
        deal,
        players=tuple(map(final, deal.players)),
        phase=Phase.OVER,
        drawn=None,
        drawn_from_open=False,
        how=how,
    )
    lost = {player.seat: player.points or 0 for player in over.players}
    return over, (events.deal_over(winners=over.winners, points=lost, how=how.value),)
