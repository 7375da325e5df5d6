"""Laying melds and laying cards off, as far as both games do it alike (B5, B6, C9, C10)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from tables.games.cards import Card
from tables.games.rummy.deal import Deal, DealT, Player, TableRules, with_player, without
from tables.games.rummy.melds import Meld
from tables.games.rummy.refusals import Refusal
from tables.games.rummy.turns import check_parting, may_discard_from


def check_cards(deal: Deal, player: Player, cards: Sequence[Card]) -> Refusal | None:
    """Whether the player may lay these cards now, wherever they go."""
    if refusal := check_parting(deal, player):
        return refusal
    if not cards:
        return Refusal.NOTHING_LAID
    if len(set(cards)) < len(cards) or not set(cards) <= set(player.hand):
        return Refusal.GROUPS_NOT_YOUR_HAND
    return None


def check_rest(
    rules: TableRules, kept: Card | None, rest: Sequence[Card], *, fits: bool
) -> Refusal | None:
    """A turn must be able to end: after laying, the rest is nothing, holds a card that may be
    discarded, or is a single one that fits on a meld (`fits`). `kept` may not be discarded."""
    if not rest:
        return Refusal.MUST_KEEP_A_DISCARD if rules.last_card == "discard" else None
    if may_discard_from(rules, len(rest)) and any(card != kept for card in rest):
        return None
    is_way_out = fits and rules.last_card != "discard"
    return None if is_way_out else Refusal.MUST_KEEP_A_DISCARD


def rest_of(player: Player, cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(card for card in player.hand if card not in cards)


def with_new_melds(deal: DealT, player: Player, melds: Sequence[Meld]) -> DealT:
    cards = tuple(chain.from_iterable(meld.cards for meld in melds))
    laid = replace(deal, melds=(*deal.melds, *melds), laid=deal.laid + len(melds))
    return with_player(laid, _having_laid(deal, player, cards))


def with_meld(deal: DealT, player: Player, number: int, meld: Meld, cards: Sequence[Card]) -> DealT:
    """The meld of this number as it is now, with these cards of the player on it."""
    melds = (*deal.melds[:number], meld, *deal.melds[number + 1 :])
    return with_player(replace(deal, melds=melds), _having_laid(deal, player, cards))


def _having_laid(deal: Deal, player: Player, cards: Sequence[Card]) -> Player:
    laid_in = deal.turn_number if player.laid_in is None else player.laid_in
    return replace(without(player, *cards), laid_in=laid_in)
