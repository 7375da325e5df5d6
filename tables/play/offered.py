"""The games that this site offers, of those that are installed: `GAMES_OFFERED` in the settings.

A table that stands goes on, and what was played stays on record, when its game is offered no more.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from games.engine.game import Game
from games.registry import GAMES


def offered_games() -> Mapping[str, Game]:
    """Return the games offered by code, the default first."""
    return {code: GAMES[code] for code in _codes() if code in GAMES}


def usual_game() -> Game:
    """Return the game meant where none is named."""
    return GAMES[_codes()[0]]


def _codes() -> Sequence[str]:
    return settings.GAMES_OFFERED or games_with_a_page()


def game_switch(code: str) -> str:
    """Return the switch of a game (accounts/notifications/site/features.py)."""
    return f"game_{code}"


@cache
def games_with_a_page() -> Sequence[str]:
    """Return the games that a site offers without a setting."""
    return tuple(code for code in GAMES if has_page(code))


def has_page(game: str) -> bool:
    """Return whether this game can be played in a browser. Over the API any game can."""
    return has_template(game, "_head")


def has_template(game: str, name: str) -> bool:
    try:
        get_template(template_of(game, name))
    except TemplateDoesNotExist:
        return False
    return True


def template_of(game: str, name: str) -> str:
    """Return the path of a game's own page, or of a part of one."""
    return f"games/{game}/{name}.html"


@register
def games_are_installed(**_kwargs: Any) -> Sequence[CheckMessage]:
    unknown = [code for code in settings.GAMES_OFFERED if code not in GAMES]
    if not unknown:
        return []
    return [
        Error(
            f"GAMES_OFFERED is {','.join(settings.GAMES_OFFERED)!r}.",
            hint=f"Name one or more of {', '.join(GAMES)}, with commas between them.",
            id="tables.E001",
        )
    ]


@register
def games_have_a_page(**_kwargs: Any) -> Sequence[CheckMessage]:
    return [
        checks.Warning(
            f"{code!r} is offered and cannot be played in a browser.",
            hint="Take it out of GAMES_OFFERED, unless programs alone are to play it over the API.",
            id="tables.W001",
        )
        for code in offered_games()
        if not has_page(code)
    ]
