"""The interface of a payment provider. To add one, see docs/adding.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from wallet.money import Currency


class About(StrEnum):
    """The direction of the money: a payment from a player, or a payout to one."""

    PAYMENT = "PAYMENT"
    PAYOUT = "PAYOUT"


class Outcome(StrEnum):
    PAID = "PAID"
    FAILED = "FAILED"
    # Only of a payout: reported as paid before, and now back with the provider.
    REVERSED = "REVERSED"


@dataclass(frozen=True, slots=True)
class Webhook:
    """A provider's statement about a payment or a payout, its signature checked.

    It may come twice, late, or after a contrary one. `reference` is ours, `payment_id` is the provider's
    id of the payment or payout, `amount` is in the smallest unit.
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
    """The provider will never make this payout. A failure that may still come right is an OSError."""

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
    """The provider will never make this refund. A failure that may still come right is an OSError."""

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

    def read_webhook(self, headers: Mapping[str, str], body: bytes) -> Webhook | None:
        """Read a request to `/wallet/webhooks/<code>/`. The headers' names are case-insensitive.

        Return None for a genuine webhook of no interest here. Raises WebhookRefused for a bad signature or
        malformed content.
        """
        ...
