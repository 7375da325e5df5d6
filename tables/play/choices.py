"""Rows of links that narrow a list of tables, matches or players down."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from tables.play.offered import offered_games, usual_game
from tables.play.titles import read_choice, title_of_game
from tables.play.wording import translated

Chosen = Mapping[str, Any]
"""What the address names: the value of each row, empty where everything will do."""


class Choice(NamedTuple):
    title: Any
    address: str
    is_chosen: bool


def choice_row(chosen: Chosen, name: str, options: Sequence[tuple[str, Any]]) -> list[Choice]:
    """A link for each value and title, to an address that keeps what else is chosen."""
    return [
        Choice(title, query_of({**chosen, name: value}), chosen.get(name, "") == value)
        for value, title in options
    ]


def game_rows(chosen: Chosen, *, all_games: bool) -> list[list[Choice]]:
    """The games, where several are offered, and below them the formats of the chosen one.

    `chosen["game"]` is "indian:POOL", "indian", "POOL" of the usual game, or empty. With
    `all_games` each row begins with a link to all of it; without, a game leads to its first format.
    """
    games = offered_games()
    code, format = read_choice(chosen.get("game", ""))
    if len(games) == 1 or (format and not code):
        code = usual_game().code

    def choice(title: str, value: str, *, is_chosen: bool) -> Choice:
        return Choice(title, query_of({**chosen, "game": value}), is_chosen)

    rows = []
    if len(games) > 1:
        row = [choice(_("All games"), "", is_chosen=not code)] if all_games else []
        for other, game in games.items():
            value = other if all_games else f"{other}:{game.formats[0].code}"
            row.append(choice(title_of_game(other), value, is_chosen=other == code))
        rows.append(row)
    if code in games:
        whole = code if len(games) > 1 else ""
        row = [choice(_("All formats"), whole, is_chosen=not format)] if all_games else []
        for offered in games[code].formats:
            title, value = translated(offered.title), f"{code}:{offered.code}"
            row.append(choice(title, value, is_chosen=offered.code == format))
        rows.append(row)
    return rows


def query_of(chosen: Chosen) -> str:
    """ "?game=gin&seats=2", without what is empty."""
    return "?" + urlencode({name: value for name, value in chosen.items() if value})
