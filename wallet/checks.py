from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from wallet.cash import MODES


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
