"""Filters of the ledger's lists that an index or a number answers."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.desk.figures import beginning_of
from wallet.ledger.times import JOURNALS, TRANSFERS, Timed, day_begins, day_of, ids_between
from wallet.models import AccountKind, Reason

OF_PLAYERS = (AccountKind.PLAYER, AccountKind.WINNINGS, AccountKind.BONUS)


class KindFilter(admin.SimpleListFilter):
    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("players", _("of players")), *((kind.value, kind.value) for kind in AccountKind)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        if chosen == "players":
            return queryset.filter(kind__in=OF_PLAYERS)
        return queryset.filter(kind=chosen) if chosen else queryset


class ReasonFilter(admin.SimpleListFilter):
    title = _("reason")
    parameter_name = "reason"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(reason.value, reason.value) for reason in Reason]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(reason=self.value()) if self.value() else queryset


class WhenFilter(admin.SimpleListFilter):
    """Today, the last days, everything, or one day ("2026-11-21")."""

    title = _("time")
    parameter_name = "when"
    timed: Timed

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        day = day_of(request.GET.get(self.parameter_name))
        nearby = [day + timedelta(days=step) for step in (-1, 0, 1)] if day else []
        return [
            ("today", _("today")),
            ("week", _("in the last 7 days")),
            ("month", _("in the last 30 days")),
            *((date.isoformat(), date.isoformat()) for date in nearby),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        since, until = self._bounds()
        if since is None:
            return queryset
        ids = ids_between(self.timed, since=since, until=until)
        matches = queryset.filter(
            **{"id__gte": ids.start, "id__lt": ids.stop, f"{self.timed.column}__gte": since}
        )
        return matches.filter(**{f"{self.timed.column}__lt": until}) if until else matches

    def _bounds(self) -> tuple[datetime | None, datetime | None]:
        today = beginning_of(timezone.now())
        ago = {"today": 0, "week": 6, "month": 29}.get(self.value() or "")
        if ago is not None:
            return today - timedelta(days=ago), None
        day = day_of(self.value())
        return (day_begins(day), day_begins(day + timedelta(days=1))) if day else (None, None)


class WhenTransferred(WhenFilter):
    timed = TRANSFERS


class WhenRecorded(WhenFilter):
    timed = JOURNALS
