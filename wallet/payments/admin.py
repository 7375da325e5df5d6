from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.administration.lists import DayRange
from core.administration.pages import Decision, DecisionAdmin
from wallet.desk.pages import RupeeRange, WebhookInline, WhereCashIsOn, make_rupee_column
from wallet.models import PaymentCase, ProviderChoice, ProviderReport
from wallet.payments.cases import (
    bear_rest,
    book_taken,
    give_back,
    is_of_credited,
    record_done,
)
from wallet.payments.providers import list_providers


class ProviderReportInline(WebhookInline):
    model = ProviderReport
    fields = readonly_fields = ("received_at", "event", "event_id", "shown_facts")

    @admin.display(description=_("facts"))
    def shown_facts(self, obj: ProviderReport) -> str:
        return ", ".join(f"{name}: {value}" for name, value in obj.facts.items())


@admin.register(PaymentCase)
class PaymentCaseAdmin(WhereCashIsOn, DecisionAdmin):
    """Disputes, refunds by the provider, and unknown events. Staff decide each case."""

    decision_permission = "wallet.decide_withdrawal"
    decision_label = _("Reason: kept in the audit log.")
    list_display = (
        "subject_id", "kind", "player", "asked", "shown_held", "stage", "state", "opened_at",
    )  # fmt: skip
    export_display = (
        "id", *list_display, "shown_taken", "taken_at", "ended_at", "provider", "payment_id",
    )  # fmt: skip
    list_filter = (
        "state",
        "kind",
        "stage",
        "provider",
        ("opened_at", DayRange),
        ("amount", RupeeRange),
    )
    list_select_related = ("deposit__user", "withdrawal__user")
    search_fields = ("subject_id", "payment_id", "deposit__user__player_name", "deposit__reference")
    ordering = ("-ended_at", "opened_at")
    inlines = (ProviderReportInline,)
    fields = (
        "kind", "player", "deposit", "withdrawal", "asked", "shown_held", "shown_taken",
        "stage", "state", "opened_at", "taken_at", "ended_at",
        "provider", "subject_id", "payment_id",
    )  # fmt: skip
    readonly_fields = ("player", "asked", "shown_held", "shown_taken")
    asked = make_rupee_column("amount", _("amount"))
    shown_held = make_rupee_column("held", _("held back"))
    shown_taken = make_rupee_column("taken", _("taken"))

    @admin.display(description=_("player"))
    def player(self, obj: PaymentCase) -> str:
        about = obj.deposit or obj.withdrawal
        return "-" if about is None else str(about.user)

    def decisions(self, obj: PaymentCase) -> Sequence[Decision]:
        give = Decision(
            "give_back",
            _("Give the held money back to the player"),
            _("The player has the money back."),
        )
        if obj.state == PaymentCase.State.OWED:
            rest = Decision(
                "bear_rest",
                _("The house bears the rest"),
                _("Nothing more is collected from the player."),
                is_against=True,
            )
            return (rest, give)
        if obj.state != PaymentCase.State.OPEN:
            return ()
        if obj.held or obj.taken or is_of_credited(obj):
            taken = Decision(
                "taken",
                _("The provider has taken the money"),
                _("Booked. The amount that is not held yet will be collected from the player."),
                is_against=True,
            )
            return (taken, give)
        return (Decision("done", _("Done"), _("The case is now closed.")),)

    def decide(self, request: HttpRequest, obj: PaymentCase, code: str, reason: str) -> None:
        act = {
            "give_back": give_back,
            "taken": book_taken,
            "bear_rest": bear_rest,
            "done": record_done,
        }[code]
        act(case_id=obj.pk)


class ProviderChoiceForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    provider = forms.ChoiceField(
        label=_("Provider"),
        help_text=_(
            "Used for new payments from now on. Payments, refunds and payouts begun with "
            "another provider stay with that one."
        ),
    )

    class Meta:
        model = ProviderChoice
        fields = ("provider", "valid_from")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "provider" in self.fields:
            codes = [(listed.code, listed.code) for listed in list_providers()]
            self.fields["provider"].choices = codes  # type: ignore[attr-defined] # a ChoiceField


@admin.register(ProviderChoice)
class ProviderChoiceAdmin(WhereCashIsOn):
    """Choices of the payment provider. A choice that is or was in effect cannot be changed; add a new one."""

    asks_reason = True
    form = ProviderChoiceForm
    list_display = ("valid_from", "provider")
    ordering = ("-valid_from",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is None or obj.valid_from > timezone.now()
        return is_ahead and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is not None and obj.valid_from > timezone.now()
        return is_ahead and super().has_delete_permission(request, obj)
