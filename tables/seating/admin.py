from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from accounts.audit.audited_admin import AuditedAdmin
from tables.games.base import InvalidRules
from tables.models import Seat, Table, TableTemplate
from tables.seating.supply import check_preset


class ReadOnly(AuditedAdmin):
    """Live play is looked at here, never edited: a table's state belongs to the rules."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class TableTemplateForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    class Meta:
        model = TableTemplate
        fields = (
            "name", "preset", "currency", "point_value", "entry_fee", "max_seats", "bots_wanted",
            "bot_strength", "is_rated", "offers_arrangement", "offers_verdict",
            "allows_api_players", "is_open",
        )  # fmt: skip

    def clean_preset(self) -> str:
        preset: str = self.cleaned_data["preset"]
        try:
            check_preset(preset)
        except InvalidRules as invalid:
            raise forms.ValidationError(str(invalid)) from invalid
        return preset


@admin.register(TableTemplate)
class TableTemplateAdmin(AuditedAdmin):
    asks_reason = True
    form = TableTemplateForm
    list_display = (
        "name", "preset", "currency", "point_value", "entry_fee", "max_seats", "bots_wanted",
        "is_rated", "allows_api_players", "is_open",
    )  # fmt: skip
    list_editable = ("is_open",)
    list_filter = ("currency", "is_rated", "allows_api_players", "is_open")
    search_fields = ("name",)


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = (
        "name", "format", "currency", "point_value", "max_seats", "status", "due_at",
        "broken_at",
    )  # fmt: skip
    list_filter = ("format", "currency", "status", ("broken_at", admin.EmptyFieldListFilter))
    search_fields = ("name",)
    # The state and the seed hold cards that nobody may see while they are in play.
    exclude = ("state", "next_seed")


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = ("table", "number", "user", "status", "joined_at", "left_at")
    list_filter = ("status", "user__is_bot")
    list_select_related = ("table", "user")
