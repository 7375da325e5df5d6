"""Fee schedules with chosen stakes and times."""

import re
from datetime import UTC, datetime

from django.urls import reverse

from wallet.fees.selectors import get_fee
from wallet.models import FeeSchedule
from wallet.money import Currency

PAST = datetime(2020, 1, 1, tzinfo=UTC)
PAST_END = datetime(2021, 1, 1, tzinfo=UTC)
JANUARY = datetime(2027, 1, 1, tzinfo=UTC)
MARCH = datetime(2027, 3, 1, tzinfo=UTC)
MAY = datetime(2027, 5, 1, tzinfo=UTC)
FUTURE = datetime(2099, 1, 1, tzinfo=UTC)
LATER = datetime(2099, 6, 1, tzinfo=UTC)


def schedule(**changes):
    facts = {
        "game": "indian",
        "format": "POINTS",
        "currency": Currency.CHIPS,
        "stake_from": 10,
        "stake_to": 99,
        "rake_bps": 1_000,
        "valid_from": JANUARY,
        "valid_until": MAY,
    }
    return FeeSchedule.objects.create(**{**facts, **changes})


def fee(stake, at=MARCH, format="POINTS", currency=Currency.CHIPS):
    return get_fee(game="indian", format=format, currency=currency, stake=stake, at=at)


def read_preview(client, **asked):
    """Return the figures in the preview of a table's fee, or the whole page if there are none."""
    table = {"format": "indian:POINTS", "currency": "CHIPS", "stake": 10, "players": 2}
    page = client.get(reverse("admin:wallet_feeschedule_preview"), {**table, **asked}).text
    return re.findall(r"<td>([^<]+)</td>", page.partition("fee-preview")[2]) or page
