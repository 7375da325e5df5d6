"""The parts of a player's staff page that other apps register, because the player belongs to the lowest of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.functional import Promise

from accounts.desk.figures import Figure
from accounts.models import User


@dataclass(frozen=True, slots=True)
class Cell:
    """Of a list; `url` where it leads to."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a player's page: figures, a list, or both."""

    code: str
    title: str | Promise
    figures: Sequence[Figure] = ()
    columns: Sequence[str | Promise] = ()
    rows: Sequence[Sequence[Cell]] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Panels for those who have the permission."""

    permission: str
    panels: Callable[[User], Sequence[Panel]]


@dataclass(frozen=True, slots=True)
class Column:
    """Of the list of players: what is shown of each on a page, found for all of them at once."""

    name: str
    title: str | Promise
    permission: str
    values: Callable[[Sequence[int]], Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A page of the administration, by its name, about one player."""

    permission: str
    title: str | Promise
    page: str


@dataclass(slots=True)
class PersonPages:
    sources: list[Source] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    filters: list[tuple[str, Any]] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=list)

    def panels_for(self, staff: User | AnonymousUser, player: User) -> list[Panel]:
        return [
            panel
            for source in self.sources
            if staff.has_perm(source.permission)
            for panel in source.panels(player)
        ]

    def tools_for(self, staff: User | AnonymousUser, player: User) -> list[tuple[str, str]]:
        """Title and address of each page that this member of staff may open."""
        return [
            (str(tool.title), reverse(tool.page, args=[player.pk]))
            for tool in self.tools
            if staff.has_perm(tool.permission)
        ]

    def columns_for(self, staff: User | AnonymousUser) -> list[Column]:
        return [column for column in self.columns if staff.has_perm(column.permission)]

    def filters_for(self, staff: User | AnonymousUser) -> list[Any]:
        return [one for permission, one in self.filters if staff.has_perm(permission)]


# Filled once, when the administration is ready.
PERSON_PAGES: Final = PersonPages()
