"""Requests for the rest of a match: a move as soon as it is legal, or to leave after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from games.engine.base import JSON, IllegalMove
from games.registry import get_game
from tables.models import ChangeKind, Seat, Table, TableStatus
from tables.play.barred import refuse_if_barred
from tables.play.locks import CommittedChange, LockedTable, lock_table, save_change
from tables.play.seat_view import View
from tables.play.state_cache import position_of
from tables.play.steps import defer_move, wake_bots
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
    """A request of a player for later. None leaves a field as it is.

    `move`: one of `Core.deferrable` as on the wire, in the running deal; an empty one takes it
    back. `last_deal`: leave after the running match, or after the next one if none is running.
    """

    move: Mapping[str, JSON] | None = None
    last_deal: bool | None = None


@transaction.atomic
def set_pre_action(*, table_id: int, user_id: int, wanted: PreAction) -> CommittedChange:
    """Note a player's pre-actions; nobody else is told. Raises a Refusal.

    Who may not play any more cannot take a last deal back.
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


def forget_deferred(table: LockedTable, seat: int, *, acting: Sequence[int]) -> CommittedChange:
    """Forget a deferred move that can no longer be played in this deal."""
    defer_move(table, seat, None)
    wake_bots(table, acting)
    return _tell(table, seat, {"deferred": None})


def _tell(table: LockedTable, seat: int, view: View) -> CommittedChange:
    step = CommittedChange(
        table_id=table.id,
        version=table.next_version(),
        kind=ChangeKind.SEATING,
        at=table.now,
        match_id=table.match_id,
        private={str(seat): view},
    )
    save_change(table, step)
    return step


def _defer(table: LockedTable, seat: int, wanted: Mapping[str, JSON]) -> Mapping[str, JSON] | None:
    """Note a deferred move. Returns what is deferred now."""
    if table.state is None or table.status is not TableStatus.PLAYING:
        raise NoMatch
    if table.is_broken:
        raise TableOutOfOrder
    game = get_game(table.game)
    position = position_of(game, table.id, table.state)
    deferred = dict(wanted) or None
    if deferred is not None:
        try:
            move = game.wire.read(deferred)
        except IllegalMove as illegal:
            raise Refusal(illegal.message, code=illegal.code) from illegal
        if move not in game.core.deferrable(position.state, seat):
            raise NotDeferrable
    defer_move(table, seat, deferred)
    wake_bots(table, position.status.acting)
    return deferred
