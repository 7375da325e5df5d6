"""How a deal ends, and what everybody loses by it (B8, B9, B11, B12)."""

from tables.games.basic.best import count
from tables.games.basic.deal import Deal, How
from tables.games.basic.rulesets import BasicRules
from tables.games.rummy import ending
from tables.games.rummy.deal import player_at
from tables.games.rummy.events import Events


def counted(rules: BasicRules, points: int) -> int:
    """B12: what a deal costs at most."""
    return points if rules.max_points is None else min(points, rules.max_points)


def end_out(deal: Deal, rules: BasicRules, seat: int) -> tuple[Deal, Events]:
    """B8, B9: this player has no card left; the others count theirs."""
    winner = player_at(deal, seat)
    is_first = winner is not None and winner.laid_in == deal.turn_number
    is_rummy = is_first and rules.rummy_factor > 1
    factor = rules.rummy_factor if is_rummy else 1
    points = {player.seat: counted(rules, count(player.hand) * factor) for player in deal.playing}
    return ending.ended(deal, How.RUMMY if is_rummy else How.OUT, points, winners=[seat])


def end_lowest(deal: Deal, rules: BasicRules, how: How) -> tuple[Deal, Events]:
    """B11"""
    return ending.end_lowest(
        deal, how, lambda points: counted(rules, points), lambda player: count(player.hand)
    )
