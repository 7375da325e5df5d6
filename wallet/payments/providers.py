"""Which payment providers this site has."""

from functools import cache

from django.conf import settings
from django.db.models.functions import Now
from django.urls import URLPattern, URLResolver, include, path
from django.utils.module_loading import import_string

from wallet.cash import cash_is_on
from wallet.models import ProviderChoice
from wallet.payments.base import PaymentProvider
from wallet.refusals import CashIsOff


class UnknownProvider(LookupError):  # noqa: N818 - expected: anybody may call a webhook
    """No provider of this code is listed."""


def payment_provider() -> PaymentProvider:
    """The one for new payments: what the administration has chosen, while it is listed, else the first
    of PAYMENT_PROVIDERS. Raises CashIsOff without one."""
    listed = listed_providers()
    if not listed:
        raise CashIsOff
    if len(listed) == 1:
        return listed[0]
    counting = ProviderChoice.objects.filter(valid_from__lte=Now()).order_by("-valid_from")
    chosen = counting.values_list("provider", flat=True).first()
    return next((one for one in listed if one.code == chosen), listed[0])


def provider_of(code: str) -> PaymentProvider:
    """The provider that a deposit or withdrawal was begun with. Raises UnknownProvider."""
    for provider in listed_providers():
        if provider.code == code:
            return provider
    raise UnknownProvider(code)


def listed_providers() -> list[PaymentProvider]:
    """All whose webhooks are taken, the current one first; none where cash is off."""
    return [_provider(name) for name in settings.PAYMENT_PROVIDERS] if cash_is_on() else []


def provider_pages() -> list[URLPattern | URLResolver]:
    """The pages of all providers that have some here."""
    listed = [_provider(name) for name in settings.PAYMENT_PROVIDERS]
    return [
        path(f"{provider.code}/", include(provider.urlconf))
        for provider in listed
        if provider.urlconf
    ]


@cache
def _provider(dotted_path: str) -> PaymentProvider:
    provider: PaymentProvider = import_string(dotted_path)()
    return provider
