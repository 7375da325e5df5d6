"""The course of a balance, for the chart of a statement and in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from wallet.money import Currency

_FEWEST_POINTS = 2


@dataclass(frozen=True, slots=True)
class BalanceChart:
    """`data` is for the browser: seconds since 1970 and amounts in the smallest unit; the others
    are the same for people who do not see the chart."""

    data: dict[str, Any]
    begins_at: datetime
    ends_at: datetime
    first: int
    last: int
    lowest: int
    highest: int


def balance_chart(
    points: Sequence[tuple[datetime, int]], currency: Currency
) -> BalanceChart | None:
    """None where there is no line to draw."""
    if len(points) < _FEWEST_POINTS:
        return None
    times, balances = zip(*points, strict=True)
    return BalanceChart(
        data={
            "currency": currency,
            "zone": settings.TIME_ZONE,
            "times": [round(moment.timestamp(), 3) for moment in times],
            "balances": balances,
        },
        begins_at=timezone.localtime(times[0]),
        ends_at=timezone.localtime(times[-1]),
        first=balances[0],
        last=balances[-1],
        lowest=min(balances),
        highest=max(balances),
    )
