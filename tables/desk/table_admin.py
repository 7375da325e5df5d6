"""Tables and sittings in the administration: looked at, never edited, as a table's state belongs to
the rules. Staff wind a table up or stand somebody up from it, by the services that players use."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.administration.audit import acting, staff_of
from core.administration.lists import DayRange
from core.administration.pages import (
    Decision,
    DecisionAdmin,
    LookOnlyAdmin,
    ReasonedActionForm,
    given_reason,
)
from tables.catalog import title_of, title_of_game
from tables.learning.rule_facts import facts_in_words
from tables.models import Seat, Table, TableStatus
from tables.play.change import Change
from tables.refusals import Refusal
from tables.seating.cancelling import LONGEST_REASON
from tables.seating.filters import FormatFilter
from tables.seating.winding_up import close_after_match, close_now, remove_player, seats_at
from wallet.api import seat_balances
from wallet.desk.pages import InUnits
from wallet.money import Currency

MAY_CLOSE = "tables.close_table"
MAY_REMOVE = "tables.remove_player"
_REMOVE = "remove:"


@admin.register(Table)
class TableAdmin(DecisionAdmin, InUnits):
    # Each decision has a permission of its own.
    decision_permission = "tables.view_table"
    refusals = (Refusal,)
    longest_reason = LONGEST_REASON
    change_form_template = "admin/tables/table/table.html"
    actions = ("close_after_their_match", "close_them_now")
    action_form = ReasonedActionForm
    amounts = ("point_value", "entry_fee", "min_buy_in", "max_buy_in", "rake_cap")
    rates = ("rake_bps",)
    labels = {"rake_bps": _("service fee"), "rake_cap": _("highest fee")}
    list_display = (
        "name", "played", "currency", "shown_point_value", "shown_entry_fee", "max_seats", "status",
        "created_at", "closing_at", "broken_at",
    )  # fmt: skip
    list_filter = (
        FormatFilter,
        "currency",
        "status",
        ("created_at", DayRange),
        ("broken_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("name",)
    # The state and the seed hold cards that nobody may see while they are in play.
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
                    "one_account_per", "is_lesson",
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
        return f"{title_of_game(table.game)} · {title_of(table)}"

    @admin.display(description=_("rules"))
    def rules_in_words(self, table: Table) -> SafeString:
        return format_html_join("", "{}: {}<br>", facts_in_words(table.game, table.rules))

    def decisions(self, obj: Table) -> Sequence[Decision]:
        if obj.is_of_event or obj.status == TableStatus.CLOSED:
            return ()
        after = Decision("close_after", _("Close after this match"), permission=MAY_CLOSE)
        now = Decision(
            "close_now", _("Close now, with refund"), is_against=True, permission=MAY_CLOSE
        )
        return (
            *(() if obj.closing_at is not None else (after,)),
            now,
            *(
                Decision(
                    f"{_REMOVE}{seat.user_id}",
                    _("Stand %(player)s up") % {"player": seat.user.player_name},
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

    def more_about(self, request: HttpRequest, obj: Table) -> dict[str, Any]:
        seats = seats_at(obj.pk)
        stacks = seat_balances([seat.pk for seat in seats], currency=Currency(obj.currency))
        shown = [(seat, stacks.get(seat.pk, 0)) for seat in seats]
        return {**super().more_about(request, obj), "seats": shown}

    def has_close_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MAY_CLOSE)

    @admin.action(description=_("Close after the running match"), permissions=["close"])
    def close_after_their_match(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        staff_id = int(request.user.pk or 0)
        self._each(
            request,
            queryset,
            "close_after",
            lambda pk, _reason: close_after_match(table_id=pk, staff_id=staff_id),
        )

    @admin.action(description=_("Close now, with refund"), permissions=["close"])
    def close_them_now(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        staff_id = int(request.user.pk or 0)
        self._each(
            request,
            queryset,
            "close_now",
            lambda pk, reason: close_now(table_id=pk, reason=reason, staff_id=staff_id),
        )

    def _each(
        self,
        request: HttpRequest,
        queryset: QuerySet[Table],
        action: str,
        act: Callable[[int, str], Change],
    ) -> None:
        """One table after the other, each in a transaction of its own: what is refused for one is
        done for the others."""
        reason = given_reason(request)
        for table in queryset.defer("state", "next_seed") if reason else ():
            try:
                with acting(by=staff_of(request), obj=table, action=action, reason=reason):
                    act(table.pk, reason)
            except Refusal as refusal:
                messages.error(request, f"{table}: {refusal}")
            else:
                messages.success(request, gettext("%(row)s: done.") % {"row": table})


@admin.register(Seat)
class SeatAdmin(LookOnlyAdmin):
    list_display = ("table", "number", "user", "status", "joined_at", "left_at")
    list_filter = ("status", "user__is_bot", ("joined_at", DayRange))
    list_select_related = ("table", "user")
