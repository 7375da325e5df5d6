"""Going out of a deal: drops, missed turns and leaving (R4.9, R5)."""

from dataclasses import replace

from tables.games.base import Event, Instant
from tables.games.indian import events
from tables.games.indian.deal import Deal, Declaration, How, Phase, Player, Status
from tables.games.indian.declaration import LEFT_BEFORE_DECLARING
from tables.games.indian.ending import end_with_last_player
from tables.games.indian.events import Events
from tables.games.indian.moves import Drop, Leave
from tables.games.indian.refusals import Refusal
from tables.games.indian.rulesets import RuleSet
from tables.games.indian.showdown import count_player, declare_wrongly
from tables.games.indian.turns import go_on, pass_turn, put_on_open_pile, then


def drop(
    deal: Deal, rules: RuleSet, player: Player, _move: Drop, now: Instant
) -> tuple[Deal, Events]:
    dropped = _out(rules, player, Status.DROPPED, has_drawn=player.has_drawn)
    return then(_dropped(dropped), go_on(deal.with_player(dropped), rules, now))


def miss_turn(deal: Deal, rules: RuleSet, now: Instant) -> tuple[Deal, Events]:
    """R4.9: a card drawn in a turn that runs out is discarded again."""
    missing = replace(deal.at_turn, extra_ms=0, missed=deal.at_turn.missed + 1)
    event = events.missed_turn(missing.seat, missing.missed)
    deal, returned = _returned_draw(deal.with_player(missing))
    if missing.missed < rules.max_missed_turns:
        change = pass_turn(deal, rules, now)
    else:
        dropped = _out(rules, deal.at_turn, Status.DROPPED, has_drawn=True)
        change = then(_dropped(dropped), go_on(deal.with_player(dropped), rules, now))
    deal, later = change
    return deal, (event, *returned, *later)


def check_leave(_deal: Deal, _rules: RuleSet, _player: Player, _move: Leave) -> Refusal | None:
    return None


def leave(
    deal: Deal, rules: RuleSet, player: Player, _move: Leave, now: Instant
) -> tuple[Deal, Events]:
    """R5.3, unless another rule has decided already what the player counts."""
    if deal.phase is Phase.SHOW:
        return count_player(deal, rules, player, How.SAVED)
    at_turn = deal.at_turn.seat == player.seat
    if at_turn and deal.phase is Phase.DECLARE:
        declaration = Declaration(player.seat, (), LEFT_BEFORE_DECLARING)
        return declare_wrongly(deal, rules, declaration, now)
    returned: Events = ()
    if at_turn:
        deal, returned = _returned_draw(deal)
    gone = _out(rules, deal.player(player.seat) or player, Status.LEFT, has_drawn=player.has_drawn)
    deal, later = _without(deal.with_player(gone), rules, now, at_turn=at_turn)
    return deal, (*returned, _dropped(gone), *later)


def _without(deal: Deal, rules: RuleSet, now: Instant, *, at_turn: bool) -> tuple[Deal, Events]:
    if at_turn:
        return go_on(deal, rules, now)
    return end_with_last_player(deal) if len(deal.playing) == 1 else (deal, ())


def _out(rules: RuleSet, player: Player, status: Status, *, has_drawn: bool) -> Player:
    """R5.3: where nobody may drop, going out counts full."""
    points = rules.drop_points(has_drawn=has_drawn)
    if points is None:
        return player.out(status, rules.max_points, How.FULL_COUNT)
    return player.out(status, points, How.MIDDLE_DROP if has_drawn else How.FIRST_DROP)


def _dropped(player: Player) -> Event:
    return events.dropped(player.seat, player.points or 0, str(player.how))


def _returned_draw(deal: Deal) -> tuple[Deal, Events]:
    """The card drawn in this turn goes to the open pile, from either pile."""
    if deal.drawn is None:
        return deal, ()
    card, player = deal.drawn, deal.at_turn
    return put_on_open_pile(deal, player, card), (events.discarded(player.seat, card),)
