"""Time that runs out, and leaving (K12, K13)."""

from dataclasses import replace

from tables.games.base import Instant
from tables.games.rummikub import events
from tables.games.rummikub.deal import Deal, Player, Status
from tables.games.rummikub.ending import end_laid_out, end_last_player
from tables.games.rummikub.events import Events
from tables.games.rummikub.melds import Melds
from tables.games.rummikub.moves import Arrange, Leave
from tables.games.rummikub.refusals import Refusal
from tables.games.rummikub.rulesets import RummikubRules
from tables.games.rummikub.turns import (
    check_table,
    check_turn,
    end_turn,
    passed,
    put_down,
    take_tiles,
)


def check_arrange(
    deal: Deal, _rules: RummikubRules, player: Player, move: Arrange
) -> Refusal | None:
    """A table that is being built has tiles that lie there or are the player's own; what it lacks
    is no matter yet."""
    if refusal := check_turn(deal, player):
        return refusal
    if move.rev <= player.rev or move.table is None:
        return None
    own = {*player.rack, *(card for meld in deal.table for card in meld.cards)}
    used = {card for meld in move.table for card in meld.cards}
    return None if used <= own else Refusal.CARD_NOT_HELD


def arrange(
    deal: Deal, _rules: RummikubRules, player: Player, move: Arrange, _now: Instant
) -> tuple[Deal, Events]:
    """K12: kept for when the time runs out, unless the client has sent a newer one before."""
    if move.rev <= player.rev:
        return deal, ()
    return deal.with_player(replace(player, draft=move.table, rev=move.rev)), ()


def run_out(deal: Deal, rules: RummikubRules, now: Instant) -> tuple[Deal, Events]:
    """K12: what the player was building stands if it is a valid lay."""
    player = deal.at_turn
    table = player.draft
    if table is None or is_as_it_was(deal.table, table):
        return _missed(deal, rules, now, rules.overtime_tiles, "overtime")
    if check_table(deal, rules, player, table) is not None:
        return _missed(deal, rules, now, rules.invalid_tiles, "invalid")
    deal, laid = put_down(deal, rules, player, table)
    if not deal.at_turn.rack:
        deal, later = end_laid_out(deal, rules, player.seat)
        return deal, (*laid, *later)
    deal, drawn = _drawn(deal, rules.overtime_tiles, "overtime")
    deal, later = end_turn(deal, rules, now)
    return deal, (*laid, *drawn, *later)


def is_as_it_was(before: Melds, after: Melds) -> bool:
    """K12 (a): whether the same tiles lie together, in whatever order."""
    return {frozenset(meld.cards) for meld in before} == {frozenset(m.cards) for m in after}


def _missed(
    deal: Deal, rules: RummikubRules, now: Instant, tiles: int, why: str
) -> tuple[Deal, Events]:
    missing = replace(deal.at_turn, missed=deal.at_turn.missed + 1, draft=None)
    event = events.missed_turn(missing.seat, missing.missed)
    deal = deal.with_player(missing)
    if missing.missed >= rules.max_missed_turns:
        deal, more = _without(deal, rules, missing, now)
    else:
        has_tiles = bool(deal.pool)
        deal, drawn = _drawn(deal, tiles, why)
        deal, later = end_turn(deal if has_tiles else passed(deal), rules, now)
        more = (*drawn, *later)
    return deal, (event, *more)


def _drawn(deal: Deal, tiles: int, why: str) -> tuple[Deal, Events]:
    if not deal.pool or not tiles:
        return deal.with_player(replace(deal.at_turn, drawn=())), ()
    deal, event = take_tiles(deal, deal.at_turn, tiles, why)
    return deal, (event,)


def check_leave(_deal: Deal, _rules: RummikubRules, player: Player, _move: Leave) -> Refusal | None:
    return None if player.is_playing else Refusal.NOT_IN_DEAL


def leave(
    deal: Deal, rules: RummikubRules, player: Player, _move: Leave, now: Instant
) -> tuple[Deal, Events]:
    return _without(deal, rules, player, now)


def _without(deal: Deal, rules: RummikubRules, player: Player, now: Instant) -> tuple[Deal, Events]:
    """K13: the rack is out of play and counts; the last one left has won."""
    is_turn = deal.at_turn.seat == player.seat
    gone = replace(player, status=Status.OUT, draft=None, drawn=())
    # Who has passed before is asked once more: it was not known who would be left.
    deal = replace(deal.with_player(gone), passes=0)
    event = events.out(player.seat)
    if len(deal.playing) == 1:
        deal, later = end_last_player(deal, rules)
    elif is_turn:
        deal, later = end_turn(deal, rules, now)
    else:
        later = ()
    return deal, (event, *later)
