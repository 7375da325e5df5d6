"""What a payment provider is to us: a page to send people to, and signed notices."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from wallet.money import Currency


class Outcome(StrEnum):
    PAID = "PAID"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Notice:
    """What a provider says of a payment, its signature checked.

    It may come twice, late, or after one that says something else. `reference` is ours,
    `payment_id` the provider's, `amount` in the smallest unit.
    """

    provider: str
    event_id: str
    reference: str
    payment_id: str
    outcome: Outcome
    amount: int
    currency: Currency


class NoticeRefused(Exception):  # noqa: N818 - expected: anybody may call a webhook
    """A notice without a good signature or with content that makes no sense."""

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
    code: str

    def payment_page(
        self, *, reference: str, amount: int, return_path: str, expires_at: datetime
    ) -> str:
        """Where the player pays `amount` paise; from there back to `return_path`. After
        `expires_at` nothing is taken there any more."""
        ...

    def read_notice(self, *, body: bytes, signature: str) -> Notice:
        """Of a payment by a player. Raises NoticeRefused."""
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

    def read_payout_notice(self, *, body: bytes, signature: str) -> Notice:
        """Of a payout to a player. Raises NoticeRefused."""
        ...
