"""The title of a table, by the game played at it."""

from collections.abc import Collection, Iterator, Mapping

from django.utils.translation import gettext as _

from games.engine.base import JSON
from games.registry import FORMATS, get_format, get_game
from tables.models import Table
from tables.play.offered import offered_games
from tables.play.wording import translated
from wallet.fees.formats import ChargedFormat


def title_of(table: Table) -> str:
    """ "Points", "Pool 101", "Best of 2"; with a word more where a table plays by rules of its own."""
    game = get_game(table.game)
    rules = game.rules.parse(table.rules)
    title = translated(game.money.title_of(rules))
    # Lessons and tournaments say themselves what is different there.
    if table.is_lesson or table.is_of_event:
        return title
    own = game.rules.json(rules)
    names = presets_of(table.game, table.format)
    is_preset = any(
        not differences(own, game.rules.json(game.rules.preset(name))) for name in names
    )
    return title if is_preset else _("%(title)s, own rules") % {"title": title}


def presets_of(game_code: str, format: str) -> list[str]:
    """Return the rule sets that staff may choose for a format: those of the help pages first, then
    the others that the game has. The one of the guided first deal is not for tables."""
    game = get_game(game_code)
    told = get_format(game_code, format).presets
    guided = None if game.lesson is None else game.lesson.preset
    others = (
        name
        for name in game.rules.presets
        if name != guided and game.money.format_of(game.rules.preset(name)) == format
    )
    return list(dict.fromkeys((*told, *others)))


def nearest_preset(game_code: str, format: str, own: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """The rule set of this format that differs least from `own`."""
    game = get_game(game_code)
    usual = [
        game.rules.json(game.rules.preset(name)) for name in get_format(game_code, format).presets
    ]
    return min(usual, key=lambda rules: len(differences(own, rules)))


def differences(own: Mapping[str, JSON], usual: Mapping[str, JSON]) -> list[str]:
    """The settings that differ; the name of a rule set is none."""
    return [name for name, value in own.items() if name != "name" and usual.get(name) != value]


def title_of_preset(game_code: str, name: str) -> str:
    """Return the title of a table with these rules."""
    game = get_game(game_code)
    return translated(game.money.title_of(game.rules.preset(name)))


def title_of_game(code: str) -> str:
    """ "Indian rummy"."""
    return translated(get_game(code).title)


def title_of_format(game: str, code: str) -> str:
    """ "Pool"; with the game's name before it where several games are played."""
    title = translated(get_format(game, code).title)
    return title if len(offered_games()) == 1 else f"{title_of_game(game)} · {title}"


def game_choices() -> list[tuple[str, str]]:
    """Code and title of every game that is offered."""
    return [(code, title_of_game(code)) for code in offered_games()]


def played() -> list[tuple[str, str]]:
    """Every format of every game that is offered, as codes."""
    games = offered_games()
    return [(code, format.code) for code, game in games.items() for format in game.formats]


def is_choice(value: str) -> bool:
    """Return whether `read_choice` reads it.

    It reads an offered game, one of its formats ("indian:POOL"), or a format alone, as in older
    addresses.
    """
    named = (f"{game}:{format}" for game, format in played())
    return value in FORMATS or value in offered_games() or value in named


def read_choice(value: str) -> tuple[str, str]:
    """Game and format of a choice, empty where anything will do."""
    if value in FORMATS:
        return "", value
    game, _colon, format = value.partition(":")
    return game, format


def names_of_tables(numbers: Collection[int]) -> dict[int, str]:
    """Return the names of tables for lines of a statement."""
    return dict(Table.objects.filter(pk__in=numbers).values_list("pk", "name"))


def charged_formats() -> Iterator[ChargedFormat]:
    """Yield the formats that the wallet charges table fees for."""
    for code, game in offered_games().items():
        for format in game.formats:
            rules = game.rules.preset(format.presets[0])
            points = game.money.largest_loss(rules) if format.stake == "per_point" else None
            title = translated(format.title)
            yield ChargedFormat(code, title_of_game(code), format.code, title, points)
