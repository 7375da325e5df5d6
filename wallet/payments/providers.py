"""Which provider this installation has."""

from django.conf import settings
from django.utils.module_loading import import_string

from wallet.payments.base import PaymentProvider
from wallet.payments.sandbox import SandboxProvider
from wallet.refusals import CashIsOff


def payment_provider() -> PaymentProvider:
    """The sandbox, or for CASH_PLAY=live the class that PAYMENT_PROVIDER names.

    Raises CashIsOff where there is none.
    """
    if settings.CASH_PLAY == "sandbox":
        return SandboxProvider()
    if settings.CASH_PLAY == "live" and settings.PAYMENT_PROVIDER:
        provider: PaymentProvider = import_string(settings.PAYMENT_PROVIDER)()
        return provider
    raise CashIsOff
