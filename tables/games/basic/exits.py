"""Missed turns and leaving (B14, B15)."""

from dataclasses import replace

from tables.games.base import Instant
from tables.games.basic.best import POINTS, best_laying, count
from tables.games.basic.deal import Deal, Player, Status
from tables.games.basic.ending import counted, end_out
from tables.games.basic.moves import Leave
from tables.games.basic.rulesets import BasicRules
from tables.games.basic.turns import end_turn, pass_turn
from tables.games.cards import Card
from tables.games.rummy import events
from tables.games.rummy.deal import with_player
from tables.games.rummy.ending import end_with_last_player
from tables.games.rummy.events import Events
from tables.games.rummy.refusals import Refusal
from tables.games.rummy.turns import (
    discardable,
    draw_closed,
    put_on_open_pile,
    returned_draw,
    then,
)


def miss_turn(deal: Deal, rules: BasicRules, now: Instant) -> tuple[Deal, Events]:
    """B14: a card is drawn and discarded; after too many missed turns in a row one is out."""
    at_turn = deal.players[deal.turn]
    missing = replace(at_turn, extra_ms=0, missed=at_turn.missed + 1)
    event = events.missed_turn(missing.seat, missing.missed)
    deal = with_player(deal, missing)
    if missing.missed >= rules.max_missed_turns:
        change = _dropped(deal, rules, now)
    else:
        deal, drawn = (deal, ()) if deal.drawn is not None else draw_closed(deal, missing)
        deal, discarded = _silent_discard(deal, rules)
        change = then((*drawn, *discarded), end_turn(deal, rules, now))
    return then((event,), change)


def _dropped(deal: Deal, rules: BasicRules, now: Instant) -> tuple[Deal, Events]:
    """Out of the deal, unless the card that goes back is the last one."""
    deal, returned = returned_draw(deal)
    player = deal.players[deal.turn]
    if not player.hand:
        return then(returned, end_out(deal, rules, player.seat))
    out = replace(player, status=Status.DROPPED, points=counted(rules, count(player.hand)))
    event = events.dropped(out.seat, out.points or 0)
    return then((*returned, event), _go_on(with_player(deal, out), rules, now))


def check_leave(_deal: Deal, _rules: BasicRules, _player: Player, _move: Leave) -> Refusal | None:
    return None


def leave(
    deal: Deal, rules: BasicRules, player: Player, _move: Leave, now: Instant
) -> tuple[Deal, Events]:
    """B15: the hand is counted, and `leave_points` at least."""
    is_turn = deal.players[deal.turn].seat == player.seat
    deal, returned = returned_draw(deal) if is_turn else (deal, ())
    [leaver] = [one for one in deal.players if one.seat == player.seat]
    points = counted(rules, max(count(leaver.hand), rules.leave_points))
    deal = with_player(deal, replace(leaver, status=Status.LEFT, points=points))
    if is_turn:
        return then(returned, _go_on(deal, rules, now))
    return end_with_last_player(deal) if len(deal.playing) == 1 else (deal, ())


def _go_on(deal: Deal, rules: BasicRules, now: Instant) -> tuple[Deal, Events]:
    """After the player at turn went out of the deal."""
    return end_with_last_player(deal) if len(deal.playing) == 1 else pass_turn(deal, rules, now)


def _silent_discard(deal: Deal, rules: BasicRules) -> tuple[Deal, Events]:
    """The card drawn in this turn, or else the dearest loose one. A single card that may not go
    back stays."""
    player = deal.players[deal.turn]
    cards = discardable(deal, rules, player)
    if not cards:
        return deal, ()
    card = deal.drawn if deal.drawn in cards else _dearest_loose(cards, deal, rules)
    deal, event = put_on_open_pile(deal, player, card)
    return deal, (event,)


def _dearest_loose(cards: tuple[Card, ...], deal: Deal, rules: BasicRules) -> Card:
    hand = deal.players[deal.turn].hand
    loose = [card for card in best_laying(hand, (), rules.shape).loose if card in cards]
    return max(loose or cards, key=lambda card: (POINTS[card], -card))
