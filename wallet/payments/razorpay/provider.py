"""Razorpay behind the interface of providers.

In: a payment link for each deposit, on Razorpay's own page, paid in full or not at all. Back: a refund.
Out: a payout of RazorpayX to a UPI address. Each order carries our reference as its idempotency key,
so that one which was sent by a process that died is sent again and still done once.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from wallet.money import Currency
from wallet.payments.base import (
    PayoutOrder,
    PayoutRefused,
    RefundOrder,
    RefundRefused,
    Webhook,
)
from wallet.payments.razorpay.calls import Declined, Unanswered, ask, option
from wallet.payments.razorpay.webhooks import read

# Razorpay refuses a link that ends sooner.
_SHORTEST_LINK: Final = timedelta(minutes=16)
_LONGEST_NAME: Final = 50
_NEVER_PAID: Final = frozenset({"failed", "rejected", "cancelled", "reversed"})
_PAGES: Final = "https://rzp.io https://razorpay.com https://*.razorpay.com"


class RazorpayProvider:
    code = "razorpay"
    moves_money = True
    urlconf = None
    needs = (
        "RAZORPAY_KEY_ID",
        "RAZORPAY_KEY_SECRET",
        "RAZORPAY_WEBHOOK_SECRET",
        "RAZORPAY_ACCOUNT_NUMBER",
    )

    @property
    def page_origins(self) -> tuple[str, ...]:
        return tuple(option("PAGES", _PAGES).split())

    def payment_page(
        self, *, reference: str, amount: int, return_path: str, expires_at: datetime
    ) -> str:
        end = max(expires_at, timezone.now() + _SHORTEST_LINK)
        link = {
            "amount": amount,
            "currency": Currency.INR.value,
            "accept_partial": False,
            "reference_id": reference,
            "expire_by": int(end.timestamp()),
            "reminder_enable": False,
            "notes": {"reference": reference},
            "callback_url": _own_address() + return_path,
            "callback_method": "get",
        }
        try:
            page = ask("/v1/payment_links", link)["short_url"]
        except (Declined, KeyError) as error:
            # An order of ours that is refused is a fault of the set-up, not of the player.
            raise Unanswered(f"no payment link for {reference}: {error}") from error
        return str(page)

    def refund_payment(self, order: RefundOrder) -> str:
        body = {"amount": order.amount, "speed": "normal", "receipt": order.reference}
        path = f"/v1/payments/{order.payment_id}/refund"
        try:
            answer = ask(path, body, headers={"X-Refund-Idempotency": order.reference})
        except Declined as no:
            raise RefundRefused(no.code) from no
        if answer.get("status") == "failed":
            raise RefundRefused("failed")
        return _name_of(answer)

    def send_payout(self, order: PayoutOrder) -> str:
        body = {
            "account_number": option("ACCOUNT_NUMBER"),
            "amount": order.amount,
            "currency": Currency.INR.value,
            "mode": "UPI",
            "purpose": "payout",
            "reference_id": order.reference,
            "queue_if_low_balance": True,
            "fund_account": {
                "account_type": "vpa",
                "vpa": {"address": order.pay_to},
                "contact": {
                    "name": order.name[:_LONGEST_NAME],
                    "type": "customer",
                    "reference_id": order.reference,
                },
            },
        }
        try:
            answer = ask("/v1/payouts", body, headers={"X-Payout-Idempotency": order.reference})
        except Declined as no:
            raise PayoutRefused(no.code) from no
        if answer.get("status") in _NEVER_PAID:
            raise PayoutRefused(str(answer["status"]))
        return _name_of(answer)

    def read_webhook(self, headers: Mapping[str, str], body: bytes) -> Webhook | None:
        # Payments and RazorpayX have a secret each, and a new one counts beside the old for a while.
        secrets = option("WEBHOOK_SECRET").replace(",", " ").split()
        return read(headers, body, provider=self.code, secrets=secrets)


def _own_address() -> str:
    """This site as browsers reach it, without a stroke at the end."""
    return option("RETURN_ADDRESS", settings.SITE_URL).rstrip("/")


def _name_of(answer: Mapping[str, object]) -> str:
    name = answer.get("id")
    if not isinstance(name, str) or not name:
        raise Unanswered("the answer has no id")
    return name
