"""The games that this site offers (`GAMES_OFFERED`): their titles and texts in the reader's language, and links to
them.

When a site stops offering a game, its open tables continue, and finished matches stay on record.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import ordinal
from django.core import checks
from django.core.checks import CheckMessage, Error, register
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.translation import get_language, gettext, ngettext, pgettext
from django.utils.translation import gettext as _

from games.engine.base import JSON, Text
from games.engine.game import Game
from games.engine.paces import PACE_NAMES, apply_pace, find_pace
from games.registry import FORMATS, GAMES, get_format, get_game
from tables.models import BotStrength, Match, Table, TableTemplate
from wallet.api import ChargedFormat
from wallet.money import Currency, format_amount

# Adapts a rule set to where it is played: at a free table, or in a tournament.
Adapt: TypeAlias = Callable[[Any], Any]


def translate(text: Text) -> str:
    """Return the text in the active language, with its values filled in."""
    words = pgettext(text.context, text.message) if text.context else gettext(text.message)
    return words % text.values if text.values else words


def translate_texts(value: Any) -> Any:
    """Return the value with every text in it translated, also in lists and mappings.

    A dataclass becomes a mapping of its fields.
    """
    if isinstance(value, Text):
        return translate(value)
    if is_dataclass(value):
        return {one.name: translate_texts(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {key: translate_texts(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [translate_texts(part) for part in value]
    return value


def amount_text(value: int, currency: str) -> str:
    """Format an amount: "80 chips", "₹1,23,456.50". Digits are grouped as in India; zero paise are left out."""
    unit = Currency(currency)
    digits = format_amount(value, unit)
    if unit is Currency.CHIPS:
        return ngettext("%(amount)s chip", "%(amount)s chips", value) % {"amount": digits}
    return "₹" + digits.removesuffix(".00")


def place_text(place: int) -> str:
    """Format a rank: "9th" in English, the number in other languages."""
    is_english = (get_language() or "en").startswith("en")
    return str(ordinal(place)) if is_english else format_amount(place, Currency.CHIPS)


def list_offered_games() -> Mapping[str, Game]:
    """Return the games that this site offers, as a mapping from code to game with the default game first."""
    return {code: GAMES[code] for code in _list_codes() if code in GAMES}


def get_default_game() -> Game:
    """Return the default game."""
    return GAMES[_list_codes()[0]]


def _list_codes() -> Sequence[str]:
    return settings.GAMES_OFFERED or list_games_with_page()


def game_switch(code: str) -> str:
    """Return the code of the feature switch that turns this game on and off (core/site/features.py)."""
    return f"game_{code}"


@cache
def list_games_with_page() -> Sequence[str]:
    """Return the codes of the games that can be played in a browser. A site offers these by default."""
    return tuple(code for code in GAMES if has_page(code))


def has_page(game: str) -> bool:
    """Return whether this game can be played in a browser. All games can be played over the API."""
    return has_template(game, "_head")


def has_template(game: str, name: str) -> bool:
    try:
        get_template(build_template_path(game, name))
    except TemplateDoesNotExist:
        return False
    return True


def build_template_path(game: str, name: str) -> str:
    """Return the path of the template of a game's own page, or of a part of that page."""
    return f"games/{game}/{name}.html"


def list_bot_strengths(game: str) -> list[tuple[str, str]]:
    """Return the strengths that the game's bots have, weakest first, with their names."""
    return [(strength, str(BotStrength(strength).label)) for strength in get_game(game).strengths]


def fit_bot_strength(game: str, strength: str) -> str:
    """Return this strength. If it is expert strength and the game's bots do not have it, return their best one."""
    offered = get_game(game).strengths
    return offered[-1] if strength == BotStrength.EXPERT and strength not in offered else strength


def list_art_templates(game: str) -> Sequence[str]:
    """Return the paths of templates for a game's picture. The page uses the first that exists."""
    return (build_template_path(game, "_art"), "games/_art.html")


@register
def check_games_installed(**_kwargs: Any) -> Sequence[CheckMessage]:
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
def check_game_pages(**_kwargs: Any) -> Sequence[CheckMessage]:
    return [
        checks.Warning(
            f"{code!r} is offered and cannot be played in a browser.",
            hint="Take it out of GAMES_OFFERED, unless programs alone are to play it over the API.",
            id="tables.W001",
        )
        for code in list_offered_games()
        if not has_page(code)
    ]


def format_match_title(match: Match) -> str:
    """Return the title of the rules by which the match was played, even if its table has other rules now."""
    table = match.table
    is_by_rules_of_today = match.rules == table.rules
    house_rules = table.said("rules_title") if is_by_rules_of_today else ""
    return _format_title(table, match.rules, house_rules)


def format_title(table: Table) -> str:
    """Return the title of a table's rules: "Points", "Pool 101", "Best of 2", with an addition for custom rules."""
    return _format_title(table, table.rules, table.said("rules_title"))


def _format_title(table: Table, stored: Mapping[str, JSON], house_rules: str) -> str:
    game = get_game(table.game)
    rules = game.rules.load(stored)
    title = translate(game.money.format_title(rules))
    # Lessons and tournaments describe their own differences.
    if table.is_lesson or table.is_of_event:
        return title
    if _is_preset(table, rules) and not house_rules:
        return title
    pace = find_pace(game.rules, rules)
    if house_rules:
        title = _with_rules(title, house_rules)
    elif pace is None or not _is_preset(table, apply_pace(game.rules, rules, "usual")):
        title = _("%(title)s, own rules") % {"title": title}
    if pace is None or pace not in PACE_NAMES:
        return title
    return _with_rules(title, translate(PACE_NAMES[pace]))


def _is_preset(table: Table, rules: Any) -> bool:
    """Return whether these rules equal a preset of their format.

    At a free table, presets are adapted to play without stakes.
    """
    game = get_game(table.game)
    own = game.rules.json(rules)
    format = game.money.get_format_code(rules)
    presets = [game.rules.preset(name) for name in list_presets(table.game, format)]
    if table.is_free:
        presets = [game.money.adapt_to_no_stake(preset) for preset in presets]
    return any(not find_differences(own, game.rules.json(preset)) for preset in presets)


def title_of_template(template: TableTemplate) -> str:
    """Return the title of the tables that this template opens now."""
    title = translate(get_game(template.game).money.format_title(template.rule_set))
    house = template.house_rules
    return title if house is None else _with_rules(title, house.shown_name)


def _with_rules(title: str, house_rules: str) -> str:
    return _("%(title)s, %(rules)s") % {"title": title, "rules": house_rules}


def list_presets(game_code: str, format: str) -> list[str]:
    """Return the rule sets that staff may choose for a format, beginning with those that the help pages describe.

    The preset of the guided first deal is left out: it is not for tables.
    """
    game = get_game(game_code)
    told = get_format(game_code, format).presets
    guided = None if game.lesson is None else game.lesson.preset
    others = (
        name
        for name in game.rules.presets
        if name != guided and game.money.get_format_code(game.rules.preset(name)) == format
    )
    return list(dict.fromkeys((*told, *others)))


def find_nearest_preset(
    game_code: str, format: str, own: Mapping[str, JSON], *, adapt: Adapt = lambda rules: rules
) -> Mapping[str, JSON]:
    """Return the rule set of this format, adapted by `adapt`, that differs least from `own`."""
    game = get_game(game_code)
    presets = [game.rules.preset(name) for name in get_format(game_code, format).presets]
    usual = [game.rules.json(adapt(preset)) for preset in presets]
    return min(usual, key=lambda rules: len(find_differences(own, rules)))


def find_differences(own: Mapping[str, JSON], usual: Mapping[str, JSON]) -> list[str]:
    """Return the names of the settings in `own` whose value differs in `usual`. A rule set's name is not a setting."""
    return [name for name, value in own.items() if name != "name" and usual.get(name) != value]


def title_of_preset(game_code: str, name: str) -> str:
    """Return the title of a table with the rules of this preset."""
    game = get_game(game_code)
    return translate(game.money.format_title(game.rules.preset(name)))


def title_of_game(code: str) -> str:
    """Return the title of a game: "Indian rummy"."""
    return translate(get_game(code).title)


def title_of_format(game: str, code: str) -> str:
    """Return the format's title, such as "Pool", with the game's name before it if the site offers several games."""
    title = translate(get_format(game, code).title)
    return title if len(list_offered_games()) == 1 else f"{title_of_game(game)} · {title}"


def list_game_choices() -> list[tuple[str, str]]:
    """Return the code and title of every offered game."""
    return [(code, title_of_game(code)) for code in list_offered_games()]


def list_offered_formats() -> list[tuple[str, str]]:
    """Return every format of every offered game, as codes."""
    games = list_offered_games()
    return [(code, format.code) for code, game in games.items() for format in game.formats]


def is_choice(value: str) -> bool:
    """Return whether `read_choice` can read this value.

    Valid values are an offered game, one of its formats ("indian:POOL"), or only a format, as in older addresses.
    """
    named = (f"{game}:{format}" for game, format in list_offered_formats())
    return value in FORMATS or value in list_offered_games() or value in named


def read_choice(value: str) -> tuple[str, str]:
    """Return the code of the game and the code of the format of a choice. An empty code stands for any."""
    if value in FORMATS:
        return "", value
    game, _colon, format = value.partition(":")
    return game, format


def names_of_tables(numbers: Collection[int]) -> dict[int, str]:
    """Return a mapping from table id to name, for the lines of an account statement."""
    return dict(Table.objects.filter(pk__in=numbers).values_list("pk", "name"))


def list_charged_formats() -> Iterator[ChargedFormat]:
    """Yield the offered formats, for which the wallet can charge table fees."""
    for code, game in list_offered_games().items():
        for format in game.formats:
            rules = game.rules.preset(format.presets[0])
            points = game.money.largest_loss(rules) if format.stake == "per_point" else None
            title = translate(format.title)
            yield ChargedFormat(code, title_of_game(code), format.code, title, points)


Chosen = Mapping[str, Any]
"""What the address names: the value of each row, empty where everything will do."""


class FilterChoice(NamedTuple):
    title: Any
    address: str
    is_chosen: bool


def build_choice_row(
    chosen: Chosen, name: str, options: Sequence[tuple[str, Any]]
) -> list[FilterChoice]:
    """Return one filter link for each option. Each link sets `name` and keeps the other choices."""
    return [
        FilterChoice(title, build_query({**chosen, name: value}), chosen.get(name, "") == value)
        for value, title in options
    ]


def build_game_rows(chosen: Chosen, *, all_games: bool) -> list[list[FilterChoice]]:
    """Return a row of links to the offered games, if there are several, and a row for the chosen game's formats.

    `chosen["game"]` is "indian:POOL", "indian", "POOL" of the default game, or empty. With `all_games` each row begins
    with a link that removes its filter. Otherwise the link of a game selects its first format.
    """
    games = list_offered_games()
    code, format = read_choice(chosen.get("game", ""))
    if len(games) == 1 or (format and not code):
        code = get_default_game().code

    def choice(title: str, value: str, *, is_chosen: bool) -> FilterChoice:
        return FilterChoice(title, build_query({**chosen, "game": value}), is_chosen)

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
            title, value = translate(offered.title), f"{code}:{offered.code}"
            row.append(choice(title, value, is_chosen=offered.code == format))
        rows.append(row)
    return rows


def build_query(chosen: Chosen) -> str:
    """Return the choices as a query string, "?game=gin&seats=2", without empty values."""
    return "?" + urlencode({name: value for name, value in chosen.items() if value})


# ASCII digits only: a number field would also accept other scripts' digits and "1_000".
WHOLE_NUMBER = r"[0-9]{1,15}"
