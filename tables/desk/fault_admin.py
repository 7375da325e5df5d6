"""Tables out of order in the administration: what has failed, and what becomes of the table."""

from collections.abc import Sequence

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.administration.lists import DayRange
from core.administration.pages import Decision, DecisionAdmin
from games.engine.guard import GameFault
from tables.models import MatchStatus, TableFault
from tables.play.change import Change
from tables.play.faults import try_again
from tables.refusals import Refusal
from tables.seating.cancelling import cancel_match, close_table, play_anew


@admin.register(TableFault)
class TableFaultAdmin(DecisionAdmin):
    decision_permission = "tables.cancel_match"
    refusals = (Refusal, GameFault)
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
        again = Decision("again", _("Go on: the game is tried again"))
        match = obj.match
        if match is None or match.status != MatchStatus.RUNNING:
            close = Decision("close", _("Close the table"), is_against=True)
            return (again,) if obj.table.is_of_event else (again, close)
        if obj.table.is_of_event:
            anew = _("Cancel the match and play it anew with the same players")
            return (again, Decision("anew", anew, is_against=True))
        return (
            again,
            Decision("cancel", _("Void it, the table goes on"), is_against=True),
            Decision("cancel_and_close", _("Void it and close the table"), is_against=True),
        )

    def decide(self, request: HttpRequest, obj: TableFault, code: str, reason: str) -> None:
        _decide(obj, code, reason, int(request.user.pk or 0))


def _decide(fault: TableFault, code: str, reason: str, staff_id: int) -> Change:
    match_id = fault.match_id or 0
    if code == "again":
        return try_again(fault_id=fault.pk, staff_id=staff_id)
    if code == "close":
        return close_table(table_id=fault.table_id, staff_id=staff_id)
    if code == "anew":
        return play_anew(match_id=match_id, reason=reason, staff_id=staff_id)
    return cancel_match(
        match_id=match_id,
        reason=reason,
        staff_id=staff_id,
        closes_table=code == "cancel_and_close",
    )
