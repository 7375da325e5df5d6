"""Computes the figures of reports, once for each day, week and month, in a job.

A day is computed again as long as transfers may still be added to it, because a transfer belongs to the day on
which its transaction began. Days follow one another without a gap, so the players' balance at the end of a day is
that of the day before plus the day's movements.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from core.values.local_days import compute_day_start
from tables.models import Match
from wallet.api import find_transfers
from wallet.models import AccountKind, ReportFigure, ReportPeriod, Transfer

# Longer than any transaction takes.
_FINAL_AFTER: Final = timedelta(minutes=15)
MOST_DAYS_A_RUN: Final = 31
_DAY: Final = Path(__file__).with_name("day.sql").read_text("utf-8")
# Accounts that hold players' chips and cash: wallets, seats, pots and prize pools.
OF_PLAYERS: Final = (
    AccountKind.PLAYER,
    AccountKind.WINNINGS,
    AccountKind.BONUS,
    AccountKind.SEAT,
    AccountKind.POT,
    AccountKind.PRIZE_POOL,
)
_MATCHES: Final = """
SELECT tab.game, coalesce(nullif(match.own_format, ''), tab.format) AS format, tab.currency, count(*), count(*) FILTER (
  WHERE jsonb_path_exists(match.players, '$.*.bot ? (@ == true)'))
FROM tables_match match JOIN tables_table tab ON tab.id = match.table_id
WHERE match.started_at >= %(since)s AND match.started_at < %(until)s
GROUP BY tab.game, 2, tab.currency
"""
_PLAYERS: Final = """
SELECT count(DISTINCT player) FROM tables_match match, unnest(match.participants) player
WHERE match.started_at >= %(since)s AND match.started_at < %(until)s
  AND NOT EXISTS (SELECT FROM accounts_user u WHERE u.id = player AND u.became_bot_at IS NOT NULL)
"""
Length = ReportPeriod.Length


@dataclass(frozen=True, slots=True)
class Span:
    """A period with its begin and its end, `until`, which is excluded."""

    length: ReportPeriod.Length
    begins: date

    @property
    def ends(self) -> date:
        if self.length == Length.DAY:
            return self.begins + timedelta(days=1)
        if self.length == Length.WEEK:
            return self.begins + timedelta(days=7)
        return (self.begins.replace(day=1) + timedelta(days=32)).replace(day=1)

    @property
    def moments(self) -> dict[str, datetime]:
        return {"since": compute_day_start(self.begins), "until": compute_day_start(self.ends)}


def find_span(length: ReportPeriod.Length, day: date) -> Span:
    """Return the period of this length that contains a day. Weeks begin on Mondays."""
    if length == Length.WEEK:
        day -= timedelta(days=day.weekday())
    elif length == Length.MONTH:
        day = day.replace(day=1)
    return Span(length, day)


def compute_due(*, now: datetime) -> int:
    """Compute every day that is not final yet, oldest first, with its weeks and months.

    Returns the number of days computed. The next run continues.
    """
    today = timezone.localtime(now).date()
    days = list(_list_days_due(today))[:MOST_DAYS_A_RUN]
    for day in days:
        compute(Span(Length.DAY, day), now=now)
    for length in (Length.WEEK, Length.MONTH):
        for span in sorted({find_span(length, day) for day in days}, key=lambda span: span.begins):
            compute(span, now=now)
    return len(days)


def _list_days_due(today: date) -> Iterator[date]:
    final = ReportPeriod.objects.filter(length=Length.DAY, is_final=True).order_by("-begins")
    last = final.values_list("begins", flat=True).first()
    day = last + timedelta(days=1) if last is not None else _find_first_day(today)
    while day <= today:
        yield day
        day += timedelta(days=1)


def _find_first_day(today: date) -> date:
    """Return the day of the site's first transfer or match, or today if there is none."""
    firsts = (
        Transfer.objects.order_by("pk").values_list("happened_at", flat=True).first(),
        Match.objects.order_by("pk").values_list("started_at", flat=True).first(),
    )
    days = [timezone.localtime(moment).date() for moment in firsts if moment is not None]
    return min([*days, today])


@transaction.atomic
def compute(span: Span, *, now: datetime) -> None:
    """Compute a period again and replace its figures. Concurrent calls wait for each other."""
    row, _made = ReportPeriod.objects.get_or_create(
        length=span.length, begins=span.begins, defaults={"computed_at": now}
    )
    row = ReportPeriod.objects.select_for_update().get(pk=row.pk)
    figures = list(_of_day(span) if span.length == Length.DAY else [_count_players(span)])
    row.figures.all().delete()
    ReportFigure.objects.bulk_create([ReportFigure(period=row, **figure) for figure in figures])
    row.computed_at = now
    row.is_final = now >= span.moments["until"] + _FINAL_AFTER
    row.save(update_fields=["computed_at", "is_final"])


def _of_day(span: Span) -> Iterator[dict[str, Any]]:
    yield _count_players(span)
    moments = span.moments
    joined = User.objects.filter(
        date_joined__gte=moments["since"],
        date_joined__lt=moments["until"],
        is_bot=False,
        is_guest=False,
    )
    yield {"name": "joined", "number": joined.count()}
    with connection.cursor() as cursor:
        cursor.execute(_MATCHES, moments)
        for game, format, currency, number, with_bots in cursor.fetchall():
            kind = {"game": game, "format": format, "currency": currency}
            yield {"name": "matches", **kind, "number": number}
            yield {"name": "matches_with_bots", **kind, "number": with_bots}
    yield from _of_ledger(span)


def _of_ledger(span: Span) -> Iterator[dict[str, Any]]:
    moments = span.moments
    ids = find_transfers(moments["since"], moments["until"])
    came = dict(_read_held_before(span.begins))
    with connection.cursor() as cursor:
        cursor.execute(
            _DAY,
            {
                **moments,
                "first": ids.start,
                "stop": ids.stop,
                "of_players": [kind.value for kind in OF_PLAYERS],
            },
        )
        for name, currency, game, format, stake, rate, amount, number in cursor.fetchall():
            if name == "came_to_players":
                came[currency] = came.get(currency, 0) + int(amount)
                continue
            yield {
                "name": name, "currency": currency, "game": game, "format": format, "stake": stake,
                "rate": rate, "amount": int(amount), "number": number,
            }  # fmt: skip
    for currency, amount in came.items():
        yield {"name": "held_by_players", "currency": currency, "amount": amount}


def _read_held_before(day: date) -> Iterator[tuple[str, int]]:
    before = ReportFigure.objects.filter(
        period__length=Length.DAY,
        period__begins=day - timedelta(days=1),
        name="held_by_players",
    )
    yield from before.values_list("currency", "amount")


def _count_players(span: Span) -> dict[str, Any]:
    """Count the people who began a match in the period, without practice bots and BOT accounts."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, span.moments)
        return {"name": "players", "number": cursor.fetchone()[0]}
