"""The lobby: quick play by game, and every open table with a search."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.people.preferences import is_quiet
from lobby.selectors import (
    LobbyFilter,
    LobbyTable,
    Occupied,
    count_people_playing,
    count_people_seated,
    get_last_kind,
    list_kinds,
    list_lobby_tables,
    list_occupied_seats,
)
from lobby.side import build_side
from lobby.tiles import Option, build_badges, build_options, build_tiles
from lobby.watching import list_tables_to_watch
from players.away import NewsLine, visit
from players.selectors import invitations_for
from tables.catalog import (
    Chosen,
    FilterChoice,
    build_choice_row,
    build_game_rows,
    build_query,
    format_title,
    get_default_game,
    is_choice,
    list_offered_games,
    read_choice,
    title_of_game,
)
from tables.house_rules.facts import describe_own_rules
from tables.learning.lessons import has_played
from tables.models import BotStrength, TableStatus
from tables.seating.hosting.invitations import table_of_guest
from tables.seating.selectors import list_own_tables
from wallet.api import cash_is_on


class LobbyFilterForm(forms.Form):
    """A player's search. Unknown values match everything."""

    # "indian:POOL", or a game's code for all its formats.
    game = forms.CharField(required=False)
    seats = forms.ChoiceField(choices=[("2", ""), ("6", "")], required=False)
    money = forms.ChoiceField(choices=[("CHIPS", ""), ("INR", "")], required=False)
    free = forms.ChoiceField(choices=[("1", "")], required=False)

    def clean_game(self) -> str:
        game: str = self.cleaned_data["game"]
        if game and not is_choice(game):
            raise forms.ValidationError("")
        return game


CHOICES = {
    "seats": [("", _("Any size")), ("2", _("2 players")), ("6", _("3 or more players"))],
    "money": [("", _("Chips and cash")), ("CHIPS", _("Chips")), ("INR", _("Cash"))],
    "free": [("", _("With players")), ("1", _("With a free seat"))],
}  # fmt: skip


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby. htmx fetches the parts that change every few seconds."""
    user_id = request.user.pk
    offered = build_options(list_kinds(_build_affordable_filter()))
    people = count_people_seated()
    if request.headers.get("HX-Request"):
        context = {"people": count_people_playing(), "badges": build_badges(offered, people)}
        return render(request, "lobby/_now_answer.html", context)
    last = None if user_id is None else get_last_kind(user_id)
    played = _find_option(offered, last)
    seated = [] if user_id is None else list_own_tables(user_id)
    own = [table for table in seated if not table.is_slow]
    practice = played is None or bool(played["practice"])
    context = {
        **build_side(request.user),
        "guest_table": None if user_id is not None else table_of_guest(request.session),
        "coached": get_default_game().lesson is not None,
        "is_new": user_id is not None and not has_played(user_id),
        "invitations": [] if user_id is None else invitations_for(user_id),
        "news": _list_news(request.user),
        "own_tables": own,
        "own_ids": ",".join(str(table.id) for table in own),
        "slow_tables": sorted(
            (table for table in seated if table.is_slow), key=lambda table: not table.is_own_turn
        ),
        "people": count_people_playing(),
        "watch": None if own else next(iter(list_tables_to_watch()), None),
        "tiles": build_tiles(offered, people, last=last, practice=practice),
        "practice": practice,
        "strengths": BotStrength.choices,
        "money": "CHIPS" if played is None else played["money"],
        "shows_money": cash_is_on(),
    }
    return render(request, "lobby/index.html", context)


def _find_option(offered: Mapping[str, Sequence[Option]], template: int | None) -> Option | None:
    options = (option for of_game in offered.values() for option in of_game)
    return next((option for option in options if option["id"] == template), None)


def _list_news(user: User | AnonymousUser) -> list[NewsLine]:
    """Return the news since the player's last visit; empty for visitors and for players who turned news off."""
    return visit(user.pk) if user.is_authenticated and not is_quiet(user) else []


def _build_affordable_filter() -> LobbyFilter:
    return LobbyFilter(currency="" if cash_is_on() else "CHIPS")


@require_safe
def all_tables(request: HttpRequest) -> HttpResponse:
    """List the tables with players, or all tables with a free seat. htmx fetches the list again every few seconds."""
    form = LobbyFilterForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {}
    game, format = read_choice(chosen.get("game", ""))
    wanted = LobbyFilter(
        game=game,
        format=format,
        seats=chosen.get("seats", ""),
        currency=chosen.get("money", "") if cash_is_on() else "CHIPS",
        free_only=chosen.get("free", "") == "1",
        occupied_only=chosen.get("free", "") != "1",
    )
    own = [] if request.user.pk is None else list_own_tables(request.user.pk)
    listed = list_lobby_tables(wanted)
    seats = list_occupied_seats(listed.entries)
    games = list(list_offered_games())
    entries = sorted(listed.entries, key=lambda entry: _place_on_the_page(entry, games))
    context = {
        "own": frozenset(table.id for table in own),
        "tables": [_table(entry, seats.get(entry.table.pk, [])) for entry in entries],
        "has_more": listed.has_more,
        "free_only": wanted.free_only,
        "free_address": build_query({**chosen, "free": "1"}),
        "host_game": game or get_default_game().code,
        "rows": [*build_game_rows(chosen, all_games=True), *_filters(chosen)],
    }
    only_lists = request.headers.get("HX-Request")
    template = "lobby/_tables.html" if only_lists else "lobby/all_tables.html"
    return render(request, template, context)


def _place_on_the_page(entry: LobbyTable, games: Sequence[str]) -> tuple[bool, int]:
    """Return the sort key: tables with players first, then games in the site's order."""
    game = entry.table.game
    return (entry.seated == 0, games.index(game) if game in games else len(games))


def _filters(chosen: Chosen) -> list[list[FilterChoice]]:
    return [
        build_choice_row(chosen, name, options)
        for name, options in CHOICES.items()
        if name != "money" or cash_is_on()
    ]


def _table(entry: LobbyTable, seats: Sequence[Occupied]) -> dict[str, Any]:
    table = entry.table
    return {
        "game": title_of_game(table.game),
        "seats": seats,
        "free_seats": range(table.max_seats - entry.seated),
        "is_waiting": table.status == TableStatus.WAITING,
        "id": table.pk,
        "name": table.shown_name,
        "format_label": format_title(table),
        "currency": table.currency,
        "point_value": table.point_value,
        "entry_fee": table.entry_fee,
        "min_buy_in": table.min_buy_in,
        "max_seats": table.max_seats,
        "seated": entry.seated,
        "bots": entry.bots,
        "practice": table.is_practice,
        "rated": table.is_rated,
        "programs": table.allows_api_players,
        "own_rules": describe_own_rules(table),
        "status_label": TableStatus(table.status).label,
        "is_free": table.is_free,
        # For a table that a player has opened and listed.
        "host": "" if table.opened_by is None else table.opened_by.player_name,
        "url": reverse("table", args=[table.pk]),
    }


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """List the tables that are worth watching now."""
    return render(request, "lobby/watch.html", {"tables": list_tables_to_watch()})
