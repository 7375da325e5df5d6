"""The points of a deal and the bonuses of a match (G8 to G16)."""

from collections.abc import Sequence
from typing import Any

from games.engine.base import DEAL_ENDS
from games.engine.state import require
from games.gin.rules.melding import arrange
from games.gin.rules.melds import LayOffs
from games.gin.rules.ruleset import MOST_DEADWOOD, GinRules
from games.gin.rules.state import (
    DealOutcome,
    GinEnding,
    GinLine,
    KnockKind,
    LaidHand,
    Phase,
    Player,
    Step,
    compute_scores,
    factor,
)


def score(
    kind: KnockKind, knocker: int, defender: int, rules: GinRules
) -> tuple[bool, GinEnding, int]:
    """Return whether the knocker scores, how the deal ended, and the points (G8, G9, G11).

    `knocker` and `defender` are amounts of deadwood. The defender's is capped at `MOST_DEADWOOD`.
    """
    defender = min(defender, MOST_DEADWOOD)
    if kind is KnockKind.GIN:
        return True, GinEnding.GIN, defender + rules.gin_bonus
    if kind is KnockKind.BIG_GIN:
        return True, GinEnding.BIG_GIN, defender + rules.big_gin_bonus
    if defender <= knocker:
        return False, GinEnding.UNDERCUT, knocker - defender + rules.undercut_bonus
    return True, GinEnding.KNOCK, defender - knocker


def end_shown(step: Step, answer: LaidHand, lay_offs: LayOffs = ()) -> None:
    """End the deal after gin, or after the answer to a knock."""
    deal, knock = step.deal, require(step.deal.knock)
    knocker_scores, how, points = score(knock.kind, knock.points, answer.deadwood, step.rules)
    shown = LaidHand(knock.groups, knock.loose, knock.points)
    [other] = [seat for seat in deal.order if seat != knock.seat]
    outcome = DealOutcome(
        how=how,
        winner=knock.seat if knocker_scores else other,
        points=points * factor(deal.upcard, step.rules),
        hands=tuple(shown if seat == knock.seat else answer for seat in deal.order),
        lay_offs=lay_offs,
    )
    end_deal(step, outcome)


def end_dead(step: Step) -> None:
    """End a dead deal without a score (G12)."""
    end_deal(step, DealOutcome(GinEnding.DEAD, None, 0, tuple(map(lay_best, step.deal.players))))


def end_forfeit(step: Step, seat: int) -> None:
    """End a forfeited deal: the opponent scores the least deadwood of this seat's hand plus the gin bonus (G16)."""
    deal = step.deal
    hands = tuple(map(lay_best, deal.players))
    place = deal.order.index(seat)
    points = (hands[place].deadwood + step.rules.gin_bonus) * factor(deal.upcard, step.rules)
    end_deal(step, DealOutcome(GinEnding.FORFEIT, deal.order[1 - place], points, hands))


def end_deal(step: Step, outcome: DealOutcome) -> None:
    step.set(phase=Phase.OVER, outcome=outcome, drawn=None, drawn_from_open=False)
    order, winner = step.deal.order, outcome.winner
    step.announce(
        DEAL_ENDS,
        winners=[] if winner is None else [winner],
        points={seat: outcome.points if winner not in (None, seat) else 0 for seat in order},
        how=outcome.how,
        deadwoods={s: hand.deadwood for s, hand in zip(order, outcome.hands, strict=True)},
    )


def lay_best(player: Player) -> LaidHand:
    best = arrange(player.hand)
    return LaidHand(best.groups, best.loose, best.deadwood)


def count_bonuses(
    sheet: Sequence[GinLine], seats: Sequence[int], winners: Sequence[int], rules: GinRules
) -> dict[int, Any]:
    """Return each seat's line of the score sheet: boxes, the game bonus, and the total (G14).

    The total of a sole winner is doubled if the opponent has won no deal and the rules have `shutout_doubles`. Bonuses
    move no chips. Returns {} for a match of one scored deal.
    """
    if rules.is_per_point:
        return {}
    scores = compute_scores(sheet, seats)
    won = {seat: sum(line.winner == seat for line in sheet) for seat in seats}
    by_seat = {}
    for seat in seats:
        has_won = seat in winners and len(winners) == 1
        game = rules.game_bonus if has_won else 0
        boxes = won[seat] * rules.box_bonus
        shutout = has_won and won[seat] > 0 and not sum(won.values()) - won[seat]
        total = scores[seat] + boxes + game
        by_seat[seat] = {
            "score": scores[seat],
            "deals_won": won[seat],
            "boxes": boxes,
            "game": game,
            "shutout": shutout,
            "total": total * 2 if shutout and rules.shutout_doubles else total,
        }
    return by_seat
