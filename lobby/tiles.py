"""The lobby's tiles: one for each game, with the kinds of tables that can be played immediately."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.site.features import is_on
from games.registry import get_format, get_game
from lobby.selectors import PeopleSeated, TableKind
from tables.catalog import (
    amount_text,
    game_switch,
    has_page,
    list_art_templates,
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
class Badge:
    """The current activity at a game's tables, in a few words. `is_of_bots` is set if only bots are there."""

    game: str
    live: str
    is_of_bots: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of the lobby, for one game.

    `options` are in the order of the game's formats, cheapest first; `chosen` is the one that is shown first.
    `art` lists templates for the game's picture, of which the first that exists is used. `strengths` are
    those of the game's bots, weakest first.
    """

    game: str
    title: str
    options: Sequence[Option]
    chosen: Option
    art: Sequence[str]
    strengths: Sequence[str]
    badge: Badge


def build_options(kinds: Sequence[TableKind]) -> dict[str, list[Option]]:
    """Return a mapping from game to its options, for games that have a page and are switched on."""
    by_game: dict[str, list[Option]] = {
        code: [] for code in list_offered_games() if has_page(code) and is_on(game_switch(code))
    }
    for kind in sorted(kinds, key=_order):
        if kind.template.game in by_game:
            by_game[kind.template.game].append(_build_option(kind))
    return {game: _sort_by_format(options) for game, options in by_game.items() if options}


def _sort_by_format(options: Sequence[Option]) -> list[Option]:
    """Sort the options by format: the usual formats first, presets that the help pages do not describe last."""
    firsts = {option["code"]: option["format"] for option in reversed(options)}
    told = [option["format"] for option in options if option["told"]]
    usual = [title for title in told if title in firsts.values()]
    titles = list(dict.fromkeys((*usual, *told, *(option["format"] for option in options))))
    return sorted(options, key=lambda option: titles.index(option["format"]))


def _order(kind: TableKind) -> tuple[int, str, int, int, int]:
    """Return the sort key: the format's position in the game's list, then currency, stake and number of seats."""
    template = kind.template
    game = get_game(template.game)
    codes = [format.code for format in game.formats]
    format = codes.index(game.money.get_format_code(template.rule_set))
    stake = template.point_value or template.entry_fee
    return (format, template.currency, stake, template.max_seats, template.pk)


def build_tiles(
    options: Mapping[str, Sequence[Option]],
    people: PeopleSeated,
    *,
    last: int | None,
    practice: bool,
) -> list[Tile]:
    """Build the tiles. `last` is the id of the template of the player's last table; its game comes first."""
    badges = {badge.game: badge for badge in build_badges(options, people)}
    tiles = [
        Tile(
            game,
            title_of_game(game),
            of_game,
            choose_first(of_game, last=last, practice=practice),
            list_art_templates(game),
            get_game(game).strengths,
            badges[game],
        )
        for game, of_game in options.items()
    ]
    return sorted(tiles, key=lambda tile: tile.chosen["id"] != last)


def build_badges(options: Mapping[str, Sequence[Option]], people: PeopleSeated) -> list[Badge]:
    return [_build_badge(game, of_game, people) for game, of_game in options.items()]


def _build_badge(game: str, options: Sequence[Option], people: PeopleSeated) -> Badge:
    """Return the badge "2 waiting", "12 playing" or "bots ready", whichever matters most to a new player."""
    if waiting := people.waiting_by_game.get(game, 0):
        return Badge(game, _("%(people)s waiting") % {"people": waiting}, is_of_bots=False)
    if playing := people.by_game.get(game, 0):
        return Badge(game, _("%(people)s playing") % {"people": playing}, is_of_bots=False)
    has_bots = any(option["practice"] for option in options)
    return Badge(game, _("bots ready") if has_bots else "", is_of_bots=True)


def choose_first(options: Sequence[Option], *, last: int | None, practice: bool) -> Option:
    """Return the option that was played last, if it is among these.

    Otherwise return the first option with bots if `practice` is True, or the first one without bots if it is False. If
    there is no such option, return the first of all.
    """
    for option in options:
        if option["id"] == last:
            return option
    wanted = [option for option in options if option["practice"] == practice]
    return (wanted or list(options))[0]


def _build_option(kind: TableKind) -> Option:
    template = kind.template
    format = get_game(template.game).money.get_format_code(template.rule_set)
    return {
        "id": template.pk,
        "code": format,
        "told": template.preset in get_format(template.game, format).presets,
        "format": title_of_template(template),
        "seats": template.max_seats,
        "players": _count_players(template.max_seats),
        "stake": _describe_stake(template),
        "summary": _summarize(template),
        "value": template.point_value or template.entry_fee,
        "money": template.currency,
        "practice": template.bots_wanted > 0,
        "facts": _list_facts(kind),
        "brings": _describe_stack(template),
        "rules": own_rules_line(template.game, template.rule_set),
    }


def _summarize(template: TableTemplate) -> str:
    """Describe a kind of table: "Points · 2 players · 1 chip a point"."""
    title = title_of_template(template)
    parts = [] if title == title_of_game(template.game) else [title]
    return " · ".join((*parts, _count_players(template.max_seats), _describe_stake(template)))


def _count_players(seats: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", seats) % {"count": seats}


def _describe_stake(template: TableTemplate) -> str:
    if template.entry_fee:
        return _("Entry %(fee)s") % {"fee": amount_text(template.entry_fee, template.currency)}
    return _("%(value)s a point") % {"value": amount_text(template.point_value, template.currency)}


def _describe_stack(template: TableTemplate) -> str:
    """Describe the largest amount that quick play brings to a table for points.

    Return "" for a table with an entry fee, which is already shown as the stake.
    """
    if template.entry_fee:
        return ""
    least = get_game(template.game).money.largest_loss(template.rule_set) * template.point_value
    amount = amount_text(least * USUAL_BUY_INS, template.currency)
    return _("You bring up to %(amount)s") % {"amount": amount}


def _list_facts(kind: TableKind) -> str:
    template = kind.template
    facts = []
    if template.bots_wanted:
        facts.append(_("practice with bots"))
    if template.is_rated:
        facts.append(_("rated"))
    if template.allows_api_players:
        facts.append(_("API players may play"))
    return " · ".join(facts)
