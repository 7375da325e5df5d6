"""Missed turns and leaving (G16)."""

from dataclasses import replace

from tables.games.base import Instant
from tables.games.gin import events
from tables.games.gin.deal import Deal, Phase, Player
from tables.games.gin.ending import end_forfeit
from tables.games.gin.events import Events
from tables.games.gin.melding import arrange_eleven
from tables.games.gin.moves import Leave
from tables.games.gin.refusals import Refusal
from tables.games.gin.rulesets import GinRules
from tables.games.gin.showdown import defend_best
from tables.games.gin.turns import draw_closed, end_turn, passed_by_silence, put_on_open_pile


def miss_turn(deal: Deal, rules: GinRules, now: Instant) -> tuple[Deal, Events]:
    """G16: a pass, or a card drawn and discarded; too many of them in a row lose the deal."""
    missing = replace(deal.at_turn, extra_ms=0, missed=deal.at_turn.missed + 1)
    event = events.missed_turn(missing.seat, missing.missed)
    deal = deal.with_player(missing)
    if missing.missed >= rules.max_missed_turns:
        deal, more = _forfeited(deal, rules, missing)
    elif deal.phase is Phase.UPCARD:
        deal, more = passed_by_silence(deal, rules, now)
    else:
        deal, drawn = (deal, ()) if deal.drawn is not None else draw_closed(deal, missing)
        deal, discarded = _returned_draw(deal, rules)
        deal, later = end_turn(deal, rules, now)
        more = (*drawn, *discarded, *later)
    return deal, (event, *more)


def defend_too_late(deal: Deal, rules: GinRules, _now: Instant) -> tuple[Deal, Events]:
    """G10"""
    return defend_best(deal, rules)


def check_leave(_deal: Deal, _rules: GinRules, _player: Player, _move: Leave) -> Refusal | None:
    return None


def leave(
    deal: Deal, rules: GinRules, player: Player, _move: Leave, _now: Instant
) -> tuple[Deal, Events]:
    """G16: the deal is lost. After a knock it is counted at once, with the best defence."""
    if deal.phase is Phase.DEFEND:
        return defend_best(deal, rules)
    return _forfeited(deal, rules, player)


def _forfeited(deal: Deal, rules: GinRules, loser: Player) -> tuple[Deal, Events]:
    """A card that the winner has drawn stays with them."""
    returned: Events = ()
    if deal.at_turn.seat == loser.seat:
        deal, returned = _returned_draw(deal, rules)
    deal, later = end_forfeit(deal, rules, loser)
    return deal, (*returned, *later)


def _returned_draw(deal: Deal, rules: GinRules) -> tuple[Deal, Events]:
    """The card drawn in this turn is discarded; where it may not go back (G5), the best other."""
    card = deal.drawn
    if card is None:
        return deal, ()
    if card == deal.kept_card(rules):
        card = arrange_eleven(deal.at_turn.hand, kept=card).discard
    if card is None:  # pragma: no cover - of eleven cards another one can always go
        raise AssertionError("nothing can be discarded")
    deal, event = put_on_open_pile(deal, deal.at_turn, card)
    return deal, (event,)
