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
    """None leaves a wish as it is.

    `drop`: in the running deal, at their turn. `last_deal`: leave after the running match,
    or after the next one if none is running.
    """

    drop: bool | None = None
    last_deal: bool | None = None


@transaction.atomic
def set_pre_action(*, table_id: int, user_id: int, wish: PreAction) -> CommittedChange:
    """Note what the player wants; nobody else is told of it. Whoever may not play any more does not
    take a last deal back. Raises a Refusal."""
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    if table.seat is None:
        raise NotSeated
    view: View = {}
    if wish.drop is not None:
        _wish_to_drop(table, table.seat, drop=wish.drop)
        view["auto_drop"] = wish.drop
    if wish.last_deal is not None:
        if Table.objects.get(pk=table_id).is_of_event:
            raise SeatsAreArranged
        if not wish.last_deal:
            refuse_if_barred(user_id)
        sitting = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at=None)
        sitting.update(is_last_deal=wish.last_deal)
        view["last_deal"] = wish.last_deal
    return _tell(table, table.seat, view)


def end_drop_wish(table: LockedTable, seat: int, *, acting: Sequence[int]) -> CommittedChange:
    """The wish of this seat cannot come true any more in this deal."""
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


def _wish_to_drop(table: LockedTable, seat: int, *, drop: bool) -> None:
    if table.state is None or table.status is not TableStatus.PLAYING:
        raise NoMatch
    if table.is_broken:
        raise TableOutOfOrder
    others = [other for other in table.drop_seats if other != seat]
    set_drop_seats(table, [*others, seat] if drop else others)
    game = get_game(table.game)
    wake_bots(table, game.acting(position_of(game, table.id, table.state).state))
