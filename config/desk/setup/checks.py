"""The types of checks and of their results."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from django.utils.functional import Promise

Words: TypeAlias = str | Promise


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of a check: whether the need is met, and what the check found, in a few words.

    `to_do` replaces the check's own `to_do`, unless it is empty.
    """

    is_good: bool
    fact: Words = ""
    to_do: Words = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A need of the site or its machine that can be checked. `to_do` tells the operator what to do if it is not met.

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

    `decline` labels the button with which staff decide that this site does not need what is checked. It is empty if
    every site needs it.
    """

    permission: str = ""
    find_page: Callable[[], str] = lambda: ""
    decline: Words = ""
