"""The games that this site offers, of those that are installed: `GAMES_OFFERED` in the settings.

A table that stands goes on, and what was played stays on record, when its game is offered no more.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from tables.games.registry import GAMES, AnyGame

# What a site offers that does not say so.
USUAL: Final = tuple(GAMES)[:1]


def offered_games() -> Mapping[str, AnyGame]:
    """By code, the usual one first."""
    return {code: GAMES[code] for code in settings.GAMES_OFFERED or USUAL if code in GAMES}


def usual_game() -> AnyGame:
    """What is meant where no game is named."""
    return GAMES[(settings.GAMES_OFFERED or USUAL)[0]]


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
