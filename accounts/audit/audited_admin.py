"""The base of every page of the administration: all that it changes is in the audit log."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db import models
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.audit.log import staff_of, stored_values, values_of, write_entry

REASON = "reason_for_audit"
LONGEST_REASON = 500


def reason_field() -> forms.CharField:
    return forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Why you do this. It is kept in the audit log."),
    )


class ReasonedActionForm(ActionForm):
    """Beside the choice of an action: why. Each action says whether it needs one."""

    reason_for_audit = forms.CharField(
        label=_("Reason"), required=False, max_length=200, widget=forms.TextInput
    )


def given_reason(request: HttpRequest) -> str:
    """Return the reason given with an action of a list; empty, after a message, if there is none."""
    reason = request.POST.get(REASON, "").strip()
    if not reason:
        messages.error(request, gettext("Write a reason beside the action."))
    return reason


class AuditedAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    """`asks_reason`: nothing is added or changed without saying why. A deletion always asks."""

    asks_reason = False
    delete_confirmation_template = "admin/delete_with_reason.html"

    def get_form(
        self,
        request: HttpRequest,
        obj: Any = None,
        change: bool = False,  # noqa: FBT001, FBT002 - Django's signature
        **kwargs: Any,
    ) -> Any:
        if self._asks(request, obj):
            base: Any = kwargs.get("form", self.form)
            # As Django does with a form of its own: what is only looked at is not asked for.
            fixed = set(self.get_readonly_fields(request, obj)) & set(base.declared_fields)
            fields = {REASON: reason_field(), **dict.fromkeys(fixed)}
            kwargs["form"] = type(base)("FormWithReason", (base,), fields)
        return super().get_form(request, obj, change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.with_reason(super().get_fieldsets(request, obj), request, obj)

    def with_reason(self, fieldsets: Any, request: HttpRequest, obj: Any) -> Any:
        """The reason last, where one is asked for."""
        rest = [
            (title, {**options, "fields": [name for name in options["fields"] if name != REASON]})
            for title, options in fieldsets
        ]
        return [*rest, (None, {"fields": [REASON]})] if self._asks(request, obj) else rest

    def _asks(self, request: HttpRequest, obj: Any) -> bool:
        if not self.asks_reason:
            return False
        may_add = obj is None and self.has_add_permission(request)
        return may_add or (obj is not None and self.has_change_permission(request, obj))

    def get_actions(self, request: HttpRequest) -> Any:
        """Deleting is done one by one, each with its reason."""
        actions = super().get_actions(request)
        return {name: action for name, action in actions.items() if name != "delete_selected"}

    # --- Django calls these within the transaction of the change ----------------------------------

    def save_form(self, request: HttpRequest, form: Any, change: Any) -> Any:
        if change:
            _kept(request)[form.instance.pk] = stored_values(self.model, form.instance.pk)
        return super().save_form(request, form, change)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self._write(request, obj, "add", before={})
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        action = vars(request).get("audited_action", "change")
        self._write(request, obj, action, before=_kept(request).get(obj.pk))
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for obj in queryset:
            self._write(request, obj, "delete", before=values_of(obj), after={})
        return super().log_deletions(request, queryset)

    def note_history(self, request: HttpRequest, obj: Any, message: Any) -> None:
        """For acts that wrote their entry of the audit log themselves: the object's own history."""
        super().log_change(request, obj, message)

    def _write(
        self,
        request: HttpRequest,
        obj: models.Model,
        action: str,
        *,
        before: dict[str, Any] | None,
        after: dict[str, Any] | None = None,
    ) -> None:
        stored = stored_values(self.model, obj.pk) if after is None else after
        write_entry(
            by=staff_of(request),
            obj=obj,
            action=action,
            before=stored if before is None else before,
            after=stored,
            reason=request.POST.get(REASON, ""),
        )

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        obj = context.get("original")
        more = {} if obj is None else self.more_about(request, obj)
        return super().render_change_form(request, {**context, **more}, *args, **kwargs)

    def more_about(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        """Return the additional context of an object's page."""
        return {}

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        lacks_reason = request.method == "POST" and not request.POST.get(REASON, "").strip()
        if lacks_reason:
            # The page that asks, once more.
            request.method, request.POST = "GET", QueryDict("")
        context = {**(extra_context or {}), "lacks_reason": lacks_reason}
        return super().delete_view(request, object_id, context)


def _kept(request: HttpRequest) -> dict[Any, dict[str, Any]]:
    """The values before the change, by primary key, for the time of the request."""
    kept: dict[Any, dict[str, Any]] = vars(request).setdefault("audited_before", {})
    return kept
