"""Bots that play for absent players: at a free private table, if its host wants it.

A bot plays from the seat's view until the match ends or the player is back. The seat, its place in the match
and its result stay the player's. Seeds and moves remain the record: a bot's move is a move of that seat, of
the kind `ChangeKind.STAND_IN`. One person always remains: the last player who goes leaves as at any table.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Now

from games.engine.base import Instant
from games.registry import get_game
from tables.models import ChangeKind, Match, MatchStatus, Seat, SeatStatus, Table
from tables.play.apply import defer_move, wake_bots
from tables.play.change import Change, store_change
from tables.play.faults import move_back
from tables.play.lock import LockedTable, lock_table
from tables.play.seat_view import Position, position_of, stand_ins_of
from tables.play.seats import has_gone, note_bot_seats, view_of_table
from tables.refusals import BotPlaysForYou, NotSeated, RemovedFromTable, TableNotFound

# Time for the bot's move in the turn that a player has missed.
STAND_IN_TIME: Final[Instant] = 15_000


def may_stand_in(row: Table, sitting: Seat) -> bool:
    """Return whether a bot may play for this player in the running match."""
    return row.bots_take_over and _filter_people_playing(row).exclude(pk=sitting.pk).exists()


def stand_in_for(table: LockedTable, row: Table, sittings: Sequence[Seat]) -> Change:
    """Let a bot play for these players in the running match. The caller has checked that it may."""
    assert table.state is not None  # noqa: S101 - a match runs
    numbers = [sitting.number for sitting in sittings]
    held = row.sittings.filter(pk__in=[sitting.pk for sitting in sittings])
    held.update(bot_since=Coalesce("bot_since", Now()))
    for number in numbers:
        if str(number) in table.deferred_moves:
            defer_move(table, number, None)
    _note_in_match(row, numbers)
    events = [
        {"kind": "bot_took_over", "seat": sitting.number, "player": sitting.user_id}
        for sitting in sittings
    ]
    return _tell(table, row, events)


def replace_absent(table: LockedTable) -> Change | None:
    """Let bots play for players who are gone, at the end of a turn of theirs.

    Return None if the deadline takes effect as at any table.
    """
    row = Table.objects.filter(pk=table.id, bots_take_over=True).first()
    if row is None or table.state is None:
        return None
    game = get_game(table.game)
    position = position_of(game, table.id, table.state)
    overdue = game.core.find_expiring_seat(position.state)
    playing = list(_filter_people_playing(row))
    gone = [
        sitting
        for sitting in playing
        if sitting.number in position.status.acting
        # In a slow game a missed day first counts as a missed turn.
        and (sitting.number == overdue or (not row.is_slow and has_gone(table, sitting)))
    ]
    deadline = position.status.deadline
    if not gone or len(gone) == len(playing) or deadline is None:
        return None
    move_back(table, table.now - deadline + STAND_IN_TIME)
    return stand_in_for(table, row, gone)


@transaction.atomic
def come_back(*, table_id: int, user_id: int) -> Change:
    """Give a seat back to its player, from the bot that plays for them.

    Raises TableNotFound, NotSeated if no bot plays for this player, or RemovedFromTable.
    """
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    row = Table.objects.get(pk=table_id)
    held = row.sittings.filter(user_id=user_id, left_at__isnull=True, bot_since__isnull=False)
    sitting = held.first()
    if sitting is None:
        raise NotSeated
    if user_id in (row.removed or ()):
        raise RemovedFromTable
    held.update(bot_since=None, status=SeatStatus.PLAYING, told_of_bot=False)
    return _tell(table, row, [{"kind": "came_back", "seat": sitting.number, "player": user_id}])


def refuse_stand_in(table: LockedTable) -> None:
    """Raise BotPlaysForYou if a bot plays the seat for which the table was locked."""
    seat = table.seat
    if seat is not None and seat in table.bot_seats and is_stand_in(table.id, seat):
        raise BotPlaysForYou


def is_stand_in(table_id: int, seat: int) -> bool:
    """Return whether a bot plays this seat for its player."""
    held = Seat.objects.filter(table=table_id, number=seat, left_at__isnull=True)
    return held.filter(bot_since__isnull=False).exists()


def _filter_people_playing(row: Table) -> QuerySet[Seat]:
    """Return the people who play the running match themselves."""
    return row.sittings.filter(
        left_at__isnull=True, status=SeatStatus.PLAYING, user__is_bot=False, bot_since__isnull=True
    ).order_by("number")


def _note_in_match(row: Table, numbers: Collection[int]) -> None:
    """Record in the match that a bot has played for these seats; its result says so."""
    match = Match.objects.get(table=row, status=MatchStatus.RUNNING)
    for number in numbers:
        match.players[str(number)]["stand_in"] = True
    row.matches.filter(pk=match.pk).update(players=match.players)
    row.match = match


def _tell(table: LockedTable, row: Table, events: Sequence[dict[str, Any]]) -> Change:
    assert table.state is not None  # noqa: S101 - a match runs
    note_bot_seats(table, row)
    position: Position = position_of(get_game(table.game), table.id, table.state)
    wake_bots(table, position.status.acting)
    seating = view_of_table(table, row)
    told = {**seating["table"], "stand_ins": stand_ins_of(row.match)}
    return store_change(
        table,
        ChangeKind.SEATING,
        match_id=table.match_id,
        events=events,
        patch={**seating, "table": told},
    )
