"""What a player wants of the rest of a match: to drop at their turn, to leave after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from tables.games.registry import get_game
from tables.models import ChangeKind, Seat, Table, TableStatus
from tables.play.barred import refuse_if_barred
from tables.play.locks import CommittedChange, LockedTable, lock_table, save_change
from tables.play.seat_view import View
from tables.play.state_cache import position_of
from tables.play.steps import set_drop_seats, wake_bots
from tables.refusals import (
    NoMatch,
    NotSeated,
    SeatsAreArranged,
    TableNotFound,
    TableOutOfOrder,
)


@dataclass(frozen=True, slots=True)
class PreAction:
    """What a player wants to happen by itself; None leaves it as it is.

    `drop`: in the running deal, at their turn. `last_deal`: leave after the running match,
    or after the next one if none is running.
    """

    drop: bool | None = None
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
    if wanted.drop is not None:
        _note_drop(table, table.seat, drop=wanted.drop)
        view["auto_drop"] = wanted.drop
    if wanted.last_deal is not None:
        if Table.objects.get(pk=table_id).is_of_event:
            raise SeatsAreArranged
        if not wanted.last_deal:
            refuse_if_barred(user_id)
        sitting = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at=None)
        sitting.update(is_last_deal=wanted.last_deal)
        view["last_deal"] = wanted.last_deal
    return _tell(table, table.seat, view)


def end_drop(table: LockedTable, seat: int, *, acting: Sequence[int]) -> CommittedChange:
    """This seat's pre-action to drop cannot come true any more in this deal."""
    set_drop_seats(table, [other for other in table.drop_seats if other != seat])
    wake_bots(table, acting)
    return _tell(table, seat, {"auto_drop": False})


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


def _note_drop(table: LockedTable, seat: int, *, drop: bool) -> None:
    if table.state is None or table.status is not TableStatus.PLAYING:
        raise NoMatch
    if table.is_broken:
        raise TableOutOfOrder
    others = [other for other in table.drop_seats if other != seat]
    set_drop_seats(table, [*others, seat] if drop else others)
    game = get_game(table.game)
    wake_bots(table, game.acting(position_of(game, table.id, table.state).state))
