"""The moves of a deal: which are allowed now, and what each one and a passed deadline does."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tables.games.base import Instant
from tables.games.gin import exits, showdown, turns
from tables.games.gin.advice import best_of
from tables.games.gin.deal import Deal, Phase, Player, knock_limit
from tables.games.gin.events import Events
from tables.games.gin.melding import big_gin, discards_within
from tables.games.gin.moves import Arrange, Defend, Discard, Draw, Knock, Leave, Move, Pass
from tables.games.gin.refusals import Refusal, illegal
from tables.games.gin.rulesets import GinRules


def check_arrange(_deal: Deal, _rules: GinRules, player: Player, move: Arrange) -> Refusal | None:
    # One that was overtaken on its way may show a hand of the past.
    if move.rev <= player.rev:
        return None
    cards = sorted(card for group in move.groups for card in group)
    return None if cards == sorted(player.hand) else Refusal.GROUPS_NOT_YOUR_HAND


def arrange(
    deal: Deal, _rules: GinRules, player: Player, move: Arrange, _now: Instant
) -> tuple[Deal, Events]:
    """Save the order of the hand, unless the client has sent a newer one before."""
    if move.rev <= player.rev:
        return deal, ()
    return deal.with_player(replace(player, groups=move.groups, rev=move.rev)), ()


class _Rule(NamedTuple):
    check: Callable[[Deal, GinRules, Player, Any], Refusal | None]
    apply: Callable[[Deal, GinRules, Player, Any, Instant], tuple[Deal, Events]]


_RULES: Final[Mapping[type, _Rule]] = {
    Draw: _Rule(turns.check_draw, turns.draw),
    Pass: _Rule(turns.check_pass, turns.pass_upcard),
    Discard: _Rule(turns.check_discard, turns.discard),
    Knock: _Rule(showdown.check_knock, showdown.knock),
    Defend: _Rule(showdown.check_defend, showdown.defend),
    Arrange: _Rule(check_arrange, arrange),
    Leave: _Rule(exits.check_leave, exits.leave),
}
# These are not bound to the clock of the turn.
_UNTIMED: Final = (Arrange, Leave)


def refusal_of(deal: Deal, rules: GinRules, seat: int, move: Move) -> Refusal | None:
    """What speaks against this move, the clock aside."""
    if deal.phase is Phase.OVER:
        return Refusal.DEAL_OVER
    player = deal.player(seat)
    if player is None:
        return Refusal.NOT_IN_DEAL
    return _RULES[type(move)].check(deal, rules, player, move)


def play_in_deal(
    deal: Deal, rules: GinRules, seat: int, move: Move, now: Instant
) -> tuple[Deal, Events]:
    refusal = refusal_of(deal, rules, seat, move)
    if refusal is None and deal.is_late(now) and not isinstance(move, _UNTIMED):
        refusal = Refusal.TIME_IS_UP
    player = deal.player(seat)
    if refusal is not None or player is None:
        raise illegal(refusal or Refusal.NOT_IN_DEAL)
    return _RULES[type(move)].apply(deal, rules, player, move, now)


def legal_in_deal(deal: Deal, rules: GinRules, seat: int) -> tuple[Move, ...]:
    """Each card to knock with is there once, with the melds of least deadwood."""
    player = deal.player(seat)
    if player is None:
        return ()
    return tuple(
        move
        for move in _candidates(deal, rules, player)
        if refusal_of(deal, rules, seat, move) is None
    )


def knocks(deal: Deal, rules: GinRules, player: Player) -> Iterator[Knock]:
    """G7, G9: every card to knock with, where the player's turn has come to it."""
    if turns.check_parting(deal, rules, player, None) is not None:
        return
    kept, limit = deal.kept_card(rules), knock_limit(deal.upcard, rules)
    if best_of(player.hand, kept).deadwood > limit:
        return  # trying every card would take ten times as long
    if rules.big_gin_bonus and (all_melded := big_gin(player.hand)) is not None:
        yield Knock(None, all_melded.groups)
    for card, melding in discards_within(player.hand, limit):
        if card != kept:
            yield Knock(card, melding.groups)


def expire_in_deal(deal: Deal, rules: GinRules, now: Instant) -> tuple[Deal, Events]:
    if not deal.is_late(now):
        return deal, ()
    late = exits.defend_too_late if deal.phase is Phase.DEFEND else exits.miss_turn
    return late(deal, rules, now)


def _candidates(deal: Deal, rules: GinRules, player: Player) -> Iterator[Move]:
    yield Draw("closed")
    yield Draw("open")
    yield Pass()
    for card in player.hand:
        yield Discard(card)
    yield from knocks(deal, rules, player)
    if deal.phase is Phase.DEFEND and deal.waiting_for.seat == player.seat:
        best = showdown.defence_of(deal)
        yield Defend(best.groups, best.lay_offs)
    yield Arrange(player.rev + 1, player.groups)
    yield Leave()
