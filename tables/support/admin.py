"""The queue of what players ask."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.administration.lists import DayRange, moment_text
from core.administration.pages import Decision, DecisionAdmin
from tables.models import CaseState, SupportCase, SupportMessage
from tables.models.support import LONGEST_MESSAGE
from tables.refusals import Refusal
from tables.support.services import answer_case


@admin.register(SupportCase)
class SupportCaseAdmin(DecisionAdmin):
    decision_permission = "tables.answer_supportcase"
    refusals = (Refusal,)
    decision_label = _("Your answer: the player gets it by e-mail, in the language you write.")
    longest_reason = LONGEST_MESSAGE
    list_display = ("id", "topic", "user", "state", "opened_at", "changed_at")
    list_filter = ("state", "topic", ("opened_at", DayRange))
    list_select_related = ("user",)
    search_fields = ("=id", "user__player_name", "user__email")
    # Who waits longest comes first.
    ordering = ("changed_at",)
    fields = ("user", "topic", "state", "opened_at", "said", "dealt", "verdicts", "record")
    readonly_fields = ("said", "dealt", "verdicts", "record")

    def decisions(self, obj: SupportCase) -> Sequence[Decision]:
        if obj.state == CaseState.CLOSED:
            return ()
        return (Decision("answer", _("Answer")), Decision("close", _("Answer and close")))

    def decide(self, request: HttpRequest, obj: SupportCase, code: str, reason: str) -> None:
        staff_id = int(request.user.pk or 0)
        answer_case(case_id=obj.pk, staff_id=staff_id, text=reason, close=code == "close")

    @admin.display(description=_("messages"))
    def said(self, case: SupportCase) -> SafeString:
        messages = case.messages.select_related("author").order_by("pk")
        return format_html_join(
            "",
            "<p>{} <strong>{}</strong>: {}</p>",
            ((_minute(m), m.author, m.text) for m in messages),
        )

    @admin.display(description=_("deal"))
    def dealt(self, case: SupportCase) -> SafeString | str:
        deal = case.deal
        if deal is None:
            return "-"
        return format_html(
            '<a href="{}">{}</a> · <a href="{}">{}</a>',
            reverse("admin:tables_match_change", args=[deal.match_id]),
            deal,
            reverse("deal_replay", args=[deal.match_id, deal.number]),
            _("Replay"),
        )

    @admin.display(description=_("the hand tool says"))
    def verdicts(self, case: SupportCase) -> SafeString | str:
        if not case.evidence:
            return "-"
        players: Mapping[str, str] = case.evidence["record"]["players"]
        verdicts = case.evidence["verdicts"]
        lines = (
            (*_line(verdict), players[str(verdict["seat"])], _groups(verdict["groups"]))
            for verdict in verdicts
        )
        return format_html_join("", "<p>{} <strong>{}</strong> · {} · {}</p>", lines) or str(
            _("Nobody declared or showed a hand.")
        )

    @admin.display(description=_("record with every move"))
    def record(self, case: SupportCase) -> SafeString | str:
        if not case.evidence:
            return "-"
        return format_html(
            "<details><summary>{}</summary><pre>{}</pre></details>",
            _("Show"),
            json.dumps(case.evidence["record"], indent=1, ensure_ascii=False),
        )


def _line(verdict: Mapping[str, Any]) -> tuple[str, str]:
    sign = "✓" if verdict["agree"] else "✗"
    words = json.dumps(verdict["answer"], ensure_ascii=False)
    return (
        sign,
        f"{verdict['question']}: {words}; {_('at the table')}: {json.dumps(verdict['counted'])}",
    )


def _groups(groups: Sequence[Sequence[str]]) -> str:
    return " | ".join(" ".join(group) for group in groups)


def _minute(message: SupportMessage) -> str:
    """When it was written, as the site's people read times."""
    return moment_text(message.written_at)
