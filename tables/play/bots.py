"""Moves that the clock makes for a seat: a practice bot's move, and a player's pre-action."""

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from django.db import transaction

from games.engine.base import JSON, IllegalMove, Strength
from games.registry import get_game
from tables.models import ChangeKind, Match, MatchStatus, Seat, Table, TableStatus
from tables.play.apply import Cause, defer_move, take_step, wake_bots
from tables.play.change import Change, store_change
from tables.play.lock import LockedTable, lock_table
from tables.play.seat_view import Position, View, position_of
from tables.play.seats import refuse_if_barred
from tables.play.seeds import seed_of_next_deal
from tables.play.stand_ins import is_stand_in, refuse_stand_in
from tables.refusals import (
    NoMatch,
    NotDeferrable,
    NotSeated,
    Refusal,
    SeatsAreArranged,
    TableNotFound,
    TableOutOfOrder,
)


@dataclass(frozen=True, slots=True)
class PreAction:
    """A player's pre-actions. None leaves a field unchanged.

    `move`: one of `Core.list_deferrable` in wire form, for the running deal; an empty one cancels it.
    `last_deal`: leave after the running match, or after the next one if none is running.
    """

    move: Mapping[str, JSON] | None = None
    last_deal: bool | None = None


@transaction.atomic
def set_pre_action(*, table_id: int, user_id: int, wanted: PreAction) -> Change:
    """Store a player's pre-actions and tell only that player. Raises a Refusal.

    A player who may no longer play cannot revoke a last deal.
    """
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    if table.seat is None:
        raise NotSeated
    view: View = {}
    if wanted.move is not None:
        view["deferred"] = _defer(table, table.seat, wanted.move)
    if wanted.last_deal is not None:
        if Table.objects.get(pk=table_id).is_of_event:
            raise SeatsAreArranged
        if not wanted.last_deal:
            refuse_if_barred(user_id)
        sitting = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at=None)
        sitting.update(is_last_deal=wanted.last_deal)
        view["last_deal"] = wanted.last_deal
    return _tell(table, table.seat, view)


def forget_deferred(table: LockedTable, seat: int, *, acting: Sequence[int]) -> Change:
    """Forget a deferred move that can no longer be played in this deal."""
    defer_move(table, seat, None)
    wake_bots(table, acting)
    return _tell(table, seat, {"deferred": None})


def _tell(table: LockedTable, seat: int, view: View) -> Change:
    private = {str(seat): view}
    return store_change(table, ChangeKind.SEATING, match_id=table.match_id, private=private)


def _defer(table: LockedTable, seat: int, wanted: Mapping[str, JSON]) -> Mapping[str, JSON] | None:
    """Store a deferred move. Return the move that is deferred now."""
    if table.state is None or table.status is not TableStatus.PLAYING:
        raise NoMatch
    if table.is_broken:
        raise TableOutOfOrder
    refuse_stand_in(table)
    game = get_game(table.game)
    position = position_of(game, table.id, table.state)
    deferred = dict(wanted) or None
    if deferred is not None:
        try:
            move = game.wire.read(deferred)
        except IllegalMove as illegal:
            raise Refusal(illegal.message, code=illegal.code) from illegal
        if move not in game.core.list_deferrable(position.state, seat):
            raise NotDeferrable
    defer_move(table, seat, deferred)
    wake_bots(table, position.status.acting)
    return deferred


# Strength of the bot in the first, chosen deal of a lesson; from the second deal on it plays as an easy
# bot.
WAITING: Final = "waiting"


def play_for_seat(table: LockedTable) -> Change | None:
    """Make one move of a bot or one pre-action. Return None if no such seat is to act."""
    if table.state is None:
        return None
    game = get_game(table.game)
    position = position_of(game, table.id, table.state)
    acting = position.status.acting
    deferring = [seat for seat in acting if str(seat) in table.deferred_moves]
    if deferring:
        return _play_deferred(table, position, deferring[0])
    bots = [seat for seat in acting if seat in table.bot_seats]
    return _play_bot(table, position, bots[0]) if bots else None


def _is_past_the_chosen_deal(table: LockedTable) -> bool:
    return Match.objects.filter(table=table.id, status=MatchStatus.FINISHED).exists()


def _play_deferred(table: LockedTable, position: Position, seat: int) -> Change:
    """Play the pre-action, or cancel it if it has become illegal."""
    game = get_game(table.game)
    move = game.wire.read(table.deferred_moves[str(seat)])
    if move not in game.core.list_legal(position.state, seat):
        return forget_deferred(table, seat, acting=position.status.acting)
    outcome = game.core.play(
        position.state, seat, move, now=table.now, seed=seed_of_next_deal(table)
    )
    cause = Cause(ChangeKind.MOVE, seat, game.wire.write(move))
    return take_step(table, position, outcome, cause)


def _play_bot(table: LockedTable, position: Position, seat: int) -> Change:
    game, state = get_game(table.game), position.state
    facts = Table.objects.values_list("bot_strength", "rules", "bots_take_over")
    strength, rules, takes_over = facts.get(pk=table.id)
    if strength == WAITING and _is_past_the_chosen_deal(table):
        strength = "easy"
    view: dict[str, Any] = {
        "public": position.public,
        "you": position.private[str(seat)],
        "rules": rules,
    }
    rng = random.Random(secrets.randbits(64))  # noqa: S311 - a bot's whim, seeded from the system
    move = game.wire.read(game.bots(view, seat, strength=cast("Strength", strength), rng=rng))
    outcome = game.core.play(state, seat, move, now=table.now, seed=seed_of_next_deal(table))
    is_for_player = takes_over and is_stand_in(table.id, seat)
    kind = ChangeKind.STAND_IN if is_for_player else ChangeKind.MOVE
    return take_step(table, position, outcome, Cause(kind, seat, game.wire.write(move)))
