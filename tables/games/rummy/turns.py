"""Drawing, discarding, the closed deck made anew, and whose turn comes next (B5, B7, B10, C6, C12)."""

from dataclasses import replace
from typing import Protocol

from tables.games.base import Event, Instant
from tables.games.cards import Card
from tables.games.rummy import events
from tables.games.rummy.deal import (
    Deal,
    DealT,
    Phase,
    Player,
    PlayerT,
    TableRules,
    holding,
    kept_card,
    with_player,
    without,
)
from tables.games.rummy.events import Events
from tables.games.rummy.refusals import Refusal
from tables.games.shuffle import shuffled


class HasSource(Protocol):
    @property
    def source(self) -> str: ...


class HasCard(Protocol):
    @property
    def card(self) -> Card: ...


def check_turn(deal: Deal, player: Player) -> Refusal | None:
    is_turn = deal.phase is Phase.TURN and deal.players[deal.turn].seat == player.seat
    return None if is_turn else Refusal.NOT_YOUR_TURN


def check_draw(deal: Deal, _rules: TableRules, player: Player, move: HasSource) -> Refusal | None:
    if refusal := check_turn(deal, player):
        return refusal
    if deal.drawn is not None:
        return Refusal.WRONG_STEP
    return Refusal.OPEN_PILE_EMPTY if move.source == "open" and not deal.open_pile else None


def draw_open(deal: DealT, player: Player) -> tuple[DealT, Events]:
    card = deal.open_pile[-1]
    taking = replace(holding(player, card), taken=(*player.taken, card))
    taken = replace(
        with_player(deal, taking),
        open_pile=deal.open_pile[:-1],
        drawn=card,
        drawn_from_open=True,
    )
    return taken, (events.drawn_open(player.seat, card),)


def draw_closed(deal: DealT, player: Player) -> tuple[DealT, Events]:
    card = deal.closed[-1]
    drawn = replace(with_player(deal, holding(player, card)), closed=deal.closed[:-1], drawn=card)
    return drawn, (events.drawn_closed(player.seat),)


def check_parting(deal: Deal, player: Player) -> Refusal | None:
    """To part with cards one has to be at turn, and to have drawn."""
    if refusal := check_turn(deal, player):
        return refusal
    return Refusal.WRONG_STEP if deal.drawn is None else None


def check_discard(deal: Deal, rules: TableRules, player: Player, move: HasCard) -> Refusal | None:
    if refusal := check_parting(deal, player):
        return refusal
    hand = player.hand
    if move.card not in hand:
        return Refusal.CARD_NOT_HELD
    if move.card == kept_card(deal, rules):
        return Refusal.MAY_NOT_RETURN_OPEN_CARD
    return None if may_discard_from(rules, len(hand)) else Refusal.WRONG_STEP


def may_discard_from(rules: TableRules, size: int) -> bool:
    """Whether a hand of this size may lose a card by a discard: the last one may have to be laid."""
    return size > 1 or rules.last_card != "lay"


def discardable(deal: Deal, rules: TableRules, player: Player) -> tuple[Card, ...]:
    """What the player at turn may discard, in the order of the hand."""
    hand, kept = player.hand, kept_card(deal, rules)
    if not may_discard_from(rules, len(hand)):
        return ()
    return tuple(card for card in hand if card != kept)


def put_on_open_pile(deal: DealT, player: Player, card: Card) -> tuple[DealT, Event]:
    """The player, as given, parts with the card."""
    lighter = replace(
        with_player(deal, without(player, card)),
        open_pile=(*deal.open_pile, card),
        discards=(*deal.discards, (player.seat, card)),
        drawn=None,
        drawn_from_open=False,
    )
    return lighter, events.discarded(player.seat, card)


def returned_draw(deal: DealT) -> tuple[DealT, Events]:
    """A card drawn in this turn that is still in the hand of who goes away lies open."""
    player = deal.players[deal.turn]
    if deal.drawn is None or deal.drawn not in player.hand:
        return deal, ()
    deal, event = put_on_open_pile(deal, player, deal.drawn)
    return deal, (event,)


def charged(deal: Deal, player: PlayerT, now: Instant) -> PlayerT:
    """B14: what went beyond the clock comes out of the player's extra time."""
    overtime = max(0, now - deal.due_at)
    return replace(player, extra_ms=max(0, player.extra_ms - overtime))


def next_place(deal: Deal) -> int:
    places = [place for place, player in enumerate(deal.players) if player.is_playing]
    later = [place for place in places if place > deal.turn]
    return (later or places)[0]


def has_reached_limit(deal: Deal, rules: TableRules, player: Player, now: Instant) -> bool:
    """B11: a player has had all turns, or no turn begins any more."""
    minutes_are_over = now >= deal.started_at + rules.max_minutes * 60_000
    return minutes_are_over or player.turns >= rules.max_turns


def restocked(deal: DealT, rules: TableRules) -> tuple[DealT, Events] | None:
    """B10, C14: an empty closed deck is made anew; None where that is not possible any more."""
    if deal.closed:
        return deal, ()
    under = deal.open_pile[:-1]
    if not under or rules.restock == "block" or deal.restocks >= rules.max_restocks:
        return None
    is_shuffled = rules.restock == "shuffle"
    label = f"reshuffle:{deal.restocks + 1}"
    # Turned over, what was discarded first is drawn first.
    closed = shuffled(under, seed=deal.seed, label=label) if is_shuffled else under[::-1]
    fresh = replace(deal, closed=closed, open_pile=deal.open_pile[-1:], restocks=deal.restocks + 1)
    return fresh, (events.restocked(len(closed), is_shuffled=is_shuffled),)


def begin_turn(deal: DealT, rules: TableRules, now: Instant) -> tuple[DealT, Events]:
    """The next player's turn, with a card in the closed deck for it."""
    place = next_place(deal)
    player = deal.players[place]
    begun = replace(
        with_player(deal, replace(player, turns=player.turns + 1)),
        phase=Phase.TURN,
        turn=place,
        turn_number=deal.turn_number + 1,
        due_at=now + rules.turn_seconds * 1000,
        drawn=None,
        drawn_from_open=False,
        laid=0,
    )
    return begun, (events.turn(player.seat, begun.due_at),)


def then(happened: Events, change: tuple[DealT, Events]) -> tuple[DealT, Events]:
    deal, later = change
    return deal, (*happened, *later)
