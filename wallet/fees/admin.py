"""Fee schedules in the administration: add, end and follow. A schedule that has counted stays as it is."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminSplitDateTime
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.administration.audit import acting, staff_of, stored_values, write_entry
from wallet.desk.pages import InUnits, amount_in, rate_in
from wallet.desk.units import AmountField, InCurrency, PercentField
from wallet.fees.formats import charged_format, format_choices, format_code, split_format_code
from wallet.fees.selectors import FeeTerms, fee_for
from wallet.fees.services import NextFee, end_fee, follow_fee
from wallet.models import FeeSchedule
from wallet.money import MAX_AMOUNT, Currency, rake
from wallet.refusals import FeeTooEarly, NoFeeSchedule, WalletRefusal


class FormatFilter(admin.SimpleListFilter):
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


class FeePreviewForm(InCurrency, forms.Form):
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=format_choices)
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=[(c, c) for c in Currency])
    stake = AmountField(
        label=gettext_lazy("Stake"),
        least=1,
        most=MAX_AMOUNT // 10**6,
        help_text=gettext_lazy("In rupees or chips: value of a point, or entry fee."),
    )
    at = forms.DateTimeField(
        label=gettext_lazy("When"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        help_text=gettext_lazy("Empty: now."),
    )
    players = forms.IntegerField(
        label=gettext_lazy("Players"), min_value=2, max_value=1_000, initial=6
    )


@dataclass(frozen=True, slots=True)
class FeePreview:
    """The fee of a table. `gross` is the most the winner can get: all entries, or every loser's largest loss."""

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
        terms = fee_for(
            game=game,
            format=format,
            currency=Currency(asked["currency"]),
            stake=asked["stake"],
            at=at,
        )
    except NoFeeSchedule:
        return None
    charged = charged_format(game, format)
    points = charged.points_of_a_deal if charged else None
    payers = asked["players"] if points is None else (asked["players"] - 1) * points
    gross = payers * asked["stake"]
    return FeePreview(terms, gross, rake(gross, bps=terms.rake_bps, cap=terms.rake_cap))


FIXED_ONCE_COUNTED = (
    "format", "charged", "currency", "stake_from", "stake_to", "rake_bps", "rake_cap", "valid_from",
)  # fmt: skip


def title_of(fee: FeeSchedule) -> str:
    """Return the title of a fee's game and format, or their codes if they are no longer offered."""
    played = charged_format(fee.game, fee.format)
    return f"{played.game_title} · {played.title}" if played else f"{fee.game} {fee.format}"


class FeeForm(InCurrency, forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    """A form with one field for the columns `game` and `format`, absent once the fee has counted."""

    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=format_choices)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field, fee = self.fields.get("format"), self.instance
        if isinstance(field, forms.ChoiceField) and fee.game:
            code = self.initial["format"] = format_code(fee.game, fee.format)
            if not field.valid_value(code):  # the site no longer offers this game
                field.choices = [*format_choices(), (code, title_of(fee))]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("format"):
            self.instance.game, cleaned["format"] = split_format_code(cleaned["format"])
        return cleaned

    def clean_valid_until(self) -> Any:
        """Refuse an end in the past, as the service does, with the sentence beside the field."""
        end = self.cleaned_data["valid_until"]
        is_moved = self.instance.pk and end != self.initial["valid_until"]
        if is_moved and end is not None and self.instance.has_counted and end < timezone.now():
            raise ValidationError(str(FeeTooEarly()))
        return end


class NextFeeForm(InCurrency, forms.Form):
    rake_bps = PercentField(
        label=gettext_lazy("Service fee"), help_text=gettext_lazy("In per cent.")
    )
    rake_cap = AmountField(
        label=gettext_lazy("Highest fee"),
        required=False,
        help_text=gettext_lazy("In rupees or chips. Empty: none."),
    )
    valid_from = forms.SplitDateTimeField(
        label=gettext_lazy("Valid from"),
        required=False,
        widget=AdminSplitDateTime,
        help_text=gettext_lazy("Empty: from now on."),
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)

    def __init__(self, *args: Any, currency: Currency, **options: Any) -> None:
        self.currency_of_schedule = currency
        super().__init__(*args, **options)

    @property
    def amounts_in(self) -> Currency:
        return self.currency_of_schedule

    def next_fee(self) -> NextFee:
        values = self.cleaned_data
        return NextFee(values["rake_bps"], values["rake_cap"], values["valid_from"])


@admin.register(FeeSchedule)
class FeeScheduleAdmin(InUnits):
    asks_reason = True
    form = FeeForm
    amounts = ("stake_from", "stake_to", "rake_cap")
    rates = ("rake_bps",)
    helps = {
        "stake_from": gettext_lazy("In rupees or chips: value of a point, or entry fee."),
        "stake_to": gettext_lazy("Included. Empty: no upper end."),
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
    list_filter = (FormatFilter, "currency")
    ordering = ("game", "format", "currency", "stake_from", "valid_from")

    @admin.display(description=gettext_lazy("format"), ordering="format")
    def charged(self, fee: FeeSchedule) -> str:
        return title_of(fee)

    @admin.display(description=gettext_lazy("Stakes"), ordering="stake_from")
    def stakes(self, fee: FeeSchedule) -> str:
        low, high = amount_in(fee, "stake_from"), amount_in(fee, "stake_to")
        if fee.stake_to is None:
            return _("from %(low)s") % {"low": low}
        return low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high}

    @admin.display(description=gettext_lazy("Service fee"), ordering="rake_bps")
    def service_fee(self, fee: FeeSchedule) -> str:
        rate = rate_in(fee, "rake_bps")
        if fee.rake_cap is None:
            return rate
        most = amount_in(fee, "rake_cap")
        return _("%(rate)s, at most %(most)s") % {"rate": rate, "most": most}

    def sections(self, request: HttpRequest, obj: FeeSchedule | None) -> Any:
        """Show a read-only format by its title."""
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
                "<int:schedule_id>/follow/",
                self.admin_site.admin_view(self.follow),
                name="wallet_feeschedule_follow",
            ),
            *super().get_urls(),
        ]

    def more_about(self, request: HttpRequest, obj: FeeSchedule) -> dict[str, Any]:
        named = f"{title_of(obj)}, {self.stakes(obj)}: {self.service_fee(obj)}"
        return {
            **super().more_about(request, obj),
            "may_follow": self._may_follow(request, obj),
            "subtitle": named,
            "named": named,
        }

    def _may_follow(self, request: HttpRequest, obj: FeeSchedule) -> bool:
        return self.has_change_permission(request, obj) and self.has_add_permission(request)

    def follow(self, request: HttpRequest, schedule_id: int) -> HttpResponse:
        """End a fee and begin the next one, in one step."""
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
            except WalletRefusal as refusal:
                form.add_error("valid_from", str(refusal))
            else:
                messages.success(request, _("The next fee is set."))
                return redirect("admin:wallet_feeschedule_change", new.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Follow with a new fee"),
            "form": form,
            "old": old,
            "media": self.media + form.media,
        }
        return render(request, "admin/wallet/feeschedule/follow.html", context)

    def _follow(self, request: HttpRequest, old: FeeSchedule, form: NextFeeForm) -> FeeSchedule:
        reason, by = form.cleaned_data["reason"], staff_of(request)
        with acting(by=by, obj=old, action="follow", reason=reason):
            new = follow_fee(schedule_id=old.pk, fee=form.next_fee())
            after = stored_values(FeeSchedule, new.pk)
            write_entry(by=by, obj=new, action="add", before={}, after=after, reason=reason)
        self.note_history(request, old, "follow")
        return new

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
            "title": _("What would a table pay?"),
            "form": form,
            "asked": asked,
            "at": at,
            "found": preview(asked, at=at) if asked else None,
            "currency": Currency(asked["currency"]) if asked else None,
        }
        return render(request, "admin/wallet/feeschedule/preview.html", context)
