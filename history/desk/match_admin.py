"""Matches in the administration: their deals, moves and money, and cancelling one with refunds."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import tidy_player_name
from core.administration.lists import DayRange, PagesWithoutCount
from core.administration.pages import Decision, DecisionAdmin
from core.values.numbers import parse_number
from games.engine.base import TIMES
from history.records import deal_record, verdicts_on
from history.selectors import list_finished_deals
from tables.catalog import amount_text, title_of_format
from tables.desk.table_admin import VOIDED, VOIDED_AND_CLOSED
from tables.house_rules.facts import describe_facts
from tables.models import Match, MatchStatus
from tables.play.cancelling import cancel_match
from tables.seating.closing import cancel_and_close
from tables.texts import table_texts
from wallet.models import AccountKind, Entry, LedgerAccount
from wallet.money import Currency


def describe_event(
    event: Mapping[str, Any], *, texts: Mapping[str, str], names: Mapping[str, str]
) -> str:
    """Describe an event with the sentence that the table page shows for it.

    Return an empty string for an event that only sets times. If there is no sentence for an event, list its fields
    instead (`describe_fields`). `names` maps each seat to its player's name.
    """
    kind = str(event.get("kind", ""))
    if kind in TIMES:
        return ""
    words = {**_flatten_values(event), **_name_people(event, names)}
    for key in _list_keys(kind, event):
        try:
            return texts[key].format_map(words)
        except KeyError:
            continue
    return describe_fields(event)


def describe_fields(fields: Mapping[str, Any]) -> str:
    """Describe an event by its kind and all its fields with their values."""
    rest = [f"{name} {_write_value(value)}" for name, value in fields.items() if name != "kind"]
    return " ".join([str(fields.get("kind", "")), *rest]).strip()


def _list_keys(kind: str, event: Mapping[str, Any]) -> list[str]:
    """Return the keys of the texts that may describe an event, the most specific first."""
    endings = [str(event[name]) for name in ("source", "how") if event.get(name)]
    if event.get("valid") is False:
        endings.append("wrong")
    # A wrong declaration has a sentence of its own.
    general = [] if event.get("valid") is False else [f"event_{kind}"]
    return [*(f"event_{kind}_{ending}" for ending in endings), *general]


def _name_people(event: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    people = {}
    if str(event.get("seat")) in names:
        people["name"] = names[str(event["seat"])]
    several = event.get("winners") or event.get("seats")
    if isinstance(several, list) and several:
        people["names"] = ", ".join(names.get(str(seat), str(seat)) for seat in several)
    return people


def _flatten_values(event: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: _write_value(value) for name, value in event.items() if isinstance(value, (str, int))
    }


def _write_value(value: Any) -> str:
    """Format a field's value. Cards are written without the number of their pack."""
    if isinstance(value, list):
        return ", ".join(_write_value(one) for one in value)
    text = str(value)
    head, dot, pack = text.rpartition(".")
    return head if dot and pack.isdigit() and len(pack) == 1 and len(head) in (2, 3) else text


MOVEMENTS_SHOWN = 200


@admin.register(Match)
class MatchAdmin(DecisionAdmin):
    decision_permission = "tables.cancel_match"
    list_display = ("id", "table", "who", "status", "started_at", "ended_at")
    list_filter = ("status", "is_rated", ("started_at", DayRange))
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
        "rules_in_words",
    )
    readonly_fields = ("who", "rules_in_words")
    change_form_template = "admin/tables/match/match.html"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        words = search_term.strip()
        if not words:
            return queryset, False
        number = parse_number(words)
        if number is not None:
            return queryset.filter(pk=number), False
        name = tidy_player_name(words)
        people = User.objects.filter(player_name__iexact=name) | User.objects.filter(
            email=words.lower()
        )
        # Look up one match, by the index on participants.
        pk = people.values_list("pk", flat=True).first()
        return queryset.filter(participants__contains=[pk or 0]), False

    @admin.display(description=_("players"))
    def who(self, match: Match) -> str:
        return ", ".join(player["name"] for player in match.players.values())

    @admin.display(description=_("rules"))
    def rules_in_words(self, match: Match) -> SafeString:
        return format_html(
            "<details><summary>{}</summary>{}</details>",
            title_of_format(match.table.game, match.format),
            format_html_join("", "{}: {}<br>", describe_facts(match.table.game, match.rules)),
        )

    def decisions(self, obj: Match) -> Sequence[Decision]:
        if obj.status != MatchStatus.RUNNING or obj.table.is_of_event:
            return ()
        return (
            Decision("cancel", _("Void the match; the table goes on"), VOIDED, is_against=True),
            Decision(
                "cancel_and_close",
                _("Void the match and close the table"),
                VOIDED_AND_CLOSED,
                is_against=True,
            ),
        )

    def decide(self, request: HttpRequest, obj: Match, code: str, reason: str) -> None:
        cancel = cancel_and_close if code == "cancel_and_close" else cancel_match
        cancel(match_id=obj.pk, reason=reason, staff_id=int(request.user.pk or 0))

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.deal)
        address = "<int:match_id>/deals/<int:number>/"
        return [path(address, page, name="tables_match_deal"), *super().get_urls()]

    def get_extra_context(self, request: HttpRequest, obj: Match) -> dict[str, Any]:
        more = super().get_extra_context(request, obj)
        may_correct = (
            obj.status == MatchStatus.FINISHED
            and obj.table.currency == Currency.INR
            and request.user.has_perm("wallet.decide_withdrawal")
        )
        own = {"deals": _list_deals(obj), "may_correct": may_correct}
        return {**more, **own, **_build_outcome(obj), **_list_payments(obj)}

    def deal(self, request: HttpRequest, match_id: int, number: int) -> HttpResponse:
        """Show every move of a finished deal. The cards of a running deal are not shown to anybody."""
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
            "hands": _list_hands(record),
            "steps": _list_steps(record),
            "verdicts": verdicts_on(record),
            "match_id": match_id,
            "replay": reverse("deal_replay", args=[match_id, number]),
        }
        return render(request, "admin/tables/match/deal.html", context)


def _list_deals(match: Match) -> list[dict[str, Any]]:
    names = {seat: player["name"] for seat, player in match.players.items()}
    return [
        {
            "number": deal.number,
            "points": ", ".join(f"{names[seat]}: {count}" for seat, count in deal.points.items()),
        }
        for deal in list_finished_deals(match)
    ]


def _list_payments(match: Match) -> dict[str, Any]:
    """Return the context for the newest payments into and out of the match's pot."""
    currency = Currency(match.table.currency)
    account = LedgerAccount.objects.filter(
        kind=AccountKind.POT, owner_id=match.pk, currency=currency
    ).first()
    entries = Entry.objects.filter(account=account) if account else Entry.objects.none()
    newest = entries.select_related("transfer__journal").order_by("-seq")[:MOVEMENTS_SHOWN]
    return {"movements": newest, "currency": currency, "pot": account}


def _list_hands(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    players = record["players"]
    return [(players[seat], " ".join(cards)) for seat, cards in record["hands"].items()]


def _list_steps(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the moves with their effects, described with the sentences of the table page."""
    players, began = record["players"], record["steps"][0]["at_ms"] if record["steps"] else 0
    texts = table_texts(record["game"])
    return [
        {
            "seconds": (step["at_ms"] - began) / 1000,
            "player": players.get(str(step.get("seat")), ""),
            "move": describe_fields(step.get("move") or {}),
            "drew": step.get("drew", ""),
            "events": " ".join(
                filter(
                    None,
                    (describe_event(e, texts=texts, names=players) for e in step["events"]),
                )
            ),
        }
        for step in record["steps"]
    ]


def _build_outcome(match: Match) -> dict[str, Any]:
    """Return the rank, points and money of every player. A value that the match does not have is None."""
    result, settlement = match.result or {}, match.settlement or {}
    currency = match.table.currency
    amounts = settlement.get("amounts", {})
    lines = [
        {
            "name": player["name"],
            "user": player["user"],
            "is_bot": player["bot"],
            "place": result.get("ranks", {}).get(seat),
            "points": result.get("points", {}).get(seat),
            "amount": None if seat not in amounts else _won_or_lost(amounts[seat], currency),
        }
        for seat, player in match.players.items()
    ]
    fee = amount_text(settlement["rake"], currency) if "rake" in settlement else None
    return {"outcome": sorted(lines, key=lambda line: line["place"] or len(lines)), "fee": fee}


def _won_or_lost(amount: int, currency: str) -> str:
    sign = "+" if amount > 0 else "\N{MINUS SIGN}" if amount < 0 else ""
    return sign + amount_text(abs(amount), currency)
