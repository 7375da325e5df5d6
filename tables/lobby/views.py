"""The lobby: kinds of tables to play at once, and every open table, by what a player looks for."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from tables.learning.selectors import has_played
from tables.lobby.forms import LobbyFilterForm
from tables.lobby.selectors import Kind, LobbyFilter, LobbyTable, kinds, lobby_tables
from tables.models import TableStatus
from tables.play.titles import format_choices, read_choice, title_of, title_of_preset
from wallet.cash import cash_is_on

CHOICES = {
    "seats": [("", _("Any size")), ("2", _("2 players")), ("6", _("3 to 6 players"))],
    "money": [("", _("Chips and cash")), ("CHIPS", _("Chips")), ("INR", _("Cash"))],
    "free": [("", _("All tables")), ("1", _("With a free seat"))],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Choice:
    """One field of the filter, with what is chosen in it."""

    name: str
    options: list[tuple[str, Any, bool]]


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """All open tables; htmx asks for the lists alone every few seconds."""
    template = "lobby/_tables.html" if request.headers.get("HX-Request") else "lobby/index.html"
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
    user_id = request.user.pk
    is_new = user_id is not None and template.endswith("index.html") and not has_played(user_id)
    context = {
        "is_new": is_new,
        "tables": [_table(entry) for entry in lobby_tables(wanted)],
        "kinds": [_kind(kind) for kind in kinds(wanted)],
        "filters": _filters(chosen),
        "is_filtered": any(chosen.values()),
    }
    return render(request, template, context)


def _filters(chosen: dict[str, str]) -> list[_Choice]:
    offered: dict[str, list[tuple[str, Any]]] = {
        "game": [("", _("All games")), *format_choices()],
        **CHOICES,
    }
    return [
        _Choice(name, [(value, label, chosen.get(name, "") == value) for value, label in options])
        for name, options in offered.items()
        if name != "money" or cash_is_on()
    ]


def _table(entry: LobbyTable) -> dict[str, Any]:
    table = entry.table
    return {
        "id": table.pk,
        "name": table.name,
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
        "status_label": TableStatus(table.status).label,
        "url": reverse("tables:table", args=[table.pk]),
    }


def _kind(kind: Kind) -> dict[str, Any]:
    template = kind.template
    return {
        "id": template.pk,
        "name": template.name,
        "format_label": title_of_preset(template.game, template.preset),
        "currency": template.currency,
        "point_value": template.point_value,
        "entry_fee": template.entry_fee,
        "max_seats": template.max_seats,
        "practice": template.bots_wanted > 0,
        "rated": template.is_rated,
        "programs": template.allows_api_players,
        "players": kind.people,
        "may_be_private": template.currency == "CHIPS",
    }
