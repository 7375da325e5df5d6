"""The changes of a match in their order, whether they have rows of their own or are archived."""

import json
import zlib
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from django.db import connection

from tables.models import Change, Match, MatchArchive

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
