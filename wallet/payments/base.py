"""The interface of a payment provider. To add one, see docs/adding.md."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from wallet.money import Currency


class About(StrEnum):
    """The direction of the money: a payment from a player, or a payout to one."""

    PAYMENT = "PAYMENT"
    PAYOUT = "PAYOUT"


class PaymentOutcome(StrEnum):
    PAID = "PAID"
    FAILED = "FAILED"
    # Only for a payout: reported as paid before, and now back with the provider.
    REVERSED = "REVERSED"


@dataclass(frozen=True, slots=True)
class SignedWebhook:
    """A provider's message about a payment or a payout, whose signature has been checked.

    It may come twice, late, or after one that says the opposite. `reference` is ours, `payment_id` is the
    provider's id of the payment or payout, `amount` is in the smallest unit.
    """

    about: About

    provider: str
    event_id: str
    reference: str
    payment_id: str
    outcome: PaymentOutcome
    amount: int
    currency: Currency


class Concern(StrEnum):
    """The subject of a report: anything but the outcome of a payment or payout."""

    DISPUTE = "DISPUTE"  # the payer's bank wants a payment back
    REFUND = "REFUND"
    UNKNOWN = "UNKNOWN"  # a kind of event that this site does not know


class ReportStage(StrEnum):
    """The stage of a dispute or refund. Every stage but OPEN is final.

    If several final stages are reported, the one that was reported last applies.
    """

    OPEN = "OPEN"
    TAKEN = "TAKEN"  # the provider has taken the money: dispute lost, refund made
    KEPT = "KEPT"  # the money stays: dispute won, refund failed
    CLOSED = "CLOSED"  # ended without saying who has the money


@dataclass(frozen=True, slots=True)
class SignedReport:
    """A provider's message that staff must see: about a dispute, a refund or an unknown event.

    Its signature has been checked. It may come twice, late, or out of order. `subject_id` is the provider's
    id of the dispute or refund, or the event's kind; `reference` is ours, for a refund that we ordered.
    `facts` are shown to staff and contain no personal data.
    """

    provider: str
    event_id: str
    event: str
    concern: Concern
    stage: ReportStage
    subject_id: str
    payment_id: str = ""
    reference: str = ""
    amount: int = 0
    currency: Currency = Currency.INR
    facts: Mapping[str, str] = field(default_factory=dict)


class WebhookRefused(Exception):  # noqa: N818 - expected: anybody may call a webhook
    """A request with a bad signature or malformed content."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class PayoutOrder:
    """A payout of `amount` paise to a UPI address. `reference` is our idempotency key."""

    reference: str
    amount: int
    pay_to: str
    name: str


class PayoutRefused(Exception):  # noqa: N818 - expected: addresses are typed by people
    """The provider will never make this payout. If a retry could succeed, the provider raises OSError instead."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class RefundOrder:
    """A refund of `amount` paise of the payment `payment_id`. `reference` is our idempotency key."""

    reference: str
    payment_id: str
    amount: int


class RefundRefused(Exception):  # noqa: N818 - expected: cards expire, banks close accounts
    """The provider will never make this refund. If a retry could succeed, the provider raises OSError instead."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class PaymentProvider(Protocol):
    """A provider, created without arguments. Its configuration is in `settings.PAYMENT_OPTIONS`."""

    # The provider's name in addresses and stored rows. It never changes.
    code: str
    # True if real money moves, False for a sandbox.
    moves_money: bool
    # The URLconf of the provider's pages on this site, mounted at `/<code>/`; None without any.
    urlconf: str | None
    # Keys of `settings.PAYMENT_OPTIONS` without which it cannot work.
    needs: tuple[str, ...]
    # Origins of its payment page and of redirects to it, in CSP syntax; empty for this site.
    page_origins: tuple[str, ...]

    def payment_page(
        self, *, reference: str, amount: int, return_path: str, expires_at: datetime
    ) -> str:
        """Return the address of a page where the player pays `amount` paise and returns to `return_path`.

        `return_path` is a path of this site, whose address is `settings.SITE_URL`. After `expires_at` the provider
        accepts no payment there. Raises OSError if there is no page; then nothing can be paid either.
        """
        ...

    def refund_payment(self, order: RefundOrder) -> str:
        """Order a refund and return the provider's id of it, the same id for a repeated order.

        Raises RefundRefused, or OSError if the outcome is unknown.
        """
        ...

    def send_payout(self, order: PayoutOrder) -> str:
        """Order a payout and return the provider's id of it, the same id for a repeated order.

        Raises PayoutRefused, or OSError if the outcome is unknown.
        """
        ...

    def read_webhook(
        self, headers: Mapping[str, str], body: bytes
    ) -> SignedWebhook | SignedReport | None:
        """Read a request to `/wallet/webhooks/<code>/`. The headers' names are case-insensitive.

        Return a SignedWebhook for the outcome of a payment or payout, and None for a known kind of event that
        changes nothing here. Return a SignedReport for a dispute, a refund, or a kind of event that this code
        does not know. Raises WebhookRefused for a bad signature or malformed content.
        """
        ...
