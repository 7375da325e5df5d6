"""Deposits that have begun, and the provider's webhooks about them."""

from tests.given import reload
from tests.wallet.webhooks import build_webhook
from wallet.deposits.services import compute_payment_deadline, start_deposit, take_payment_webhook
from wallet.payments.providers import get_payment_provider

AMOUNT = 25_000


def begin(user, amount=AMOUNT):
    return start_deposit(user_id=user.pk, amount=amount)


def report(deposit, *args, **changes):
    """Process the provider's webhook about a deposit. Return its effect."""
    return take_payment_webhook(build_webhook(deposit, *args, **changes))


def build_payment_page(deposit, amount=None):
    """Return the path of the sandbox's page on which this amount is paid."""
    return get_payment_provider().payment_page(
        reference=deposit.reference,
        amount=amount or deposit.amount,
        return_path="/",
        expires_at=compute_payment_deadline(deposit),
    )


def read_state(deposit):
    """Return the stored state of a deposit, and the reason for refusing the payment."""
    return reload(deposit).state, deposit.refused_for
