"""Fair play in the administration: pairs of players by the evidence, and what is done about them."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.people.closing import freeze
from accounts.refusals import AccountRefusal
from core.administration.pages import Decision, DecisionAdmin
from tables.catalog import amount_text
from tables.history.fairplay.deciding import close_pair, keep_apart, watch
from tables.history.fairplay.screening import FALSE_RATE
from tables.history.fairplay.showing import (
    TITLES,
    dearest_discards,
    kind_lines,
    matches_of_pair,
    own_matches,
)
from tables.history.fairplay.sittings import shared_places
from tables.models import PairEvidence, PairState, PairVerdict

_FREEZE = "accounts.freeze_user"


@admin.register(PairEvidence)
class PairEvidenceAdmin(DecisionAdmin):
    decision_permission = "tables.decide_pairevidence"
    decision_label = _(
        "Reason: kept in the audit log. It is you who decide; figures alone prove nothing."
    )
    refusals = (AccountRefusal,)
    change_form_template = "admin/tables/pairevidence/pair.html"
    list_display = (
        "id", "low", "high", "evidence", "by", "matches", "at_stake", "state", "kept_apart_since",
    )  # fmt: skip
    list_filter = ("state", "verdict", ("kept_apart_since", admin.EmptyFieldListFilter))
    list_select_related = ("low", "high")
    ordering = ("q", "-matches", "id")
    search_fields = ("low__player_name", "high__player_name", "=low__email", "=high__email")
    fields = (
        "low", "high", "evidence", "matches", "at_stake", "computed_at", "state", "verdict",
        "reason", "decided_by", "decided_at", "kept_apart_since",
    )  # fmt: skip
    readonly_fields = ("evidence", "at_stake")

    @admin.display(description=_("evidence"), ordering="q")
    def evidence(self, pair: PairEvidence) -> str:
        words = _("found") if pair.q <= FALSE_RATE else _("not found")
        return f"{words} (q {pair.q:.2g})"

    @admin.display(description=_("by"))
    def by(self, pair: PairEvidence) -> str:
        kinds = [kind for kind, told in pair.kinds.items() if told["q"] <= FALSE_RATE]
        return ", ".join(str(TITLES[kind]) for kind in kinds) or "-"

    @admin.display(description=_("lost to each other"))
    def at_stake(self, pair: PairEvidence) -> SafeString | str:
        lines = (
            (amount_text(low, currency), amount_text(high, currency))
            for currency, (low, high) in pair.money.items()
        )
        return format_html_join("; ", "{} / {}", lines) or "-"

    def decisions(self, obj: PairEvidence) -> Sequence[Decision]:
        apart = (
            Decision("keep_apart", _("Keep apart"))
            if obj.kept_apart_since is None
            else Decision("let_together", _("Let them sit together again"))
        )
        watched = () if obj.state == PairState.WATCHED else (Decision("watch", _("Watch")),)
        closing = (
            ()
            if obj.state == PairState.CLOSED
            else (
                Decision("unfounded", _("Close: nothing wrong")),
                Decision("upheld", _("Close: they play together"), is_against=True),
            )
        )
        freezing = tuple(
            Decision(
                f"freeze_{side}",
                _("Freeze %(name)s and their withdrawals") % {"name": user.player_name},
                is_against=True,
                permission=_FREEZE,
            )
            for side, user in (("low", obj.low), ("high", obj.high))
            if user.frozen_at is None and user.closed_at is None
        )
        return (*watched, apart, *closing, *freezing)

    def decide(self, request: HttpRequest, obj: PairEvidence, code: str, reason: str) -> None:
        staff_id = int(request.user.pk or 0)
        if code == "watch":
            watch(pair_id=obj.pk, staff_id=staff_id, reason=reason)
        elif code in ("keep_apart", "let_together"):
            is_apart = code == "keep_apart"
            keep_apart(pair_id=obj.pk, staff_id=staff_id, reason=reason, is_apart=is_apart)
        elif code in ("upheld", "unfounded"):
            verdict = PairVerdict(code.upper())
            close_pair(pair_id=obj.pk, staff_id=staff_id, reason=reason, verdict=verdict)
        else:
            user_id = obj.low_id if code == "freeze_low" else obj.high_id
            freeze(user_id=user_id, staff_id=staff_id, reason=reason)

    def more_about(self, request: HttpRequest, obj: PairEvidence) -> dict[str, Any]:
        low, high = own_matches([obj.low_id, obj.high_id])
        return {
            **super().more_about(request, obj),
            "kinds": kind_lines(obj),
            "deliveries": dearest_discards(obj),
            "together": [
                {
                    "match": one.match,
                    "low": amount_text(one.low, one.match.table.currency),
                    "high": amount_text(one.high, one.match.table.currency),
                }
                for one in matches_of_pair(obj)
            ],
            "own_matches": {"low": low, "high": high},
            "shared": shared_places(obj.low_id, obj.high_id),
        }
