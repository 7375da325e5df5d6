"""How a deal ends: who scores, and how much (G8 to G13, G16)."""

from dataclasses import replace

from tables.games.gin import events
from tables.games.gin.deal import Deal, How, Knock, KnockKind, Laid, Outcome, Phase, Player, factor
from tables.games.gin.events import Events
from tables.games.gin.melding import arrange
from tables.games.gin.melds import LayOffs
from tables.games.gin.rulesets import MOST_DEADWOOD, GinRules


def score(kind: KnockKind, knocker: int, defender: int, rules: GinRules) -> tuple[bool, How, int]:
    """G8, G9, G11: whether the knocker scores, how the deal ended, and the points.

    Both are given by their deadwood; a defender's counts `MOST_DEADWOOD` at most.
    """
    defender = min(defender, MOST_DEADWOOD)
    if kind is KnockKind.GIN:
        return True, How.GIN, defender + rules.gin_bonus
    if kind is KnockKind.BIG_GIN:
        return True, How.BIG_GIN, defender + rules.big_gin_bonus
    if defender <= knocker:
        return False, How.UNDERCUT, knocker - defender + rules.undercut_bonus
    return True, How.KNOCK, defender - knocker


def end_shown(
    deal: Deal, rules: GinRules, knock: Knock, answer: Laid, lay_offs: LayOffs = ()
) -> tuple[Deal, Events]:
    """A knock that has been answered, or a gin, which needs no answer."""
    knocker_scores, how, points = score(knock.kind, knock.points, answer.deadwood, rules)
    shown = Laid(knock.groups, knock.loose, knock.points)
    is_first = deal.players[0].seat == knock.seat
    other = deal.players[1].seat if is_first else deal.players[0].seat
    outcome = Outcome(
        how=how,
        winner=knock.seat if knocker_scores else other,
        points=points * factor(deal.upcard, rules),
        hands=(shown, answer) if is_first else (answer, shown),
        lay_offs=lay_offs,
    )
    return end_deal(deal, outcome)


def end_dead(deal: Deal) -> tuple[Deal, Events]:
    """G12: nobody scores."""
    return end_deal(deal, Outcome(How.DEAD, None, 0, _best_hands(deal)))


def end_forfeit(deal: Deal, rules: GinRules, loser: Player) -> tuple[Deal, Events]:
    """G16: the other scores the hand's least deadwood and the gin bonus."""
    hands = _best_hands(deal)
    place = deal.order.index(loser.seat)
    points = (hands[place].deadwood + rules.gin_bonus) * factor(deal.upcard, rules)
    return end_deal(deal, Outcome(How.FORFEIT, deal.order[1 - place], points, hands))


def end_deal(deal: Deal, outcome: Outcome) -> tuple[Deal, Events]:
    over = replace(deal, phase=Phase.OVER, outcome=outcome, drawn=None, drawn_from_open=False)
    lost = {
        seat: outcome.points if outcome.winner not in (None, seat) else 0 for seat in deal.order
    }
    deadwoods = [hand.deadwood for hand in outcome.hands]
    event = events.deal_over(
        winner=outcome.winner,
        how=outcome.how.value,
        lost=lost,
        deadwoods=dict(zip(deal.order, deadwoods, strict=True)),
    )
    return over, (event,)


def best_laid(player: Player) -> Laid:
    best = arrange(player.hand)
    return Laid(best.groups, best.loose, best.deadwood)


def _best_hands(deal: Deal) -> tuple[Laid, ...]:
    return tuple(best_laid(player) for player in deal.players)
