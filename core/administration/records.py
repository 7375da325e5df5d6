"""Administration pages for the audit log and for alerts."""

import json
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.exceptions import FieldDoesNotExist
from django.db.models import BigIntegerField, Case, Model, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.administration.lists import DayRange, PagesWithoutCount, reformat_moment
from core.administration.pages import LookOnlyAdmin
from core.models.audit import AuditEntry
from core.models.running import Alert

_FIELDS_SHOWN = 5


@admin.register(AuditEntry)
class AuditEntryAdmin(LookOnlyAdmin):
    list_display = ("at", "staff_name", "action", "what", "reason", "changes", "address")
    list_filter = ("action", "object_type", ("staff", admin.RelatedOnlyFieldListFilter))
    search_fields = ("=object_id", "object_name", "staff_name", "reason")
    search_help_text = _(
        "Number or name of the object, name of the staff member, or words of the reason"
    )
    date_hierarchy = "at"
    ordering = ("-pk",)
    paginator = PagesWithoutCount
    show_full_result_count = False
    fields = (
        "at",
        "staff_name",
        "address",
        "action",
        "object_type",
        "object_id",
        "object_name",
        "changes",
        "reason",
    )
    readonly_fields = ("changes",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        """Return the entries. Those about a person are annotated with the person's current name."""
        people = get_user_model()
        number = Cast(OuterRef("object_id"), BigIntegerField())
        name = people.objects.filter(pk=number).values("player_name")
        is_of_a_person = When(
            object_type=people._meta.label_lower,  # noqa: SLF001 - Django's name for what everybody may read
            object_id__regex="^[0-9]{1,18}$",
            then=Subquery(name),
        )
        entries: QuerySet[AuditEntry] = super().get_queryset(request)
        return entries.annotate(person_name=Case(is_of_a_person))

    @admin.display(description=_("object"))
    def what(self, entry: AuditEntry) -> str:
        model = _find_model(entry)
        kind = entry.object_type if model is None else model._meta.verbose_name  # noqa: SLF001 - Django's name for what everybody may read
        name = vars(entry).get("person_name") or entry.object_name
        return f"{kind} {entry.object_id}: {name}"

    @admin.display(description=_("before and after"))
    def changes(self, entry: AuditEntry) -> SafeString:
        """Show the changed fields. If there are many, as for an added or deleted row, they are folded."""
        names = [*entry.before, *(name for name in entry.after if name not in entry.before)]
        rows = (
            (_label(entry, name), _write_value(entry.before, name), _write_value(entry.after, name))
            for name in names
        )
        told = format_html_join("", "<div>{}: {} → {}</div>", rows)
        if len(names) <= _FIELDS_SHOWN:
            return told
        number = ngettext("%(number)s field", "%(number)s fields", len(names))
        summary = number % {"number": len(names)}
        return format_html("<details><summary>{}</summary>{}</details>", summary, told)


def _find_model(entry: AuditEntry) -> type[Model] | None:
    try:
        return apps.get_model(entry.object_type)
    except (LookupError, ValueError):  # a model of an earlier version
        return None


def _label(entry: AuditEntry, name: str) -> str:
    """Return a column's label. A name that is not a column, such as a balance, is returned unchanged."""
    model = _find_model(entry)
    try:
        field = None if model is None else model._meta.get_field(name)  # noqa: SLF001 - likewise
    except FieldDoesNotExist:
        field = None
    return str(getattr(field, "verbose_name", name))


def _write_value(values: dict[str, Any], name: str) -> str:
    if name not in values:
        return "-"
    value = values[name]
    if value is None:
        return "-"
    if isinstance(value, str) and (moment := reformat_moment(value)) != value:
        return moment
    return json.dumps(value, ensure_ascii=False)


@admin.register(Alert)
class AlertAdmin(LookOnlyAdmin):
    """The alerts of the first page, with their times and the messages that were sent to the operator."""

    list_display = ("code", "value", "began_at", "ended_at", "mailed", "posted")
    list_filter = (("ended_at", admin.EmptyFieldListFilter), ("began_at", DayRange), "code")
    ordering = ("-pk",)
