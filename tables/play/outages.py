"""After an outage of all clocks nobody has lost time: running deadlines move back.

An outage is a row. Each table takes its part of it when it is next acted on, under its own lock,
before any deadline that has passed since has its effect. So neither a table that somebody holds nor
one whose game fails keeps the others from theirs, and a clock that dies meanwhile loses nothing.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Subquery
from django.db.models.functions import Coalesce

from games.engine.base import Instant
from games.engine.core import Outcome
from games.registry import get_game
from tables.models import Change, ChangeKind, ClockOutage, Table, TableStatus
from tables.play.locks import CommittedChange, LockedTable, lock_table, save_change
from tables.play.seat_view import difference
from tables.play.state_cache import new_position, position_of

# A gap longer than this between two beats is an outage.
LONGEST_SILENCE_SECONDS = 5

_BEAT = """
WITH before AS (
  SELECT beat_at FROM tables_clockbeat WHERE id = 1 FOR UPDATE),
outage AS (
  INSERT INTO tables_clockoutage (began_at, ended_at)
  SELECT beat_at, clock_timestamp() FROM before
   WHERE beat_at < clock_timestamp() - %s * interval '1 second'
  RETURNING id),
beat AS (
  INSERT INTO tables_clockbeat (id, beat_at) VALUES (1, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET beat_at = clock_timestamp())
SELECT greatest((SELECT max(id) FROM outage), (SELECT max(id) FROM tables_clockoutage), 0)"""


def beat() -> int:
    """Say that a clock is alive; returns the number of the latest outage, 0 if there was none.

    Of several clocks that come back at the same time the first one finds the outage.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, [LONGEST_SILENCE_SECONDS])
        return int(cursor.fetchone()[0])


def latest_outage() -> Coalesce:
    """Its number, 0 if there was none, for a statement: what begins now has lost nothing by it."""
    latest = ClockOutage.objects.order_by("-pk").values("pk")[:1]
    return Coalesce(Subquery(latest), 0)


def owed_tables(outage_id: int) -> list[int]:
    """Tables in play that have not taken their part of this outage and those before it."""
    playing = Table.objects.filter(
        status=TableStatus.PLAYING, outage_id__lt=outage_id, broken_at=None
    )
    return list(playing.order_by("deadline_at").values_list("pk", flat=True))


@transaction.atomic
def give_time_back(table_id: int) -> CommittedChange | None:
    """Give a table back the time of outages.

    Returns None if it has lost none, or if another transaction holds the table and will do this.
    """
    table = lock_table(table_id, skip_locked=True)
    return None if table is None else take_time_back(table)


def take_time_back(table: LockedTable) -> CommittedChange | None:
    """Move the running deadlines of a locked table back by what outages took of them.

    Returns what the table is told of it; None if they took nothing.
    """
    if table.status is not TableStatus.PLAYING or table.is_broken:
        return None
    outages = list(ClockOutage.objects.filter(pk__gt=table.outage_id).order_by("pk"))
    if not outages:
        return None
    table.outage_id = outages[-1].pk
    Table.objects.filter(pk=table.id).update(outage_id=table.outage_id)
    lost = _lost(table, outages)
    return move_back(table, lost) if lost > 0 else None


def _lost(table: LockedTable, outages: Sequence[ClockOutage]) -> Instant:
    """Milliseconds of the outages that lie after the beginning of the running deadline."""
    if table.deadline is None:
        return 0
    began = Change.objects.filter(table_id=table.id, version=table.turn_version)
    began_ms = began.values_list("at_ms", flat=True).first() or 0
    return sum(
        max(0, _ms(outage.ended_at) - max(_ms(outage.began_at), began_ms)) for outage in outages
    )


def move_back(table: LockedTable, by_ms: Instant) -> CommittedChange | None:
    """Store the running match with all its times later by so much."""
    if table.state is None:
        return None
    game = get_game(table.game)
    before = position_of(game, table.id, table.state)
    state = game.core.postpone(before.state, by_ms=by_ms)
    after = new_position(game, table.id, Outcome(state, (), game.core.status(state)))
    # What is null stays null.
    later = timedelta(milliseconds=by_ms)
    Table.objects.filter(pk=table.id).exclude(last_deal_at=None, overtime_at=None).update(
        last_deal_at=F("last_deal_at") + later,
        overtime_at=F("overtime_at") + later,
        count_at=F("count_at") + later,
    )
    table.state = after.stored
    version = table.next_version()
    table.set_deadline(after.status.deadline)
    step = CommittedChange(
        table_id=table.id,
        version=version,
        kind=ChangeKind.POSTPONED,
        at=table.now,
        match_id=table.match_id,
        move={"by_ms": by_ms},
        events=[{"kind": "postponed", "by_ms": by_ms}],
        patch={"game": difference(before.public, after.public)},
    )
    save_change(table, step)
    return step


def _ms(moment: datetime) -> Instant:
    return round(moment.timestamp() * 1000)
