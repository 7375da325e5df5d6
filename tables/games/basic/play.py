"""The moves of a deal: which are allowed now, and what each one and a passed deadline does."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from tables.games.base import Instant
from tables.games.basic import exits, turns
from tables.games.basic.best import groups_in
from tables.games.basic.deal import Deal, Phase, Player
from tables.games.basic.moves import Arrange, Discard, Draw, LayOff, Leave, Meld, Move
from tables.games.basic.rulesets import BasicRules
from tables.games.rummy import arranging
from tables.games.rummy.deal import player_at
from tables.games.rummy.events import Events
from tables.games.rummy.refusals import Refusal, illegal
from tables.games.rummy.turns import check_discard, check_draw


class _Rule(NamedTuple):
    check: Callable[[Deal, BasicRules, Player, Any], Refusal | None]
    apply: Callable[[Deal, BasicRules, Player, Any, Instant], tuple[Deal, Events]]


_RULES: Final[Mapping[type, _Rule]] = {
    Draw: _Rule(check_draw, turns.draw),
    Meld: _Rule(turns.check_meld, turns.meld),
    LayOff: _Rule(turns.check_lay_off, turns.lay_off),
    Discard: _Rule(check_discard, turns.discard),
    Arrange: _Rule(arranging.check_arrange, arranging.arrange),
    Leave: _Rule(exits.check_leave, exits.leave),
}
# These are not bound to the clock of the turn.
_UNTIMED: Final = (Arrange, Leave)


def refusal_of(deal: Deal, rules: BasicRules, seat: int, move: Move) -> Refusal | None:
    """What speaks against this move, the clock aside."""
    if deal.phase is Phase.OVER:
        return Refusal.DEAL_OVER
    player = player_at(deal, seat)
    if player is None or not player.is_playing:
        return Refusal.NOT_IN_DEAL
    return _RULES[type(move)].check(deal, rules, player, move)


def play_in_deal(
    deal: Deal, rules: BasicRules, seat: int, move: Move, now: Instant
) -> tuple[Deal, Events]:
    refusal = refusal_of(deal, rules, seat, move)
    if refusal is None and deal.is_late(now) and not isinstance(move, _UNTIMED):
        refusal = Refusal.TIME_IS_UP
    if refusal is not None:
        raise illegal(refusal)
    return _RULES[type(move)].apply(deal, rules, player_at(deal, seat), move, now)  # type: ignore[arg-type] # checked


def legal_in_deal(deal: Deal, rules: BasicRules, seat: int) -> tuple[Move, ...]:
    """Each meld of the hand once, and each card that alone can be laid off."""
    player = player_at(deal, seat)
    if player is None:
        return ()
    return tuple(
        move
        for move in _candidates(deal, rules, player)
        if refusal_of(deal, rules, seat, move) is None
    )


def expire_in_deal(deal: Deal, rules: BasicRules, now: Instant) -> tuple[Deal, Events]:
    return exits.miss_turn(deal, rules, now) if deal.is_late(now) else (deal, ())


def _candidates(deal: Deal, rules: BasicRules, player: Player) -> Iterator[Move]:
    yield Draw("closed")
    yield Draw("open")
    if deal.players[deal.turn].seat == player.seat and deal.drawn is not None:
        for group in groups_in(player.hand, rules.shape):
            yield Meld((group,))
        for number in range(len(deal.melds)):
            for card in player.hand:
                yield LayOff(number, (card,))
        for card in player.hand:
            yield Discard(card)
    yield Arrange(player.rev + 1, player.groups)
    yield Leave()
