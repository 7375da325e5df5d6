from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.administration.lists import DayRange, reformat_moment
from core.administration.pages import AuditedAdmin
from tables.chat.sanction_admin import form_for, may_sanction, shown_about
from tables.chat.services import notify_of_outcome
from tables.models import PairEvidence, Report

_PAIRS_SHOWN = 5


@admin.register(Report)
class ReportAdmin(AuditedAdmin):
    """Players' reports about each other, with the status and the note that staff record."""

    list_display = ("id", "reason", "reported", "reporter", "table", "club", "created_at", "status")
    list_filter = ("status", "reason", ("created_at", DayRange))
    list_select_related = ("reported", "reporter", "table", "club")
    search_fields = ("reported__player_name", "reporter__player_name")
    readonly_fields = (
        "reported", "reporter", "table", "club", "match", "reason", "words", "said", "created_at",
        "pairs", "handled_by",
    )  # fmt: skip
    fields = (*readonly_fields, "status", "note")
    change_form_template = "admin/tables/report/report.html"

    def get_extra_context(self, request: HttpRequest, obj: Report) -> dict[str, Any]:
        more = super().get_extra_context(request, obj)
        if not may_sanction(request, obj.reported):
            return more
        return {**more, "sanction_form": form_for(obj), **shown_about(obj.reported_id)}

    @admin.display(description=_("chat at that time"))
    def said(self, report: Report) -> str:
        lines = (
            (reformat_moment(line["at"]), line["player"], line["line"]) for line in report.chat
        )
        return format_html_join("", "{} <strong>{}</strong>: <bdi>{}</bdi><br>", lines)

    @admin.display(description=_("fair play"))
    def pairs(self, report: Report) -> SafeString | str:
        """Return links to the pairs of players with the strongest evidence, each with the reported player in it."""
        about = Q(low=report.reported_id) | Q(high=report.reported_id)
        pairs = PairEvidence.objects.filter(about).select_related("low", "high").order_by("q")
        links = (
            (reverse("admin:tables_pairevidence_change", args=[pair.pk]), pair.low, pair.high)
            for pair in pairs[:_PAIRS_SHOWN]
        )
        return format_html_join(", ", '<a href="{}">{}, {}</a>', links) or "-"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Report, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        obj.handled_by_id = request.user.pk
        super().save_model(request, obj, form, change)
        if "status" in form.changed_data:
            notify_of_outcome(obj)
