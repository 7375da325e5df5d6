"""The payment providers of this site, and the system checks of their settings."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.db.models.functions import Now
from django.urls import URLPattern, URLResolver, include, path
from django.utils.module_loading import import_string

from core.refusals import Refusal
from wallet.cash import MODES, cash_is_on
from wallet.models import ProviderChoice
from wallet.payments.base import PaymentProvider
from wallet.refusals import CASH_IS_OFF


class UnknownProvider(LookupError):  # noqa: N818 - expected: anybody may call a webhook
    """No provider with this code is listed in the settings."""


def get_payment_provider() -> PaymentProvider:
    """Return the provider of new payments. Raises CASH_IS_OFF if no provider is listed.

    It is the provider chosen in the administration. If none is chosen, or the chosen one is not listed, it is the first
    of PAYMENT_PROVIDERS.
    """
    listed = list_providers()
    if not listed:
        raise Refusal(CASH_IS_OFF)
    if len(listed) == 1:
        return listed[0]
    counting = ProviderChoice.objects.filter(valid_from__lte=Now()).order_by("-valid_from")
    chosen = counting.values_list("provider", flat=True).first()
    return next((one for one in listed if one.code == chosen), listed[0])


def get_provider(code: str) -> PaymentProvider:
    """Return the provider with this code, as stored with a deposit or withdrawal. Raises UnknownProvider."""
    for provider in list_providers():
        if provider.code == code:
            return provider
    raise UnknownProvider(code)


def list_providers() -> list[PaymentProvider]:
    """Return all providers whose webhooks are accepted; none while cash is off."""
    return [_load_provider(name) for name in settings.PAYMENT_PROVIDERS] if cash_is_on() else []


def list_provider_pages() -> list[URLPattern | URLResolver]:
    """Return the URLs of providers that have pages on this site, for the root URLconf."""
    listed = [_load_provider(name) for name in settings.PAYMENT_PROVIDERS]
    return [
        path(f"{provider.code}/", include(provider.urlconf))
        for provider in listed
        if provider.urlconf
    ]


@cache
def _load_provider(dotted_path: str) -> PaymentProvider:
    provider: PaymentProvider = import_string(dotted_path)()
    return provider


@register
def check_cash_play(**_kwargs: Any) -> Sequence[CheckMessage]:
    if settings.CASH_PLAY in MODES:
        return []
    return [
        Error(
            f"CASH_PLAY is {settings.CASH_PLAY!r}.",
            hint=f"Set it to one of {', '.join(MODES)}.",
            id="wallet.E001",
        )
    ]


@register
def check_providers(**_kwargs: Any) -> Sequence[CheckMessage]:
    if settings.CASH_PLAY == "off":
        return []
    if not settings.PAYMENT_PROVIDERS:
        return [
            Error(
                f"CASH_PLAY is {settings.CASH_PLAY!r}, and no payment provider is listed.",
                hint="Set PAYMENT_PROVIDERS to the dotted path of a provider's class.",
                id="wallet.E002",
            )
        ]
    listed = list_providers()
    if lacking := [
        f"PAYMENT_{name}"
        for provider in listed
        for name in provider.needs
        if not settings.PAYMENT_OPTIONS.get(name)
    ]:
        return [
            Error(
                f"A payment provider is listed that lacks {', '.join(lacking)}.",
                hint="Set these variables, or take the provider out of PAYMENT_PROVIDERS.",
                id="wallet.E004",
            )
        ]
    trial = [provider for provider in listed if not provider.moves_money]
    if settings.CASH_PLAY == "live" and trial:
        return [
            Error(
                f"CASH_PLAY is 'live', and {trial[0].code!r} gives away cash that nobody has paid.",
                hint="Take it out of PAYMENT_PROVIDERS, or set CASH_PLAY to sandbox.",
                id="wallet.E003",
            )
        ]
    return []
