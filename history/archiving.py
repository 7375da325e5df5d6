"""Reading a match's changes in order, from their own rows or its archive, and packing old matches into archives."""

import json
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from core.database.advisory_locks import AdvisoryLock
from history.models import MatchArchive
from tables.models import Change, Match, MatchStatus
from tables.play.change import SEATED

# Columns of each change, in this order. Old archives are read for ever: append new columns, remove none.
COLUMNS: Final = (
    "pk", "version", "kind", "seat", "move", "move_id", "at_ms", "events", "patch", "private",
)  # fmt: skip


def read_changes(match: Match, *, only: Sequence[str] = COLUMNS) -> Iterator[Change]:
    """Yield the changes of a match in order.

    Changes that are still stored as rows are read with the columns in `only`.
    """
    # Rows first: they are deleted after packing, and different days of a match at different times.
    rows = list(Change.objects.filter(match=match).order_by("pk").only(*only))
    archive = MatchArchive.objects.filter(match=match).values_list("changes", flat=True).first()
    return iter(rows) if archive is None else unpack(match, bytes(archive))


NO_CHANGES: Final = zlib.compress(b"[]")
# The database writes the rows as text: building objects from them would take most of the time. Names are left
# out, because accounts may be closed later: a replay takes the names from the match.
_PACKED = """
SELECT match_id, json_agg(json_build_array(
  id, version, kind, seat, move, move_id, at_ms,
  CASE WHEN events @> '[{"kind": "seated"}]' THEN (
    SELECT jsonb_agg(CASE WHEN event ->> 'kind' = 'seated' THEN event - 'name' ELSE event END
                     ORDER BY place)
    FROM jsonb_array_elements(events) WITH ORDINALITY AS p (event, place)) ELSE events END,
  patch - 'seats' #- '{table,names}', private) ORDER BY id)::text
FROM tables_change WHERE match_id = ANY(%s) GROUP BY match_id"""


def pack_changes(match_ids: Collection[int]) -> dict[int, bytes]:
    """Return the packed changes of each of these matches whose changes are still stored as rows."""
    with connection.cursor() as cursor:
        cursor.execute(_PACKED, [list(match_ids)])
        return {match_id: zlib.compress(rows.encode()) for match_id, rows in cursor.fetchall()}


def strip_names(events: Iterable[dict[str, Any]]) -> bool:
    """Remove people's names from a change's events. Return whether there were any."""
    named = [event.pop("name", None) for event in events if event["kind"] == SEATED]
    return any(named)


def strip_names_of_row(row: Sequence[Any]) -> bool:
    """Remove people's names from a packed row of an older archive. Return whether there were any."""
    patch = row[COLUMNS.index("patch")]
    parts = (patch.pop("seats", None), patch.get("table", {}).pop("names", None))
    return strip_names(row[COLUMNS.index("events")]) or parts != (None, None)


def unpack(match: Match, packed: bytes) -> Iterator[Change]:
    """Yield the changes in an archive."""
    for row in json.loads(zlib.decompress(packed)):
        values = dict(zip(COLUMNS, row, strict=True))
        yield Change(table_id=match.table_id, match=match, **values)


PACKED_TOGETHER = 50
# Well within a job's time limit. Beat sends the next job long before that (`schedule`), so that several
# share the work.
SECONDS_A_RUN = 60


def archive_matches(limit: int | None = None) -> int:
    """Pack the oldest matches that ended at least MATCHES_ARCHIVED_AFTER_DAYS ago. Return their number.

    Each transaction packs several matches. After an interruption, every match is complete, either in its rows or in its
    archive. Concurrent runs share the work.
    """
    days = settings.MATCHES_ARCHIVED_AFTER_DAYS
    if not days:
        return 0
    due = (
        Match.objects.filter(packed_at__isnull=True, started_at__lt=Now() - timedelta(days=days))
        .filter(ended_at__lt=Now() - timedelta(days=days))
        .exclude(status=MatchStatus.RUNNING)
        .order_by("started_at", "pk")
    )
    archived = 0
    until = time.monotonic() + SECONDS_A_RUN
    looked_at = due.values_list("pk", "table_id", "started_at")
    while time.monotonic() < until:
        room = PACKED_TOGETHER if limit is None else min(PACKED_TOGETHER, limit - archived)
        found = list(looked_at[:room])
        if not found:
            break
        archived += _archive({pk: table_id for pk, table_id, _started in found})
        # Earlier matches are packed, or another run has them: this run does not look for them again.
        looked_at = looked_at.filter(started_at__gt=found[-1][2])
    return archived


@transaction.atomic
def _archive(table_of: Mapping[int, int]) -> int:
    """Pack these matches unless another worker is packing them. Return their number.

    `table_of` maps each match to its table.
    """
    ids = _claim(table_of)
    # Another run may have packed it between the query and the lock.
    ids -= set(MatchArchive.objects.filter(match__in=ids).values_list("match_id", flat=True))
    packed = pack_changes(ids)
    MatchArchive.objects.bulk_create(
        MatchArchive(
            match_id=match_id,
            table_id=table_of[match_id],
            changes=packed.get(match_id, NO_CHANGES),
        )
        for match_id in sorted(ids)
    )
    Match.objects.filter(pk__in=ids).update(packed_at=Now())
    with connection.cursor() as cursor:  # all other rows are dropped with their day
        cursor.execute("DELETE FROM tables_change_other WHERE match_id = ANY(%s)", [list(ids)])
    return len(ids)


def _claim(match_ids: Iterable[int]) -> set[int]:
    """Claim these matches until the transaction ends. Return those that no other worker has claimed.

    It uses advisory locks, because the matches belong to many tables of play, and a statement that locks rows of play
    must name a single table (ADR 18).
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM unnest(%s) AS id WHERE pg_try_advisory_xact_lock(%s, hashint8(id))",
            [list(match_ids), AdvisoryLock.PACKING_MATCHES],
        )
        return {match_id for (match_id,) in cursor.fetchall()}
