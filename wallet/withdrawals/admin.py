from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.desk.figures import build_list_address
from accounts.identity.services import get_latest_identity_check
from core.administration.audit import build_staff, record_act
from core.administration.lists import DayRange
from core.administration.pages import Decision, DecisionAdmin, ReasonedActionForm, read_reason
from core.refusals import Refusal
from wallet.desk.pages import InUnits, RupeeRange, WebhookInline, WhereCashIsOn, make_rupee_column
from wallet.desk.units import InCurrency
from wallet.models import STEPS, LedgerCheck, PayoutWebhook, Withdrawal, WithdrawalPolicy
from wallet.money import Currency, format_shown_amount
from wallet.tax.figures import compute_life_figures
from wallet.withdrawals.requesting import find_strictest_until
from wallet.withdrawals.steps import approve_withdrawal, refuse_withdrawal, settle_dispute


class PayoutWebhookInline(WebhookInline):
    model = PayoutWebhook


@admin.register(Withdrawal)
class WithdrawalAdmin(WhereCashIsOn, DecisionAdmin):
    decision_permission = "wallet.decide_withdrawal"
    list_display = (
        "user", "gross", "tds", "paid_out", "state", "requested_at", "approved_by",
        "second_approved_by",
    )  # fmt: skip
    export_display = (
        "id", "reference", "user", "pay_to", "gross", "winnings", "tds", "paid_out", "state",
        "requested_at", "approved_by", "second_approved_by", "ended_by", "ended_at", "reason",
        "provider", "payout_id",
    )  # fmt: skip
    list_filter = (
        "state",
        "provider",
        ("requested_at", DayRange),
        ("ended_at", DayRange),
        ("amount", RupeeRange),
    )
    actions = ("approve_them",)
    action_form = ReasonedActionForm
    list_select_related = ("user", "approved_by", "second_approved_by", "ended_by", "policy")
    search_fields = ("reference", "payout_id", "pay_to", "user__email", "user__player_name")
    # The longest waiting first.
    ordering = ("-ended_at", "requested_at")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "user", "identity", "played", "pay_to", "gross", "winnings", "tds", "paid_out",
                    "state", "reason", "requested_at", "approved_by",
                )
            },
        ),
        (
            _("History and references"),
            {
                "classes": ("collapse",),
                "fields": (
                    "second_approved_by", "ended_by", "ended_at", "send_at", "reference",
                    "provider", "payout_id", "rule", "policy",
                ),
            },
        ),
    )  # fmt: skip
    readonly_fields = ("identity", "played", "gross", "winnings", "tds", "paid_out")
    gross = make_rupee_column("amount", _("amount"))
    winnings = make_rupee_column("net_winnings", _("net winnings"))
    tds = make_rupee_column("tax", _("tax"))
    paid_out = make_rupee_column("net", _("net, for the player"))
    inlines = (PayoutWebhookInline,)

    @admin.display(description=_("identity"))
    def identity(self, obj: Withdrawal) -> SafeString | str:
        """Return the name that the bank account must have, and the state of the identity check that supplied it."""
        check = get_latest_identity_check(obj.user_id)
        if check is None:
            return gettext("no identity check")
        return format_html(
            '{} · <a href="{}">{}</a>',
            check.full_name,
            reverse("admin:accounts_identitycheck_change", args=[check.pk]),
            check.get_state_display(),
        )

    @admin.display(description=_("player's cash history"))
    def played(self, obj: Withdrawal) -> SafeString:
        figures, own = (
            compute_life_figures(obj.user_id, now=timezone.now()),
            {"user__id__exact": obj.user_id},
        )
        won = gettext("won %(amount)s") if figures.won >= 0 else gettext("lost %(amount)s")
        paid_in = gettext("deposited %(amount)s") % {"amount": _format_rupees(figures.deposited)}
        taken = gettext("withdrawn %(amount)s") % {"amount": _format_rupees(figures.withdrawn)}
        return format_html(
            '<a href="{}">{}</a> · {} · <a href="{}">{}</a>',
            build_list_address("wallet_deposit", **own),
            paid_in,
            won % {"amount": _format_rupees(abs(figures.won))},
            build_list_address("wallet_withdrawal", **own),
            taken,
        )

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self._warn_if_frozen(request)
        return super().changelist_view(request, extra_context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        self._warn_if_frozen(request)
        return super().change_view(request, object_id, form_url, extra_context)

    def _warn_if_frozen(self, request: HttpRequest) -> None:
        check = LedgerCheck.objects.order_by("-checked_at", "-pk").first()
        if check is not None and check.found:
            messages.warning(
                request,
                _(
                    "Withdrawals are frozen. Findings of the ledger check at %(time)s: "
                    "%(found)s (%(first)s). Withdrawals resume after a check that finds "
                    "nothing; see Ledger checks."
                )
                % {
                    "time": formats.date_format(
                        timezone.localtime(check.checked_at), "DATETIME_FORMAT"
                    ),
                    "found": check.found,
                    "first": check.first,
                },
            )

    def decisions(self, obj: Withdrawal) -> Sequence[Decision]:
        state = Withdrawal.State(obj.state)
        is_second = state is Withdrawal.State.NEEDS_SECOND
        if Withdrawal.State.REFUSED in STEPS[state]:
            label = _("Approve as the second administrator") if is_second else _("Approve")
            refused = _("Refused: the player has the money back, and is told why.")
            return (
                Decision("approve", label, _describe_approval(obj)),
                Decision("refuse", _("Refuse"), refused, is_against=True),
            )
        if state is Withdrawal.State.IN_DISPUTE:
            not_paid = _("The payout now counts as not made: the player has the money back.")
            return (
                Decision("paid", _("It was paid"), _("The payout now counts as made.")),
                Decision("not_paid", _("It was not paid"), not_paid, is_against=True),
            )
        return ()

    def may_take(self, request: HttpRequest, obj: Withdrawal, decision: Decision) -> bool:
        """Return whether this staff member may make this decision.

        They may decide nothing about their own withdrawal, and may not give both approvals of a withdrawal.
        """
        if obj.user_id == request.user.pk:
            return False
        is_second = decision.code == "approve" and obj.state == Withdrawal.State.NEEDS_SECOND
        return not is_second or obj.approved_by_id != request.user.pk

    def has_approve_permission(self, request: HttpRequest) -> bool:
        return self.may_decide(request)

    @admin.action(description=_("Approve"), permissions=["approve"])
    def approve_them(self, request: HttpRequest, queryset: QuerySet[Withdrawal]) -> None:
        """Approve several withdrawals, the longest waiting first, each in its own transaction.

        A refusal is shown and does not stop the others. An administrator who gave a withdrawal its first
        approval cannot give the second one too.
        """
        reason = read_reason(request)
        staff_id = int(request.user.pk or 0)
        for row in (
            queryset.select_related("user", "policy").order_by("requested_at") if reason else ()
        ):
            name = f"{row.user} {row.reference}"
            try:
                with record_act(by=build_staff(request), obj=row, action="approve", reason=reason):
                    approve_withdrawal(withdrawal_id=row.pk, staff_id=staff_id)
            except Refusal as refusal:
                messages.error(request, f"{name}: {refusal}")
            else:
                self.record_history(request, row, "approve")
                messages.success(request, f"{name}: {_describe_approval(row)}")

    def decide(self, request: HttpRequest, obj: Withdrawal, code: str, reason: str) -> None:
        staff_id = int(request.user.pk or 0)
        if code == "approve":
            approve_withdrawal(withdrawal_id=obj.pk, staff_id=staff_id)
        elif code == "refuse":
            refuse_withdrawal(withdrawal_id=obj.pk, staff_id=staff_id, reason=reason)
        else:
            settle_dispute(
                withdrawal_id=obj.pk,
                staff_id=staff_id,
                was_paid=code == "paid",
                reason=reason,
            )


def _describe_approval(withdrawal: Withdrawal) -> str:
    """Describe what happens after a withdrawal in this state is approved."""
    is_first = withdrawal.state == Withdrawal.State.REQUESTED
    if is_first and withdrawal.amount > withdrawal.policy.second_approval_above:
        return gettext("Approved once: a second member of staff has to approve it too.")
    return gettext("Approved: it will be paid out within a minute.")


def _format_rupees(paise: int) -> str:
    return format_shown_amount(paise, Currency.INR)


# Other staff can see, and delete, a policy with fewer second approvals before it takes effect.
LOOSENING_WAITS = timedelta(hours=72)


class WithdrawalPolicyForm(InCurrency, forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    # True if this member of staff may lift the second approval at once.
    loosens_at_once = False

    def clean(self) -> dict[str, Any]:
        """Require a delay if this staff member may not raise the threshold for a second approval at once."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        bound, valid_from = cleaned.get("second_approval_above"), cleaned.get("valid_from")
        if self.loosens_at_once or bound is None or valid_from is None:
            return cleaned
        now = timezone.now()
        strictest = find_strictest_until(valid_from, now=now, but=self.instance.pk)
        if strictest is not None and bound > strictest and valid_from < now + LOOSENING_WAITS:
            message = _(
                "A higher threshold for the second approval takes effect after 72 hours "
                "at the earliest, so that other staff see it in time. Choose a later "
                "time, or ask a superuser."
            )
            self.add_error("valid_from", message)
        return cleaned


@admin.register(WithdrawalPolicy)
class WithdrawalPolicyAdmin(WhereCashIsOn, InUnits):
    """Withdrawal policies. A policy that is or was in effect cannot be changed; add a new one."""

    asks_reason = True
    form = WithdrawalPolicyForm
    amounts = ("least", "most_a_day", "second_approval_above")
    helps = {
        "least": _("The limit for one withdrawal, in rupees."),
        "most_a_day": _("The limit for all withdrawals of a player, in rupees."),
        "second_approval_above": _(
            "In rupees. Larger withdrawals need a second, different administrator."
        ),
    }
    list_display = ("valid_from", *(f"shown_{name}" for name in amounts))
    fieldsets = ((None, {"fields": (*amounts, "valid_from")}),)
    ordering = ("-valid_from",)

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(request, *args, **kwargs)
        form.loosens_at_once = request.user.has_perm("wallet.lift_second_approval")
        return form

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is None or obj.valid_from > timezone.now()
        return is_ahead and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is not None and obj.valid_from > timezone.now()
        return is_ahead and super().has_delete_permission(request, obj)
