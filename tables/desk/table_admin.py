"""Tables and sittings in the administration: read-only, because only the rules may change a table's state.

Staff close a table or remove a player with the services that players use.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.administration.audit import build_staff, record_act
from core.administration.cells import in_file
from core.administration.lists import DayRange
from core.administration.pages import (
    Decision,
    DecisionAdmin,
    LookOnlyAdmin,
    ReasonedActionForm,
    read_reason,
)
from core.refusals import Refusal
from games.engine.game import GameFault
from tables.catalog import (
    format_title,
    list_game_choices,
    list_offered_formats,
    title_of_format,
    title_of_game,
)
from tables.house_rules.facts import describe_facts
from tables.models import MatchStatus, Seat, Table, TableFault, TableStatus, TableTemplate
from tables.play.cancelling import LONGEST_REASON, cancel_match, play_anew
from tables.play.change import TableChange
from tables.play.faults import try_again
from tables.seating.closing import (
    cancel_and_close,
    close_after_match,
    close_now,
    close_table,
    remove_player,
    seats_at,
)
from wallet.api import get_seat_balances
from wallet.desk.pages import InUnits, amount_cell, amount_in, get_currency
from wallet.money import Currency

VOIDED = _("The match is void: nobody wins, and entry fees are refunded. The table goes on.")
VOIDED_AND_CLOSED = _(
    "The match is void: nobody wins, and entry fees are refunded. The table is closed."
)


def describe_stake(row: Table | TableTemplate) -> str:
    """Format the stake: the amount per point, or the entry fee."""
    if row.point_value:
        return gettext("%(amount)s a point") % {"amount": amount_in(row, "point_value")}
    return amount_in(row, "entry_fee")


def stake_cell(row: Table | TableTemplate) -> Decimal | None:
    """Return the stake in rupees or chips, for a cell of an exported file: the point value, or else the entry fee."""
    return amount_cell(row, "point_value" if row.point_value else "entry_fee")


class GameFilter(admin.SimpleListFilter):
    title = _("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return list_game_choices()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(game=self.value()) if self.value() else queryset


class FormatFilter(admin.SimpleListFilter):
    title = _("format")
    parameter_name = "format"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return [
            (f"{game}:{code}", title_of_format(game, code)) for game, code in list_offered_formats()
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        game, _colon, format = (self.value() or "").partition(":")
        return queryset.filter(game=game, format=format) if game else queryset


CLOSES_AFTER = _("%(row)s closes after its match, or at once if no match is being played.")
CLOSED_NOW = _("%(row)s is closed, and the stakes are refunded.")
MAY_CLOSE = "tables.close_table"
MAY_REMOVE = "tables.remove_player"
_REMOVE = "remove:"


@admin.register(Table)
class TableAdmin(DecisionAdmin, InUnits):
    # Each decision has a permission of its own.
    decision_permission = "tables.view_table"
    longest_reason = LONGEST_REASON
    change_form_template = "admin/tables/table/table.html"
    actions = ("close_after_their_match", "close_them_now")
    action_form = ReasonedActionForm
    amounts = ("point_value", "entry_fee", "min_buy_in", "max_buy_in", "rake_cap")
    rates = ("rake_bps",)
    labels = {"rake_bps": _("service fee"), "rake_cap": _("highest fee")}
    list_display = (
        "name", "played", "stake", "max_seats", "status", "created_at", "closing_at", "broken_at",
    )  # fmt: skip
    list_filter = (
        FormatFilter,
        "currency",
        "status",
        ("created_at", DayRange),
        ("broken_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("name",)
    # Never show the state or the seed: they hold cards that nobody may see while they are in play.
    fieldsets = (
        (None, {"fields": ("name", "played", "status", "template", "event_url", "opened_by")}),
        (
            _("Stakes"),
            {
                "fields": (
                    "currency", "point_value", "entry_fee", "min_buy_in", "max_buy_in", "rake_bps",
                    "rake_cap",
                )
            },
        ),
        (_("Rules"), {"fields": ("rules_in_words", "max_seats", "bots_wanted", "bot_strength")}),
        (
            _("At the table"),
            {
                "fields": (
                    "is_rated", "offers_arrangement", "offers_verdict", "allows_api_players",
                    "one_account_per", "is_lesson", "admission", "allows_watchers", "allows_chat",
                    "host",
                )
            },
        ),
        (
            _("Now"),
            {
                "fields": (
                    "match", "version", "deadline_at", "bot_due_at", "last_deal_at", "broken_at",
                    "created_at", "closing_at", "closed_at",
                )
            },
        ),
    )  # fmt: skip
    readonly_fields = ("played", "rules_in_words")

    @admin.display(description=_("game"))
    def played(self, table: Table) -> str:
        return f"{title_of_game(table.game)} · {format_title(table)}"

    @in_file(stake_cell, currency=get_currency)
    @admin.display(description=_("Stake"))
    def stake(self, table: Table) -> str:
        return describe_stake(table)

    @admin.display(description=_("rules"))
    def rules_in_words(self, table: Table) -> SafeString:
        return format_html_join("", "{}: {}<br>", describe_facts(table.game, table.rules))

    def decisions(self, obj: Table) -> Sequence[Decision]:
        if obj.is_of_event or obj.status == TableStatus.CLOSED:
            return ()
        after = Decision(
            "close_after", _("Close after this match"), CLOSES_AFTER, permission=MAY_CLOSE
        )
        now = Decision(
            "close_now",
            _("Close now, with refund"),
            CLOSED_NOW,
            is_against=True,
            permission=MAY_CLOSE,
        )
        return (
            *(() if obj.closing_at is not None else (after,)),
            now,
            *(
                Decision(
                    f"{_REMOVE}{seat.user_id}",
                    _("Remove %(player)s from the table") % {"player": seat.user.player_name},
                    _("The player is removed from the table, and told by e-mail."),
                    is_against=True,
                    permission=MAY_REMOVE,
                )
                for seat in seats_at(obj.pk)
                if not seat.user.is_bot and seat.user_id not in (obj.removed or ())
            ),
        )

    def decide(self, request: HttpRequest, obj: Table, code: str, reason: str) -> None:
        staff_id = int(request.user.pk or 0)
        if code.startswith(_REMOVE):
            remove_player(table_id=obj.pk, user_id=int(code.removeprefix(_REMOVE)))
        elif code == "close_after":
            close_after_match(table_id=obj.pk, staff_id=staff_id)
        else:
            close_now(table_id=obj.pk, reason=reason, staff_id=staff_id)

    def get_extra_context(self, request: HttpRequest, obj: Table) -> dict[str, Any]:
        seats = seats_at(obj.pk)
        stacks = get_seat_balances([seat.pk for seat in seats], currency=Currency(obj.currency))
        shown = [(seat, stacks.get(seat.pk, 0)) for seat in seats]
        return {**super().get_extra_context(request, obj), "seats": shown}

    def has_close_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MAY_CLOSE)

    @admin.action(description=_("Close after the running match"), permissions=["close"])
    def close_after_their_match(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        staff_id = int(request.user.pk or 0)
        self._act_on_each(
            request,
            queryset,
            "close_after",
            CLOSES_AFTER,
            lambda pk, _reason: close_after_match(table_id=pk, staff_id=staff_id),
        )

    @admin.action(description=_("Close now, with refund"), permissions=["close"])
    def close_them_now(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        staff_id = int(request.user.pk or 0)
        self._act_on_each(
            request,
            queryset,
            "close_now",
            CLOSED_NOW,
            lambda pk, reason: close_now(table_id=pk, reason=reason, staff_id=staff_id),
        )

    def _act_on_each(
        self,
        request: HttpRequest,
        queryset: QuerySet[Table],
        action: str,
        done: Promise,
        act: Callable[[int, str], TableChange],
    ) -> None:
        """Act on several tables, each in its own transaction: a refusal for one does not affect the others."""
        reason = read_reason(request)
        for table in queryset.defer("state", "next_seed") if reason else ():
            try:
                with record_act(by=build_staff(request), obj=table, action=action, reason=reason):
                    act(table.pk, reason)
            except Refusal as refusal:
                messages.error(request, f"{table}: {refusal}")
            else:
                messages.success(request, str(done) % {"row": table})


@admin.register(Seat)
class SeatAdmin(LookOnlyAdmin):
    list_display = ("table", "number", "user", "status", "joined_at", "left_at")
    list_filter = ("status", "user__is_bot", ("joined_at", DayRange))
    list_select_related = ("table", "user")


@admin.register(TableFault)
class TableFaultAdmin(DecisionAdmin):
    decision_permission = "tables.cancel_match"
    list_display = ("id", "table", "match", "doing", "error", "happened_at", "resolved_at")
    list_filter = (("resolved_at", admin.EmptyFieldListFilter), "doing", ("happened_at", DayRange))
    list_select_related = ("table", "match")
    ordering = ("-id",)
    fields = (
        "table", "match", "doing", "error", "happened_at", "traceback", "resolved_at",
        "resolved_by",
    )  # fmt: skip

    def decisions(self, obj: TableFault) -> Sequence[Decision]:
        if obj.resolved_at is not None:
            return ()
        again = Decision(
            "again",
            _("Resume: try to go on with the game"),
            _("The table will try to go on with its game."),
        )
        match = obj.match
        if match is None or match.status != MatchStatus.RUNNING:
            closed = _("The table is closed.")
            close = Decision("close", _("Close the table"), closed, is_against=True)
            return (again,) if obj.table.is_of_event else (again, close)
        if obj.table.is_of_event:
            anew = _("Cancel the match and play it again with the same players")
            done = _("The match is cancelled, and the same players play it again.")
            return (again, Decision("anew", anew, done, is_against=True))
        return (
            again,
            Decision("cancel", _("Void the match; the table goes on"), VOIDED, is_against=True),
            Decision(
                "cancel_and_close",
                _("Void the match and close the table"),
                VOIDED_AND_CLOSED,
                is_against=True,
            ),
        )

    def decide(self, request: HttpRequest, obj: TableFault, code: str, reason: str) -> None:
        _decide_fault(obj, code, reason, int(request.user.pk or 0))


def _decide_fault(fault: TableFault, code: str, reason: str, staff_id: int) -> TableChange:
    match_id = fault.match_id or 0
    if code == "again":
        try:
            return try_again(fault_id=fault.pk, staff_id=staff_id)
        except GameFault as failed:
            raise Refusal(message=str(failed)) from failed
    if code == "close":
        return close_table(table_id=fault.table_id, staff_id=staff_id)
    if code == "anew":
        return play_anew(match_id=match_id, reason=reason, staff_id=staff_id)
    cancel = cancel_and_close if code == "cancel_and_close" else cancel_match
    return cancel(match_id=match_id, reason=reason, staff_id=staff_id)
