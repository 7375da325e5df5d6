from collections.abc import Sequence

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.administration.lists import DayRange
from core.administration.pages import Decision, DecisionAdmin
from wallet.deposits.refunds import decide_refund
from wallet.desk.pages import RupeeRange, WebhookInline, WhereCashIsOn, make_rupee_column
from wallet.models import Deposit, PaymentWebhook


class PaymentWebhookInline(WebhookInline):
    model = PaymentWebhook


@admin.register(Deposit)
class DepositAdmin(WhereCashIsOn, DecisionAdmin):
    """Deposits, read-only except for refunds that the provider refused: staff decide about those."""

    decision_permission = "wallet.decide_withdrawal"
    list_display = ("reference", "user", "paid", "state", "provider", "started_at", "decided_at")
    export_display = (
        "id", *list_display, "refused_for", "payment_id", "refund_id",
    )  # fmt: skip
    list_filter = (
        "state",
        "refused_for",
        "provider",
        ("started_at", DayRange),
        ("decided_at", DayRange),
        ("amount", RupeeRange),
    )
    list_select_related = ("user",)
    search_fields = ("reference", "payment_id", "user__email", "user__player_name")
    ordering = ("-started_at",)
    inlines = (PaymentWebhookInline,)
    fields = (
        "user", "paid", "state", "refused_for", "refund_at", "started_at", "decided_at",
        "provider", "reference", "payment_id", "refund_id",
    )  # fmt: skip
    readonly_fields = ("paid",)
    paid = make_rupee_column("amount", _("amount"))

    def decisions(self, obj: Deposit) -> Sequence[Decision]:
        if obj.state != Deposit.State.REFUND_REFUSED:
            return ()
        return (
            Decision(
                "refund_again",
                _("Order the refund again"),
                _("The provider will be asked again within a minute."),
            ),
            Decision(
                "refunded",
                _("It was paid back in another way"),
                _("The deposit now counts as paid back."),
            ),
        )

    def decide(self, request: HttpRequest, obj: Deposit, code: str, reason: str) -> None:
        decide_refund(deposit_id=obj.pk, was_paid_back=code == "refunded")
