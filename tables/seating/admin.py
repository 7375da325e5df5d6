from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts.audit.audited_admin import AuditedAdmin
from tables.games.base import InvalidRules
from tables.models import Seat, Table, TableTemplate
from tables.play.titles import game_choices, presets_by_format
from tables.seating.filters import FormatFilter, GameFilter
from tables.seating.supply import check_stakes


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
            "game", "name", "preset", "currency", "point_value", "entry_fee", "max_seats", "bots_wanted",
            "bot_strength", "is_rated", "offers_arrangement", "offers_verdict",
            "allows_api_players", "is_open",
        )  # fmt: skip

    game = forms.ChoiceField(label=capfirst(_("game")), choices=game_choices)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "preset" in self.fields:
            self.fields["preset"].help_text = format_html_join(
                mark_safe("<br>"), "{}: {}", presets_by_format()
            )

    def clean(self) -> dict[str, Any]:
        """A rule set of the game, for as many players and for the stake that it is played for."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        names = {
            "game": "game",
            "preset": "preset",
            "max_seats": "seats",
            "point_value": "point_value",
        }
        if all(cleaned.get(name) is not None for name in names):
            try:
                check_stakes(**{names[name]: cleaned[name] for name in names})
            except InvalidRules as invalid:
                self.add_error("preset", str(invalid))
        return cleaned


@admin.register(TableTemplate)
class TableTemplateAdmin(AuditedAdmin):
    asks_reason = True
    form = TableTemplateForm
    list_display = (
        "name", "game", "preset", "currency", "point_value", "entry_fee", "max_seats",
        "bots_wanted", "is_rated", "allows_api_players", "is_open",
    )  # fmt: skip
    list_editable = ("is_open",)
    list_filter = (GameFilter, "currency", "is_rated", "allows_api_players", "is_open")
    search_fields = ("name",)


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = (
        "name", "game", "format", "currency", "point_value", "max_seats", "status", "due_at",
        "broken_at",
    )  # fmt: skip
    list_filter = (
        FormatFilter,
        "currency",
        "status",
        ("broken_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("name",)
    # The state and the seed hold cards that nobody may see while they are in play.
    exclude = ("state", "next_seed")


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = ("table", "number", "user", "status", "joined_at", "left_at")
    list_filter = ("status", "user__is_bot")
    list_select_related = ("table", "user")
