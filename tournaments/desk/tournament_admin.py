from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from core.administration.audit import build_staff, record_act
from core.administration.lists import DayRange
from core.administration.pages import (
    REASON,
    DecidingAdmin,
    Decision,
    DraftsAdmin,
    LookOnlyAdmin,
    ReasonedActionForm,
)
from core.refusals import Refusal
from tournaments.desk.calendar import WEEK, build_week, hide_past, parse_monday
from tournaments.desk.forms import (
    AMOUNTS,
    HELPS,
    PLANNED_FIELDSETS,
    TEMPLATE_FIELDSETS,
    TIMES,
    TIMES_OF_TEMPLATE,
    MakeTournamentForm,
    TemplateForm,
    TournamentForm,
    build_read_only_fieldsets,
    build_standing_fieldsets,
    describe_payouts,
    rules_in_words,
)
from tournaments.desk.money_view import describe_settlement, list_movements
from tournaments.desk.previews import list_starts, render_preview
from tournaments.desk.refunds import describe_cancelling
from tournaments.desk.staff import change_terms, disqualify, pause, resume
from tournaments.models import Entrant, Ticket, Tournament, TournamentTemplate
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.rules.plain_schedule import schedule_in_words
from tournaments.running.cancelling import cancel
from tournaments.running.scheduling import make_tournament
from tournaments.running.starting_schedule import schedule_state, switch_schedule
from wallet.desk.pages import InUnits, get_currency, make_amount_column
from wallet.refusals import NoFeeSchedule

MOVEMENTS_SHOWN = 500
DONE = {
    "resume": _("%(row)s is resumed."),
    "pause": _("%(row)s is paused until it is resumed."),
    "cancel": _("%(row)s is cancelled. Everybody gets their fees back within a minute."),
}


@admin.register(TournamentTemplate)
class TournamentTemplateAdmin(DraftsAdmin, InUnits):
    asks_reason = True
    form = TemplateForm
    amounts = AMOUNTS
    rates = ("rake_bps",)
    times = TIMES_OF_TEMPLATE
    helps = HELPS
    list_display = (
        "name", "shown_entry_fee", "shown_guarantee", "schedule_told", "next_start", "is_open",
    )  # fmt: skip
    list_filter = ("currency", "is_open")
    search_fields = ("name",)
    readonly_fields = ("preview", "prizes", "rules_in_words", "schedule_told")
    change_list_template = "admin/tournaments/tournamenttemplate/change_list.html"

    def sections(self, request: HttpRequest, obj: Any) -> Any:
        may_write = (
            self.has_add_permission(request)
            if obj is None
            else self.has_change_permission(request, obj)
        )
        return TEMPLATE_FIELDSETS if may_write else build_read_only_fieldsets()

    def get_urls(self) -> list[URLPattern]:
        view, name = self.admin_site.admin_view, "tournaments_tournamenttemplate"
        return [
            path(
                "starting-schedule/", view(self.switch_starting_schedule), name=f"{name}_starting"
            ),
            path("preview/", view(self.show_preview), name=f"{name}_preview"),
            *super().get_urls(),
        ]

    def _may_switch(self, request: HttpRequest) -> bool:
        return self.has_add_permission(request) and self.has_change_permission(request)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        state = schedule_state() if self._may_switch(request) else None
        return super().changelist_view(request, {**(extra_context or {}), "starting": state})

    def switch_starting_schedule(self, request: HttpRequest) -> HttpResponse:
        """Switch the starting schedule on or off."""
        if request.method != "POST" or not self._may_switch(request):
            raise PermissionDenied
        is_on = request.POST.get("is_on") == "1"
        changed = switch_schedule(
            is_on=is_on, by=build_staff(request), reason=gettext("The starting schedule")
        )
        said = _("The starting schedule is on.") if is_on else _("The starting schedule is off.")
        text = ngettext("%(count)s template changed.", "%(count)s templates changed.", changed)
        messages.success(request, f"{said} {text % {'count': changed}}")
        return redirect("admin:tournaments_tournamenttemplate_changelist")

    @admin.display(description=_("next start"))
    def next_start(self, template: TournamentTemplate) -> Any:
        starts = list_starts(template, now=timezone.now())
        return starts[0] if starts else None

    @admin.display(description=_("schedule"), ordering="schedule")
    def schedule_told(self, template: TournamentTemplate) -> str:
        return schedule_in_words(template.schedule)

    @admin.display(description=_("prizes"))
    def prizes(self, template: TournamentTemplate) -> str:
        return describe_payouts(template)

    @admin.display(description=_("rules"))
    def rules_in_words(self, template: TournamentTemplate) -> str:
        return rules_in_words(template)

    @admin.display(description=_("preview"))
    def preview(self, template: TournamentTemplate) -> SafeString:
        """Return the preview of the template as last saved. A script updates it while the form is edited."""
        shown = render_preview(template) if template.pk else ""
        address = reverse("admin:tournaments_tournamenttemplate_preview")
        about = f"?template={template.pk}" if template.pk else ""
        return format_html(
            '<div aria-live="polite" data-preview-url="{}{}">{}</div>', address, about, shown
        )

    def show_preview(self, request: HttpRequest) -> HttpResponse:
        """Show next starts and prizes for the form's current values, without saving them."""
        asked = request.GET.get("template", "")
        template = self.get_object(request, asked) if asked else None
        if request.method != "POST" or (asked and template is None):
            raise Http404
        if not (self.has_change_permission(request, template) or self.has_add_permission(request)):
            raise PermissionDenied
        form = self.get_form(request, template, change=template is not None)(
            request.POST, instance=template
        )
        for name in (REASON, "name"):  # a preview needs neither
            form.fields.pop(name, None)
        if form.is_valid():
            return HttpResponse(render_preview(form.instance))
        errors = [
            (form.fields[name].label if name in form.fields else "", said)
            for name, sentences in form.errors.items()
            for said in sentences
        ]
        return render(request, "admin/tournaments/_not_yet.html", {"errors": errors})


@admin.register(Tournament)
class TournamentAdmin(DecidingAdmin, InUnits):
    asks_reason = True
    view_on_site = False  # the template has the link, beside the others
    decision_permission = "tournaments.change_tournament"
    amounts = (*AMOUNTS, "rake_cap")
    rates = ("rake_bps",)
    times = TIMES
    helps = HELPS
    action_form = ReasonedActionForm
    list_display = (
        "name", "status", "starts_at", "seats_taken", "round_number", "is_paused", "is_broken",
    )  # fmt: skip
    list_filter = (
        "status",
        "currency",
        ("starts_at", DayRange),
        ("broken_at", admin.EmptyFieldListFilter),
        ("paused_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("name",)
    date_hierarchy = "starts_at"
    ordering = ("-starts_at",)
    actions = ("cancel_them", "pause_them", "resume_them")
    change_form_template = "admin/tournaments/tournament/change_form.html"
    change_list_template = "admin/tournaments/tournament/change_list.html"

    # Empty where all is well: a red cross would say the opposite.
    @admin.display(description=_("paused"), empty_value="")
    def is_paused(self, tournament: Tournament) -> str | None:
        return gettext("yes") if tournament.paused_at else None

    @admin.display(description=_("out of order"), empty_value="")
    def is_broken(self, tournament: Tournament) -> str | None:
        return gettext("yes") if tournament.broken_at else None

    def get_form(
        self,
        request: HttpRequest,
        obj: Any = None,
        change: bool = False,  # noqa: FBT001, FBT002 - Django's
        **kwargs: Any,
    ) -> Any:
        kwargs["form"] = TournamentForm if change else MakeTournamentForm
        return super().get_form(request, obj, change, **kwargs)

    def sections(self, request: HttpRequest, obj: Any) -> Any:
        if obj is None:
            own = ("own_name", "own_entry_fee", "own_guarantee", "own_prizes")
            return ((None, {"fields": ("template", "starts_at", *own)}),)
        if obj.status == LifecycleStatus.ANNOUNCED:
            return PLANNED_FIELDSETS
        return build_standing_fieldsets(obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Make the terms read-only once registration is open."""
        fixed = super().get_readonly_fields(request, obj)
        if obj is None or obj.status == LifecycleStatus.ANNOUNCED:
            return fixed
        names = (field.name for field in self.opts.fields if field.name != "seed")
        return (*fixed, *names, "prizes", "rules_in_words", "settled", "words_told")

    def has_change_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Refuse changes once registration is open. The page then has nothing to change and asks for no reason."""
        may_write = obj is None or obj.status == LifecycleStatus.ANNOUNCED
        return may_write and super().has_change_permission(request, obj)

    def decisions(self, obj: Tournament) -> Sequence[Decision]:
        if obj.is_over:
            return ()
        rests = obj.paused_at is not None or obj.broken_at is not None
        return (
            Decision(
                "resume",
                _("Resume, or put back into service"),
                DONE["resume"],
            )
            if rests
            else Decision("pause", _("Pause"), DONE["pause"]),
            Decision(
                "cancel",
                _("Cancel and refund everybody"),
                DONE["cancel"],
                is_against=True,
                asks=describe_cancelling(obj),
            ),
        )

    def decide(self, request: HttpRequest, obj: Tournament, code: str, reason: str) -> None:
        now = timezone.now()
        if code == "cancel":
            cancel(tournament_id=obj.pk, now=now, reason=reason)
        elif code == "pause":
            pause(tournament_id=obj.pk, now=now)
        else:
            resume(tournament_id=obj.pk, now=now)

    @admin.display(description=_("prizes"))
    def prizes(self, tournament: Tournament) -> str:
        return describe_payouts(tournament)

    @admin.display(description=_("rules"))
    def rules_in_words(self, tournament: Tournament) -> str:
        return rules_in_words(tournament)

    @admin.display(description=_("settlement"))
    def settled(self, tournament: Tournament) -> str:
        return describe_settlement(tournament)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's
        now = timezone.now()
        if change:
            try:
                change_terms(tournament=obj, now=now)
            except Refusal as refusal:
                messages.error(request, str(refusal))
            return
        try:
            made = make_tournament(
                form.cleaned_data["template"],
                starts_at=form.cleaned_data["starts_at"],
                now=now,
                changes=form.changes,
            )
        except NoFeeSchedule as missing:
            messages.error(request, str(missing))
            return
        obj.pk = made.pk
        obj.name = made.name

    def get_urls(self) -> list[URLPattern]:
        view, name = self.admin_site.admin_view, "tournaments_tournament"
        return [
            path("<int:tournament_id>/money/", view(self.money), name=f"{name}_money"),
            path("calendar/", view(self.calendar), name=f"{name}_calendar"),
            *super().get_urls(),
        ]

    def calendar(self, request: HttpRequest) -> HttpResponse:
        """Show a week: existing tournaments, and those that open templates will create."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        now = timezone.now()
        monday = parse_monday(request.GET.get("week", ""), today=timezone.localdate(now))
        today = timezone.localdate(now)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Calendar of tournaments"),
            "days": hide_past(build_week(monday, now=now), today=today),
            "today": today,
            "earlier": monday - WEEK,
            "later": monday + WEEK,
            "zone": timezone.get_default_timezone_name(),
        }
        return render(request, "admin/tournaments/tournament/calendar.html", context)

    def money(self, request: HttpRequest, tournament_id: int) -> HttpResponse:
        """Show every movement of the prize pool. Once everything is paid out, the sum is zero."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Money of %(tournament)s") % {"tournament": tournament},
            "tournament": tournament,
            "movements": list_movements(tournament, length=MOVEMENTS_SHOWN),
        }
        return render(request, "admin/tournaments/tournament/money.html", context)

    @admin.action(description=_("Cancel and refund everybody"))
    def cancel_them(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        reason = request.POST.get(REASON, "").strip()
        if not reason:
            messages.error(request, gettext("Write a reason beside the action."))
            return
        self._act_on_each(request, queryset, "cancel")

    @admin.action(description=_("Pause"))
    def pause_them(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        self._act_on_each(request, queryset, "pause")

    @admin.action(description=_("Resume, or put back into service"))
    def resume_them(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        self._act_on_each(request, queryset, "resume")

    def _act_on_each(self, request: HttpRequest, queryset: QuerySet[Tournament], code: str) -> None:
        reason = request.POST.get(REASON, "")
        for tournament in queryset:
            try:
                with record_act(
                    by=build_staff(request), obj=tournament, action=code, reason=reason
                ):
                    self.decide(request, tournament, code, reason)
            except Refusal as refusal:
                messages.error(request, f"{tournament}: {refusal}")
            else:
                messages.success(request, str(DONE[code]) % {"row": tournament})


@admin.register(Entrant)
class EntrantAdmin(LookOnlyAdmin):
    list_display = ("tournament", "user", "state", "payments", "place", "won")
    list_filter = ("state",)
    search_fields = ("user__player_name", "user__email", "tournament__name")
    list_select_related = ("tournament", "user")
    actions = ("disqualify_them",)
    action_form = ReasonedActionForm

    @admin.action(description=_("Disqualify"), permissions=["disqualify"])
    def disqualify_them(self, request: HttpRequest, queryset: QuerySet[Entrant]) -> None:
        reason = request.POST.get(REASON, "").strip()
        if not reason:
            messages.error(request, gettext("Write a reason beside the action."))
            return
        for entrant in queryset.select_related("user"):
            try:
                with record_act(
                    by=build_staff(request), obj=entrant, action="disqualify", reason=reason
                ):
                    disqualify(tournament_id=entrant.tournament_id, user_id=entrant.user_id)
            except Refusal as refusal:
                messages.error(request, f"{entrant.user}: {refusal}")
            else:
                said = gettext("%(player)s is disqualified.") % {"player": entrant.user}
                messages.success(request, said)

    won = make_amount_column("prize", _("prize"), lambda entrant: entrant.tournament.currency)

    def has_disqualify_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("tournaments.change_tournament")


@admin.register(Ticket)
class TicketAdmin(LookOnlyAdmin):
    list_display = ("user", "template", "shown_price", "currency", "won_in", "used_at")
    shown_price = make_amount_column("price", _("price"), get_currency)
    list_filter = ("currency", ("used_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "template", "won_in")
