"""Cash in the administration: hidden, and refused, where none is played for."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import AuditedAdmin
from accounts.decisions import Decision, DecisionAdmin, LookOnlyAdmin
from accounts.selectors import latest_identity_check
from wallet import services as wallet
from wallet.cash import cash_is_on
from wallet.models import (
    STEPS,
    Deposit,
    LedgerCheck,
    PaymentNotice,
    PayoutNotice,
    TaxRule,
    Withdrawal,
    WithdrawalPolicy,
    YearEndTax,
)
from wallet.money import Currency, format_amount

_NOTICE_FIELDS = ("received_at", "event_id", "payment_id", "outcome", "amount", "effect")


def in_rupees(field: str, label: Any) -> Callable[[Any, Any], str]:
    """A column or field that shows paise as people read them."""

    @admin.display(description=label, ordering=field)
    def shown(_admin: Any, obj: Any) -> str:
        return f"₹{format_amount(getattr(obj, field), Currency.INR)}"

    return shown


class WhereCashIsOn(AuditedAdmin):
    def has_module_permission(self, request: HttpRequest) -> bool:
        return cash_is_on() and super().has_module_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return cash_is_on() and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_delete_permission(request, obj)


class NoticeInline(admin.TabularInline):  # type: ignore[type-arg] # not generic at run time
    extra = 0
    can_delete = False
    fields = readonly_fields = _NOTICE_FIELDS

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # whoever sees the case sees what was said about it


class PaymentNoticeInline(NoticeInline):
    model = PaymentNotice


class PayoutNoticeInline(NoticeInline):
    model = PayoutNotice


@admin.register(Deposit)
class DepositAdmin(WhereCashIsOn, DecisionAdmin):
    """To be looked at: what a deposit is comes from the provider alone. Decided is only what
    becomes of a payment that the provider does not pay back."""

    decision_permission = "wallet.decide_withdrawal"
    refusals = (wallet.WalletRefusal,)
    list_display = ("reference", "user", "paid", "state", "provider", "started_at", "decided_at")
    list_filter = ("state", "refused_for", "provider")
    list_select_related = ("user",)
    search_fields = ("reference", "payment_id", "user__email", "user__player_name")
    ordering = ("-started_at",)
    inlines = (PaymentNoticeInline,)
    paid = in_rupees("amount", _("amount"))

    def decisions(self, obj: Deposit) -> Sequence[Decision]:
        if obj.state != Deposit.State.REFUND_REFUSED:
            return ()
        return (
            Decision("refund_again", _("Pay it back again")),
            Decision("refunded", _("It was paid back in another way")),
        )

    def decide(self, request: HttpRequest, obj: Deposit, code: str, reason: str) -> None:
        wallet.decide_refund(deposit_id=obj.pk, was_paid_back=code == "refunded")


@admin.register(Withdrawal)
class WithdrawalAdmin(WhereCashIsOn, DecisionAdmin):
    decision_permission = "wallet.decide_withdrawal"
    refusals = (wallet.WalletRefusal,)
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
    inlines = (PayoutNoticeInline,)

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
            wallet.approve_withdrawal(withdrawal_id=obj.pk, staff_id=staff_id)
        elif code == "refuse":
            wallet.refuse_withdrawal(withdrawal_id=obj.pk, staff_id=staff_id, reason=reason)
        else:
            wallet.settle_dispute(
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


@admin.register(TaxRule)
class TaxRuleAdmin(WhereCashIsOn):
    """A rule that counts or has counted stays as it is; a new one replaces it."""

    asks_reason = True

    list_display = ("valid_from", "code", "rate_bps", "threshold")
    ordering = ("-valid_from",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is None or obj.valid_from > timezone.localdate()
        return is_ahead and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is not None and obj.valid_from > timezone.localdate()
        return is_ahead and super().has_delete_permission(request, obj)


@admin.register(YearEndTax)
class YearEndTaxAdmin(WhereCashIsOn, LookOnlyAdmin):
    list_display = ("user", "year", "won", "tds", "state", "deducted_at")
    list_filter = ("year", "state")
    list_select_related = ("user",)
    search_fields = ("user__email", "user__player_name")
    ordering = ("-year", "user_id")
    won = in_rupees("net_winnings", _("net winnings"))
    tds = in_rupees("tax", _("tax"))
