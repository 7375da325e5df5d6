"""Responsible play: raised limits, self-exclusions, long play, repeated deposits.

A report covers only a few days, so that no page reads years of play.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import Count, F, Sum, Window
from django.db.models.functions import Lag, TruncDate

from accounts.models import User
from core.values.local_days import compute_day_start
from wallet.models import Deposit, DepositLimit, LossLimit, SelfExclusion

MOST_DAYS: Final = 31
PEOPLE_SHOWN: Final = 20
# Deposits on one day from which a player is listed.
DEPOSITS_ON_A_DAY: Final = 3
_HOURS: Final = """
SELECT player, extract(epoch FROM sum(coalesce(match.ended_at, now()) - match.started_at))::bigint,
       count(*)
FROM tables_match match, unnest(match.participants) player
WHERE match.started_at >= %(since)s AND match.started_at < %(until)s
  AND NOT EXISTS (SELECT FROM accounts_user u WHERE u.id = player AND u.became_bot_at IS NOT NULL)
GROUP BY player ORDER BY 2 DESC, 1 LIMIT %(shown)s
"""


@dataclass(frozen=True, slots=True)
class Raised:
    """A limit that was raised or removed. `before` and `after` are in paise; `after` is None if it was removed."""

    user: User
    is_of_losses: bool
    period: str
    before: int
    after: int | None
    effective_from: Any


@dataclass(frozen=True, slots=True)
class Hours:
    """A player's time in matches. The time at simultaneous tables is added up."""

    user: User
    seconds: int
    matches: int


@dataclass(frozen=True, slots=True)
class PaidInAgain:
    """Several deposits of one player on one local day."""

    user: User
    day: date
    number: int
    amount: int


def _compute_moments(since: date, until: date) -> dict[str, Any]:
    return {
        "since": compute_day_start(since),
        "until": compute_day_start(until + timedelta(days=1)),
    }


def list_raised_limits(*, since: date, until: date) -> list[Raised]:
    """Return the raised limits that took effect from `since` to `until`, inclusive, latest first."""
    ends = _compute_moments(since, until)
    raised = []
    for model in (DepositLimit, LossLimit):
        changed = model.objects.filter(
            effective_from__gte=ends["since"], effective_from__lt=ends["until"]
        )
        rows = model.objects.filter(user__in=list(changed.values_list("user", flat=True))).annotate(
            before=Window(
                Lag("amount"),
                partition_by=[F("user"), F("period")],
                order_by=[F("effective_from").asc(), F("pk").asc()],
            )
        )
        for row in rows.select_related("user"):
            if not ends["since"] <= row.effective_from < ends["until"] or row.before is None:
                continue
            if row.amount is None or row.amount > row.before:
                period, is_of_losses = row.get_period_display(), model is LossLimit
                raised.append(
                    Raised(
                        row.user, is_of_losses, period, row.before, row.amount, row.effective_from
                    )
                )
    return sorted(raised, key=lambda one: one.effective_from, reverse=True)


def list_exclusions(*, since: date, until: date) -> list[SelfExclusion]:
    ends = _compute_moments(since, until)
    rows = SelfExclusion.objects.filter(began_at__gte=ends["since"], began_at__lt=ends["until"])
    return list(rows.select_related("user").order_by("-began_at"))


def list_longest_players(*, since: date, until: date) -> list[Hours]:
    with connection.cursor() as cursor:
        cursor.execute(_HOURS, {**_compute_moments(since, until), "shown": PEOPLE_SHOWN})
        rows: list[tuple[int, int, int]] = cursor.fetchall()
    people = User.objects.in_bulk([player for player, _seconds, _matches in rows])
    return [Hours(people[player], seconds, matches) for player, seconds, matches in rows]


def list_repeated_deposits(*, since: date, until: date) -> list[PaidInAgain]:
    """Return the players who made several deposits on one day from `since` to `until`, inclusive, most deposits first.

    A player with several such days appears once for each. At most PEOPLE_SHOWN entries are returned.
    """
    ends = _compute_moments(since, until)
    rows = (
        Deposit.objects.filter(
            state=Deposit.State.PAID, decided_at__gte=ends["since"], decided_at__lt=ends["until"]
        )
        .annotate(day=TruncDate("decided_at"))
        .values_list("user", "day")
        .annotate(number=Count("pk"), paid=Sum("amount"))
        .filter(number__gte=DEPOSITS_ON_A_DAY)
        .order_by("-number", "-paid")[:PEOPLE_SHOWN]
    )
    found = list(rows)
    people = User.objects.in_bulk([user for user, _day, _number, _paid in found])
    return [PaidInAgain(people[user], day, number, paid) for user, day, number, paid in found]
