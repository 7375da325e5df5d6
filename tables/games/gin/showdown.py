"""Knocking and answering a knock (G7 to G11)."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from tables.games.base import Instant
from tables.games.cards import Card
from tables.games.gin import events
from tables.games.gin.deal import Deal, Knock, KnockKind, Laid, Phase, Player, knock_limit
from tables.games.gin.defence import Defence, best_defence, check_lay_offs
from tables.games.gin.ending import best_laid, end_shown
from tables.games.gin.events import Events
from tables.games.gin.melds import Groups, deadwood, meld_kind
from tables.games.gin.moves import Defend
from tables.games.gin.moves import Knock as KnockMove
from tables.games.gin.refusals import Refusal
from tables.games.gin.rulesets import GinRules
from tables.games.gin.turns import charged, check_parting, then


def check_knock(deal: Deal, rules: GinRules, player: Player, move: KnockMove) -> Refusal | None:
    if refusal := check_parting(deal, rules, player, move.card):
        return refusal
    if move.card is None and not rules.big_gin_bonus:
        return Refusal.NO_BIG_GIN
    kept = [card for card in player.hand if card != move.card]
    if refusal := _check_melds(kept, move.groups):
        return refusal
    limit = 0 if move.card is None else knock_limit(deal.upcard, rules)
    is_within = deadwood(_loose(kept, move.groups)) <= limit
    return None if is_within else Refusal.TOO_MUCH_DEADWOOD


def knock(
    deal: Deal, rules: GinRules, player: Player, move: KnockMove, now: Instant
) -> tuple[Deal, Events]:
    """G10: the other one is asked, unless it is gin: then the deal is over."""
    kept = [card for card in player.hand if card != move.card]
    loose = _loose(kept, move.groups)
    kind = KnockKind.BIG_GIN if move.card is None else KnockKind.KNOCK if loose else KnockKind.GIN
    knocked = Knock(player.seat, kind, move.card, move.groups, loose, deadwood(loose))
    knocker = replace(
        charged(deal, player, now),
        groups=(*move.groups, loose) if loose else move.groups,
        missed=0,
    )
    deal = replace(
        deal.with_player(knocker),
        phase=Phase.DEFEND,
        due_at=now + rules.show_seconds * 1000,
        knock=knocked,
        drawn=None,
        drawn_from_open=False,
    )
    event = events.knocked(player.seat, kind.value, move.groups, loose, knocked.points)
    if kind is KnockKind.KNOCK:
        return deal, (event,)
    return then(event, end_shown(deal, rules, knocked, best_laid(deal.waiting_for)))


def check_defend(deal: Deal, _rules: GinRules, player: Player, move: Defend) -> Refusal | None:
    if deal.phase is not Phase.DEFEND or deal.knock is None:
        return Refusal.WRONG_STEP
    if player.seat != deal.waiting_for.seat:
        return Refusal.NOT_YOUR_TURN
    laid_off = [card for card, _ in move.lay_offs]
    if len(set(laid_off)) < len(laid_off) or not set(laid_off) <= set(player.hand):
        return Refusal.GROUPS_NOT_YOUR_HAND
    kept = [card for card in player.hand if card not in laid_off]
    if refusal := _check_melds(kept, move.groups):
        return refusal
    return None if check_lay_offs(deal.knock.groups, move.lay_offs) else Refusal.DOES_NOT_FIT


def defend(
    deal: Deal, rules: GinRules, player: Player, move: Defend, _now: Instant
) -> tuple[Deal, Events]:
    laid_off = {card for card, _ in move.lay_offs}
    loose = _loose((card for card in player.hand if card not in laid_off), move.groups)
    return _answered(deal, rules, Defence(deadwood(loose), move.groups, move.lay_offs, loose))


def defend_best(deal: Deal, rules: GinRules) -> tuple[Deal, Events]:
    """G10: what is laid for a player who has not answered."""
    return _answered(deal, rules, defence_of(deal))


def defence_of(deal: Deal) -> Defence:
    """The best answer to the knock. The deal must be in its defence."""
    if deal.knock is None:  # pragma: no cover - the phase says that there is one
        raise AssertionError("nobody has knocked")
    return best_defence(deal.waiting_for.hand, deal.knock.groups)


def _answered(deal: Deal, rules: GinRules, answer: Defence) -> tuple[Deal, Events]:
    seat = deal.waiting_for.seat
    event = events.defended(seat, answer.groups, answer.lay_offs, answer.loose, answer.deadwood)
    if deal.knock is None:  # pragma: no cover - the phase says that there is one
        raise AssertionError("nobody has knocked")
    laid = Laid(answer.groups, answer.loose, answer.deadwood)
    return then(event, end_shown(deal, rules, deal.knock, laid, answer.lay_offs))


def _check_melds(kept: Iterable[Card], groups: Groups) -> Refusal | None:
    """Every group is a meld of these cards, each of which is in one at the most."""
    used = list(chain.from_iterable(groups))
    if len(set(used)) < len(used) or not set(used) <= set(kept):
        return Refusal.GROUPS_NOT_YOUR_HAND
    return None if all(map(meld_kind, groups)) else Refusal.NOT_A_MELD


def _loose(kept: Iterable[Card], groups: Groups) -> tuple[Card, ...]:
    used = set(chain.from_iterable(groups))
    return tuple(sorted(card for card in kept if card not in used))
