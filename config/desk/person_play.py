"""A player's play on their staff page: results by format, last matches and tournaments, current tables, and reports."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.contrib import admin
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.desk.figures import Figure, build_list_address
from accounts.desk.person_page import Cell, Panel, PlayerColumn
from accounts.models import User
from core.administration import cells
from core.administration.lists import format_moment
from history.models import CaseState, SupportCase
from history.selectors import list_matches
from players.models import DayTotal
from tables.catalog import amount_text, title_of_format
from tables.chat.sanctions import describe_course
from tables.models import Match, MatchStatus, Report, ReportStatus, Sanction, Seat
from tournaments.models import Entrant

# Limit the matches that the page counts, because a player may have played for years.
MATCHES_COUNTED: Final = 100
_MATCHES_SHOWN: Final = 10
_ENTRIES_SHOWN: Final = 5
_CASES_SHOWN: Final = 5


@dataclass(slots=True)
class _Result:
    matches: int = 0
    won: int = 0
    amount: int = 0


def panels_of_play(user: User) -> Sequence[Panel]:
    matches = list_matches(user_id=user.pk, before=None, length=MATCHES_COUNTED)
    return [_build_results_panel(user, matches), _build_matches_panel(user, matches)]


def _build_results_panel(user: User, matches: Sequence[Match]) -> Panel:
    counted: dict[tuple[str, str, str], _Result] = defaultdict(_Result)
    for match in matches:
        if match.status != MatchStatus.FINISHED:
            continue
        result = counted[match.table.game, match.format, match.table.currency]
        result.matches += 1
        result.won += _place(user, match) == 1
        result.amount += _find_amount(user, match) or 0
    played = DayTotal.objects.filter(user=user).aggregate(sum=Sum("matches", default=0))["sum"]
    seats = Seat.objects.filter(user=user, left_at=None).select_related("table").order_by("pk")
    figures = [
        Figure(_("Matches that count for leaderboards"), str(played)),
        *(
            Figure(_("Seated at"), seat.table.name, _page("tables_table", seat.table_id))
            for seat in seats.defer("table__state", "table__next_seed")
        ),
    ]
    rows = [
        [
            Cell(title_of_format(game, format)),
            Cell(str(result.matches)),
            Cell(str(result.won)),
            Cell(_write_with_sign(result.amount, currency)),
        ]
        for (game, format, currency), result in sorted(counted.items())
    ]
    title = _("Results of the last %(number)s matches") % {"number": len(matches)}
    columns = (_("Format"), _("Matches"), _("Won"), _("Won or lost"))
    return Panel("results", title, figures, columns, rows)


def _build_matches_panel(user: User, matches: Sequence[Match]) -> Panel:
    rows = [
        [
            Cell(f"#{match.pk}", _page("tables_match", match.pk)),
            Cell(format_moment(match.started_at)),
            Cell(title_of_format(match.table.game, match.format)),
            Cell(", ".join(_list_others(user, match))),
            Cell(_describe_outcome(user, match)),
        ]
        for match in matches[:_MATCHES_SHOWN]
    ]
    columns = (_("Match"), _("Started"), _("Format"), _("With"), _("Won or lost"))
    return Panel("matches", _("Last matches"), (), columns, rows)


def _seat(user: User, match: Match) -> str:
    return next((seat for seat, one in match.players.items() if one["user"] == user.pk), "")


def _list_others(user: User, match: Match) -> list[str]:
    return [one["name"] for one in match.players.values() if one["user"] != user.pk]


def _place(user: User, match: Match) -> int | None:
    place: int | None = (match.result or {}).get("ranks", {}).get(_seat(user, match))
    return place


def _find_amount(user: User, match: Match) -> int | None:
    """Return the amount won or lost, or None if no money or chips were at stake, as in a tournament."""
    amount: int | None = (match.settlement or {}).get("amounts", {}).get(_seat(user, match))
    return amount


def _describe_outcome(user: User, match: Match) -> str:
    if match.status == MatchStatus.CANCELLED:
        return _("cancelled")
    amount = _find_amount(user, match)
    if amount is None:
        return _("place %(place)s") % {"place": _place(user, match) or "-"}
    return _write_with_sign(amount, match.table.currency)


def _write_with_sign(amount: int, currency: str) -> str:
    sign = "+" if amount > 0 else "\N{MINUS SIGN}" if amount < 0 else ""
    return sign + amount_text(abs(amount), currency)


def _page(model: str, pk: int) -> str:
    return reverse(f"admin:{model}_change", args=[pk])


def panels_of_tournaments(user: User) -> Sequence[Panel]:
    entries = Entrant.objects.filter(user=user).select_related("tournament").order_by("-pk")
    sums = Entrant.objects.filter(user=user).aggregate(
        number=Count("pk"), paid=Count("pk", filter=Q(prize__gt=0))
    )
    figures = [
        Figure(
            _("Tournaments"),
            str(sums["number"]),
            build_list_address("tournaments_entrant", user__id__exact=user.pk),
        ),
        Figure(_("of which with a prize"), str(sums["paid"])),
    ]
    rows = [
        [
            Cell(entrant.tournament.name, _page("tournaments_tournament", entrant.tournament_id)),
            Cell(format_moment(entrant.tournament.starts_at)),
            Cell(entrant.get_state_display()),
            Cell("-" if entrant.place is None else str(entrant.place)),
            Cell(amount_text(entrant.prize, entrant.tournament.currency)),
        ]
        for entrant in entries[:_ENTRIES_SHOWN]
    ]
    columns = (_("Tournament"), _("Start"), _("State"), _("Place"), _("Prize"))
    return [Panel("tournaments", _("Tournaments"), figures, columns, rows)]


def panels_of_reports(user: User) -> Sequence[Panel]:
    about = Report.objects.filter(reported=user)
    numbers = about.aggregate(
        all=Count("pk"),
        open=Count("pk", filter=Q(status=ReportStatus.OPEN)),
        acted=Count("pk", filter=Q(status=ReportStatus.ACTED)),
    )
    figures = [
        Figure(
            _("Reports about them"),
            str(numbers["all"]),
            build_list_address("tables_report", reported__id__exact=user.pk),
        ),
        Figure(_("of which open"), str(numbers["open"]), is_alarm=numbers["open"] > 0),
        Figure(_("of which acted upon"), str(numbers["acted"])),
    ]
    rows = [
        [
            Cell(report.get_reason_display(), _page("tables_report", report.pk)),
            Cell(format_moment(report.created_at)),
            Cell(report.reporter.player_name, _page("accounts_user", report.reporter_id)),
            Cell(report.get_status_display()),
        ]
        for report in about.select_related("reporter").order_by("-pk")[:_CASES_SHOWN]
    ]
    columns = (_("Reason"), _("When"), _("By"), _("State"))
    return [Panel("reports", _("Reports"), figures, columns, rows)]


def panels_of_sanctions(user: User) -> Sequence[Panel]:
    given, now = Sanction.objects.filter(user=user).order_by("-pk"), timezone.now()
    rows = [
        [
            Cell(str(sanction), _page("tables_sanction", sanction.pk)),
            Cell(format_moment(sanction.decided_at)),
            Cell(" ".join([sanction.get_reason_display(), sanction.words])),
            Cell(describe_course(sanction, now=now)),
        ]
        for sanction in given[:_CASES_SHOWN]
    ]
    columns = (_("Decision"), _("When"), _("Reason"), _("State"))
    return [Panel("sanctions", _("Warnings and silences"), (), columns, rows)]


def panels_of_cases(user: User) -> Sequence[Panel]:
    cases = SupportCase.objects.filter(user=user)
    waiting = cases.filter(state=CaseState.OPEN).count()
    rows = [
        [
            Cell(f"#{case.pk} {case.get_topic_display()}", _page("history_supportcase", case.pk)),
            Cell(format_moment(case.changed_at)),
            Cell(case.get_state_display()),
        ]
        for case in cases.order_by("-pk")[:_CASES_SHOWN]
    ]
    columns = (_("Request"), _("Last message"), _("State"))
    figure = Figure(_("Waiting for an answer"), str(waiting), is_alarm=waiting > 0)
    return [Panel("cases", _("Requests"), [figure], columns, rows)]


# --- The list of players --------------------------------------------------------------------------


def _count_matches(ids: Sequence[int]) -> Mapping[int, cells.Cell]:
    sums = DayTotal.objects.filter(user__in=ids).order_by().values_list("user")
    return dict(sums.annotate(Sum("matches")))


def _list_last_seatings(ids: Sequence[int]) -> Mapping[int, cells.Cell]:
    last = (
        Seat.objects.filter(user__in=ids).order_by().values_list("user").annotate(Max("joined_at"))
    )
    return dict(last)


COLUMNS: Final = (
    PlayerColumn(
        "matches", gettext_lazy("matches for leaderboards"), "tables.view_match", _count_matches
    ),
    PlayerColumn(
        "played",
        gettext_lazy("last at a table"),
        "tables.view_match",
        _list_last_seatings,
        format_moment,
    ),
)


class PlayedFilter(admin.SimpleListFilter):
    """Filters players by the last time they sat down at a table."""

    title = gettext_lazy("last at a table")
    parameter_name = "played"
    _DAYS = {"week": 7, "month": 30}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("week", gettext_lazy("in the last 7 days")),
            ("month", gettext_lazy("in the last 30 days")),
            ("not", gettext_lazy("not in the last 30 days")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        if self.value() not in ("week", "month", "not"):
            return queryset
        since = timezone.now() - timedelta(days=self._DAYS.get(str(self.value()), 30))
        sat = Exists(Seat.objects.filter(user=OuterRef("pk"), joined_at__gte=since))
        return queryset.filter(~sat if self.value() == "not" else sat)
