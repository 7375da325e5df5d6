"""Warnings and silences in the administration. Staff impose them from a report or a player's page.

A silence is lifted on its own page.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.desk.person_page import render_tool
from accounts.models import User
from core.administration.audit import build_staff, read_stored_values, read_values, write_entry
from core.administration.lists import DayRange
from core.administration.pages import LONGEST_REASON, Decision, DecisionAdmin
from core.refusals import Refusal
from core.values.lines import Lines
from tables.chat.sanctions import Grounds, describe_course, lift, list_sanctions, silence, warn
from tables.chat.selectors import has_ended
from tables.models import Report, ReportReason, Sanction
from tables.refusals import AlreadySanctioned

MAY_SANCTION: Final = "tables.decide_sanction"
_WARNING: Final = "warn"
# What a button does: how long a silence lasts, None for good.
_SILENCES: Final[Mapping[str, tuple[str | Promise, timedelta | None]]] = {
    "hour": (_("Silence for 1 hour"), timedelta(hours=1)),
    "day": (_("Silence for 1 day"), timedelta(days=1)),
    "week": (_("Silence for 7 days"), timedelta(days=7)),
    "month": (_("Silence for 30 days"), timedelta(days=30)),
    "for_good": (_("Silence for good"), None),
}
MEASURES: Final = (
    (_WARNING, _("Warn")),
    *((code, label) for code, (label, _lasts) in _SILENCES.items()),
)


class SanctionForm(forms.Form):
    """A form for the reason of a warning or a silence. Each button stands for one measure."""

    reason = forms.ChoiceField(label=_("Reason"), choices=ReportReason)
    words = forms.CharField(
        label=_("In your words"),
        required=False,
        max_length=LONGEST_REASON,
        widget=Lines(attrs={"rows": 2}),
        help_text=_("The player sees this with the reason; write in their language."),
    )
    report = forms.ModelChoiceField(
        queryset=Report.objects.none(), required=False, widget=forms.HiddenInput
    )
    measure = forms.ChoiceField(choices=MEASURES, widget=forms.HiddenInput)
    form = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid4)

    def __init__(self, *args: Any, player: User, **options: Any) -> None:
        super().__init__(*args, **options)
        report = self.fields["report"]
        assert isinstance(report, forms.ModelChoiceField)  # noqa: S101 - it stands above
        report.queryset = Report.objects.filter(reported=player)


def form_for(report: Report) -> SanctionForm:
    """Return the form with the report's reason filled in, so that staff need only press a button."""
    return SanctionForm(
        initial={"reason": report.reason, "report": report.pk}, player=report.reported
    )


def may_sanction(request: HttpRequest, player: User) -> bool:
    """Return whether this member of staff may warn or silence the player.

    If the player is staff too, the member of staff also needs the right to appoint staff.
    """
    if player.is_bot or player.closed_at is not None or player.pk == request.user.pk:
        return False
    return request.user.has_perm(MAY_SANCTION) and (
        not player.is_staff or request.user.has_perm("accounts.change_user")
    )


def shown_about(user_id: int) -> dict[str, Any]:
    """Return the form's buttons, and the player's sanctions so far.

    Each sanction has a text about how long it lasts.
    """
    now = timezone.now()
    given = [(one, describe_course(one, now=now)) for one in list_sanctions(user_id)]
    return {"measures": MEASURES, "sanctions": given}


@transaction.atomic
def _carry_out(request: HttpRequest, player: User, asked: Mapping[str, Any]) -> None:
    """Warn or silence the player, and write entries about the player and the report to the audit log."""
    staff, report = build_staff(request), asked["report"]
    measure = asked["measure"]
    report_id = None if report is None else report.pk
    before = read_stored_values(Report, report_id)
    grounds = Grounds(ReportReason(asked["reason"]), asked["words"], report_id, asked["form"])
    if measure == _WARNING:
        made = warn(user_id=player.pk, staff_id=staff.user_id, grounds=grounds)
    else:
        made = silence(
            user_id=player.pk,
            staff_id=staff.user_id,
            grounds=grounds,
            lasts=_SILENCES[measure][1],
            now=timezone.now(),
        )
    action = made.kind.lower()
    reason = f"{made.get_reason_display()} {made.words}"
    write_entry(
        by=staff, obj=player, action=action, before={}, after=read_values(made), reason=reason
    )
    after = read_stored_values(Report, report_id)
    if report is not None and after != before:
        write_entry(by=staff, obj=report, action=action, before=before, after=after, reason=reason)


def _return_to(report: Report | None, player: User) -> HttpResponse:
    """Redirect to the page that the form was on."""
    if report is not None:
        return redirect("admin:tables_report_change", report.pk)
    return redirect("admin:accounts_user_change", player.pk)


@admin.register(Sanction)
class SanctionAdmin(DecisionAdmin):
    """Warnings and silences, with the reason and the member of staff who decided. A silence can be lifted."""

    decision_permission = MAY_SANCTION
    decision_label = _("Reason: kept in the audit log.")
    list_display = ("id", "kind", "user", "reason", "decided_at", "decided_by", "course")
    list_filter = ("kind", "reason", ("decided_at", DayRange))
    list_select_related = ("user", "decided_by")
    search_fields = ("=id", "user__player_name", "user__email")
    ordering = ("-pk",)
    fields = (
        "user", "kind", "reason", "words", "report", "decided_at", "decided_by", "course",
        "lifted_by",
    )  # fmt: skip
    readonly_fields = ("course",)

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.sanction_page)
        return [
            path("about/<int:user_id>/", page, name="tables_sanction_about"),
            *super().get_urls(),
        ]

    def sanction_page(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Warn or silence a player; a report's page sends its form here, too."""
        player = get_object_or_404(User, pk=user_id, is_bot=False)
        if not may_sanction(request, player):
            raise PermissionDenied
        form = SanctionForm(
            request.POST or None, initial={"reason": ReportReason.ABUSE}, player=player
        )
        if form.is_valid():
            report: Report | None = form.cleaned_data["report"]
            try:
                _carry_out(request, player, form.cleaned_data)
            except AlreadySanctioned as refusal:
                messages.warning(request, str(refusal))
                return _return_to(report, player)
            except Refusal as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, gettext("Done. The player is told by e-mail."))
                return _return_to(report, player)
        context = {"title": gettext("Warn or silence"), **shown_about(player.pk)}
        template = "admin/accounts/user/sanction.html"
        return render_tool(
            request, self.admin_site, player, form=form, context=context, template=template
        )

    @admin.display(description=_("history"))
    def course(self, sanction: Sanction) -> str:
        return describe_course(sanction, now=timezone.now())

    def decisions(self, obj: Sanction) -> Sequence[Decision]:
        if obj.kind == Sanction.Kind.WARNING or has_ended(obj, now=timezone.now()):
            return ()
        return (Decision("lift", _("Lift the silence"), _("%(row)s is lifted.")),)

    def may_take(self, request: HttpRequest, obj: Sanction, decision: Decision) -> bool:
        return may_sanction(request, obj.user)

    def decide(self, request: HttpRequest, obj: Sanction, code: str, reason: str) -> None:
        lift(sanction_id=obj.pk, staff_id=int(request.user.pk or 0), now=timezone.now())
