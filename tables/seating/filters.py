"""The filters by which staff choose tables. Their values come from the games, without a query."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tables.catalog import game_choices, played, title_of_format


class GameFilter(admin.SimpleListFilter):
    title = _("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return game_choices()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(game=self.value()) if self.value() else queryset


class FormatFilter(admin.SimpleListFilter):
    title = _("format")
    parameter_name = "format"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return [(f"{game}:{code}", title_of_format(game, code)) for game, code in played()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        game, _colon, format = (self.value() or "").partition(":")
        return queryset.filter(game=game, format=format) if game else queryset
