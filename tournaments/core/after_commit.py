"""The announcements of a step, made after its transaction."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Invitation:
    """A player's table is ready."""

    user_id: int
    tournament_id: int
    table_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Announcement:
    """Tournaments whose pages have changed, and the players who are wanted at a table."""

    changed: tuple[int, ...] = ()
    invitations: tuple[Invitation, ...] = ()


def together(announcements: Iterable[Announcement]) -> Announcement:
    parts = list(announcements)
    return Announcement(
        changed=tuple(dict.fromkeys(id_ for part in parts for id_ in part.changed)),
        invitations=tuple(invitation for part in parts for invitation in part.invitations),
    )
