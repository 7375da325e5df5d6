"""The lobby: quick play by game, and every open table with a search."""

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
from history.puzzles.answering import get_daily_puzzle
from lobby.selectors import (
    Kind,
    LobbyFilter,
    LobbyTable,
    count_people_playing,
    get_last_kind,
    list_kinds,
    list_lobby_tables,
)
from lobby.tiles import Option, build_tiles, choose_first, options_of
from lobby.watching import list_tables_to_watch
from players.away import NewsLine, visit
from players.clubs.selectors import clubs_of
from players.online import list_friends_online
from players.ranking.goals import Today, today_of
from players.ranking.levels import shows_progress
from players.selectors import invitations_for
from tables.catalog import (
    Choice,
    Chosen,
    build_choice_row,
    build_game_rows,
    get_default_game,
    is_choice,
    read_choice,
    title_of,
    title_of_game,
    title_of_template,
)
from tables.house_rules.facts import own_rules_line, own_rules_of
from tables.learning.lessons import has_played
from tables.models import BotStrength, TableStatus
from tables.seating.hosting.invitations import table_of_guest
from tables.seating.selectors import list_own_tables
from wallet.api import cash_is_on


class LobbyFilterForm(forms.Form):
    """A player's search. Unknown words match everything."""

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
    "free": [("", _("All tables")), ("1", _("With a free seat"))],
}  # fmt: skip


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby. htmx fetches the parts that change every few seconds."""
    if request.headers.get("HX-Request"):
        return render(request, "lobby/_now_answer.html", {"people": count_people_playing()})
    user_id = request.user.pk
    offered = options_of(list_kinds(_build_affordable_filter()))
    last = None if user_id is None else get_last_kind(user_id)
    hero = _choose_hero(offered, last)
    seated = [] if user_id is None else list_own_tables(user_id)
    own = [table for table in seated if not table.is_slow]
    practice = hero is None or bool(hero["practice"])
    context = {
        "guest_table": None if user_id is not None else table_of_guest(request.session),
        "coached": get_default_game().lesson is not None,
        "is_new": user_id is not None and not has_played(user_id),
        "invitations": [] if user_id is None else invitations_for(user_id),
        "today": _get_goals(request.user),
        "news": _list_news(request.user),
        "online": [] if user_id is None else list_friends_online(user_id),
        "clubs": [] if user_id is None else clubs_of(user_id),
        "own_tables": own,
        "own_ids": ",".join(str(table.id) for table in own),
        "slow_tables": sorted(
            (table for table in seated if table.is_slow), key=lambda table: not table.is_own_turn
        ),
        "people": count_people_playing(),
        "watch": None if own else next(iter(list_tables_to_watch()), None),
        "hero": hero,
        "daily_puzzle": get_daily_puzzle(user_id),
        "tiles": build_tiles(offered, last=last, practice=practice),
        "practice": practice,
        "strengths": BotStrength.choices,
        "money": "CHIPS" if hero is None else hero["money"],
        "shows_money": cash_is_on(),
    }
    return render(request, "lobby/index.html", context)


def _get_goals(user: User | AnonymousUser) -> Today | None:
    """Return today's goals; None for visitors, for players who turned them off, and for players with limits of
    their own.
    """
    return today_of(user.pk) if user.is_authenticated and shows_progress(user) else None


def _list_news(user: User | AnonymousUser) -> list[NewsLine]:
    """Return the news since the player's last visit; nothing for players who turned them off."""
    return visit(user.pk) if user.is_authenticated and not is_quiet(user) else []


def _build_affordable_filter() -> LobbyFilter:
    return LobbyFilter(currency="" if cash_is_on() else "CHIPS")


def _choose_hero(offered: dict[str, list[Option]], last: int | None) -> dict[str, Any] | None:
    """Return the kind that "Play now" plays: the last one played, or practice of the default game."""
    choices = [
        {**choose_first(options, last=last, practice=True), "game": title_of_game(game)}
        for game, options in offered.items()
    ]
    played = [choice for choice in choices if choice["id"] == last]
    return next(iter(played or choices), None)


@require_safe
def all_tables(request: HttpRequest) -> HttpResponse:
    """Show every kind and every open table; htmx fetches only the lists every few seconds."""
    form = LobbyFilterForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {}
    game, format = read_choice(chosen.get("game", ""))
    wanted = LobbyFilter(
        game=game,
        format=format,
        seats=chosen.get("seats", ""),
        currency=chosen.get("money", "") if cash_is_on() else "CHIPS",
        free_only=chosen.get("free", "") == "1",
    )
    own = [] if request.user.pk is None else list_own_tables(request.user.pk)
    listed = list_lobby_tables(wanted)
    context = {
        "own": frozenset(table.id for table in own),
        "tables": [_table(entry) for entry in listed.entries],
        "has_more": listed.has_more,
        "kinds": [_kind(kind) for kind in list_kinds(wanted)],
        "rows": [*build_game_rows(chosen, all_games=True), *_filters(chosen)],
    }
    only_lists = request.headers.get("HX-Request")
    template = "lobby/_tables.html" if only_lists else "lobby/all_tables.html"
    return render(request, template, context)


def _filters(chosen: Chosen) -> list[list[Choice]]:
    return [
        build_choice_row(chosen, name, options)
        for name, options in CHOICES.items()
        if name != "money" or cash_is_on()
    ]


def _table(entry: LobbyTable) -> dict[str, Any]:
    table = entry.table
    return {
        "id": table.pk,
        "name": table.shown_name,
        "format_label": title_of(table),
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
        "own_rules": own_rules_of(table),
        "status_label": TableStatus(table.status).label,
        "is_free": table.is_free,
        # For a table that a player has opened and listed.
        "host": "" if table.opened_by is None else table.opened_by.player_name,
        "url": reverse("table", args=[table.pk]),
    }


def _kind(kind: Kind) -> dict[str, Any]:
    template = kind.template
    return {
        "id": template.pk,
        "name": template.shown_name,
        "format_label": title_of_template(template),
        "currency": template.currency,
        "point_value": template.point_value,
        "entry_fee": template.entry_fee,
        "max_seats": template.max_seats,
        "practice": template.bots_wanted > 0,
        "rated": template.is_rated,
        "programs": template.allows_api_players,
        "players": kind.people,
        "own_rules": own_rules_line(template.game, template.rule_set),
        "game": template.game,
        "preset": template.preset,
        "may_be_private": template.currency == "CHIPS",
    }


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """List the tables that are worth watching now."""
    return render(request, "lobby/watch.html", {"tables": list_tables_to_watch()})
