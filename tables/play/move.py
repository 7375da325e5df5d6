"""The processing of a player's move, and of an expired deadline."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from core.after_commit import call_after_commit
from core.observability import tracing
from core.refusals import Refusal
from games.engine.base import IllegalMove, Instant
from games.engine.game import Game, GameFault
from games.engine.moves import LEAVE
from games.registry import get_game
from tables.models import Change as StoredChange
from tables.models import ChangeKind, Doing, Seat, SeatStatus, Table, TableStatus
from tables.play.apply import Cause, is_plain, take_step
from tables.play.bots import refuse_stand_in, replace_absent
from tables.play.change import TableChange
from tables.play.faults import move_back, report_fault, take_time_back
from tables.play.known_tables import recall, remember
from tables.play.lock import DATABASE_FAILED, LockedTable, lock_table
from tables.play.seat_view import Position, load_position
from tables.play.seats import PRESS_WAIT, has_gone
from tables.play.seeds import seed_of_next_deal
from tables.refusals import (
    NO_MATCH,
    SEATS_ARE_ARRANGED,
    STALE_VERSION,
    TABLE_OUT_OF_ORDER,
    TOO_LATE,
    NotSeated,
    TableNotFound,
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a move: its changes, and the refusal if there is one.

    A move after its deadline is refused, but the deadline takes effect, so there are a change and a refusal. With
    `is_secret` no other player may learn that the move was played, even if it is a repetition.
    """

    version: int
    changes: tuple[TableChange, ...] = ()
    refusal: Refusal | None = None
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class DraftMove:
    """An arrangement of a player's hand or table that is saved like a move (`Game.read_draft`)."""

    rev: int
    draft: object


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A move as a player's browser sends it, or a `DraftMove`. `seen_version` None accepts any version."""

    table_id: int
    user_id: int | None
    move: object
    seen_version: int | None = None
    move_id: UUID | None = None


def play_move(request: MoveRequest) -> Played:
    """Play one move, at most once for each id. A refusal is returned, and then nothing has changed.

    If the game fails, the move is refused and the table is put out of order.
    """
    if (played := _play_on(request)) is not None:
        return played
    try:
        with _commit():
            return _play(request)
    except Refusal as refusal:
        return _find_repeated(request) or Played(version=0, refusal=refusal)
    except DATABASE_FAILED:  # nothing is wrong with the table
        raise
    except Exception as error:  # noqa: BLE001 - a game may fail in any way
        # The unique id of a move that nothing else refused: it has been played already.
        repeated = _find_repeated(request) if isinstance(error, IntegrityError) else None
        return repeated or _report_failure(request.table_id, error)


def _play_on(request: MoveRequest) -> Played | None:
    """Play a move on the remembered table, without a lock and in one SQL statement.

    Return None if it has to be played under the lock; then nothing has changed.
    """
    if request.user_id is None or connection.in_atomic_block:
        return None
    table = recall(request.table_id, request.user_id)
    if table is None or table.seat is None or table.seat in table.bot_seats:
        return None
    is_known = request.seen_version is None or request.seen_version <= table.version
    is_late = table.deadline is not None and table.deadline <= table.now
    if not is_known or is_late or _is_stale(table, request):
        return None
    if _may_be_of_yesterday(table) and (repeated := _find_repeated(request)):
        return repeated
    read = table.row
    try:
        change, _is_all = _play_seat(table, table.seat, request)
    except DATABASE_FAILED:  # perhaps it is stored
        raise
    except Exception:  # noqa: BLE001 - playing it under the lock shows the cause
        return None
    remember(table, request.user_id, read=read)
    return Played(table.version, (change,), is_secret=change.version is None)


class _NeedsLock(Exception):  # noqa: N818 - says what is needed
    """Raised when a move has more consequences than its change, so that the table must be locked."""


@contextmanager
def _commit() -> Iterator[None]:
    """Open a transaction, and record its commit as a span of the trace."""
    atomic = transaction.atomic()
    atomic.__enter__()
    try:
        yield
    except BaseException as error:
        atomic.__exit__(type(error), error, error.__traceback__)
        raise
    with tracing.open_span("commit"):
        atomic.__exit__(None, None, None)


def _report_failure(table_id: int, error: Exception) -> Played:
    change = report_fault(table_id=table_id, doing=Doing.MOVE, error=error)
    return Played(
        version=0, changes=() if change is None else (change,), refusal=Refusal(TABLE_OUT_OF_ORDER)
    )


def _play(request: MoveRequest) -> Played:
    table, seat = _lock_for_move(request)
    is_stale = _is_stale(table, request)
    changes: tuple[TableChange, ...] = ()
    if table.deadline is not None and table.deadline <= table.now:
        # Repeat the answer of a move that was played in time, even after the deadline.
        if repeated := _find_repeated(request):
            return repeated
        given = take_time_back(table)
        if given is None:
            return Played(table.version, changes=(_expire(table),), refusal=Refusal(TOO_LATE))
        changes = (given,)
    if is_stale:
        raise Refusal(STALE_VERSION)
    # A move's id is unique within a day (history/days.py), so look for a repetition from yesterday.
    if _may_be_of_yesterday(table) and (repeated := _find_repeated(request)):
        return repeated
    read = table.row
    change, is_all = _play_seat(table, seat, request)
    if is_all and not changes and request.user_id is not None:
        call_after_commit(remember, table, request.user_id, read=read)
    return Played(table.version, (*changes, change), is_secret=change.version is None)


_HOUR: Final = 60 * 60 * 1000
_DAY: Final = 24 * _HOUR


def _may_be_of_yesterday(table: LockedTable) -> bool:
    return table.now % _DAY < _HOUR


def _is_stale(table: LockedTable, request: MoveRequest) -> bool:
    """Return whether the move was meant for an earlier turn."""
    if request.seen_version is None or request.seen_version >= table.turn_version:
        return False
    kind = request.move.get("kind") if isinstance(request.move, Mapping) else None
    return not (isinstance(kind, str) and kind in get_game(table.game).core.anytime_kinds)


def _lock_for_move(request: MoveRequest) -> tuple[LockedTable, int]:
    """Lock the table. Return it with the player's seat. Raises a Refusal if the player may not play now."""
    with tracing.open_span("lock"):
        table = lock_table(request.table_id, user_id=request.user_id)
    if table is None:
        raise TableNotFound
    if table.seat is None:
        raise NotSeated
    if table.state is None or table.status is not TableStatus.PLAYING:
        raise Refusal(NO_MATCH)
    if table.is_broken:
        raise Refusal(TABLE_OUT_OF_ORDER)
    refuse_stand_in(table)
    return table, table.seat


def _play_seat(table: LockedTable, seat: int, request: MoveRequest) -> tuple[TableChange, bool]:
    """Play the move. Return its change, and whether nothing but the change was written."""
    game, position = _game_and_position(table)
    try:
        move = _read_move(game, request.move)
        if move == LEAVE and _is_of_event(table):
            raise Refusal(SEATS_ARE_ARRANGED)
        with tracing.open_span("apply", game=table.game, seat=seat):
            outcome = game.core.play(
                position.state, seat, move, now=table.now, seed=seed_of_next_deal(table)
            )
    except IllegalMove as illegal:
        raise Refusal(code=illegal.code, message=illegal.message) from illegal
    is_all = is_plain(table, position.status, outcome.status)
    if not (is_all or table.is_locked):
        raise _NeedsLock
    is_draft = isinstance(request.move, DraftMove)
    written = game.wire.write(move)
    cause = Cause(ChangeKind.MOVE, seat, written, request.move_id, is_draft=is_draft)
    with tracing.open_span("store"):
        return take_step(table, position, outcome, cause), is_all


def _read_move(game: Game, move: object) -> Any:
    """Parse a move and return it.

    If the game fails while it parses, the move is refused and the table stays in service.
    """
    try:
        return (
            game.read_draft(move.rev, move.draft)
            if isinstance(move, DraftMove)
            else game.wire.read(move)
        )
    except GameFault as fault:
        logger.exception("a move could not be read")
        raise Refusal(code="malformed_move") from fault


def _is_of_event(table: LockedTable) -> bool:
    """Return whether the table belongs to an event. Its matches are played to their end (R10.5)."""
    return Table.objects.filter(pk=table.id).exclude(event_url="").exists()


def _game_and_position(table: LockedTable) -> tuple[Game, Position]:
    assert table.state is not None  # noqa: S101 - a table that plays has a state
    game = get_game(table.game)
    return game, load_position(game, table.id, table.state)


def _find_repeated(request: MoveRequest) -> Played | None:
    """Return the result of the first attempt if this move was played before, otherwise None."""
    if request.move_id is None:
        return None
    first = StoredChange.objects.filter(table_id=request.table_id, move_id=request.move_id).first()
    if first is None:
        return None
    return Played(version=first.version or 0, is_secret=first.version is None)


def _expire(table: LockedTable) -> TableChange:
    game, position = _game_and_position(table)
    state = position.state
    # Offer nothing: the next deal is about to begin.
    waited = wait_on(table, position)
    if waited is not None:
        return waited
    if not position.status.acting and _is_last_deal_over(table):
        concluded = game.core.conclude(state)
        if concluded is not None:
            return take_step(table, position, concluded, Cause(ChangeKind.CONCLUDED))
    replaced = replace_absent(table) if position.status.acting else None
    if replaced is not None:
        return replaced
    expired = game.core.expire(state, now=table.now, seed=seed_of_next_deal(table))
    return take_step(table, position, expired, Cause(ChangeKind.EXPIRY))


# How long a lesson waits for a player who has gone, for example to register, and how much time it adds at once.
LESSON_WAIT: Final[Instant] = 60 * 60_000
LESSON_TURN: Final[Instant] = 3 * 60_000


def wait_on(table: LockedTable, position: Position) -> TableChange | None:
    """Give more time to a player who is alone with bots and still there.

    The player gets it before a deal that they have to ask for, and in every turn of a lesson. Return None if nobody
    gets more time.
    """
    own = Seat.objects.select_related("table").filter(
        Q(table__awaits_press=True) | Q(table__is_lesson=True, status=SeatStatus.PLAYING),
        table=table.id,
        left_at=None,
        user__is_bot=False,
    )
    sitting = own.only("number", "away_since", "table__awaits_press").first()
    if sitting is None or table.deadline is None:
        return None
    if sitting.table.awaits_press:
        waits, more = not has_gone(table, sitting), PRESS_WAIT
    else:
        acts = sitting.number in position.status.acting
        waits, more = acts and not has_gone(table, sitting, after=LESSON_WAIT), LESSON_TURN
    return move_back(table, table.now - table.deadline + more) if waits else None


def _is_last_deal_over(table: LockedTable) -> bool:
    return Table.objects.filter(pk=table.id, last_deal_at__lte=Now()).exists()


def expire_deadline(table: LockedTable) -> TableChange | None:
    """Apply the deadline of a running match if it has passed; otherwise return None."""
    if table.state is None or table.deadline is None or table.deadline > table.now:
        return None
    return _expire(table)
