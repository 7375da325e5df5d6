"""The moves of a deal: which are allowed now, and what each one and a passed deadline does."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from tables.games.base import Instant
from tables.games.rummikub import exits, turns
from tables.games.rummikub.deal import Deal, Phase, Player
from tables.games.rummikub.events import Events
from tables.games.rummikub.moves import Arrange, Draw, Lay, Leave, Move, Pass
from tables.games.rummikub.refusals import Refusal, illegal
from tables.games.rummikub.rulesets import RummikubRules


class _Rule(NamedTuple):
    check: Callable[[Deal, RummikubRules, Player, Any], Refusal | None]
    apply: Callable[[Deal, RummikubRules, Player, Any, Instant], tuple[Deal, Events]]


_RULES: Final[Mapping[type, _Rule]] = {
    Lay: _Rule(turns.check_lay, turns.lay),
    Draw: _Rule(turns.check_draw, turns.draw),
    Pass: _Rule(turns.check_pass, turns.pass_turn),
    Arrange: _Rule(exits.check_arrange, exits.arrange),
    Leave: _Rule(exits.check_leave, exits.leave),
}


def refusal_of(deal: Deal, rules: RummikubRules, seat: int, move: Move) -> Refusal | None:
    """What speaks against this move, the clock aside."""
    if deal.phase is Phase.OVER:
        return Refusal.DEAL_OVER
    player = deal.player(seat)
    if player is None or not player.is_playing:
        return Refusal.NOT_IN_DEAL
    return _RULES[type(move)].check(deal, rules, player, move)


def play_in_deal(
    deal: Deal, rules: RummikubRules, seat: int, move: Move, now: Instant
) -> tuple[Deal, Events]:
    refusal = refusal_of(deal, rules, seat, move)
    if refusal is None and deal.is_late(now) and not isinstance(move, Leave):
        refusal = Refusal.TIME_IS_UP
    player = deal.player(seat)
    if refusal is not None or player is None:
        raise illegal(refusal or Refusal.NOT_IN_DEAL)
    return _RULES[type(move)].apply(deal, rules, player, move, now)


def legal_in_deal(deal: Deal, rules: RummikubRules, seat: int) -> tuple[Move, ...]:
    """Of all ways to lay the one that lays most; what is kept meanwhile as it is kept now."""
    player = deal.player(seat)
    if player is None or not player.is_playing:
        return ()
    return tuple(
        move
        for move in _candidates(deal, rules, player)
        if refusal_of(deal, rules, seat, move) is None
    )


def _candidates(deal: Deal, rules: RummikubRules, player: Player) -> Iterator[Move]:
    if turns.check_turn(deal, player) is None:
        best = turns.best_of(deal, rules, player)
        if best is not None:
            yield Lay(best.table)
    yield Draw()
    yield Pass()
    yield Arrange(player.rev + 1, player.draft)
    yield Leave()


def expire_in_deal(deal: Deal, rules: RummikubRules, now: Instant) -> tuple[Deal, Events]:
    return exits.run_out(deal, rules, now) if deal.is_late(now) else (deal, ())
