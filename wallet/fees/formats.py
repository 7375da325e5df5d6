"""What fees are asked for: each format of each game, named by the apps that play them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class ChargedFormat:
    """`points_of_a_deal`: the most points that a deal costs a player, where points are played for;
    None where the stake is an entry fee."""

    game: str
    game_title: str | Promise
    format: str
    title: str | Promise
    points_of_a_deal: int | None = None


# Called at every use: titles are in the language of the reader.
_sources: Final[list[Callable[[], Iterable[ChargedFormat]]]] = []


def add_charged_formats(source: Callable[[], Iterable[ChargedFormat]]) -> None:
    """Have these asked for fees; called when an app is ready."""
    if source not in _sources:
        _sources.append(source)


def charged_formats() -> list[ChargedFormat]:
    """All of them, game by game."""
    formats = [format for source in _sources for format in source()]
    games = list(dict.fromkeys(format.game for format in formats))
    return sorted(formats, key=lambda charged: games.index(charged.game))


def game_choices() -> list[tuple[str, str]]:
    """Code and title of each game."""
    return list({format.game: str(format.game_title) for format in charged_formats()}.items())


def format_choices() -> list[tuple[str, str]]:
    """Code and title of each format, whichever game has it."""
    return list({format.format: str(format.title) for format in charged_formats()}.items())


def charged_format(game: str, format: str) -> ChargedFormat | None:
    """None if this game is not played like that."""
    for charged in charged_formats():
        if (charged.game, charged.format) == (game, format):
            return charged
    return None
