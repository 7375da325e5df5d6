"""The types of checks and of their results."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from django.utils.functional import Promise

Words: TypeAlias = str | Promise


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of a check: whether all is well, the fact in a few words, and what to do if not the usual thing."""

    is_good: bool
    fact: Words = ""
    to_do: Words = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One need of a site or its machine, which can be checked. `to_do` tells the operator what to do if it is not met.

    Checks that do not ask the database also run while the database is down.
    """

    code: str
    title: Words
    to_do: Words
    inspect: Callable[[datetime], Seen]
    is_needed: Callable[[], bool] = lambda: True
    asks_database: bool = True


@dataclass(frozen=True, slots=True)
class SiteCheck(Check):
    """A check of the site. Staff with `permission` can fix the problem on the page that `find_page` returns.

    `decline` labels the button with which staff decide to go without. It is empty if the site cannot go without.
    """

    permission: str = ""
    find_page: Callable[[], str] = lambda: ""
    decline: Words = ""
