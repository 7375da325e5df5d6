"""The moves of a deal: which are allowed now, and what each one and a passed deadline does."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tables.games.base import Instant
from tables.games.indian import exits, showdown, turns
from tables.games.indian.deal import Deal, Phase, Player, Status
from tables.games.indian.events import Events
from tables.games.indian.moves import (
    Arrange,
    DealMove,
    Declare,
    Discard,
    Draw,
    Drop,
    Finish,
    Leave,
    Show,
)
from tables.games.indian.refusals import Refusal, illegal
from tables.games.indian.rulesets import RuleSet


def check_arrange(_deal: Deal, _rules: RuleSet, player: Player, move: Arrange) -> Refusal | None:
    # One that was overtaken on its way may show a hand of the past.
    return None if move.rev <= player.rev else showdown.check_groups(player, move.groups)


def arrange(
    deal: Deal, _rules: RuleSet, player: Player, move: Arrange, _now: Instant
) -> tuple[Deal, Events]:
    """Save the groups (R6.4), unless the client has sent a newer arrangement before."""
    if move.rev <= player.rev:
        return deal, ()
    return deal.with_player(replace(player, groups=move.groups, rev=move.rev)), ()


class _Rule(NamedTuple):
    check: Callable[[Deal, RuleSet, Player, Any], Refusal | None]
    apply: Callable[[Deal, RuleSet, Player, Any, Instant], tuple[Deal, Events]]


_RULES: Final[Mapping[type, _Rule]] = {
    Draw: _Rule(turns.check_draw, turns.draw),
    Discard: _Rule(turns.check_discard, turns.discard),
    Drop: _Rule(turns.check_drop, exits.drop),
    Finish: _Rule(turns.check_finish, showdown.finish),
    Declare: _Rule(showdown.check_declare, showdown.declare),
    Show: _Rule(showdown.check_show, showdown.show),
    Arrange: _Rule(check_arrange, arrange),
    Leave: _Rule(exits.check_leave, exits.leave),
}
# These are not bound to the clock of the turn.
_UNTIMED: Final = (Arrange, Leave)


def refusal_of(deal: Deal, rules: RuleSet, seat: int, move: DealMove) -> Refusal | None:
    """What speaks against this move, the clock aside."""
    if deal.phase is Phase.OVER:
        return Refusal.DEAL_OVER
    player = deal.player(seat)
    if player is None:
        return Refusal.NOT_IN_DEAL
    if not player.is_playing:
        has_laid_down = player.status in (Status.WON, Status.LOST)
        return Refusal.ALREADY_SHOWN if has_laid_down else Refusal.NOT_IN_DEAL
    return _RULES[type(move)].check(deal, rules, player, move)


def play_in_deal(
    deal: Deal, rules: RuleSet, seat: int, move: DealMove, now: Instant
) -> tuple[Deal, Events]:
    player = deal.player(seat)
    refusal = refusal_of(deal, rules, seat, move)
    if refusal is None and deal.is_late(now) and not isinstance(move, _UNTIMED):
        refusal = Refusal.TIME_IS_UP
    if refusal is not None or player is None:
        raise illegal(refusal or Refusal.NOT_IN_DEAL)
    return _RULES[type(move)].apply(deal, rules, player, move, now)


def legal_in_deal(deal: Deal, rules: RuleSet, seat: int) -> tuple[DealMove, ...]:
    player = deal.player(seat)
    if player is None:
        return ()
    return tuple(
        move for move in _candidates(deal, player) if refusal_of(deal, rules, seat, move) is None
    )


def acting_in_deal(deal: Deal) -> tuple[int, ...]:
    if deal.phase is Phase.SHOW:
        return tuple(player.seat for player in deal.playing)
    return () if deal.phase is Phase.OVER else (deal.at_turn.seat,)


def expire_in_deal(deal: Deal, rules: RuleSet, now: Instant) -> tuple[Deal, Events]:
    if not deal.is_late(now):
        return deal, ()
    return _EXPIRIES[deal.phase](deal, rules, now)


_EXPIRIES: Final[Mapping[Phase, Callable[[Deal, RuleSet, Instant], tuple[Deal, Events]]]] = {
    Phase.TURN: exits.miss_turn,
    Phase.DECLARE: showdown.declare_too_late,
    Phase.SHOW: showdown.count_the_rest,
}


def _candidates(deal: Deal, player: Player) -> Iterator[DealMove]:
    yield Draw("closed")
    yield Draw("open")
    yield Drop()
    # A player who may not part with one card of the hand may part with none.
    if player.hand and turns.check_holding(deal, player, player.hand[0]) is None:
        for card in player.hand:
            yield Discard(card)
            yield Finish(card)
    yield Declare(player.groups)
    yield Show(player.groups)
    yield Arrange(player.rev + 1, player.groups)
    yield Leave()
