"""Drawing, discarding and whose turn comes next (R4.3 to R4.6)."""

from dataclasses import replace

from tables.games.base import Event, Instant
from tables.games.cards import Card
from tables.games.indian import events
from tables.games.indian.deal import Deal, Phase, Player
from tables.games.indian.ending import end_at_limit, end_with_last_player, reached_limit
from tables.games.indian.events import Events
from tables.games.indian.moves import Discard, Draw, Drop, Finish
from tables.games.indian.refusals import Refusal
from tables.games.indian.rulesets import RuleSet
from tables.games.shuffle import shuffled


def check_turn(deal: Deal, player: Player) -> Refusal | None:
    is_turn = deal.phase is Phase.TURN and deal.at_turn.seat == player.seat
    return None if is_turn else Refusal.NOT_YOUR_TURN


def check_draw(deal: Deal, _rules: RuleSet, player: Player, move: Draw) -> Refusal | None:
    if refusal := check_turn(deal, player):
        return refusal
    if deal.drawn is not None:
        return Refusal.WRONG_STEP
    if move.source == "closed" or deal.open_drawable:
        return None
    return Refusal.JOKER_NOT_DRAWABLE if deal.open_pile else Refusal.OPEN_PILE_EMPTY


def draw(
    deal: Deal, _rules: RuleSet, player: Player, move: Draw, _now: Instant
) -> tuple[Deal, Events]:
    if move.source == "closed":
        card = deal.closed[-1]
        holding = deal.players_with(player.holding(card))
        drawn = replace(deal, players=holding, closed=deal.closed[:-1], drawn=card)
        return drawn, (events.drawn_closed(player.seat),)
    card = deal.open_pile[-1]
    taken = replace(
        deal,
        players=deal.players_with(player.holding(card)),
        open_pile=deal.open_pile[:-1],
        drawn=card,
        drawn_from_open=True,
    )
    return taken, (events.drawn_open(player.seat, card),)


def check_holding(deal: Deal, player: Player, card: Card) -> Refusal | None:
    """To part with a card one has to be at turn, to have drawn and to hold it."""
    if refusal := check_turn(deal, player):
        return refusal
    if deal.drawn is None:
        return Refusal.WRONG_STEP
    return None if card in player.hand else Refusal.CARD_NOT_HELD


def check_discard(deal: Deal, rules: RuleSet, player: Player, move: Discard) -> Refusal | None:
    if refusal := check_holding(deal, player, move.card):
        return refusal
    returns_it = deal.drawn_from_open and move.card == deal.drawn
    if returns_it and not rules.may_return_open_card:
        return Refusal.MAY_NOT_RETURN_OPEN_CARD
    return None


def discard(
    deal: Deal, rules: RuleSet, player: Player, move: Discard, now: Instant
) -> tuple[Deal, Events]:
    """R4.9: a turn that is played to its end also ends a row of missed ones."""
    done = replace(charged(deal, player, now), missed=0)
    return then(
        events.discarded(player.seat, move.card),
        pass_turn(put_on_open_pile(deal, done, move.card), rules, now),
    )


def check_finish(deal: Deal, _rules: RuleSet, player: Player, move: Finish) -> Refusal | None:
    return check_holding(deal, player, move.card)


def check_drop(deal: Deal, rules: RuleSet, player: Player, _move: Drop) -> Refusal | None:
    if refusal := check_turn(deal, player):
        return refusal
    if deal.drawn is not None:
        return Refusal.WRONG_STEP
    has_points = rules.drop_points(has_drawn=player.has_drawn) is not None
    return None if has_points else Refusal.DROP_NOT_ALLOWED


def put_on_open_pile(deal: Deal, player: Player, card: Card) -> Deal:
    """The player, as given, parts with the card; it is seen for the whole deal (R4.10)."""
    return replace(
        deal,
        players=deal.players_with(player.without(card)),
        open_pile=(*deal.open_pile, card),
        discards=(*deal.discards, (player.seat, card)),
        finish=None,
    )


def charged(deal: Deal, player: Player, now: Instant) -> Player:
    """R4.9: what went beyond the clock comes out of the player's extra time."""
    overtime = max(0, now - deal.due_at)
    return replace(player, extra_ms=max(0, player.extra_ms - overtime)) if overtime else player


def go_on(deal: Deal, rules: RuleSet, now: Instant) -> tuple[Deal, Events]:
    """After the player at turn went out: the last one wins, or the next one's turn begins."""
    if len(deal.playing) == 1:
        return end_with_last_player(deal)
    return pass_turn(deal, rules, now)


def pass_turn(deal: Deal, rules: RuleSet, now: Instant) -> tuple[Deal, Events]:
    place = _next_place(deal)
    player = deal.players[place]
    if reached_limit(deal, rules, player, now):
        return end_at_limit(deal, rules)
    deal, reshuffled = _with_closed_deck(deal)
    begun = replace(
        deal,
        players=deal.players_with(replace(player, turns=player.turns + 1)),
        phase=Phase.TURN,
        turn=place,
        turn_number=deal.turn_number + 1,
        due_at=now + rules.turn_seconds * 1000,
        drawn=None,
        drawn_from_open=False,
    )
    return begun, (*reshuffled, events.turn(player.seat, begun.due_at))


def then(first: Event, change: tuple[Deal, Events]) -> tuple[Deal, Events]:
    deal, later = change
    return deal, (first, *later)


def _next_place(deal: Deal) -> int:
    places = [place for place, player in enumerate(deal.players) if player.is_playing]
    later = [place for place in places if place > deal.turn]
    return (later or places)[0]


def _with_closed_deck(deal: Deal) -> tuple[Deal, Events]:
    """R4.6: an empty closed deck is made anew from the open pile below its top card."""
    if deal.closed:
        return deal, ()
    label = f"reshuffle:{deal.reshuffles + 1}"
    closed = shuffled(deal.open_pile[:-1], seed=deal.seed, label=label)
    fresh = replace(
        deal, closed=closed, open_pile=deal.open_pile[-1:], reshuffles=deal.reshuffles + 1
    )
    return fresh, (events.reshuffled(len(closed)),)
