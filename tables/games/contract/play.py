"""The moves of a deal: which are allowed now, and what each one and a passed deadline does."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from tables.games.base import Instant
from tables.games.contract import exits, laying, turns
from tables.games.contract.deal import Deal, Phase, Player
from tables.games.contract.melds import faces_onto
from tables.games.contract.missing import missing, missing_of_whole
from tables.games.contract.moves import (
    Arrange,
    Buy,
    Discard,
    Draw,
    Laid,
    LayContract,
    LayOff,
    Leave,
    Move,
    NeverBuy,
    Pass,
    SwapJoker,
)
from tables.games.contract.rulesets import ContractRules
from tables.games.rummy import arranging
from tables.games.rummy.deal import player_at
from tables.games.rummy.events import Events
from tables.games.rummy.refusals import Refusal, illegal
from tables.games.rummy.turns import check_discard, check_draw


class _Rule(NamedTuple):
    check: Callable[[Deal, ContractRules, Player, Any], Refusal | None]
    apply: Callable[[Deal, ContractRules, Player, Any, Instant], tuple[Deal, Events]]


_RULES: Final[Mapping[type, _Rule]] = {
    Draw: _Rule(check_draw, turns.draw),
    Buy: _Rule(turns.check_answer, turns.buy),
    Pass: _Rule(turns.check_answer, turns.pass_upcard),
    NeverBuy: _Rule(exits.check_never_buy, exits.never_buy),
    LayContract: _Rule(laying.check_contract, laying.lay_contract),
    LayOff: _Rule(laying.check_lay_off, laying.lay_off),
    SwapJoker: _Rule(laying.check_swap, laying.swap_joker),
    Discard: _Rule(check_discard, turns.discard),
    Arrange: _Rule(arranging.check_arrange, arranging.arrange),
    Leave: _Rule(exits.check_leave, exits.leave),
}
# These are not bound to the clock of the turn.
_UNTIMED: Final = (Arrange, Leave, NeverBuy)


def refusal_of(deal: Deal, rules: ContractRules, seat: int, move: Move) -> Refusal | None:
    """What speaks against this move, the clock aside."""
    if deal.phase is Phase.OVER:
        return Refusal.DEAL_OVER
    player = player_at(deal, seat)
    if player is None or not player.is_playing:
        return Refusal.NOT_IN_DEAL
    return _RULES[type(move)].check(deal, rules, player, move)


def play_in_deal(
    deal: Deal, rules: ContractRules, seat: int, move: Move, now: Instant
) -> tuple[Deal, Events]:
    refusal = refusal_of(deal, rules, seat, move)
    if refusal is None and deal.is_late(now) and not isinstance(move, _UNTIMED):
        refusal = Refusal.TIME_IS_UP
    if refusal is not None:
        raise illegal(refusal)
    return _RULES[type(move)].apply(deal, rules, player_at(deal, seat), move, now)  # type: ignore[arg-type] # checked


def legal_in_deal(deal: Deal, rules: ContractRules, seat: int) -> tuple[Move, ...]:
    """The contract once, if the hand has it; each card that alone can be laid off."""
    player = player_at(deal, seat)
    if player is None:
        return ()
    return tuple(
        move
        for move in _candidates(deal, rules, player)
        if refusal_of(deal, rules, seat, move) is None
    )


def expire_in_deal(deal: Deal, rules: ContractRules, now: Instant) -> tuple[Deal, Events]:
    return exits.expire(deal, rules, now) if deal.is_late(now) else (deal, ())


def contract_in(deal: Deal, rules: ContractRules, player: Player) -> tuple[Laid, ...] | None:
    """A laying of the contract out of this hand, if there is one."""
    if deal.is_whole:
        hand = player.hand
        return missing_of_whole(hand, len(deal.contract), len(hand), rules).melds
    return missing(player.hand, deal.contract, rules).melds


def _candidates(deal: Deal, rules: ContractRules, player: Player) -> Iterator[Move]:
    yield Draw("closed")
    yield Draw("open")
    yield Buy()
    yield Pass()
    if deal.players[deal.turn].seat == player.seat and deal.drawn is not None:
        yield from _layings(deal, rules, player)
        for card in player.hand:
            yield Discard(card)
    yield NeverBuy(not player.never_buy)
    yield Arrange(player.rev + 1, player.groups)
    yield Leave()


def _layings(deal: Deal, rules: ContractRules, player: Player) -> Iterator[Move]:
    if player.laid_in is None:
        melds = contract_in(deal, rules, player)
        if melds is not None:
            yield LayContract(melds)
        return
    for number, meld in enumerate(deal.melds):
        for card in player.hand:
            for face in faces_onto(meld, card, rules):
                yield LayOff(number, Laid((card,), (face,)))
            for to in ("hand", "front", "back"):
                yield SwapJoker(number, card, to)
