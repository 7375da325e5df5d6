"""The changes of a match in their order, whether they have rows of their own or are archived."""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from tables.compact_json import encode
from tables.models import Change, Match, MatchArchive

# Of each change, in this order. An archive is read for as long as there are matches: what is added
# comes at the end, and nothing is taken away.
COLUMNS: Final = (
    "pk", "version", "kind", "seat", "move", "move_id", "at_ms", "events", "patch", "private",
)  # fmt: skip


def changes_of(match: Match, *, only: Sequence[str] = COLUMNS) -> Iterator[Change]:
    """In the order in which they happened; with the columns that are asked for."""
    has_rows = False
    for change in Change.objects.filter(match=match).order_by("pk").only(*only).iterator():
        has_rows = True
        yield change
    if not has_rows:
        archives = MatchArchive.objects.filter(match=match).values_list("changes", flat=True)
        for packed in archives:
            yield from unpack(match, bytes(packed))


def pack(changes: Iterable[Change]) -> bytes:
    rows = [[_plain(getattr(change, name)) for name in COLUMNS] for change in changes]
    return zlib.compress(encode(rows).encode(), level=9)


def unpack(match: Match, packed: bytes) -> Iterator[Change]:
    """Changes as `pack` got them."""
    for row in json.loads(zlib.decompress(packed)):
        values = dict(zip(COLUMNS, row, strict=True))
        yield Change(table_id=match.table_id, match=match, **values)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, int | str | list | dict) else str(value)
