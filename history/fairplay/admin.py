"""Fair play in the administration: pairs of players with evidence, and decisions about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib import admin
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.people.closing import freeze
from core.administration.pages import Decision, DecisionAdmin
from games.engine.game import Delivery
from games.registry import get_game
from history.fairplay.pairs import FALSE_RATE, KINDS
from history.fairplay.tracing import KEPT, find_shared_places
from history.fairplay.weighing import list_matches_together
from history.models import MatchTrace
from history.records import deal_record
from history.selectors import find_seat
from tables.catalog import amount_text
from tables.models import Deal, Match, PairEvidence, PairState, PairVerdict


@transaction.atomic
def watch(*, pair_id: int, staff_id: int, reason: str) -> None:
    """Watch the pair: it stays on the list, whatever later nightly jobs find."""
    pair = _lock_pair(pair_id, staff_id, reason)
    pair.state, pair.verdict = PairState.WATCHED, PairVerdict.NONE
    pair.save()


@transaction.atomic
def keep_apart(*, pair_id: int, staff_id: int, reason: str, is_apart: bool) -> None:
    """Keep the two players apart, so that they are never seated together from now on, or allow it again.

    If they sit at one table now, they play on there.
    """
    pair = _lock_pair(pair_id, staff_id, reason)
    if not is_apart:
        pair.kept_apart_since = None
    elif pair.kept_apart_since is None:
        pair.kept_apart_since = timezone.now()
    pair.save()


@transaction.atomic
def close_pair(*, pair_id: int, staff_id: int, reason: str, verdict: PairVerdict) -> None:
    """Close the pair with a verdict, which stands until staff watch it again. Players who are kept apart stay so."""
    pair = _lock_pair(pair_id, staff_id, reason)
    pair.state, pair.verdict = PairState.CLOSED, verdict
    pair.save()


def _lock_pair(pair_id: int, staff_id: int, reason: str) -> PairEvidence:
    pair = PairEvidence.objects.select_for_update(no_key=True).get(pk=pair_id)
    pair.decided_by_id, pair.decided_at, pair.reason = staff_id, timezone.now(), reason
    return pair


TITLES: Final[Mapping[str, str | Promise]] = {
    "feeding": _("Discards for each other"),
    "withholding": _("Discards kept from others"),
    "dumping": _("Points given away"),
    "picks": _("Discards taken"),
    "money": _("Points lost to each other"),
}
# Discards shown side by side, matches searched for them, and matches listed.
_DISCARDS: Final = 10
_MATCHES_READ: Final = 12
_MATCHES_LISTED: Final = 30


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """One kind of evidence about a pair.

    `giver` is the name of the player who helped the other one, if that is known.
    """

    title: str | Promise
    matches: int
    p: float
    q: float
    z: float
    giver: str


def kind_lines(pair: PairEvidence) -> list[EvidenceLine]:
    names = {pair.low_id: str(pair.low), pair.high_id: str(pair.high)}
    lines = []
    for kind in KINDS:
        told: Mapping[str, Any] | None = pair.kinds.get(kind)
        if told is None:
            continue
        lines.append(
            EvidenceLine(
                title=TITLES[kind],
                matches=told["matches"],
                p=told["p"],
                q=told["q"],
                z=told["z"],
                giver=names.get(told.get("giver") or 0, ""),
            )
        )
    return lines


@dataclass(frozen=True, slots=True)
class Shown:
    """A discard that the taker could draw.

    `delivery` holds the card, both players' hands, and the step in the replay.
    """

    match_id: int
    deal: int
    giver: str
    taker: str
    delivery: Delivery


def find_dearest_discards(pair: PairEvidence, now: datetime | None = None) -> list[Shown]:
    """Return the discards that helped the taker most beyond what is usual, from the matches with the most feeding."""
    since = (now or timezone.now()) - KEPT
    both = Q(giver=pair.low, taker=pair.high) | Q(giver=pair.high, taker=pair.low)
    traces = MatchTrace.objects.filter(both, ended_at__gte=since).order_by("-feeding", "pk")
    shown: list[Shown] = []
    for trace in traces.select_related("match__table", "giver", "taker")[:_MATCHES_READ]:
        shown += _list_discards(trace)
    shown.sort(key=lambda one: -one.delivery.beyond)
    return shown[:_DISCARDS]


def _list_discards(trace: MatchTrace) -> list[Shown]:
    match = trace.match
    fair_play = get_game(match.table.game).fair_play
    giver, taker = find_seat(match, trace.giver_id), find_seat(match, trace.taker_id)
    if fair_play is None or giver is None or taker is None:
        return []
    shown = []
    for number in Deal.objects.filter(match=match).values_list("number", flat=True):
        record = deal_record(match_id=match.pk, number=number)
        if record is None:
            continue
        shown += [
            Shown(match.pk, number, str(trace.giver), str(trace.taker), delivery)
            for delivery in fair_play.list_deliveries(record, giver, taker)
            if delivery.beyond > 0
        ]
    return shown


@dataclass(frozen=True, slots=True)
class Together:
    """A match that both players played, with each player's result in the smallest unit of its currency."""

    match: Match
    low: int
    high: int


def matches_of_pair(pair: PairEvidence, now: datetime | None = None) -> list[Together]:
    since = (now or timezone.now()) - KEPT
    matches = list_matches_together(pair.low_id, pair.high_id, since)[:_MATCHES_LISTED]
    return [
        Together(match, _get_amount(match, pair.low_id), _get_amount(match, pair.high_id))
        for match in matches
    ]


def _get_amount(match: Match, user_id: int) -> int:
    amounts: Mapping[str, int] = (match.settlement or {}).get("amounts", {})
    return amounts.get(str(find_seat(match, user_id)), 0)


def own_matches(user_ids: Sequence[int], now: datetime | None = None) -> list[int]:
    """Return, for each of these players, the number of their matches whose traces are still kept."""
    since = (now or timezone.now()) - KEPT
    return [
        MatchTrace.objects.filter(giver=user_id, ended_at__gte=since)
        .values("match")
        .distinct()
        .count()
        for user_id in user_ids
    ]


_FREEZE = "accounts.freeze_user"


@admin.register(PairEvidence)
class PairEvidenceAdmin(DecisionAdmin):
    decision_permission = "tables.decide_pairevidence"
    decision_label = _("Reason: kept in the audit log. You decide; figures alone prove nothing.")
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
            Decision(
                "keep_apart", _("Keep apart"), _("The two players are kept apart from now on.")
            )
            if obj.kept_apart_since is None
            else Decision(
                "let_together",
                _("Let them sit together again"),
                _("The two players may sit together again."),
            )
        )
        watch = Decision("watch", _("Watch"), _("The two players are watched from now on."))
        watched = () if obj.state == PairState.WATCHED else (watch,)
        closing = (
            ()
            if obj.state == PairState.CLOSED
            else (
                Decision(
                    "unfounded", _("Close: nothing wrong"), _("Closed: nothing wrong was found.")
                ),
                Decision(
                    "upheld",
                    _("Close: they colluded"),
                    _("Closed: they colluded."),
                    is_against=True,
                ),
            )
        )
        freezing = tuple(
            Decision(
                f"freeze_{side}",
                _("Freeze %(name)s and their withdrawals") % {"name": user.player_name},
                _("The player is frozen, and every session has ended."),
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

    def get_extra_context(self, request: HttpRequest, obj: PairEvidence) -> dict[str, Any]:
        low, high = own_matches([obj.low_id, obj.high_id])
        return {
            **super().get_extra_context(request, obj),
            "kinds": kind_lines(obj),
            "deliveries": find_dearest_discards(obj),
            "together": [
                {
                    "match": one.match,
                    "low": amount_text(one.low, one.match.table.currency),
                    "high": amount_text(one.high, one.match.table.currency),
                }
                for one in matches_of_pair(obj)
            ],
            "own_matches": {"low": low, "high": high},
            "shared": find_shared_places(obj.low_id, obj.high_id),
        }
