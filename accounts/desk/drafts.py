"""Offers to players that are drafts until they are opened."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.audit.audited_admin import AuditedAdmin, ReasonedActionForm, given_reason
from accounts.audit.log import acting, staff_of


class DraftsAdmin(AuditedAdmin):
    """Rows with `is_open`. New ones and copies ("save as new") are drafts until somebody opens them."""

    save_as = True
    actions = ("open_them", "close_them")
    action_form = ReasonedActionForm

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        return {"is_open": False, **super().get_changeform_initial_data(request)}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        if "_saveasnew" in request.POST:
            obj.is_open = False
        super().save_model(request, obj, form, change)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        if not obj.is_open:
            messages.info(request, gettext("This is a draft: players see it once it is open."))
        return super().response_add(request, obj, post_url_continue)

    @admin.action(description=_("Open: offer them to players"), permissions=["change"])
    def open_them(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self._set(request, queryset, is_open=True)

    @admin.action(description=_("Close: drafts from now on"), permissions=["change"])
    def close_them(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self._set(request, queryset, is_open=False)

    def _set(self, request: HttpRequest, queryset: QuerySet[Any], *, is_open: bool) -> None:
        reason = given_reason(request)
        if not reason:
            return
        for row in queryset.exclude(is_open=is_open):
            action = "open" if is_open else "close"
            with acting(by=staff_of(request), obj=row, action=action, reason=reason):
                self.model.objects.filter(pk=row.pk).update(is_open=is_open)
            self.note_history(request, row, action)
            messages.success(request, gettext("%(row)s: done.") % {"row": row})
