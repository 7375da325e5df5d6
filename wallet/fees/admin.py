"""Fee schedules in the administration: add, end and replace them.

A schedule that is or was in effect cannot be changed, except for its end.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.administration.audit import (
    build_staff,
    read_stored_values,
    read_values,
    record_act,
    write_entry,
)
from core.administration.lists import format_moment
from core.refusals import Refusal
from wallet.desk.pages import InUnits
from wallet.fees.at_stake import FeeGap, Split, find_fee_gaps, plan_stake_fee, set_stake_fee
from wallet.fees.formats import find_charged_format, format_choices, format_code, split_format_code
from wallet.fees.forms import (
    FeeForm,
    FeePreviewForm,
    NextFeeForm,
    StakeFeeForm,
    fee_in_words,
    format_title,
    stakes_in_words,
)
from wallet.fees.selectors import FeeTerms, get_fee
from wallet.fees.services import end_fee, follow_fee
from wallet.models import FeeSchedule
from wallet.money import Currency, format_plain_amount, rake
from wallet.refusals import NoFeeSchedule


class FeeFormatFilter(admin.SimpleListFilter):
    """A filter for rows with `game` and `format`. The choices need no query."""

    title = gettext_lazy("format")
    parameter_name = "format"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return format_choices()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        game, format = split_format_code(str(self.value()))
        return queryset.filter(game=game, format=format)


@dataclass(frozen=True, slots=True)
class FeePreview:
    """The fee of a table. `gross` is the most the winner can get: all entry fees, or every loser's largest loss."""

    terms: FeeTerms
    gross: int
    fee: int

    @property
    def net(self) -> int:
        return self.gross - self.fee


def preview(asked: dict[str, Any], *, at: datetime) -> FeePreview | None:
    """Return the fee for a form's cleaned data, or None if no schedule is in effect."""
    game, format = split_format_code(asked["format"])
    try:
        terms = get_fee(
            game=game,
            format=format,
            currency=Currency(asked["currency"]),
            stake=asked["stake"],
            at=at,
        )
    except NoFeeSchedule:
        return None
    charged = find_charged_format(game, format)
    points = charged.points_of_a_deal if charged else None
    payers = asked["players"] if points is None else (asked["players"] - 1) * points
    gross = payers * asked["stake"]
    return FeePreview(terms, gross, rake(gross, bps=terms.rake_bps, cap=terms.rake_cap))


FIXED_ONCE_COUNTED = (
    "format", "charged", "currency", "stake_from", "stake_to", "rake_bps", "rake_cap", "valid_from",
)  # fmt: skip


@admin.register(FeeSchedule)
class FeeScheduleAdmin(InUnits):
    asks_reason = True
    form = FeeForm
    amounts = ("stake_from", "stake_to", "rake_cap")
    rates = ("rake_bps",)
    helps = {
        "stake_from": gettext_lazy("In rupees or chips: value of a point, or entry fee."),
        "stake_to": gettext_lazy(
            "Up to and including this stake. If empty, there is no highest stake."
        ),
        "rake_cap": gettext_lazy("In rupees or chips. Empty: none."),
    }
    change_form_template = "admin/wallet/feeschedule/change_form.html"
    list_display = (
        "charged", "currency", "stakes", "service_fee", "valid_from", "valid_until",
    )  # fmt: skip
    fieldsets = (
        (None, {"fields": ("format", "currency")}),
        (gettext_lazy("Stakes"), {"fields": ("stake_from", "stake_to")}),
        (gettext_lazy("Service fee"), {"fields": ("rake_bps", "rake_cap")}),
        (gettext_lazy("Validity"), {"fields": ("valid_from", "valid_until")}),
    )
    list_filter = (FeeFormatFilter, "currency")
    ordering = ("game", "format", "currency", "stake_from", "valid_from")

    @admin.display(description=gettext_lazy("format"), ordering="format")
    def charged(self, fee: FeeSchedule) -> str:
        return format_title(fee)

    @admin.display(description=gettext_lazy("Stakes"), ordering="stake_from")
    def stakes(self, fee: FeeSchedule) -> str:
        return stakes_in_words(fee)

    @admin.display(description=gettext_lazy("Service fee"), ordering="rake_bps")
    def service_fee(self, fee: FeeSchedule) -> str:
        return fee_in_words(fee)

    def sections(self, request: HttpRequest, obj: FeeSchedule | None) -> Any:
        """Show the title of the format instead of its code where the format is read-only."""
        sections = super().sections(request, obj)
        if obj is None or (self.has_change_permission(request, obj) and not obj.has_counted):
            return sections
        (_title, _first), *others = sections
        return [(None, {"fields": ("charged", "currency")}), *others]

    def has_change_permission(self, request: HttpRequest, obj: FeeSchedule | None = None) -> bool:
        is_open = obj is None or not obj.has_ended
        return is_open and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: FeeSchedule | None = None) -> bool:
        is_ahead = obj is not None and not obj.has_counted
        return is_ahead and super().has_delete_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: FeeSchedule | None = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        return (*fixed, *FIXED_ONCE_COUNTED) if obj is not None and obj.has_counted else fixed

    def save_model(self, request: HttpRequest, obj: FeeSchedule, form: Any, change: Any) -> None:
        if change and obj.has_counted:
            end_fee(schedule_id=obj.pk, valid_until=obj.valid_until)
        else:
            super().save_model(request, obj, form, change)

    def get_urls(self) -> list[URLPattern]:
        return [
            path(
                "preview/",
                self.admin_site.admin_view(self.preview),
                name="wallet_feeschedule_preview",
            ),
            path(
                "at-stake/",
                self.admin_site.admin_view(self.at_stake),
                name="wallet_feeschedule_at_stake",
            ),
            path(
                "<int:schedule_id>/follow/",
                self.admin_site.admin_view(self.follow),
                name="wallet_feeschedule_follow",
            ),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the stakes without a fee above the list. A table with such a stake cannot be opened."""
        may_add = self.has_add_permission(request)
        more = {"gaps": gap_lines(find_fee_gaps(timezone.now())), "may_add": may_add}
        return super().changelist_view(request, {**(extra_context or {}), **more})

    def get_extra_context(self, request: HttpRequest, obj: FeeSchedule) -> dict[str, Any]:
        named = f"{format_title(obj)}, {self.stakes(obj)}: {self.service_fee(obj)}"
        return {
            **super().get_extra_context(request, obj),
            "may_follow": self._may_follow(request, obj),
            "subtitle": named,
            "named": named,
            "format_code": format_code(obj.game, obj.format),
        }

    def _may_follow(self, request: HttpRequest, obj: FeeSchedule) -> bool:
        return self.has_change_permission(request, obj) and self.has_add_permission(request)

    def follow(self, request: HttpRequest, schedule_id: int) -> HttpResponse:
        """End a fee and begin the next one, in one transaction."""
        old = FeeSchedule.objects.filter(pk=schedule_id).first()
        if old is None:
            raise Http404
        if not self._may_follow(request, old):
            raise PermissionDenied
        form = NextFeeForm(
            request.POST or None,
            initial={"rake_cap": old.rake_cap},
            currency=Currency(old.currency),
        )
        if form.is_valid():
            try:
                new = self._follow(request, old, form)
            except Refusal as refusal:
                form.add_error("valid_from", str(refusal))
            else:
                messages.success(request, _("The next fee is scheduled."))
                return redirect("admin:wallet_feeschedule_change", new.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Schedule the next fee"),
            "form": form,
            "old": old,
            "media": self.media + form.media,
        }
        return render(request, "admin/wallet/feeschedule/follow.html", context)

    def _follow(self, request: HttpRequest, old: FeeSchedule, form: NextFeeForm) -> FeeSchedule:
        reason, by = form.cleaned_data["reason"], build_staff(request)
        with record_act(by=by, obj=old, action="follow", reason=reason):
            new = follow_fee(schedule_id=old.pk, fee=form.next_fee())
            after = read_stored_values(FeeSchedule, new.pk)
            write_entry(by=by, obj=new, action="add", before={}, after=after, reason=reason)
        self.record_history(request, old, "follow")
        return new

    def at_stake(self, request: HttpRequest) -> HttpResponse:
        """Give one stake another fee. The first submit shows the fees before and after; the second sets the fee."""
        if not (self.has_add_permission(request) and self.has_change_permission(request)):
            raise PermissionDenied
        form = StakeFeeForm(request.POST or None, initial=request.GET.dict())
        split: Split | None = None
        if form.is_valid():
            try:
                if form.cleaned_data["seen"] == form.digest():
                    return self._set_stake_fee(request, form)
                split = plan_stake_fee(form.get_requested_fee(), now=timezone.now())
            except Refusal as refusal:
                form.add_error("valid_from", str(refusal))
            else:
                form.data = {**request.POST.dict(), "seen": form.digest()}
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Another fee at one stake"),
            "form": form,
            "split": split and {
                "begins": split.begins,
                "old": split.old,
                "before": fee_lines(split.before),
                "after": fee_lines(split.after, stake=form.cleaned_data["stake"]),
            },
            "media": self.media + form.media,
        }  # fmt: skip
        return render(request, "admin/wallet/feeschedule/at_stake.html", context)

    @transaction.atomic
    def _set_stake_fee(self, request: HttpRequest, form: StakeFeeForm) -> HttpResponse:
        by, reason, asked = (
            build_staff(request),
            form.cleaned_data["reason"],
            form.get_requested_fee(),
        )
        split = set_stake_fee(asked)
        old = split.old
        if old is not None:
            # `old` is the replaced row as it was read before the change.
            write_entry(
                by=by,
                obj=old,
                action="split",
                before=read_values(old),
                after=read_stored_values(FeeSchedule, old.pk),
                reason=reason,
            )
        for row in split.new:
            after = read_stored_values(FeeSchedule, row.pk)
            write_entry(by=by, obj=row, action="add", before={}, after=after, reason=reason)
        of_stake = next(row for row in split.new if row.stake_from == asked.stake)
        said = _("%(format)s at %(stake)s: %(fee)s from %(time)s on. The other stakes keep theirs.")
        facts = {
            "format": format_title(of_stake),
            "stake": stakes_in_words(of_stake),
            "fee": fee_in_words(of_stake),
            "time": format_moment(split.begins),
        }
        messages.success(request, said % facts)
        return redirect("admin:wallet_feeschedule_change", of_stake.pk)

    def preview(self, request: HttpRequest) -> HttpResponse:
        """Show the fee of a table with a format, stake and size at a given time."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = FeePreviewForm(request.GET or None)
        asked = form.cleaned_data if form.is_valid() else None
        at = (asked and asked["at"]) or timezone.now()
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("What fee would a table pay?"),
            "form": form,
            "asked": asked,
            "at": at,
            "found": preview(asked, at=at) if asked else None,
            "currency": Currency(asked["currency"]) if asked else None,
        }
        return render(request, "admin/wallet/feeschedule/preview.html", context)


def fee_lines(rows: Iterable[FeeSchedule], stake: int | None = None) -> list[dict[str, Any]]:
    """Describe fee schedules in words. The row for exactly the stake `stake` is marked as new."""
    return [
        {
            "stakes": stakes_in_words(row),
            "fee": fee_in_words(row),
            "until": row.valid_until,
            "is_new": row.stake_from == row.stake_to == stake,
        }
        for row in rows
    ]


def gap_lines(gaps: Iterable[FeeGap]) -> list[tuple[str, str, str]]:
    """Return each gap's format, its stakes and the URL of a form that closes it."""
    lines = []
    for gap in gaps:
        asked = QueryDict(mutable=True)
        asked["format"], asked["currency"] = format_code(gap.game, gap.format), gap.currency
        asked["stake_from"] = format_plain_amount(gap.stake_from, gap.currency)
        if gap.stake_to is not None:
            asked["stake_to"] = format_plain_amount(gap.stake_to, gap.currency)
        address = f"{reverse('admin:wallet_feeschedule_add')}?{asked.urlencode()}"
        lines.append((format_title(gap), stakes_in_words(gap), address))
    return lines
