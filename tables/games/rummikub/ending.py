"""How a deal ends: who has won it, and what it costs the others (K13 to K17)."""

from dataclasses import replace

from tables.games.rummikub import events
from tables.games.rummikub.deal import Deal, How, Phase, Player, Status
from tables.games.rummikub.events import Events
from tables.games.rummikub.rulesets import RummikubRules


def end_laid_out(deal: Deal, rules: RummikubRules, winner: int) -> tuple[Deal, Events]:
    """K14: the last tile has been laid."""
    return _ended(deal, rules, (winner,), How.LAID_OUT)


def end_last_player(deal: Deal, rules: RummikubRules) -> tuple[Deal, Events]:
    """K13: who is left has won, whatever they hold."""
    return _ended(deal, rules, (deal.playing[0].seat,), How.LAST_PLAYER)


def end_by_count(deal: Deal, rules: RummikubRules, how: How) -> tuple[Deal, Events]:
    """K14: the lowest count wins; equal ones share."""
    least = min(player.points(rules) for player in deal.playing)
    winners = [player.seat for player in deal.playing if player.points(rules) == least]
    return _ended(deal, rules, tuple(winners), how, less=least)


def _ended(
    deal: Deal, rules: RummikubRules, winners: tuple[int, ...], how: How, *, less: int = 0
) -> tuple[Deal, Events]:
    players = tuple(_counted(player, rules, winners, less) for player in deal.players)
    over = replace(deal, phase=Phase.OVER, players=players, how=how)
    event = events.deal_over(
        winners=winners,
        how=how.value,
        lost={player.seat: player.lost for player in players},
        counts={player.seat: player.points(rules) for player in players},
    )
    return over, (event,)


def _counted(player: Player, rules: RummikubRules, winners: tuple[int, ...], less: int) -> Player:
    """K15: less the winner's count where that is how the deal was won; K16: capped."""
    player = replace(player, draft=None)
    if player.seat in winners:
        return replace(player, status=Status.WON)
    lost = max(0, player.points(rules) - less)
    if rules.max_points is not None:
        lost = min(lost, rules.max_points)
    status = Status.LOST if player.is_playing else player.status
    return replace(player, status=status, lost=lost)
