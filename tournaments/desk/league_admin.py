"""Leagues in the administration: editable until they begin, then read-only."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.administration.audit import build_staff, record_act
from core.administration.pages import REASON, LookOnlyAdmin, ReasonedActionForm
from core.refusals import Refusal
from games.registry import get_format, get_game
from tables.catalog import list_offered_games, title_of_format
from tables.models import HouseRules
from tournaments.leagues.settling import cancel_league, disqualify_from_league, resume_league
from tournaments.models import League, LeaguePlace
from tournaments.rules.payout_tables import parse_payout_table, payout_text, sentence_for
from tournaments.rules.payouts import InvalidPayoutTable, PayoutTableKind
from wallet.desk.pages import InUnits, make_amount_column
from wallet.desk.units import InCurrency

_TERMS = (
    "name", "description", "words", "played", "currency", "least_stake", "counted", "meetings",
    "starts_at", "ends_at", "settle_seconds", "repeats", "pool", "payout_text",
)  # fmt: skip
_STATE = (
    "settles_at", "drawn_at", "settled_at", "cancelled_at", "cancel_reason", "broken_at",
    "broken_reason",
)  # fmt: skip


def list_played_choices() -> list[tuple[str, str]]:
    """Return codes and titles of formats ("indian:POINTS"), and of house rules for them ("indian:POINTS:12")."""
    house = [rules for rules in HouseRules.objects.all() if rules.is_played]
    choices = []
    for code, game in list_offered_games().items():
        for format in game.formats:
            title = title_of_format(code, format.code)
            choices.append((f"{code}:{format.code}", title))
            choices += [
                (f"{code}:{format.code}:{rules.pk}", f"{title} · {rules.shown_name}")
                for rules in house
                if (rules.game, rules.format) == (code, format.code)
            ]
    return choices


class LeagueForm(InCurrency, forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    class Meta:
        model = League
        fields = tuple(name for name in _TERMS if name not in ("played", "payout_text"))

    played = forms.ChoiceField(label=_("Format"), choices=list_played_choices)
    payout_text = forms.CharField(
        label=capfirst(_("prizes")),
        max_length=2_000,
        help_text=_("In per cent, from the first place down: “50, 30, 2x10”."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "payout_text" in self.fields:
            self.fields["payout_text"].initial = describe_payouts(self.instance)
        if "played" in self.fields and self.instance.game:
            league = self.instance
            house = "" if league.house_rules_id is None else f":{league.house_rules_id}"
            self.fields["played"].initial = f"{league.game}:{league.format}{house}"

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if played := cleaned.get("played"):
            code, format, *house = played.split(":")
            self.instance.house_rules = HouseRules.objects.get(pk=house[0]) if house else None
            self.instance.game = get_game(code).code
            self.instance.format = get_format(code, format).code
        if text := cleaned.get("payout_text"):
            try:
                table = parse_payout_table(text, kind=PayoutTableKind.PERCENT)
            except InvalidPayoutTable as invalid:
                self.add_error("payout_text", sentence_for(invalid))
            else:
                self.instance.payout_table = [[step.places, step.share] for step in table.steps]
        starts, ends = cleaned.get("starts_at"), cleaned.get("ends_at")
        if starts and ends and ends <= starts:
            self.add_error("ends_at", _("The end must be later than the beginning."))
        return cleaned


def describe_payouts(league: League) -> str:
    return payout_text(league.payout_table, kind=PayoutTableKind.PERCENT)


_DONE = {
    "cancel": _("%(row)s is cancelled: nothing is paid."),
    "resume": _("%(row)s is back in service."),
}


@admin.register(League)
class LeagueAdmin(InUnits):
    asks_reason = True
    form = LeagueForm
    amounts = ("least_stake", "pool")
    times = {"settle_seconds": _("pay prizes after the end, in minutes")}
    helps = {
        "least_stake": _(
            "The lowest point value or entry fee of the tables that count. 0: every stake counts."
        ),
        "pool": _("In rupees or chips; the house pays them."),
        "settle_seconds": _(
            "A match that is still running when the league ends counts if it finishes before "
            "the prizes are paid."
        ),
    }
    action_form = ReasonedActionForm
    list_display = ("name", "played_at", "starts_at", "ends_at", "shown_pool", "state")
    list_filter = ("currency", ("broken_at", admin.EmptyFieldListFilter))
    list_select_related = ("house_rules",)
    search_fields = ("name",)
    ordering = ("-starts_at",)
    actions = ("cancel_them", "resume_them")

    @admin.display(description=_("format"))
    def played_at(self, league: League) -> str:
        return league.format_title

    @admin.display(description=_("prizes"))
    def prizes(self, league: League) -> str:
        return describe_payouts(league)

    @admin.display(description=_("status"))
    def state(self, league: League) -> str:
        if league.broken_at is not None:
            return gettext("out of order")
        if league.cancelled_at is not None:
            return gettext("Cancelled")
        if league.settled_at is not None:
            return gettext("paid")
        return gettext("Announced") if timezone.now() < league.starts_at else gettext("Running")

    def sections(self, request: HttpRequest, obj: Any) -> Any:
        if _is_open(obj):
            return ((None, {"fields": _TERMS}),)
        names = {"played": "played_at", "payout_text": "prizes", "words": "words_told"}
        standing = tuple(names.get(name, name) for name in _TERMS)
        return ((None, {"fields": standing}), (_("State"), {"fields": _STATE}))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Make the terms read-only once the league has begun."""
        fixed = super().get_readonly_fields(request, obj)
        if _is_open(obj):
            return fixed
        standing = (field.name for field in self.opts.fields)
        return (*fixed, *standing, "played_at", "prizes", "words_told")

    def has_change_permission(self, request: HttpRequest, obj: League | None = None) -> bool:
        """Refuse changes once the league has begun. The page then has nothing to change and asks for no reason."""
        may_write = obj is None or _is_open(obj)
        return may_write and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("Cancel: nothing is paid"))
    def cancel_them(self, request: HttpRequest, queryset: QuerySet[League]) -> None:
        reason = request.POST.get(REASON, "").strip()
        if not reason:
            messages.error(request, gettext("Write a reason beside the action."))
            return
        now = timezone.now()
        self._act_on_each(
            request,
            queryset,
            "cancel",
            lambda pk: cancel_league(league_id=pk, now=now, reason=reason),
        )

    @admin.action(description=_("Put back into service"))
    def resume_them(self, request: HttpRequest, queryset: QuerySet[League]) -> None:
        self._act_on_each(request, queryset, "resume", lambda pk: resume_league(league_id=pk))

    def _act_on_each(
        self,
        request: HttpRequest,
        queryset: QuerySet[League],
        action: str,
        act: Callable[[int], League],
    ) -> None:
        for league in queryset:
            reason = request.POST.get(REASON, "")
            try:
                with record_act(by=build_staff(request), obj=league, action=action, reason=reason):
                    act(league.pk)
            except Refusal as refusal:
                messages.error(request, f"{league}: {refusal}")
            else:
                messages.success(request, str(_DONE[action]) % {"row": league})


def _is_open(league: League | None) -> bool:
    """Return whether the league's terms may still be changed."""
    return league is None or (not league.is_over and timezone.now() < league.starts_at)


@admin.register(LeaguePlace)
class LeaguePlaceAdmin(LookOnlyAdmin):
    list_display = ("league", "user", "points", "matches", "rank", "won", "disqualified_at")
    won = make_amount_column("prize", _("prize"), lambda place: place.league.currency)
    list_filter = (("disqualified_at", admin.EmptyFieldListFilter),)
    search_fields = ("user__player_name", "user__email", "league__name")
    list_select_related = ("league", "user")
    actions = ("disqualify_them",)
    action_form = ReasonedActionForm

    @admin.action(description=_("Disqualify"), permissions=["disqualify"])
    def disqualify_them(self, request: HttpRequest, queryset: QuerySet[LeaguePlace]) -> None:
        reason = request.POST.get(REASON, "").strip()
        if not reason:
            messages.error(request, gettext("Write a reason beside the action."))
            return
        now = timezone.now()
        for place in queryset.select_related("user"):
            try:
                with record_act(
                    by=build_staff(request), obj=place, action="disqualify", reason=reason
                ):
                    disqualify_from_league(
                        league_id=place.league_id, user_id=place.user_id, now=now
                    )
            except Refusal as refusal:
                messages.error(request, f"{place.user}: {refusal}")
            else:
                said = gettext("%(player)s is disqualified.") % {"player": place.user}
                messages.success(request, said)

    def has_disqualify_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("tournaments.change_league")
