"""What a step leaves to be told, after its transaction."""

from collections.abc import Iterable
from dataclasses import dataclass

from tables.play.locks import CommittedChange


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody's table is ready."""

    user_id: int
    tournament_id: int
    table_id: int
    name: str


@dataclass(frozen=True, slots=True)
class News:
    """Tournaments whose pages have changed, who is wanted at a table, what tables are told."""

    changed: tuple[int, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    steps: tuple[CommittedChange, ...] = ()


def together(news: Iterable[News]) -> News:
    some = list(news)
    return News(
        changed=tuple(dict.fromkeys(id_ for one in some for id_ in one.changed)),
        invitations=tuple(one for each in some for one in each.invitations),
        steps=tuple(step for each in some for step in each.steps),
    )
