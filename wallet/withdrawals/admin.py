from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from accounts.audit.decisions import Decision, DecisionAdmin
from accounts.identity.selectors import latest_identity_check
from wallet.desk.cash_admin import WebhookInline, WhereCashIsOn, in_rupees
from wallet.models import (
    STEPS,
    LedgerCheck,
    PayoutWebhook,
    Withdrawal,
    WithdrawalPolicy,
)
from wallet.refusals import WalletRefusal
from wallet.withdrawals.approvals import approve_withdrawal, refuse_withdrawal, settle_dispute


class PayoutWebhookInline(WebhookInline):
    model = PayoutWebhook


@admin.register(Withdrawal)
class WithdrawalAdmin(WhereCashIsOn, DecisionAdmin):
    decision_permission = "wallet.decide_withdrawal"
    refusals = (WalletRefusal,)
    list_display = ("user", "gross", "tds", "paid_out", "state", "requested_at", "approved_by")
    list_filter = ("state", "provider")
    list_select_related = ("user", "approved_by")
    search_fields = ("reference", "payout_id", "pay_to", "user__email", "user__player_name")
    # Those that wait longest come first.
    ordering = ("-ended_at", "requested_at")
    fields = (
        "user",
        "name",
        "pay_to",
        "gross",
        "winnings",
        "tds",
        "paid_out",
        "state",
        "reason",
        "requested_at",
        "approved_by",
        "second_approved_by",
        "ended_by",
        "ended_at",
        "send_at",
        "reference",
        "provider",
        "payout_id",
        "rule",
        "policy",
    )
    readonly_fields = ("name", "gross", "winnings", "tds", "paid_out")
    gross = in_rupees("amount", _("amount"))
    winnings = in_rupees("net_winnings", _("net winnings"))
    tds = in_rupees("tax", _("tax"))
    paid_out = in_rupees("net", _("paid out"))
    inlines = (PayoutWebhookInline,)

    @admin.display(description=_("full name"))
    def name(self, obj: Withdrawal) -> str:
        """Whose the bank account has to be."""
        check = latest_identity_check(obj.user_id)
        return check.full_name if check else ""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self._say_if_frozen(request)
        return super().changelist_view(request, extra_context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        self._say_if_frozen(request)
        return super().change_view(request, object_id, form_url, extra_context)

    def _say_if_frozen(self, request: HttpRequest) -> None:
        check = LedgerCheck.objects.order_by("-checked_at", "-pk").first()
        if check is not None and check.found:
            messages.warning(
                request,
                _(
                    "Withdrawals are frozen: the check of the ledger of %(time)s found %(found)s "
                    "(%(first)s). They go on after a check that finds nothing; see Ledger checks."
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
        if state is Withdrawal.State.NEEDS_SECOND:
            approve = Decision("approve", _("Approve as the second one"))
        else:
            approve = Decision("approve", _("Approve"))
        if Withdrawal.State.REFUSED in STEPS[state]:
            return (approve, Decision("refuse", _("Refuse"), is_against=True))
        if state is Withdrawal.State.IN_DISPUTE:
            return (
                Decision("paid", _("It was paid")),
                Decision("not_paid", _("It was not paid"), is_against=True),
            )
        return ()

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


@admin.register(WithdrawalPolicy)
class WithdrawalPolicyAdmin(WhereCashIsOn):
    """A policy that counts or has counted stays as it is; a new one replaces it."""

    asks_reason = True

    list_display = ("valid_from", "least", "most_a_day", "second_approval_above")
    ordering = ("-valid_from",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is None or obj.valid_from > timezone.now()
        return is_ahead and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is not None and obj.valid_from > timezone.now()
        return is_ahead and super().has_delete_permission(request, obj)
