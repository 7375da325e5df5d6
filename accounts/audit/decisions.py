"""Cases that administrators look at and decide, one at a time, by buttons under the case."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.audit.audited_admin import AuditedAdmin
from accounts.audit.log import acting, staff_of


@dataclass(frozen=True, slots=True)
class Decision:
    code: str
    label: str | Promise
    is_against: bool = False  # shown as the dangerous button
    permission: str = ""  # who may decide so, if not everybody who may decide about the case
    asks: str = ""  # what will happen, where it is asked once more before it is done
    done: str | Promise = ""  # what has happened; else the label stands for it


class LookOnlyAdmin(AuditedAdmin):
    """Rows that services write and people look at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class DecidingAdmin(AuditedAdmin):
    """`decision_permission` ("app.codename") may decide; `refusals` are shown as sentences."""

    decision_permission: str
    decision_label: str | Promise = gettext_lazy(
        "Reason: kept in the audit log. What you write when you refuse or cancel, the player reads."
    )
    longest_reason = 500
    refusals: tuple[type[Exception], ...] = ()
    change_form_template = "admin/decision.html"

    def decisions(self, obj: Any) -> Sequence[Decision]:
        """Return the decisions possible on a case as it is now."""
        raise NotImplementedError

    def decide(self, request: HttpRequest, obj: Any, code: str, reason: str) -> None:
        """One call of a service, in a transaction that also holds the entry of the audit log;
        messages wait for its commit."""
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
        ]

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self._decide_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_decide"
        return [path("<int:object_id>/decide/", page, name=name), *super().get_urls()]

    def more_about(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        return {
            **super().more_about(request, obj),
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
            messages.warning(request, _("Nothing has been done: the case is another one by now."))
            return page
        reason = request.POST.get("reason", "").strip()
        if not reason:
            messages.error(request, _("Write a reason: why do you decide so?"))
            return page
        if decision.asks and "confirmed" not in request.POST:
            return self._ask_again(request, obj, decision, reason)
        self._carry_out(request, obj, decision, reason)
        return page

    def _carry_out(self, request: HttpRequest, obj: Any, decision: Decision, reason: str) -> None:
        try:
            with acting(by=staff_of(request), obj=obj, action=decision.code, reason=reason):
                self.decide(request, obj, decision.code, reason)
        except self.refusals as refusal:
            messages.error(request, str(refusal))
        else:
            self.note_history(request, obj, decision.code)
            done = decision.done or _("%(row)s: “%(label)s” is done.")
            messages.success(request, str(done) % {"row": obj, "label": decision.label})

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
    """Cases that are looked at and decided, and not changed otherwise."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) or request.user.has_perm(
            self.decision_permission
        )
