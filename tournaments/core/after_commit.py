"""The announcements of a step, made after its transaction."""

from collections.abc import Iterable
from dataclasses import dataclass

from tables.play.change import Change


@dataclass(frozen=True, slots=True)
class Invitation:
    """A player's table is ready."""

    user_id: int
    tournament_id: int
    table_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Announcement:
    """Tournaments whose pages have changed, who is wanted at a table, what tables are told."""

    changed: tuple[int, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    table_changes: tuple[Change, ...] = ()


def together(announcements: Iterable[Announcement]) -> Announcement:
    parts = list(announcements)
    return Announcement(
        changed=tuple(dict.fromkeys(id_ for part in parts for id_ in part.changed)),
        invitations=tuple(invitation for part in parts for invitation in part.invitations),
        table_changes=tuple(change for part in parts for change in part.table_changes),
    )
