"""Corrections of finished cash matches in the administration. One member of staff proposes, another approves."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.administration.lists import DayRange
from core.administration.pages import DecidingAdmin, Decision
from core.refusals import Refusal
from core.values.numbers import parse_number
from history.desk.corrections import approve_correction, refuse_correction, refuse_proposal
from history.models import MatchCorrection
from tables.models import Match
from wallet.desk.pages import InUnits, RupeeRange, WhereCashIsOn, make_rupee_column
from wallet.desk.units import InCurrency


class CorrectionForm(InCurrency, forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    class Meta:
        model = MatchCorrection
        fields = ("match", "payer", "payee", "amount", "reason")

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(*values, **named)
        if {"match", "payer", "payee"} <= set(self.fields):
            asked = self.data.get("match") or self.initial.get("match")
            self._offer_players(parse_number(str(asked or "")))

    def _offer_players(self, match_id: int | None) -> None:
        """Offer the players of the match, by name, as payer and payee."""
        match = Match.objects.filter(pk=match_id or 0).only("participants").first()
        players = User.objects.filter(pk__in=[] if match is None else match.participants)
        for name in ("payer", "payee"):
            self.fields[name].queryset = players.order_by("player_name")  # type: ignore[attr-defined] # a choice of rows

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if {"match", "payer", "payee"} <= set(cleaned):
            for name in ("match", "payer", "payee"):
                setattr(self.instance, name, cleaned[name])
            try:
                refuse_correction(self.instance)
            except Refusal as refusal:
                self.add_error("match", str(refusal))
        return cleaned


@admin.register(MatchCorrection)
class MatchCorrectionAdmin(WhereCashIsOn, DecidingAdmin, InUnits):
    """Corrections. Staff who may decide about withdrawals propose them, and another member of staff approves them."""

    form = CorrectionForm
    decision_permission = "wallet.decide_withdrawal"
    decision_label = _("Reason: kept in the audit log.")
    amounts = ("amount",)
    helps = {"amount": _("In rupees.")}
    list_display = (
        "id", "match", "payer", "payee", "moved", "house", "state", "proposed_by", "decided_by",
        "proposed_at",
    )  # fmt: skip
    moved = make_rupee_column("amount", _("amount"))
    house = make_rupee_column("by_house", _("paid by the house"))
    list_filter = ("state", ("proposed_at", DayRange), ("amount", RupeeRange))
    list_select_related = ("match__table", "payer", "payee", "proposed_by", "decided_by")
    search_fields = ("=match__id", "payer__player_name", "payee__player_name")
    ordering = ("-decided_at", "proposed_at")
    raw_id_fields = ("match",)
    readonly_fields = ("house",)

    def sections(self, request: HttpRequest, obj: Any) -> Any:
        asked = ("match", "payer", "payee", "amount", "reason")
        course = ("house", "state", "proposed_by", "proposed_at", "decided_by", "decided_at")
        return [(None, {"fields": asked if obj is None else (*asked, *course)})]

    def formfield_for_dbfield(self, db_field: Any, request: Any, **named: Any) -> Any:
        """Remove the links by which staff could add, change or view an account from this form."""
        field: Any = super().formfield_for_dbfield(db_field, request, **named)
        if db_field.name in ("payer", "payee"):
            field.widget.can_add_related = False
            field.widget.can_change_related = False
            field.widget.can_view_related = False
        return field

    def add_view(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Redirect to the list of matches if no match is given, because the form offers the players of one match."""
        if (
            request.method == "GET"
            and "match" not in request.GET
            and self.has_add_permission(request)
        ):
            messages.info(request, _("Open the match, and press Correct this match there."))
            return redirect("admin:tables_match_changelist")
        return super().add_view(request, *args, **named)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) or request.user.has_perm(
            self.decision_permission
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(self.decision_permission)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(request, *args, **kwargs)
        staff_id = int(request.user.pk or 0)

        class Proposed(form):  # type: ignore[misc,valid-type] # made for this request
            def __init__(self, *values: Any, **named: Any) -> None:
                super().__init__(*values, **named)
                if self.instance.pk is None:
                    self.instance.proposed_by_id = staff_id

        return Proposed

    def decisions(self, obj: MatchCorrection) -> Sequence[Decision]:
        if obj.state != MatchCorrection.State.PROPOSED:
            return ()
        done = _("The match is corrected, and both players are told.")
        return (
            Decision("approve", _("Approve"), done),
            Decision("approve_with_house", _("Approve; the house pays what is missing"), done),
            Decision("refuse", _("Refuse"), _("Refused: no money has moved."), is_against=True),
        )

    def may_take(self, request: HttpRequest, obj: MatchCorrection, decision: Decision) -> bool:
        """Return whether this member of staff may take the decision.

        The member who proposed a correction cannot approve it. A player of the correction cannot decide about it.
        """
        staff_id = request.user.pk
        if staff_id in {obj.payer_id, obj.payee_id}:
            return False
        return decision.code == "refuse" or obj.proposed_by_id != staff_id

    def decide(self, request: HttpRequest, obj: MatchCorrection, code: str, reason: str) -> None:
        staff_id = int(request.user.pk or 0)
        if code == "refuse":
            refuse_proposal(correction_id=obj.pk, staff_id=staff_id)
        else:
            approve_correction(
                correction_id=obj.pk,
                staff_id=staff_id,
                house_pays_rest=code == "approve_with_house",
            )
