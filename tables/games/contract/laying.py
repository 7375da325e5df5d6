"""Laying the contract, laying off and taking jokers (C4, C9 to C12)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from tables.games.base import Instant
from tables.games.cards import Card
from tables.games.contract import events
from tables.games.contract.deal import Deal, Player
from tables.games.contract.ending import end_out
from tables.games.contract.melds import (
    as_meld,
    contract_refusal,
    fits_somewhere,
    laid_onto,
    swapped,
)
from tables.games.contract.moves import LayContract, LayOff, SwapJoker
from tables.games.contract.rulesets import RUN, ContractRules
from tables.games.rummy import events as common
from tables.games.rummy.deal import holding, kept_card, with_player
from tables.games.rummy.events import Events
from tables.games.rummy.laying import check_cards, check_rest, rest_of, with_meld, with_new_melds
from tables.games.rummy.melds import Meld
from tables.games.rummy.refusals import Refusal
from tables.games.rummy.turns import then

WORD_FOR_RUN: Final = RUN


def check_contract(
    deal: Deal, rules: ContractRules, player: Player, move: LayContract
) -> Refusal | None:
    cards = tuple(chain.from_iterable(laid.cards for laid in move.melds))
    if refusal := check_cards(deal, player, cards):
        return refusal
    if player.laid_in is not None:
        return Refusal.CONTRACT_ALREADY_MET
    made = [as_meld(laid, rules) for laid in move.melds]
    melds = [meld for meld in made if meld is not None]
    if len(melds) < len(made):
        return Refusal.NOT_A_MELD
    if refusal := contract_refusal(melds, deal.contract, rules, is_whole=deal.is_whole):
        return refusal
    rest = rest_of(player, cards)
    if deal.is_whole:
        return Refusal.CONTRACT_NOT_MET if rest else None
    lying = [*deal.melds, *melds] if rules.lay_off_same_turn else []
    return _check_rest(deal, rules, lying, rest)


def lay_contract(
    deal: Deal, rules: ContractRules, player: Player, move: LayContract, _now: Instant
) -> tuple[Deal, Events]:
    made = (as_meld(laid, rules, seat=player.seat) for laid in move.melds)
    melds = [meld for meld in made if meld is not None]
    event = events.contract_laid(player.seat, len(deal.melds), melds, WORD_FOR_RUN)
    return then((event,), _laid(with_new_melds(deal, player, melds), rules, player))


def may_lay_off(deal: Deal, rules: ContractRules, player: Player) -> Refusal | None:
    """C9 to C11: the contract has been met, and in an earlier turn."""
    if player.laid_in is None:
        return Refusal.CONTRACT_NOT_MET
    is_same = player.laid_in == deal.turn_number
    return Refusal.NOT_IN_THIS_TURN if is_same and not rules.lay_off_same_turn else None


def check_lay_off(deal: Deal, rules: ContractRules, player: Player, move: LayOff) -> Refusal | None:
    if refusal := check_cards(deal, player, move.laid.cards):
        return refusal
    if refusal := may_lay_off(deal, rules, player):
        return refusal
    if move.meld >= len(deal.melds):
        return Refusal.NO_SUCH_MELD
    grown = laid_onto(deal.melds[move.meld], move.laid, rules)
    if grown is None:
        return Refusal.DOES_NOT_FIT
    return _check_rest(deal, rules, _with(deal, move.meld, grown), rest_of(player, move.laid.cards))


def lay_off(
    deal: Deal, rules: ContractRules, player: Player, move: LayOff, _now: Instant
) -> tuple[Deal, Events]:
    grown = laid_onto(deal.melds[move.meld], move.laid, rules, seat=player.seat)
    if grown is None:  # pragma: no cover - it has been checked
        raise AssertionError("the cards do not fit")
    event = common.laid_off(player.seat, move.meld, move.laid.cards, move.laid.faces)
    laid = with_meld(deal, player, move.meld, grown, move.laid.cards)
    return then((event,), _laid(laid, rules, player))


def check_swap(deal: Deal, rules: ContractRules, player: Player, move: SwapJoker) -> Refusal | None:
    if refusal := check_cards(deal, player, (move.card,)):
        return refusal
    if refusal := may_lay_off(deal, rules, player):
        return refusal
    if move.meld >= len(deal.melds):
        return Refusal.NO_SUCH_MELD
    change = swapped(deal.melds[move.meld], move, rules, seat=player.seat)
    if isinstance(change, Refusal):
        return change
    meld, joker = change
    rest = rest_of(player, (move.card,))
    held = (*rest, joker) if move.to == "hand" else rest
    return _check_rest(deal, rules, _with(deal, move.meld, meld), held)


def swap_joker(
    deal: Deal, rules: ContractRules, player: Player, move: SwapJoker, _now: Instant
) -> tuple[Deal, Events]:
    change = swapped(deal.melds[move.meld], move, rules, seat=player.seat)
    if isinstance(change, Refusal):  # pragma: no cover - it has been checked
        raise TypeError(change)
    meld, joker = change
    event = events.swapped_joker(player.seat, move.meld, move.card, joker, move.to)
    deal = with_meld(deal, player, move.meld, meld, (move.card,))
    if move.to == "hand":
        swapper = holding(deal.players[deal.turn], joker)
        deal = with_player(deal, replace(swapper, taken=(*swapper.taken, joker)))
    return then((event,), _laid(deal, rules, player))


def _with(deal: Deal, number: int, meld: Meld) -> list[Meld]:
    return [*deal.melds[:number], meld, *deal.melds[number + 1 :]]


def _check_rest(
    deal: Deal, rules: ContractRules, lying: Sequence[Meld], rest: tuple[Card, ...]
) -> Refusal | None:
    fits = len(rest) == 1 and fits_somewhere(rest[0], lying, rules)
    return check_rest(rules, kept_card(deal, rules), rest, fits=fits)


def _laid(deal: Deal, rules: ContractRules, player: Player) -> tuple[Deal, Events]:
    """C12: whoever has laid the last card has won."""
    if deal.players[deal.turn].hand:
        return deal, ()
    return end_out(deal, rules, player.seat)
