"""The formats that fees are charged for, registered by the apps that play them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class ChargedFormat:
    """A format of a game that fees are charged for. Titles are for display.

    `points_of_a_deal` is the most points that a deal costs a player; None if the stake is an entry fee.
    """

    game: str
    game_title: str | Promise
    format: str
    title: str | Promise
    points_of_a_deal: int | None = None


# Called at every use, because titles are in the reader's language.
_sources: Final[list[Callable[[], Iterable[ChargedFormat]]]] = []


def add_charged_formats(source: Callable[[], Iterable[ChargedFormat]]) -> None:
    """Register a source of charged formats. Call it when an app is ready."""
    if source not in _sources:
        _sources.append(source)


def list_charged_formats() -> list[ChargedFormat]:
    """Return all charged formats, game by game."""
    formats = [format for source in _sources for format in source()]
    games = list(dict.fromkeys(format.game for format in formats))
    return sorted(formats, key=lambda charged: games.index(charged.game))


def format_choices() -> list[tuple[str, str]]:
    """Return the code ("indian:POINTS") and title of each format of each game."""
    return [
        (format_code(charged.game, charged.format), f"{charged.game_title} · {charged.title}")
        for charged in list_charged_formats()
    ]


def format_code(game: str, format: str) -> str:
    """Return one code for a game and a format, such as "indian:POINTS", as the value of a form's choice."""
    return f"{game}:{format}"


def split_format_code(code: str) -> tuple[str, str]:
    """Return the game and the format of a code such as "indian:POINTS"."""
    game, _colon, format = code.partition(":")
    return game, format


def find_charged_format(game: str, format: str) -> ChargedFormat | None:
    """Return a format of a game, or None if no app plays it."""
    for charged in list_charged_formats():
        if (charged.game, charged.format) == (game, format):
            return charged
    return None
