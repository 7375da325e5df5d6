"""The moves of a turn (B5 to B8) and whose turn comes next (B10, B11)."""

from dataclasses import replace
from itertools import chain

from tables.games.base import Instant
from tables.games.basic.deal import Deal, How, Player
from tables.games.basic.ending import end_lowest, end_out
from tables.games.basic.moves import Discard, Draw, LayOff
from tables.games.basic.moves import Meld as MeldMove
from tables.games.basic.rulesets import BasicRules
from tables.games.cards import Card
from tables.games.rummy import events
from tables.games.rummy.deal import kept_card
from tables.games.rummy.events import Events
from tables.games.rummy.laying import check_cards, check_rest, rest_of, with_meld, with_new_melds
from tables.games.rummy.melds import Meld, Shape, extended, meld_of
from tables.games.rummy.refusals import Refusal
from tables.games.rummy.turns import (
    begin_turn,
    charged,
    draw_closed,
    draw_open,
    has_reached_limit,
    next_place,
    put_on_open_pile,
    restocked,
    then,
)

WORD_FOR_RUN = "sequence"


def draw(
    deal: Deal, _rules: BasicRules, player: Player, move: Draw, _now: Instant
) -> tuple[Deal, Events]:
    return (draw_open if move.source == "open" else draw_closed)(deal, player)


def check_meld(deal: Deal, rules: BasicRules, player: Player, move: MeldMove) -> Refusal | None:
    cards = tuple(chain.from_iterable(move.groups))
    if refusal := check_cards(deal, player, cards):
        return refusal
    if rules.melds_a_turn is not None and deal.laid + len(move.groups) > rules.melds_a_turn:
        return Refusal.TOO_MANY_MELDS
    melds = [as_meld(group, rules.shape) for group in move.groups]
    if None in melds:
        return Refusal.NOT_A_MELD
    lying = [*deal.melds, *(meld for meld in melds if meld is not None)]
    return _check_rest(deal, rules, lying, rest_of(player, cards))


def meld(
    deal: Deal, rules: BasicRules, player: Player, move: MeldMove, _now: Instant
) -> tuple[Deal, Events]:
    made = (as_meld(group, rules.shape, seat=player.seat) for group in move.groups)
    melds = [meld for meld in made if meld is not None]
    event = events.melded(player.seat, len(deal.melds), melds, WORD_FOR_RUN)
    return then((event,), _laid(with_new_melds(deal, player, melds), rules, player))


def check_lay_off(deal: Deal, rules: BasicRules, player: Player, move: LayOff) -> Refusal | None:
    if refusal := check_cards(deal, player, move.cards):
        return refusal
    if move.meld >= len(deal.melds):
        return Refusal.NO_SUCH_MELD
    grown = laid_onto(deal.melds[move.meld], move.cards, rules.shape, seat=player.seat)
    if grown is None:
        return Refusal.DOES_NOT_FIT
    lying = [*deal.melds[: move.meld], grown, *deal.melds[move.meld + 1 :]]
    return _check_rest(deal, rules, lying, rest_of(player, move.cards))


def lay_off(
    deal: Deal, rules: BasicRules, player: Player, move: LayOff, _now: Instant
) -> tuple[Deal, Events]:
    grown = laid_onto(deal.melds[move.meld], move.cards, rules.shape, seat=player.seat)
    if grown is None:  # pragma: no cover - it has been checked
        raise AssertionError("the cards do not fit")
    faces = [card.face for card in move.cards]
    event = events.laid_off(player.seat, move.meld, move.cards, faces)
    laid = with_meld(deal, player, move.meld, grown, move.cards)
    return then((event,), _laid(laid, rules, player))


def as_meld(group: tuple[Card, ...], shape: Shape, *, seat: int = 0) -> Meld | None:
    return meld_of(group, [card.face for card in group], shape, seat=seat)


def laid_onto(meld: Meld, cards: tuple[Card, ...], shape: Shape, *, seat: int = 0) -> Meld | None:
    return extended(meld, cards, [card.face for card in cards], shape, seat=seat)


def discard(
    deal: Deal, rules: BasicRules, player: Player, move: Discard, now: Instant
) -> tuple[Deal, Events]:
    """B14: a turn that is played to its end also ends a row of missed ones."""
    done = replace(charged(deal, player, now), missed=0)
    deal, event = put_on_open_pile(deal, done, move.card)
    return then((event,), end_turn(deal, rules, now))


def end_turn(deal: Deal, rules: BasicRules, now: Instant) -> tuple[Deal, Events]:
    """B8: with no card left it is the end of the deal."""
    player = deal.players[deal.turn]
    if not player.hand:
        return end_out(deal, rules, player.seat)
    return pass_turn(deal, rules, now)


def pass_turn(deal: Deal, rules: BasicRules, now: Instant) -> tuple[Deal, Events]:
    if has_reached_limit(deal, rules, deal.players[next_place(deal)], now):
        return end_lowest(deal, rules, How.LIMIT)
    stocked = restocked(deal, rules)
    if stocked is None:
        return end_lowest(deal, rules, How.BLOCKED)
    deal, happened = stocked
    return then(happened, begin_turn(deal, rules, now))


def _check_rest(
    deal: Deal, rules: BasicRules, lying: list[Meld], rest: tuple[Card, ...]
) -> Refusal | None:
    fits = len(rest) == 1 and any(laid_onto(meld, rest, rules.shape) for meld in lying)
    return check_rest(rules, kept_card(deal, rules), rest, fits=fits)


def _laid(deal: Deal, rules: BasicRules, player: Player) -> tuple[Deal, Events]:
    """B8: whoever has laid the last card has won."""
    if deal.players[deal.turn].hand:
        return deal, ()
    return end_out(deal, rules, player.seat)
