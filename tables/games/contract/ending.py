"""How a deal ends, and what everybody loses by it (C12, C14, C15, C19)."""

from tables.games.contract.deal import Deal, How
from tables.games.contract.rulesets import ContractRules
from tables.games.rummy import ending
from tables.games.rummy.deal import Player
from tables.games.rummy.events import Events


def counted(rules: ContractRules, player: Player) -> int:
    """C15, C17: what a hand costs."""
    points = sum(map(rules.points_of, player.hand))
    return points if rules.max_points is None else min(points, rules.max_points)


def end_out(deal: Deal, rules: ContractRules, seat: int) -> tuple[Deal, Events]:
    """C12: this player has no card left; the others count theirs."""
    points = {player.seat: counted(rules, player) for player in deal.playing}
    return ending.ended(deal, How.OUT, points, winners=[seat])


def end_counted(deal: Deal, rules: ContractRules, how: How) -> tuple[Deal, Events]:
    """C14: everybody counts. Where points are paid, the lowest count wins the difference."""
    if rules.per_point:
        return ending.end_lowest(
            deal, how, lambda points: points, lambda player: counted(rules, player)
        )
    points = {player.seat: counted(rules, player) for player in deal.playing}
    return ending.ended(deal, how, points, winners=[])
