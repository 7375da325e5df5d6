"""The formats that this site can run, by code. docs/adding.md says how to add one."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from tournaments.rules.format import KnockOut, TournamentFormat
from tournaments.rules.heads_up import HeadsUp
from tournaments.rules.shoot_out import ShootOut

KNOCK_OUT: Final = KnockOut()
HEADS_UP: Final = HeadsUp()
SHOOT_OUT: Final = ShootOut()
# `Terms.format` holds the code, and the administration offers the formats.
FORMATS: Final[Mapping[str, TournamentFormat]] = {
    format_.code: format_ for format_ in (KNOCK_OUT, HEADS_UP, SHOOT_OUT)
}


def format_choices() -> list[tuple[str, str | Promise]]:
    """Return the code and title of each format."""
    return [(code, format_.title) for code, format_ in FORMATS.items()]
