"""The filters of staff for fees and everything else that belongs to one format of a game."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from wallet.fees.formats import format_choices, split_format_code


class FormatFilter(admin.SimpleListFilter):
    """Rows with `game` and `format`; no query looks for what there is to choose."""

    title = gettext_lazy("format")
    parameter_name = "format"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return format_choices()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        game, format = split_format_code(str(self.value()))
        return queryset.filter(game=game, format=format)
