"""The lobby's tiles: one for each game, with the kinds of tables that can be played at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from core.site.features import is_on
from games.registry import get_format, get_game
from lobby.selectors import Kind
from tables.catalog import (
    amount_text,
    game_switch,
    has_page,
    list_offered_games,
    title_of_game,
    title_of_template,
)
from tables.house_rules.facts import own_rules_line
from tables.models import TableTemplate
from tables.seating.supply import USUAL_BUY_INS

# One kind of table, as the tile's script reads it (static/js/lobby/choice.js).
Option = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tile:
    """`options` are in the order of the game's formats, cheapest first; `chosen` is shown first."""

    game: str
    title: str
    options: Sequence[Option]
    chosen: Option
    formats: Sequence[tuple[str, bool]]


def options_of(kinds: Sequence[Kind]) -> dict[str, list[Option]]:
    """Return the options by game, for games that have a page and are switched on."""
    by_game: dict[str, list[Option]] = {
        code: [] for code in list_offered_games() if has_page(code) and is_on(game_switch(code))
    }
    for kind in sorted(kinds, key=_order):
        if kind.template.game in by_game:
            by_game[kind.template.game].append(_build_option(kind))
    return {game: options for game, options in by_game.items() if options}


def _order(kind: Kind) -> tuple[int, str, int, int, int]:
    """Return the sort key: the game's default format first, then the cheapest and the smallest."""
    template = kind.template
    game = get_game(template.game)
    codes = [format.code for format in game.formats]
    format = codes.index(game.money.get_format_code(template.rule_set))
    stake = template.point_value or template.entry_fee
    return (format, template.currency, stake, template.max_seats, template.pk)


def build_tiles(
    options: Mapping[str, Sequence[Option]], *, last: int | None, practice: bool
) -> list[Tile]:
    """Build the tiles. `last` is the template of the player's last table."""
    return [
        _build_tile(game, of_game, choose_first(of_game, last=last, practice=practice))
        for game, of_game in options.items()
    ]


def choose_first(options: Sequence[Option], *, last: int | None, practice: bool) -> Option:
    """Return the option played last, or the cheapest one with or without bots, as preferred."""
    for option in options:
        if option["id"] == last:
            return option
    wanted = [option for option in options if option["practice"] == practice]
    return (wanted or list(options))[0]


def _build_tile(game: str, options: Sequence[Option], chosen: Option) -> Tile:
    choices = [(format, format == chosen["format"]) for format in _list_formats(options)]
    return Tile(game, title_of_game(game), options, chosen, choices)


def _list_formats(options: Sequence[Option]) -> list[str]:
    """Return the titles of some playable formats: one of each format first, rules of other sites last."""
    firsts = {option["code"]: option["format"] for option in reversed(options)}
    told = [option["format"] for option in options if option["told"]]
    usual = [title for title in told if title in firsts.values()]
    return list(dict.fromkeys((*usual, *told, *(option["format"] for option in options))))


def _build_option(kind: Kind) -> Option:
    template = kind.template
    format = get_game(template.game).money.get_format_code(template.rule_set)
    return {
        "id": template.pk,
        "code": format,
        "told": template.preset in get_format(template.game, format).presets,
        "format": title_of_template(template),
        "seats": template.max_seats,
        "stake": _describe_stake(template),
        "value": template.point_value or template.entry_fee,
        "money": template.currency,
        "practice": template.bots_wanted > 0,
        "facts": _list_facts(kind),
        "brings": _describe_stack(template),
        "rules": own_rules_line(template.game, template.rule_set),
    }


def _describe_stake(template: TableTemplate) -> str:
    if template.entry_fee:
        return _("Entry %(fee)s") % {"fee": amount_text(template.entry_fee, template.currency)}
    return _("%(value)s a point") % {"value": amount_text(template.point_value, template.currency)}


def _describe_stack(template: TableTemplate) -> str:
    """Return the largest stack that "play now" brings for points; an entry fee is the stake itself."""
    if template.entry_fee:
        return ""
    least = get_game(template.game).money.largest_loss(template.rule_set) * template.point_value
    amount = amount_text(least * USUAL_BUY_INS, template.currency)
    return _("You bring up to %(amount)s") % {"amount": amount}


def _list_facts(kind: Kind) -> str:
    template = kind.template
    facts = []
    # Players of the game; the number above the tiles is for the whole site. With bots nobody waits.
    if kind.people_of_game or not template.bots_wanted:
        facts.append(_("%(people)s playing") % {"people": kind.people_of_game})
    if template.bots_wanted:
        facts.append(_("practice with bots"))
    if template.is_rated:
        facts.append(_("rated"))
    if template.allows_api_players:
        facts.append(_("API players may play"))
    return " · ".join(facts)
