"""Matches in the administration: their deals, moves and money; and the void with its refund."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.audit.decisions import Decision, DecisionAdmin
from accounts.audit.uncounted_paginator import PagesWithoutCount
from accounts.models import User
from tables.history.records import deal_record, verdicts_on
from tables.history.selectors import finished_deals
from tables.models import Match, MatchStatus
from tables.play.broadcast import announce_from_thread
from tables.refusals import Refusal
from tables.seating.cancelling import cancel_match
from wallet.ledger.chart import pot
from wallet.ledger.lines import statement_page
from wallet.models import LedgerAccount
from wallet.money import Currency

MOVEMENTS_SHOWN = 200


@admin.register(Match)
class MatchAdmin(DecisionAdmin):
    decision_permission = "tables.cancel_match"
    refusals = (Refusal,)
    list_display = ("id", "table", "who", "status", "started_at", "ended_at")
    list_filter = ("status", "is_rated")
    list_select_related = ("table",)
    ordering = ("-id",)
    paginator = PagesWithoutCount
    show_full_result_count = False
    search_fields = ("id",)
    search_help_text = _("Number of the match, or the name or e-mail address of a player")
    fields = (
        "table",
        "status",
        "who",
        "started_at",
        "ended_at",
        "cancelled_for",
        "is_rated",
        "result",
        "settlement",
        "rules",
    )
    readonly_fields = ("who",)
    change_form_template = "admin/tables/match/match.html"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        words = search_term.strip()
        if not words:
            return queryset, False
        if words.isdigit() and len(words) < len(str(2**62)):
            return queryset.filter(pk=int(words)), False
        people = User.objects.filter(player_name__iexact=words) | User.objects.filter(
            email=words.lower()
        )
        # One of them, by the index of participants.
        pk = people.values_list("pk", flat=True).first()
        return queryset.filter(participants__contains=[pk or 0]), False

    @admin.display(description=_("players"))
    def who(self, match: Match) -> str:
        return ", ".join(player["name"] for player in match.players.values())

    def decisions(self, obj: Match) -> Sequence[Decision]:
        if obj.status != MatchStatus.RUNNING or obj.table.is_of_event:
            return ()
        return (
            Decision("cancel", _("Void it, the table goes on"), is_against=True),
            Decision("cancel_and_close", _("Void it and close the table"), is_against=True),
        )

    def decide(self, request: HttpRequest, obj: Match, code: str, reason: str) -> None:
        step = cancel_match(
            match_id=obj.pk,
            reason=reason,
            staff_id=int(request.user.pk or 0),
            closes_table=code == "cancel_and_close",
        )
        transaction.on_commit(partial(announce_from_thread, [step]), robust=True)

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.deal)
        address = "<int:match_id>/deals/<int:number>/"
        return [path(address, page, name="tables_match_deal"), *super().get_urls()]

    def more_about(self, request: HttpRequest, obj: Match) -> dict[str, Any]:
        return {**super().more_about(request, obj), "deals": _deals(obj), **_money(obj)}

    def deal(self, request: HttpRequest, match_id: int, number: int) -> HttpResponse:
        """Every move of a deal that is over; of one that is being played nobody sees the cards."""
        if not self.has_view_permission(request) or not request.user.has_perm("tables.view_deal"):
            raise PermissionDenied
        record = deal_record(match_id=match_id, number=number)
        if record is None:
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Match %(match)s, deal %(deal)s")
            % {"match": match_id, "deal": number},
            "record": record,
            "hands": _hands(record),
            "steps": _steps(record),
            "verdicts": verdicts_on(record),
            "match_id": match_id,
            "replay": reverse("deal_replay", args=[match_id, number]),
        }
        return render(request, "admin/tables/match/deal.html", context)


def _deals(match: Match) -> list[dict[str, Any]]:
    names = {seat: player["name"] for seat, player in match.players.items()}
    return [
        {
            "number": deal.number,
            "points": ", ".join(f"{names[seat]}: {count}" for seat, count in deal.points.items()),
        }
        for deal in finished_deals(match)
    ]


def _money(match: Match) -> dict[str, Any]:
    """What came into the match's pot and what became of it."""
    currency = Currency(match.table.currency)
    ref = pot(match.pk, currency)
    page = statement_page(ref, length=MOVEMENTS_SHOWN)
    account = LedgerAccount.objects.filter(
        kind=ref.kind, owner_id=ref.owner_id, currency=currency, shard=0
    ).first()
    return {"movements": page.entries, "currency": currency, "pot": account}


def _hands(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    players = record["players"]
    return [(players[seat], " ".join(cards)) for seat, cards in record["hands"].items()]


def _steps(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Who did what, and what the table made of it, in the words of the record."""
    players, began = record["players"], record["steps"][0]["at_ms"] if record["steps"] else 0
    return [
        {
            "seconds": (step["at_ms"] - began) / 1000,
            "player": players.get(str(step.get("seat")), ""),
            "move": _plain(step.get("move") or {}),
            "drew": step.get("drew", ""),
            "events": "; ".join(_plain(event) for event in step["events"]),
        }
        for step in record["steps"]
    ]


def _plain(fields: Mapping[str, Any]) -> str:
    kind = str(fields.get("kind", ""))
    rest = [f"{name} {value}" for name, value in fields.items() if name != "kind"]
    return " ".join([kind, *rest])
