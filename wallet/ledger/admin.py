"""The administration's read-only pages of the ledger: accounts, entries, transfers, events and checks.

These tables only grow, so no page counts rows or sorts in an order that no index gives.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.administration.cells import in_file
from core.administration.lists import PagesWithoutCount, parse_day
from core.administration.pages import LookOnlyAdmin
from core.values.local_days import compute_day_start
from core.values.numbers import parse_number
from wallet.ledger.chart import AccountRef
from wallet.ledger.entries import (
    JOURNALS,
    TRANSFERS,
    Timed,
    find_numbers_between,
    ids_between,
    read_statement_page,
)
from wallet.models import (
    AccountKind,
    Journal,
    LedgerAccount,
    LedgerCheck,
    LedgerSeal,
    Reason,
    Transfer,
)
from wallet.money import Currency, format_shown_amount, to_decimal

_OWNERS = {
    AccountKind.PLAYER: "accounts_user",
    AccountKind.WINNINGS: "accounts_user",
    AccountKind.BONUS: "accounts_user",
    AccountKind.SEAT: "tables_seat",
    AccountKind.POT: "tables_match",
    AccountKind.RAKE: "tables_table",
    AccountKind.PRIZE_POOL: "tournaments_tournament",
}
# The kind of an event's subject ("match:42"), or the first word of its key.
_SUBJECTS = {
    "table": "tables_table",
    "match": "tables_match",
    "seat": "tables_seat",
    "tournament": "tournaments_tournament",
    "league": "tournaments_league",
    "bonus": "wallet_bonus",
    "deposit": "wallet_deposit",
    "welcome": "accounts_user",
    "player": "accounts_user",
}


def page_of_owner(account: LedgerAccount) -> str:
    """Return the URL of the page about an account's owner, or "" for an account of the house."""
    model = _OWNERS.get(AccountKind(account.kind))
    return reverse(f"admin:{model}_change", args=[account.owner_id]) if model else ""


def page_of_subject(words: str) -> str:
    """Return the URL of the page about a subject ("match:42") or an event's key ("match:42:settle"), or ""."""
    kind, _colon, rest = words.partition(":")
    number, model = rest.partition(":")[0], _SUBJECTS.get(kind)
    if model is None or parse_number(number) is None:
        return ""
    try:
        return reverse(f"admin:{model}_change", args=[number])
    except NoReverseMatch:
        return ""


OF_PLAYERS = (AccountKind.PLAYER, AccountKind.WINNINGS, AccountKind.BONUS)


class AccountKindFilter(admin.SimpleListFilter):
    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("players", _("accounts of players")),
            *((kind.value, kind.value) for kind in AccountKind),
        ]

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
    """A filter by time: today, the last days, or one day ("2026-11-21")."""

    title = _("time")
    parameter_name = "when"
    timed: Timed

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        day = parse_day(request.GET.get(self.parameter_name))
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
        ago = {"today": 0, "week": 6, "month": 29}.get(self.value() or "")
        if ago is not None:
            return compute_day_start(timezone.localdate() - timedelta(days=ago)), None
        day = parse_day(self.value())
        return (
            (compute_day_start(day), compute_day_start(day + timedelta(days=1)))
            if day
            else (None, None)
        )


class WhenTransferred(WhenFilter):
    timed = TRANSFERS


class WhenRecorded(WhenFilter):
    timed = JOURNALS


ENTRIES_SHOWN = 100


def link(address: str, words: object) -> SafeString | str:
    return format_html('<a href="{}">{}</a>', address, words) if address else str(words)


def link_to_account(account: LedgerAccount) -> SafeString | str:
    address = reverse("admin:wallet_ledgeraccount_change", args=[account.pk])
    return link(address, f"{account.kind} {account.owner_id or ''} {account.currency}")


class LedgerPage(LookOnlyAdmin):
    """A read-only page of rows that services write."""

    paginator = PagesWithoutCount
    show_full_result_count = False
    list_per_page = 100

    def parse_search(self, words: str) -> int | None:
        """Return the number that was searched for, or None for any other text."""
        return parse_number(words.strip())


@admin.register(LedgerAccount)
class LedgerAccountAdmin(LedgerPage):
    list_display = ("__str__", "whose", "shown_balance", "shown_held", "seq", "closed_at")
    list_filter = (AccountKindFilter, "currency")
    # The order of an index.
    ordering = ("kind", "owner_id", "currency", "shard")
    search_fields = ("owner_id",)
    search_help_text = _("Number of the owner: a player, a seat, a match, a table, a tournament")
    fields = (
        "kind",
        "whose",
        "currency",
        "shard",
        "shown_balance",
        "shown_held",
        "seq",
        "may_be_negative",
        "opened_at",
        "closed_at",
    )
    readonly_fields = ("whose", "shown_balance", "shown_held")
    change_form_template = "admin/wallet/ledgeraccount/account.html"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[LedgerAccount], search_term: str
    ) -> tuple[QuerySet[LedgerAccount], bool]:
        if not search_term:
            return queryset, False
        # Filter by kind too, because the index begins with it.
        kinds = [kind.value for kind in AccountKind]
        owner = self.parse_search(search_term)
        return queryset.filter(kind__in=kinds, owner_id=-1 if owner is None else owner), False

    @admin.display(description=_("owner"))
    def whose(self, account: LedgerAccount) -> SafeString | str:
        return link(page_of_owner(account), account.owner_id or _("the house"))

    @in_file(
        lambda account: to_decimal(account.balance, Currency(account.currency)),
        currency=lambda account: str(account.currency),
    )
    @admin.display(description=_("balance"))
    def shown_balance(self, account: LedgerAccount) -> str:
        return format_shown_amount(account.balance, account.currency)

    @in_file(
        lambda account: to_decimal(account.held, Currency(account.currency)),
        currency=lambda account: str(account.currency),
    )
    @admin.display(description=_("held"))
    def shown_held(self, account: LedgerAccount) -> str:
        return format_shown_amount(account.held, account.currency)

    def get_extra_context(self, request: HttpRequest, obj: LedgerAccount) -> dict[str, Any]:
        return {**super().get_extra_context(request, obj), **self._entries(request, obj)}

    def _entries(self, request: HttpRequest, account: LedgerAccount) -> dict[str, Any]:
        """Return a page of entries, newest first, filtered by number, reason and days of the query string."""
        asked = request.GET
        ref = AccountRef(
            AccountKind(account.kind), account.owner_id, Currency(account.currency), account.shard
        )
        since, until = parse_day(asked.get("since")), parse_day(asked.get("until"))
        numbers = find_numbers_between(
            ref,
            since=compute_day_start(since) if since else None,
            until=compute_day_start(until + timedelta(days=1)) if until else None,
        )
        page = read_statement_page(
            ref,
            before=parse_number(asked.get("before", "")),
            length=ENTRIES_SHOWN,
            reasons=[Reason(asked["reason"])] if asked.get("reason") in set(Reason) else (),
            numbers=numbers,
        )
        kept = {name: asked[name] for name in ("reason", "since", "until") if asked.get(name)}
        return {
            "entries": page.entries,
            "older": urlencode({**kept, "before": page.older}) if page.older else "",
            "kept": kept,
            "reasons": list(Reason),
            "currency": Currency(account.currency),
        }


@admin.register(Transfer)
class TransferAdmin(LedgerPage):
    list_display = ("id", "happened_at", "reason", "shown", "from_account", "to_account", "event")
    list_filter = (WhenTransferred, ReasonFilter, "currency")
    list_select_related = ("source", "destination", "journal")
    ordering = ("-id",)
    search_fields = ("id",)
    search_help_text = _("Number of the transfer, or the whole key of its event")
    fields = ("id", "happened_at", "reason", "shown", "from_account", "to_account", "event", "line")
    readonly_fields = ("id", "shown", "from_account", "to_account", "event")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Transfer], search_term: str
    ) -> tuple[QuerySet[Transfer], bool]:
        if not search_term:
            return queryset, False
        number = self.parse_search(search_term)
        if number is not None:
            return queryset.filter(pk=number), False
        journal_ids = Journal.objects.filter(key=search_term.strip()).values_list("pk", flat=True)
        return queryset.filter(journal_id__in=list(journal_ids)), False

    @in_file(
        lambda transfer: to_decimal(transfer.amount, Currency(transfer.currency)),
        currency=lambda transfer: str(transfer.currency),
    )
    @admin.display(description=_("amount"))
    def shown(self, transfer: Transfer) -> str:
        return format_shown_amount(transfer.amount, transfer.currency)

    @admin.display(description=_("source"))
    def from_account(self, transfer: Transfer) -> SafeString | str:
        return link_to_account(transfer.source)

    @admin.display(description=_("destination"))
    def to_account(self, transfer: Transfer) -> SafeString | str:
        return link_to_account(transfer.destination)

    @admin.display(description=_("event"))
    def event(self, transfer: Transfer) -> SafeString | str:
        address = reverse("admin:wallet_journal_change", args=[transfer.journal_id])
        return link(address, transfer.journal.key)


@admin.register(Journal)
class JournalAdmin(LedgerPage):
    list_display = ("id", "recorded_at", "key", "about", "who")
    list_filter = (WhenRecorded,)
    ordering = ("-id",)
    search_fields = ("key",)
    search_help_text = _("Number of the event, or its whole key")
    fields = ("id", "recorded_at", "key", "about", "who", "reversal")
    readonly_fields = ("id", "about", "who", "reversal")
    change_form_template = "admin/wallet/journal/event.html"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Journal], search_term: str
    ) -> tuple[QuerySet[Journal], bool]:
        if not search_term:
            return queryset, False
        number = self.parse_search(search_term)
        if number is not None:
            return queryset.filter(pk=number), False
        return queryset.filter(key=search_term.strip()), False

    @admin.display(description=_("about"))
    def about(self, journal: Journal) -> SafeString | str:
        words = journal.subject or journal.key
        return link(page_of_subject(words) or page_of_subject(journal.key), words)

    @admin.display(description=_("who"))
    def who(self, journal: Journal) -> SafeString | str:
        if journal.actor_id is None:
            return "-"
        return link(
            reverse("admin:accounts_user_change", args=[journal.actor_id]), journal.actor_id
        )

    @admin.display(description=_("reversal"))
    def reversal(self, journal: Journal) -> SafeString | str:
        other = journal.reverses or Journal.objects.filter(reverses=journal).first()
        if other is None:
            return "-"
        return link(reverse("admin:wallet_journal_change", args=[other.pk]), other.key)

    def get_extra_context(self, request: HttpRequest, obj: Journal) -> dict[str, Any]:
        return {**super().get_extra_context(request, obj), "lines": self._lines(obj)}

    def _lines(self, event: Journal) -> Sequence[Any]:
        lines = Transfer.objects.filter(journal=event).order_by("line")
        return [
            {
                "transfer": transfer,
                "amount": format_shown_amount(transfer.amount, transfer.currency),
                "source": link_to_account(transfer.source),
                "destination": link_to_account(transfer.destination),
            }
            for transfer in lines.select_related("source", "destination")[:ENTRIES_SHOWN]
        ]


@admin.register(LedgerCheck)
class LedgerCheckAdmin(LookOnlyAdmin):
    """Stored checks. The newest decides whether withdrawals are paid."""

    list_display = ("checked_at", "found", "first", "head")
    ordering = ("-checked_at",)
    fields = ("checked_at", "found", "listed", "head")
    readonly_fields = ("listed",)

    @admin.display(description=_("first finding"))
    def first(self, obj: LedgerCheck) -> str:
        return obj.first

    @admin.display(description=_("first findings"))
    def listed(self, obj: LedgerCheck) -> str:
        return "\n".join(f"{finding['check']}: {finding['subject']}" for finding in obj.findings)


@admin.register(LedgerSeal)
class LedgerSealAdmin(LedgerPage):
    list_display = ("number", "sealed_at", "first_transfer_id", "last_transfer_id", "transfers")
    ordering = ("-number",)
    fields = (*list_display, "shown_hash")
    readonly_fields = ("shown_hash",)

    @admin.display(description=_("hash"))
    def shown_hash(self, seal: LedgerSeal) -> str:
        return bytes(seal.hash).hex()
