from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from wallet.cash import MODES
from wallet.payments.providers import listed_providers


@register
def cash_play_is_known(**_kwargs: Any) -> Sequence[CheckMessage]:
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
def providers_fit_the_play(**_kwargs: Any) -> Sequence[CheckMessage]:
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
    listed = listed_providers()
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
