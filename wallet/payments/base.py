"""The interface of a payment provider. To add one, see docs/adding.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from wallet.money import Currency


class About(StrEnum):
    """Which way the money goes: from a player, or to one."""

    PAYMENT = "PAYMENT"
    PAYOUT = "PAYOUT"


class Outcome(StrEnum):
    PAID = "PAID"
    FAILED = "FAILED"
    # Of a payout alone: it had arrived, or was said to have, and is back with the provider.
    REVERSED = "REVERSED"


@dataclass(frozen=True, slots=True)
class Webhook:
    """A provider's statement about a payment or a payout, its signature checked.

    It may come twice, late, or after a contrary one. `reference` is ours, `payment_id` is the
    provider's name of the payment or payout, `amount` is in the smallest unit.
    """

    about: About

    provider: str
    event_id: str
    reference: str
    payment_id: str
    outcome: Outcome
    amount: int
    currency: Currency


class WebhookRefused(Exception):  # noqa: N818 - expected: anybody may call a webhook
    """A request without a good signature or with content that makes no sense."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class PayoutOrder:
    """`amount` paise to a UPI address. `reference` is ours: the same one is never paid twice."""

    reference: str
    amount: int
    pay_to: str
    name: str


class PayoutRefused(Exception):  # noqa: N818 - expected: addresses are typed by people
    """The provider will never make this payout; anything that may still come right is an
    OSError."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class RefundOrder:
    """A payment that goes back to where it came from: `amount` paise of `payment_id`. `reference`
    is ours: the same one is never paid back twice."""

    reference: str
    payment_id: str
    amount: int


class RefundRefused(Exception):  # noqa: N818 - expected: cards expire, banks close accounts
    """The provider will never pay this back; anything that may still come right is an OSError."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class PaymentProvider(Protocol):
    """Made without arguments; what it needs to know stands in `settings.PAYMENT_OPTIONS`."""

    # Names the provider in addresses and stored rows; it never changes.
    code: str
    # Whether real money moves; False for trying things out.
    moves_money: bool
    # The URLconf of pages of the provider's own, mounted at `/<code>/`; None if it has none here.
    urlconf: str | None
    # Keys of `settings.PAYMENT_OPTIONS` without which it cannot work.
    needs: tuple[str, ...]
    # Origins that its payment page leads the browser to, as CSP writes them; empty: this site.
    page_origins: tuple[str, ...]

    def payment_page(
        self, *, reference: str, amount: int, return_path: str, expires_at: datetime
    ) -> str:
        """The address where the player pays `amount` paise and goes back to `return_path` from.

        After `expires_at` the provider takes no payment there. Raises OSError if there is no page
        now; then nothing can be paid either.
        """
        ...

    def refund_payment(self, order: RefundOrder) -> str:
        """The provider's name of the refund, the same one for an order that came before.

        Raises RefundRefused, or OSError if nobody knows whether it was taken.
        """
        ...

    def send_payout(self, order: PayoutOrder) -> str:
        """The provider's name of the payout, the same one for an order that came before.

        Raises PayoutRefused, or OSError if nobody knows whether it was taken.
        """
        ...

    def read_webhook(self, headers: Mapping[str, str], body: bytes) -> Webhook | None:
        """A request to `/wallet/webhooks/<code>/`. Names of headers are looked up in any case.
        None: it is genuine, and tells nothing that matters here.

        Raises WebhookRefused for a signature or content that is wrong.
        """
        ...
