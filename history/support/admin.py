"""The queue of players' questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from core.administration.lists import DayRange, format_moment
from core.administration.pages import Decision, DecisionAdmin
from history.models import CaseState, SupportCase
from history.models.support import LONGEST_MESSAGE
from history.replay import replay_context
from history.support.services import answer_case

_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@admin.register(SupportCase)
class SupportCaseAdmin(DecisionAdmin):
    decision_permission = "history.answer_supportcase"
    decision_label = _("Your answer: the player gets it by e-mail, in the language you write.")
    longest_reason = LONGEST_MESSAGE
    list_display = ("id", "topic", "user", "state", "opened_at", "changed_at")
    list_filter = ("state", "topic", ("opened_at", DayRange))
    list_select_related = ("user",)
    search_fields = ("=id", "user__player_name", "user__email")
    # The longest waiting first.
    ordering = ("changed_at",)
    fields = ("user", "topic", "state", "opened_at", "dealt")
    readonly_fields = ("dealt",)
    change_form_template = "admin/history/supportcase/case.html"

    def get_extra_context(self, request: HttpRequest, obj: SupportCase) -> dict[str, Any]:
        """Add the player's messages. For a case about a deal, add its replay and the hand tool's verdicts, too."""
        messages = obj.messages.select_related("author").order_by("pk")
        more: dict[str, Any] = {
            **super().get_extra_context(request, obj),
            "said": [(format_moment(message.written_at), message) for message in messages],
        }
        deal = obj.deal
        if deal is None or not request.user.has_perm("tables.view_deal"):
            return more
        if obj.evidence:
            more["verdicts"] = describe_verdicts(obj.evidence)
        match = deal.match
        return {**more, **(replay_context(match, number=deal.number, user_id=obj.user_id) or {})}

    def decisions(self, obj: SupportCase) -> Sequence[Decision]:
        if obj.state == CaseState.CLOSED:
            return ()
        return (
            Decision(
                "answer", _("Answer"), _("Your answer was sent to the player, also by e-mail.")
            ),
            Decision(
                "close",
                _("Answer and close"),
                _("Your answer was sent to the player, also by e-mail. The case is closed."),
            ),
        )

    def decide(self, request: HttpRequest, obj: SupportCase, code: str, reason: str) -> None:
        staff_id = int(request.user.pk or 0)
        answer_case(case_id=obj.pk, staff_id=staff_id, text=reason, close=code == "close")

    @admin.display(description=_("deal"))
    def dealt(self, case: SupportCase) -> SafeString | str:
        deal = case.deal
        if deal is None:
            return "-"
        return format_html(
            '<a href="{}">{}</a> · <a href="{}">{}</a>',
            reverse("admin:tables_match_change", args=[deal.match_id]),
            deal,
            reverse("admin:tables_match_deal", args=[deal.match_id, deal.number]),
            _("Every move in words"),
        )


@dataclass(frozen=True, slots=True)
class VerdictInWords:
    """A declaration or a shown hand, with the verdict at the table and that of the hand tool."""

    player: str
    agrees: bool
    at_table: str
    by_tool: str
    hand: str


def describe_verdicts(evidence: Mapping[str, Any]) -> list[VerdictInWords]:
    players: Mapping[str, str] = evidence["record"]["players"]
    return [
        VerdictInWords(
            player=players[str(verdict["seat"])],
            agrees=verdict["agree"],
            at_table=_write_value(verdict["counted"]),
            by_tool=_write_answer(verdict["answer"]),
            hand=" | ".join(" ".join(map(_format_face, group)) for group in verdict["groups"]),
        )
        for verdict in evidence["verdicts"]
    ]


def _write_answer(answer: Mapping[str, Any]) -> str:
    """Format a verdict's validity, points and reason. If it has none of them, list all its fields with their names."""
    known = [_write_value(answer[name]) for name in ("valid", "points", "reason") if name in answer]
    if known:
        return ", ".join(filter(None, known))
    return ", ".join(f"{name} {value}" for name, value in answer.items())


def _write_value(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("valid") if value else gettext("not valid")
    if isinstance(value, int):
        return ngettext("%(number)s point", "%(number)s points", value) % {"number": value}
    return "" if value is None else str(value).replace("_", " ")


def _format_face(face: str) -> str:
    """Return "10♥" for "10H"."""
    suit = _SUITS.get(face[-1:])
    return face if suit is None else face[:-1] + suit
