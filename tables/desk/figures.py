"""Figures about play for the administration's first page."""

from datetime import datetime, timedelta

from django.db.models import BooleanField, Count, F, Func, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _

from accounts.desk.figures import Figure, build_list_address, get_midnight_before
from accounts.models import User
from tables.models import (
    ClockBeat,
    Match,
    Report,
    ReportStatus,
    Seat,
    SeatStatus,
    Table,
    TableFault,
    TableStatus,
)

# Normally the clock is a few milliseconds late.
DEADLINE_IS_LATE_AFTER = timedelta(seconds=5)
CLOCK_STANDS_AFTER = timedelta(seconds=30)


def play(now: datetime) -> list[Figure]:
    playing = {"status__exact": SeatStatus.PLAYING, "user__is_bot__exact": 0}
    people = Seat.objects.filter(status=SeatStatus.PLAYING, user__is_bot=False)
    tables = Table.objects.exclude(status=TableStatus.CLOSED).aggregate(
        open=Count("pk"), running=Count("pk", filter=Q(status=TableStatus.PLAYING))
    )
    today = get_midnight_before(now)
    matches = Match.objects.filter(started_at__gte=today)
    return [
        Figure(
            _("Playing now"),
            str(people.values("user_id").distinct().count()),
            build_list_address("tables_seat", **playing),
        ),
        Figure(
            _("Tables open"),
            str(tables["open"]),
            build_list_address("tables_table", status__in=_of_open()),
        ),
        Figure(
            _("Tables running"),
            str(tables["running"]),
            build_list_address("tables_table", status__exact=TableStatus.PLAYING),
        ),
        Figure(
            _("Matches today"),
            str(matches.count()),
            build_list_address("tables_match", started_at__gte=today),
        ),
        Figure(_("of which with two people or more"), str(_count_with_people(matches))),
    ]


def _count_with_people(matches: QuerySet[Match]) -> int:
    """Return the number of matches that have at least two human players."""
    plays = Func(
        F("pk"),
        OuterRef("participants"),
        template="(%(expressions)s))",
        arg_joiner=" = ANY (",
        output_field=BooleanField(),
    )
    people = User.objects.filter(plays, is_bot=False, became_bot_at=None).order_by()
    counted = people.values(number=Func(F("pk"), function="COUNT"))
    return matches.annotate(people=Subquery(counted)).filter(people__gte=2).count()


def _of_open() -> str:
    return ",".join(status for status in TableStatus if status is not TableStatus.CLOSED)


def list_report_figures(_now: datetime) -> list[Figure]:
    waiting = Report.objects.filter(status=ReportStatus.OPEN).count()
    address = build_list_address("tables_report", status__exact=ReportStatus.OPEN)
    return [Figure(_("Reports about players"), str(waiting), address)]


def list_fault_figures(_now: datetime) -> list[Figure]:
    """Return the number of tables at which a game has failed."""
    count = TableFault.objects.filter(resolved_at=None).count()
    address = build_list_address("tables_tablefault", resolved_at__isempty=1)
    return [Figure(_("Tables out of order"), str(count), address, is_alarm=count > 0)]


def list_deadline_figures(now: datetime) -> list[Figure]:
    """Return the number of overdue deadlines, and whether a clock process runs."""
    late_since = now - DEADLINE_IS_LATE_AFTER
    late = Table.objects.filter(due_at__lt=late_since, broken_at=None).count()
    beat = ClockBeat.objects.values_list("beat_at", flat=True).first()
    stands = beat is None or now - beat > CLOCK_STANDS_AFTER
    return [
        Figure(
            _("Late table deadlines"),
            str(late),
            build_list_address("tables_table", due_at__lt=late_since, broken_at__isempty=1),
            is_alarm=late > 0,
        ),
        Figure(_("Clock"), str(_("stopped") if stands else _("runs")), is_alarm=stands),
    ]
