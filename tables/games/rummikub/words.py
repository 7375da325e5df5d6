"""The words of Rummikub on the table page, by the keys that its modules ask for.

A `{name}` is filled in by the browser. `_one` and `_other` as in tables/page/texts.py.
"""

from collections.abc import Mapping
from typing import Final

from tables.games.base import Text
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

TEXTS: Final[Mapping[str, Text]] = {
    "pool": text(_("Pool, {count} tiles")),
}
