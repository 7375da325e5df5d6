"""`manage.py doctor`: every check of the machine and the site, in one list."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from config.desk.setup.checks import Check, Seen, SiteCheck
from config.desk.setup.machine import list_checks
from config.desk.setup.notes import read_notes
from config.desk.setup.site import CHECKS

# Without these nothing else can be asked of the database.
_OBSTACLES: Final = {
    "database": "the database does not answer",
    "migrations": "the database lacks migrations",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the report, as plain text."""

    is_good: bool
    line: str
    to_do: str = ""

    @property
    def word(self) -> str:
        return "green" if self.is_good else "red  "


def examine(*, now: datetime, with_site: bool) -> Iterator[Finding]:
    """Run the checks of the machine and, if `with_site`, those of the site. Yield what they find.

    While the database is away or lacks migrations, checks that ask it are reported as not checked.
    """
    obstacle = ""
    declined: dict[str, str] | None = None
    for check in [*list_checks(), *(CHECKS if with_site else ())]:
        if obstacle and check.asks_database:
            yield Finding(is_good=False, line=f"{check.title}: not checked, as {obstacle}")
            continue
        if not check.is_needed():
            continue
        if isinstance(check, SiteCheck) and declined is None:
            declined = read_notes()
        seen = _decide(check, check.inspect(now), declined or {})
        if check.code in _OBSTACLES and not seen.is_good:
            obstacle = obstacle or _OBSTACLES[check.code]
        fact = f": {seen.fact}" if seen.fact else ""
        yield Finding(seen.is_good, f"{check.title}{fact}", str(seen.to_do or check.to_do))


def _decide(check: Check, seen: Seen, notes: dict[str, str]) -> Seen:
    """Return what the check found, or a good result if staff have decided that the site does not need it."""
    if seen.is_good or not isinstance(check, SiteCheck) or not check.decline:
        return seen
    if check.code not in notes:
        return seen
    return Seen(is_good=True, fact=check.decline)
