"""What a check is."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from django.utils.functional import Promise

Words: TypeAlias = str | Promise


@dataclass(frozen=True, slots=True)
class Seen:
    """What a check found: whether all is well, the fact in a few words, and what to do if that is not the usual."""

    is_good: bool
    fact: Words = ""
    to_do: Words = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A thing that a site or its machine needs. `to_do` is a sentence for whoever finds it red.

    A check that does not ask the database runs while that is down, too.
    """

    code: str
    title: Words
    to_do: Words
    inspect: Callable[[datetime], Seen]
    is_needed: Callable[[], bool] = lambda: True
    asks_database: bool = True


@dataclass(frozen=True, slots=True)
class SiteCheck(Check):
    """A check of the site, which staff with a permission may put right on the page that `find_page` returns.

    `decline` is the decision that the site goes without, in the words of its button; empty if it cannot.
    """

    permission: str = ""
    find_page: Callable[[], str] = lambda: ""
    decline: Words = ""
