from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import AuditedAdmin
from tables.fault_admin import TableFaultAdmin
from tables.games.base import InvalidRules
from tables.match_admin import MatchAdmin
from tables.models import Report, Seat, Table, TableTemplate
from tables.services.supply import check_preset
from tables.support_admin import SupportCaseAdmin

__all__ = [
    "MatchAdmin",
    "ReadOnly",
    "ReportAdmin",
    "SeatAdmin",
    "SupportCaseAdmin",
    "TableAdmin",
    "TableFaultAdmin",
    "TableTemplateAdmin",
]


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
            "admits_programs", "is_open",
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
        "is_rated", "admits_programs", "is_open",
    )  # fmt: skip
    list_editable = ("is_open",)
    list_filter = ("currency", "is_rated", "admits_programs", "is_open")
    search_fields = ("name",)


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = (
        "name", "variant", "currency", "point_value", "max_seats", "status", "due_at",
        "broken_at",
    )  # fmt: skip
    list_filter = ("variant", "currency", "status", ("broken_at", admin.EmptyFieldListFilter))
    search_fields = ("name",)
    # The state and the seed hold cards that nobody may see while they are in play.
    exclude = ("state", "next_seed")


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = ("table", "number", "user", "status", "joined_at", "left_at")
    list_filter = ("status", "user__is_bot")
    list_select_related = ("table", "user")


@admin.register(Report)
class ReportAdmin(AuditedAdmin):
    """The queue of what players say about each other; staff note what they did."""

    list_display = ("id", "reason", "reported", "reporter", "table", "created_at", "status")
    list_filter = ("status", "reason")
    list_select_related = ("reported", "reporter", "table")
    search_fields = ("reported__player_name", "reporter__player_name")
    readonly_fields = (
        "reported", "reporter", "table", "match", "reason", "words", "said", "created_at",
        "handled_by",
    )  # fmt: skip
    fields = (*readonly_fields, "status", "note")

    @admin.display(description=_("chat at that time"))
    def said(self, report: Report) -> str:
        lines = ((line["at"], line["player"], line["line"]) for line in report.chat)
        return format_html_join("", "{} <strong>{}</strong>: {}<br>", lines)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Report, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        obj.handled_by_id = request.user.pk
        super().save_model(request, obj, form, change)
