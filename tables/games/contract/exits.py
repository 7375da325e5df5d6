"""Missed turns and leaving (C18, C19)."""

from dataclasses import replace

from tables.games.base import Instant
from tables.games.contract.deal import Deal, How, Phase, Player, Status
from tables.games.contract.ending import counted, end_counted
from tables.games.contract.moves import Leave, NeverBuy
from tables.games.contract.rulesets import ContractRules
from tables.games.contract.turns import (
    answered_for,
    cancel_window,
    close_window,
    discard_silently,
    pass_turn,
    refuse,
)
from tables.games.rummy import events
from tables.games.rummy.deal import player_at, with_player
from tables.games.rummy.ending import end_with_last_player
from tables.games.rummy.events import Events
from tables.games.rummy.refusals import Refusal
from tables.games.rummy.turns import returned_draw, then


def expire(deal: Deal, rules: ContractRules, now: Instant) -> tuple[Deal, Events]:
    late = close_window if deal.phase is Phase.BUY else miss_turn
    return late(deal, rules, now)


def miss_turn(deal: Deal, rules: ContractRules, now: Instant) -> tuple[Deal, Events]:
    """C18: a closed card is drawn and discarded; after too many missed turns in a row the server
    goes on like that to the end of the deal."""
    at_turn = deal.players[deal.turn]
    missing = replace(at_turn, extra_ms=0, missed=at_turn.missed + 1)
    happened: Events = (events.missed_turn(missing.seat, missing.missed),)
    if missing.missed >= rules.max_missed_turns:
        missing = replace(missing, status=Status.ABSENT, was_absent=True)
        happened = (*happened, events.absent(missing.seat))
    deal = with_player(deal, missing)
    if deal.drawn is None:
        return then(happened, refuse(deal, rules, now, silent=True))
    return then(happened, discard_silently(deal, rules, now))


def check_never_buy(
    _deal: Deal, _rules: ContractRules, _player: Player, _move: NeverBuy
) -> Refusal | None:
    return None


def never_buy(
    deal: Deal, rules: ContractRules, player: Player, move: NeverBuy, now: Instant
) -> tuple[Deal, Events]:
    """C7: also an answer, where the player is asked just now."""
    deal = with_player(deal, replace(player, never_buy=move.on))
    return answered_for(deal, rules, player.seat, now) if move.on else (deal, ())


def check_leave(
    _deal: Deal, _rules: ContractRules, _player: Player, _move: Leave
) -> Refusal | None:
    return None


def leave(
    deal: Deal, rules: ContractRules, player: Player, _move: Leave, now: Instant
) -> tuple[Deal, Events]:
    """C19: the hand is counted."""
    is_turn = deal.players[deal.turn].seat == player.seat
    happened: Events = ()
    if is_turn:
        deal, unsold = cancel_window(deal)
        deal, returned = returned_draw(deal)
        happened = (*unsold, *returned)
    leaver = player_at(deal, player.seat) or player
    gone = replace(leaver, status=Status.LEFT, points=counted(rules, leaver))
    deal = with_player(deal, gone)
    return then(happened, _go_on(deal, rules, gone.seat, now, is_turn=is_turn))


def _go_on(
    deal: Deal, rules: ContractRules, seat: int, now: Instant, *, is_turn: bool
) -> tuple[Deal, Events]:
    """Without the player who left: the last one wins, and nobody waits for who is not there."""
    if len(deal.playing) == 1:
        return end_with_last_player(replace(deal, window=None))
    if all(player.status is Status.ABSENT for player in deal.playing):
        return end_counted(replace(deal, window=None), rules, How.LIMIT)
    return pass_turn(deal, rules, now) if is_turn else answered_for(deal, rules, seat, now)
