"""The changes of a match in order, in rows of their own or packed into its archive, and the packing of old matches."""

import json
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Min
from django.db.models.functions import Now

from core.database.advisory_locks import AdvisoryLock
from tables.models import Change, Match, MatchArchive, MatchStatus

# Of each change, in this order. An archive is read for as long as there are matches: what is added
# comes at the end, and nothing is taken away.
COLUMNS: Final = (
    "pk", "version", "kind", "seat", "move", "move_id", "at_ms", "events", "patch", "private",
)  # fmt: skip


def changes_of(match: Match, *, only: Sequence[str] = COLUMNS) -> Iterator[Change]:
    """Yield the changes of a match in order, with the columns of `only`."""
    has_rows = False
    for change in Change.objects.filter(match=match).order_by("pk").only(*only).iterator():
        has_rows = True
        yield change
    if not has_rows:
        archives = MatchArchive.objects.filter(match=match).values_list("changes", flat=True)
        for packed in archives:
            yield from unpack(match, bytes(packed))


NO_CHANGES: Final = zlib.compress(b"[]")
# The database writes the rows as text: making objects of them would take most of the time.
_PACKED = """
SELECT match_id, json_agg(json_build_array(
  id, version, kind, seat, move, move_id, at_ms, events, patch, private) ORDER BY id)::text
FROM tables_change WHERE match_id = ANY(%s) GROUP BY match_id"""


def packed_changes(match_ids: Collection[int]) -> dict[int, bytes]:
    """Return the packed changes of each of these matches that still has rows."""
    with connection.cursor() as cursor:
        cursor.execute(_PACKED, [list(match_ids)])
        return {match_id: zlib.compress(rows.encode()) for match_id, rows in cursor.fetchall()}


def unpack(match: Match, packed: bytes) -> Iterator[Change]:
    """The changes that were packed."""
    for row in json.loads(zlib.decompress(packed)):
        values = dict(zip(COLUMNS, row, strict=True))
        yield Change(table_id=match.table_id, match=match, **values)


PACKED_TOGETHER = 50
# Well within the time limit of a job; beat asks for the next one long before that (`schedule`), so
# that several share what there is.
SECONDS_A_RUN = 60


def archive_matches(limit: int | None = None) -> int:
    """Pack the oldest matches that have been over for MATCHES_ARCHIVED_AFTER_DAYS; how many.

    Some in a transaction: cut off at any moment, every match is whole in one place. Several at one
    moment share the work.
    """
    archived = 0
    first, last = _first_with_changes(), _last_old()
    until = time.monotonic() + SECONDS_A_RUN
    while time.monotonic() < until:
        room = PACKED_TOGETHER if limit is None else min(PACKED_TOGETHER, limit - archived)
        seen, number = _archive(first, last, room)
        archived += number
        if seen is None:
            break
        # What is before that is packed, or somebody has it: it is not looked for again in this run.
        first = seen + 1
    return archived


def _first_with_changes() -> int:
    """The packed ones have no changes left, so the first match with changes is where to go on."""
    changes = Change.objects.filter(match__isnull=False)
    return changes.aggregate(first=Min("match_id"))["first"] or 0


def _last_old() -> int:
    """Return the last match that began long enough ago.

    Without this bound, a run with nothing due would read all matches of the last months.
    """
    days = settings.MATCHES_ARCHIVED_AFTER_DAYS
    if not days:
        return 0
    begun = Match.objects.filter(started_at__lt=Now() - timedelta(days=days))
    newest = begun.order_by("-started_at", "-pk").values_list("pk", flat=True).first()
    return newest or 0


@transaction.atomic
def _archive(first: int, last: int, most: int) -> tuple[int | None, int]:
    """Up to which match this one looked, None if there is none to be packed, and how many it packed."""
    due = (
        Match.objects.filter(pk__gte=first, pk__lte=last)
        .filter(ended_at__lt=Now() - timedelta(days=settings.MATCHES_ARCHIVED_AFTER_DAYS))
        .exclude(status=MatchStatus.RUNNING)
        .filter(archive__isnull=True)
        .order_by("pk")
    )
    table_of = dict(due.values_list("pk", "table_id")[:most])
    if not table_of:
        return None, 0
    seen = max(table_of)
    ids = _claim(table_of)
    # It may have been done between the look and the lock.
    ids -= set(MatchArchive.objects.filter(match__in=ids).values_list("match_id", flat=True))
    changes = Change.objects.filter(match__in=ids)
    packed = packed_changes(ids)
    MatchArchive.objects.bulk_create(
        MatchArchive(
            match_id=match_id,
            table_id=table_of[match_id],
            changes=packed.get(match_id, NO_CHANGES),
        )
        for match_id in sorted(ids)
    )
    changes.delete()
    return seen, len(ids)


def _claim(match_ids: Iterable[int]) -> set[int]:
    """Claim matches until the transaction ends. Returns those that no other worker has.

    Not by locks of their rows: these are of many tables, and a statement locks rows of one.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM unnest(%s) AS id WHERE pg_try_advisory_xact_lock(%s, hashint8(id))",
            [list(match_ids), AdvisoryLock.PACKING_MATCHES],
        )
        return {match_id for (match_id,) in cursor.fetchall()}
