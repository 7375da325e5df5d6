"""A player's move and a passed deadline: what happens in a match."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from tables.games.base import Game, IllegalMove
from tables.games.registry import get_game
from tables.locks import LockedTable, Step, lock_table
from tables.models import Change, ChangeKind, Table, TableStatus
from tables.positions import Position, position_of
from tables.refusals import NoMatch, NotSeated, Refusal, StaleVersion, TableNotFound, TooLate
from tables.services.steps import Cause, take_step


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a move: the steps that were committed, and the refusal if there is one.

    A move that comes after its deadline is refused, yet the deadline has its effect: then there is
    a step and a refusal.
    """

    version: int
    steps: tuple[Step, ...] = ()
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A move as a player's browser sends it. `seen_version` None: whatever the table is like."""

    table_id: int
    user_id: int | None
    move: object
    seen_version: int | None = None
    move_id: UUID | None = None


def play_move(request: MoveRequest) -> Played:
    """Play one move, at most once for its id; a refusal is returned and changes nothing."""
    try:
        with transaction.atomic():
            return _play(request)
    except Refusal as refusal:
        return _repeated(request) or Played(version=0, refusal=refusal)
    except IntegrityError:
        # The unique id of a move that was refused by nothing else: it has been played already.
        repeated = _repeated(request)
        if repeated is None:
            raise
        return repeated


def _play(request: MoveRequest) -> Played:
    table = lock_table(request.table_id, user_id=request.user_id)
    if table is None:
        raise TableNotFound
    if table.seat is None:
        raise NotSeated
    if table.state is None or table.status is not TableStatus.PLAYING:
        raise NoMatch
    game = get_game(table.game)
    position = position_of(game, table.id, table.state)
    if table.deadline is not None and table.deadline <= table.now:
        step = _expire(table, game, position)
        return Played(version=table.version, steps=(step,), refusal=TooLate())
    if request.seen_version is not None and request.seen_version < table.turn_version:
        raise StaleVersion
    step = _play_seat(table, game, position, table.seat, request)
    return Played(version=table.version, steps=(step,))


def _play_seat(
    table: LockedTable,
    game: Game[Any, Any, Any],
    position: Position,
    seat: int,
    request: MoveRequest,
) -> Step:
    try:
        move = game.parse_move(request.move)
        after, events = game.play(position.state, seat, move, now=table.now, seed=table.deal_seed)
    except IllegalMove as illegal:
        raise Refusal(illegal.message, code=illegal.code) from illegal
    cause = Cause(ChangeKind.MOVE, seat, game.move_json(move), request.move_id)
    return take_step(table, position, after, events, cause)


def _repeated(request: MoveRequest) -> Played | None:
    """The answer of the first time, if this very move has been played."""
    if request.move_id is None:
        return None
    first = Change.objects.filter(table_id=request.table_id, move_id=request.move_id).first()
    return None if first is None else Played(version=first.version or 0)


def _expire(table: LockedTable, game: Game[Any, Any, Any], position: Position) -> Step:
    state = position.state
    # Nobody is asked for anything: the next deal is about to begin.
    if not game.acting(state) and _is_last_deal_over(table):
        concluded = game.conclude(state)
        if concluded is not None:
            return take_step(table, position, *concluded, Cause(ChangeKind.CONCLUDED))
    after, events = game.expire(state, now=table.now, seed=table.deal_seed)
    return take_step(table, position, after, events, Cause(ChangeKind.EXPIRY))


def _is_last_deal_over(table: LockedTable) -> bool:
    return Table.objects.filter(pk=table.id, last_deal_at__lte=Now()).exists()


def expire_deadline(table: LockedTable) -> Step | None:
    """Do what the passed deadline of a running match does; None if it has not passed."""
    if table.state is None or table.deadline is None or table.deadline > table.now:
        return None
    game = get_game(table.game)
    return _expire(table, game, position_of(game, table.id, table.state))
