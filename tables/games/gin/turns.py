"""The upcard, drawing, discarding and whose turn comes next (G4, G5, G12)."""

from dataclasses import replace

from tables.games.base import Event, Instant
from tables.games.cards import Card
from tables.games.gin import events
from tables.games.gin.deal import Deal, Phase, Player
from tables.games.gin.ending import end_dead
from tables.games.gin.events import Events
from tables.games.gin.moves import Discard, Draw, Pass
from tables.games.gin.refusals import Refusal
from tables.games.gin.rulesets import GinRules


def check_turn(deal: Deal, player: Player) -> Refusal | None:
    is_turn = deal.phase in (Phase.UPCARD, Phase.TURN) and deal.at_turn.seat == player.seat
    return None if is_turn else Refusal.NOT_YOUR_TURN


def check_pass(deal: Deal, _rules: GinRules, player: Player, _move: Pass) -> Refusal | None:
    if refusal := check_turn(deal, player):
        return refusal
    return None if deal.phase is Phase.UPCARD else Refusal.WRONG_STEP


def pass_upcard(
    deal: Deal, rules: GinRules, player: Player, _move: Pass, now: Instant
) -> tuple[Deal, Events]:
    """G4: the dealer is asked next; when both have passed the other must draw."""
    return _passed(deal.with_player(replace(charged(deal, player, now), missed=0)), rules, now)


def passed_by_silence(deal: Deal, rules: GinRules, now: Instant) -> tuple[Deal, Events]:
    """G16: whose time runs out has passed."""
    return _passed(deal, rules, now)


def _passed(deal: Deal, rules: GinRules, now: Instant) -> tuple[Deal, Events]:
    is_last = deal.turn == len(deal.players) - 1
    phase = Phase.TURN if is_last else Phase.UPCARD
    event = events.passed(deal.at_turn.seat)
    deal, later = _begin_turn(deal, rules, now, phase)
    return replace(deal, must_draw_closed=is_last), (event, *later)


def check_draw(deal: Deal, _rules: GinRules, player: Player, move: Draw) -> Refusal | None:
    if refusal := check_turn(deal, player):
        return refusal
    if deal.drawn is not None or (deal.phase is Phase.UPCARD and move.source == "closed"):
        return Refusal.WRONG_STEP
    if move.source == "closed":
        return None
    if deal.must_draw_closed:
        return Refusal.MUST_DRAW_CLOSED
    return None if deal.open_pile else Refusal.OPEN_PILE_EMPTY


def draw(
    deal: Deal, _rules: GinRules, player: Player, move: Draw, _now: Instant
) -> tuple[Deal, Events]:
    if move.source == "closed":
        return draw_closed(deal, player)
    card = deal.open_pile[-1]
    holding = replace(player.holding(card), taken=(*player.taken, card))
    taken = replace(
        deal.with_player(holding),
        phase=Phase.TURN,
        open_pile=deal.open_pile[:-1],
        drawn=card,
        drawn_from_open=True,
    )
    return taken, (events.drawn_open(player.seat, card),)


def draw_closed(deal: Deal, player: Player) -> tuple[Deal, Events]:
    card = deal.closed[-1]
    drawn = replace(deal.with_player(player.holding(card)), closed=deal.closed[:-1], drawn=card)
    return drawn, (events.drawn_closed(player.seat),)


def check_parting(deal: Deal, rules: GinRules, player: Player, card: Card | None) -> Refusal | None:
    """To part with a card one has to be at turn, to have drawn, to hold it, and not to have taken
    it from the open pile just now (G5). No card: big gin."""
    if refusal := check_turn(deal, player):
        return refusal
    if deal.drawn is None:
        return Refusal.WRONG_STEP
    if card is None:
        return None
    if card not in player.hand:
        return Refusal.CARD_NOT_HELD
    is_kept = card == deal.kept_card(rules)
    return Refusal.MAY_NOT_RETURN_OPEN_CARD if is_kept else None


def check_discard(deal: Deal, rules: GinRules, player: Player, move: Discard) -> Refusal | None:
    return check_parting(deal, rules, player, move.card)


def discard(
    deal: Deal, rules: GinRules, player: Player, move: Discard, now: Instant
) -> tuple[Deal, Events]:
    """G16: a turn that is played to its end also ends a row of missed ones."""
    done = replace(charged(deal, player, now), missed=0)
    deal, event = put_on_open_pile(deal, done, move.card)
    return then(event, end_turn(deal, rules, now))


def put_on_open_pile(deal: Deal, player: Player, card: Card) -> tuple[Deal, Event]:
    """The player, as given, parts with the card."""
    lighter = replace(
        deal.with_player(player.without(card)),
        open_pile=(*deal.open_pile, card),
        discards=(*deal.discards, (player.seat, card)),
        drawn=None,
        drawn_from_open=False,
    )
    return lighter, events.discarded(player.seat, card)


def charged(deal: Deal, player: Player, now: Instant) -> Player:
    """G16: what went beyond the clock comes out of the player's extra time."""
    overtime = max(0, now - deal.due_at)
    return replace(player, extra_ms=max(0, player.extra_ms - overtime))


def end_turn(deal: Deal, rules: GinRules, now: Instant) -> tuple[Deal, Events]:
    """G12: at the wall and at the limits of a deal nobody draws any more."""
    upcoming = deal.players[1 - deal.turn]
    minutes_are_over = now >= deal.started_at + rules.max_minutes * 60_000
    if len(deal.closed) <= rules.wall or minutes_are_over or upcoming.turns >= rules.max_turns:
        return end_dead(deal)
    return _begin_turn(deal, rules, now, Phase.TURN)


def _begin_turn(deal: Deal, rules: GinRules, now: Instant, phase: Phase) -> tuple[Deal, Events]:
    place = 1 - deal.turn
    player = deal.players[place]
    begun = replace(
        deal.with_player(replace(player, turns=player.turns + 1)),
        phase=phase,
        turn=place,
        turn_number=deal.turn_number + 1,
        due_at=now + rules.turn_seconds * 1000,
        must_draw_closed=False,
    )
    return begun, (events.turn(player.seat, begun.due_at),)


def then(first: Event, change: tuple[Deal, Events]) -> tuple[Deal, Events]:
    deal, later = change
    return deal, (first, *later)
