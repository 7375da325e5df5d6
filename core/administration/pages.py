"""The base of every administration page. All changes are written to the audit log."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import FieldDoesNotExist, PermissionDenied, ValidationError
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.administration.audit import (
    build_staff,
    read_stored_values,
    read_values,
    record_act,
    write_entry,
    write_entry_of_list,
)
from core.administration.cells import TYPES
from core.administration.exports import MOST_ROWS, export, is_too_long
from core.refusals import Refusal
from core.values.isolation import take_marks_off
from core.values.lines import AdminLines, Lines

REASON = "reason_for_audit"
LONGEST_REASON = 500


def reason_field() -> forms.CharField:
    return forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=Lines(attrs={"rows": 2}),
        help_text=_("Why you are doing this. It is kept in the audit log."),
    )


class ReasonedActionForm(ActionForm):
    """The form for actions on a list, with a field for the reason. Each action decides whether it needs one."""

    reason_for_audit = forms.CharField(
        label=_("Reason"), required=False, max_length=200, widget=forms.TextInput
    )


def read_reason(request: HttpRequest) -> str:
    """Return the reason given for a list's action. If it is missing, show a message and return an empty string."""
    reason = request.POST.get(REASON, "").strip()
    if not reason:
        messages.error(request, gettext("Write a reason beside the action."))
    return reason


class AuditedAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    """The base class of pages. With `asks_reason`, additions and changes need a reason; deletions always do."""

    asks_reason = False
    formfield_overrides = {models.TextField: {"widget": AdminLines}}
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
            # Like Django with a form of its own: do not ask for read-only fields.
            fixed = set(self.get_readonly_fields(request, obj)) & set(base.declared_fields)
            fields = {REASON: reason_field(), **dict.fromkeys(fixed)}
            kwargs["form"] = type(base)("FormWithReason", (base,), fields)
        return super().get_form(request, obj, change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.with_reason(super().get_fieldsets(request, obj), request, obj)

    def with_reason(self, fieldsets: Any, request: HttpRequest, obj: Any) -> Any:
        """Append the field for the reason, if the page requires one."""
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

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Return the list.

        A filter value beyond the range of dates or numbers is treated like any other invalid filter.
        """
        try:
            return super().get_changelist_instance(request)
        except (ValueError, OverflowError) as error:  # such as the year 9999, whose end is in 10000
            raise IncorrectLookupParameters(error) from error

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search for the term, also if it is a name copied from a page.

        Player names are stored in normalized spelling (NFKC), other texts as they were typed, so both spellings are
        searched.
        """
        asked = take_marks_off(search_term)
        found, has_duplicates = super().get_search_results(request, queryset, asked)
        if (spelt := unicodedata.normalize("NFKC", asked)) != asked:
            more, has_more = super().get_search_results(request, queryset, spelt)
            return found | more, has_duplicates or has_more
        return found, has_duplicates

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return the initial values for a new row from the query string.

        Leaves out foreign keys whose value is not a valid key.
        """
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        return {name: value for name, value in initial.items() if self._may_be(name, value)}

    def _may_be(self, name: str, value: object) -> bool:
        try:
            field = self.opts.get_field(name)
            if isinstance(field, models.ForeignKey):
                field.target_field.to_python(value)
        except FieldDoesNotExist:
            return True
        except ValidationError:
            return False
        return True

    def get_actions(self, request: HttpRequest) -> Any:
        """Return the list's actions without bulk deletion, because each row is deleted with a reason of its own."""
        actions = super().get_actions(request)
        return {name: action for name, action in actions.items() if name != "delete_selected"}

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self._export_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        return [path("export/<str:kind>/", page, name=name), *super().get_urls()]

    def _export_view(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Send the filtered list as a file. The audit log records who exported which rows."""
        if request.method != "POST" or kind not in TYPES:
            raise Http404
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            shown = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            raise Http404 from None
        if is_too_long(shown):
            text = gettext(
                "A file can have at most %(most)s rows, and this list has more. Filter "
                "it, for example by day, and export it in parts."
            )
            messages.error(request, text % {"most": f"{MOST_ROWS:,}"})
            listed = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
            return redirect(f"{listed}?{request.GET.urlencode()}")
        with transaction.atomic():
            about = {
                "rows": shown.result_count,
                "filter": request.GET.urlencode(),
            }
            write_entry_of_list(
                by=build_staff(request), model=self.model, action="export", about=about
            )
            return export(request, shown, kind)

    # --- Django calls these within the transaction of the change ----------------------------------

    def save_form(self, request: HttpRequest, form: Any, change: Any) -> Any:
        if change:
            _get_values_before(request)[form.instance.pk] = read_stored_values(
                self.model, form.instance.pk
            )
        return super().save_form(request, form, change)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self._write(request, obj, "add", before={})
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        action = vars(request).get("audited_action", "change")
        self._write(request, obj, action, before=_get_values_before(request).get(obj.pk))
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for obj in queryset:
            self._write(request, obj, "delete", before=read_values(obj), after={})
        return super().log_deletions(request, queryset)

    def record_history(self, request: HttpRequest, obj: Any, message: Any) -> None:
        """Write an entry in Django's own history, but none in the audit log.

        Use it for acts that write their audit entry themselves.
        """
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
        stored = read_stored_values(self.model, obj.pk) if after is None else after
        write_entry(
            by=build_staff(request),
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
        more = {} if obj is None else self.get_extra_context(request, obj)
        return super().render_change_form(request, {**context, **more}, *args, **kwargs)

    def get_extra_context(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        """Return additional template context for an object's page."""
        return {}

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        lacks_reason = request.method == "POST" and not request.POST.get(REASON, "").strip()
        if lacks_reason:
            # Show the confirmation page again.
            request.method, request.POST = "GET", QueryDict("")
        context = {**(extra_context or {}), "lacks_reason": lacks_reason}
        return super().delete_view(request, object_id, context)


def _get_values_before(request: HttpRequest) -> dict[Any, dict[str, Any]]:
    """Return the mapping, kept on the request, from primary keys to the rows' values before the change."""
    kept: dict[Any, dict[str, Any]] = vars(request).setdefault("audited_before", {})
    return kept


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that staff can make about a case.

    `done` is the message shown after the decision; `%(row)s` inserts the case's name.
    """

    code: str
    label: str | Promise
    done: str | Promise
    is_against: bool = False  # shown as the dangerous button
    permission: str = ""  # needed for this decision, besides `decision_permission`
    asks: str = ""  # the consequences, shown on a page where staff confirm; empty for no such page


class LookOnlyAdmin(AuditedAdmin):
    """A read-only page for rows that only services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class DecidingAdmin(AuditedAdmin):
    """A page of cases that staff decide.

    `decision_permission` is "app.codename". If a decision raises a Refusal, its sentence is shown.
    """

    decision_permission: str
    decision_label: str | Promise = _(
        "Reason: kept in the audit log. The player reads it when you refuse or cancel."
    )
    longest_reason = 500
    change_form_template = "admin/decision.html"

    def decisions(self, obj: Any) -> Sequence[Decision]:
        """Return the decisions that are possible for a case in its current state."""
        raise NotImplementedError

    def decide(self, request: HttpRequest, obj: Any, code: str, reason: str) -> None:
        """Carry out a decision: call one service, in a transaction that also writes the audit entry.

        Messages that the service sends wait for the commit.
        """
        raise NotImplementedError

    def may_decide(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request) and request.user.has_perm(self.decision_permission)

    def _open_to(self, request: HttpRequest, obj: Any) -> list[Decision]:
        if obj is None or not self.may_decide(request):
            return []
        return [
            decision
            for decision in self.decisions(obj)
            if not decision.permission or request.user.has_perm(decision.permission)
            if self.may_take(request, obj, decision)
        ]

    def may_take(self, request: HttpRequest, obj: Any, decision: Decision) -> bool:
        """Return whether this staff member may make this decision. The case's state has already been checked."""
        return True

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self._decide_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_decide"
        return [path("<int:object_id>/decide/", page, name=name), *super().get_urls()]

    def get_extra_context(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        return {
            **super().get_extra_context(request, obj),
            "decisions": self._open_to(request, obj),
            "decision_label": self.decision_label,
            "longest_reason": self.longest_reason,
        }

    def _decide_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        if not self.may_decide(request):
            raise PermissionDenied
        obj = self.get_object(request, str(object_id))
        if obj is None:
            raise Http404
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
        page = redirect(reverse(name, args=[object_id]))
        chosen = {decision.code: decision for decision in self._open_to(request, obj)}
        decision = chosen.get(request.POST.get("decision", ""))
        if request.method != "POST":
            return page
        if decision is None:
            messages.warning(
                request,
                gettext(
                    "Nothing was done: the case has changed in the meantime. Look at it again."
                ),
            )
            return page
        reason = request.POST.get("reason", "").strip()
        if not reason:
            messages.error(request, gettext("Write a reason for your decision."))
            return page
        if decision.asks and "confirmed" not in request.POST:
            return self._ask_again(request, obj, decision, reason)
        self._carry_out(request, obj, decision, reason)
        return page

    def _carry_out(self, request: HttpRequest, obj: Any, decision: Decision, reason: str) -> None:
        try:
            with record_act(by=build_staff(request), obj=obj, action=decision.code, reason=reason):
                self.decide(request, obj, decision.code, reason)
        except Refusal as refusal:
            messages.error(request, str(refusal))
        else:
            self.record_history(request, obj, decision.code)
            messages.success(request, str(decision.done) % {"row": obj})

    def _ask_again(
        self, request: HttpRequest, obj: Any, decision: Decision, reason: str
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": obj,
            "title": decision.label,
            "decision": decision,
            "reason": reason,
        }
        return render(request, "admin/confirm_decision.html", context)


class DecisionAdmin(DecidingAdmin, LookOnlyAdmin):
    """A page of cases that are read-only except for decisions."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) or request.user.has_perm(
            self.decision_permission
        )


class DraftsAdmin(AuditedAdmin):
    """A page of rows with `is_open`. New rows and copies ("save as new") are drafts until staff open them."""

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

    @admin.action(description=_("Close: make them drafts again"), permissions=["change"])
    def close_them(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self._set(request, queryset, is_open=False)

    def _set(self, request: HttpRequest, queryset: QuerySet[Any], *, is_open: bool) -> None:
        reason = read_reason(request)
        if not reason:
            return
        for row in queryset.exclude(is_open=is_open):
            action = "open" if is_open else "close"
            with record_act(by=build_staff(request), obj=row, action=action, reason=reason):
                self.model.objects.filter(pk=row.pk).update(is_open=is_open)
            self.record_history(request, row, action)
            said = gettext("%(row)s is open.") if is_open else gettext("%(row)s is a draft now.")
            messages.success(request, said % {"row": row})
