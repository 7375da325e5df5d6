"""Analyses of finished deals: a player requests one, a job computes and stores it (docs/analysis.md).

If a job dies, the deadline in its row passes, and the player may request the analysis again. There is no queue: Celery
beat starts a job that looks for waiting rows.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.refusals import Refusal, RefusalKind
from games.engine.base import JSON
from games.engine.game import DealAnalysis
from games.registry import get_game
from history.models import AnalysisState, SeatAnalysis
from history.records import deal_record
from history.selectors import find_seat, list_ended_deals
from tables.models import Match, MatchStatus

ANALYSES_A_DAY: Final = 12
# How long a job may wait for its turn, and how long it may run.
WAITS_FOR: Final = timedelta(minutes=10)
RUNS_FOR: Final = timedelta(minutes=2)
# A job takes no further row after this many seconds; the next tick does.
TAKES_FOR: Final = 60
# How often progress is stored: about as long as a move of a deal takes.
_STORED_EVERY_SECONDS: Final = 0.3
# Effort spent on a bot's decisions, as a fraction of the effort for a person's.
_PART_OF_A_BOT: Final = 0.3


NOTHING_TO_ANALYSE: Final = RefusalKind(
    "nothing_to_analyse", _("This deal cannot be analysed for you, because you did not play in it.")
)
MATCH_IS_RUNNING: Final = RefusalKind(
    "match_is_running", _("The match is still running. Ask again when it is over.")
)


class AnalysesUsedUp(Refusal):
    """The player has used all analyses of the day. `next_at` is when the next one is possible."""

    code = "analyses_used_up"

    def __init__(self, next_at: datetime) -> None:
        self.next_at = next_at
        told = _(
            "You have used all %(count)s of your daily analyses. You can ask for the "
            "next one at %(time)s."
        )
        local = date_format(timezone.localtime(next_at), "H:i T")
        super().__init__(message=told % {"count": ANALYSES_A_DAY, "time": local})

    def data(self) -> Mapping[str, Any]:
        return {"next_at": self.next_at.isoformat()}


def can_be_analysed(match: Match, user_id: int) -> bool:
    """Return whether this person may request analyses of the match, apart from the daily limit.

    They may not if a bot has played for them, because then some of the decisions are not their own.
    """
    seat = find_seat(match, user_id)
    return (
        seat is not None
        and not match.players[str(seat)].get("stand_in")
        and match.status != MatchStatus.RUNNING
        and get_game(match.table.game).analysis is not None
    )


def find_analysis(match: Match, number: int, user_id: int) -> SeatAnalysis | None:
    """Return this person's analysis of the deal, in whatever state it is, or None."""
    return SeatAnalysis.objects.filter(match=match, deal=number, user_id=user_id).first()


@transaction.atomic
def ask_for_analysis(*, user_id: int, match: Match, number: int) -> SeatAnalysis:
    """Return the stored analysis of this person's seat, or store a request for one and return that.

    Raises `NOTHING_TO_ANALYSE`, `MATCH_IS_RUNNING`, or `AnalysesUsedUp`.
    """
    seat = find_seat(match, user_id)
    if seat is not None and match.status == MatchStatus.RUNNING:
        raise Refusal(MATCH_IS_RUNNING)
    analysis = get_game(match.table.game).analysis
    if seat is None or analysis is None or not can_be_analysed(match, user_id):
        raise Refusal(NOTHING_TO_ANALYSE)
    if number not in list_ended_deals(match):
        raise Refusal(NOTHING_TO_ANALYSE)
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)  # one request at a time
    now = timezone.now()
    found = SeatAnalysis.objects.filter(match=match, deal=number, seat=seat).first()
    if found is not None and not may_be_asked_again(found, analysis.version, now):
        return found
    if found is None:
        _check_ration(user_id, now)
        found = SeatAnalysis(match=match, deal=number, seat=seat, user_id=user_id, asked_at=now)
    found.game = match.table.game
    found.state = AnalysisState.WAITING
    found.progress = 0
    found.deadline_at = now + WAITS_FOR
    found.save()
    return found


def may_be_asked_again(analysis: SeatAnalysis, version: int, now: datetime) -> bool:
    """Return whether the analysis has failed, was lost with its job, or is older than `version` of the game's analysis.

    A repeated request does not use up the daily limit.
    """
    if analysis.state == AnalysisState.DONE:
        return analysis.version != version
    return analysis.state == AnalysisState.FAILED or analysis.deadline_at <= now


def _check_ration(user_id: int, now: datetime) -> None:
    asked = (
        SeatAnalysis.objects.filter(user_id=user_id, asked_at__gt=now - timedelta(days=1))
        .order_by("-asked_at")
        .values_list("asked_at", flat=True)[:ANALYSES_A_DAY]
    )
    latest = list(asked)
    if len(latest) == ANALYSES_A_DAY:
        raise AnalysesUsedUp(latest[-1] + timedelta(days=1))


def analyse_waiting() -> int:
    """Compute waiting analyses one after another until the time of the job is up. Return their number."""
    until = time.monotonic() + TAKES_FOR
    done = 0
    while time.monotonic() < until and (analysis := _take()) is not None:
        _compute(analysis)
        done += 1
    return done


@transaction.atomic
def _take() -> SeatAnalysis | None:
    """Mark the analysis that has waited longest as running, and return it. Return None if none is waiting."""
    waiting = SeatAnalysis.objects.filter(state=AnalysisState.WAITING).order_by("asked_at")
    taken = waiting.select_for_update(skip_locked=True, of=("self",)).first()
    if taken is None:
        return None
    taken.state = AnalysisState.RUNNING
    taken.deadline_at = timezone.now() + RUNS_FOR
    taken.save(update_fields=["state", "deadline_at"])
    return taken


def _compute(taken: SeatAnalysis) -> None:
    """Compute an analysis and store it. If another job has taken the row over meanwhile, the row is not changed."""
    own = SeatAnalysis.objects.filter(
        pk=taken.pk, state=AnalysisState.RUNNING, deadline_at=taken.deadline_at
    )
    analysis = get_game(taken.game).analysis
    record: Any = deal_record(match_id=taken.match_id, number=taken.deal)
    report = None
    try:
        if analysis is not None and record is not None:
            # Seeded, so that the same deal is judged in the same worlds each time.
            rng = random.Random(f"{taken.match_id}/{taken.deal}/{taken.seat}")  # noqa: S311
            report = analysis.analyse(
                record, taken.seat, rng=rng, progress=_make_progress_writer(own)
            )
            if report is not None:
                report["bot"] = _of_a_bot(taken, analysis, record, rng)
    except BaseException:
        own.update(state=AnalysisState.FAILED)
        raise
    if analysis is None or report is None:
        own.update(state=AnalysisState.FAILED)
        return
    decisions: Any = report["decisions"]
    by_kind: Counter[str] = Counter()
    for decision in decisions:
        by_kind[decision["kind"]] += decision["loss"]
    own.update(
        state=AnalysisState.DONE,
        done_at=Now(),
        progress=100,
        version=analysis.version,
        report=report,
        decisions=len(decisions),
        lost=sum(by_kind.values()),
        by_kind={kind: round(loss, 2) for kind, loss in by_kind.items()},
    )


def _of_a_bot(
    taken: SeatAnalysis, analysis: DealAnalysis, record: Mapping[str, Any], rng: random.Random
) -> JSON:
    """Return the name of the next practice bot after this seat, and the decision by which that bot lost most points.

    The decision is None if no decision of the bot lost points. At a table without practice bots, return None. The bot's
    seat is analysed with less effort than the player's.
    """
    match = Match.objects.only("players").get(pk=taken.match_id)
    order = record["order"]
    place = order.index(taken.seat)
    later = [*order[place + 1 :], *order[:place]]
    users = {seat: match.players[str(seat)]["user"] for seat in later}
    # Third-party programs say nothing about the strength of people.
    programs = User.objects.filter(pk__in=users.values(), became_bot_at__isnull=False)
    theirs = set(programs.values_list("pk", flat=True))
    bots = [seat for seat in later if match.players[str(seat)]["bot"] and users[seat] not in theirs]
    if not bots:
        return None
    seat = bots[0]
    report: Any = analysis.analyse(
        record, seat, rng=rng, progress=lambda _done, _total: None, part=_PART_OF_A_BOT
    )
    decisions = report["decisions"] if report else []
    dearest = max(decisions, key=lambda decision: decision["loss"], default=None)
    return {
        "name": match.players[str(seat)]["name"],
        "decision": dearest if dearest and dearest["loss"] else None,
    }


def _make_progress_writer(own: Any) -> Callable[[int, int], None]:
    """Return a function that stores a job's progress, but no more often than pages read it."""
    stored_at = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal stored_at
        if time.monotonic() - stored_at >= _STORED_EVERY_SECONDS:
            stored_at = time.monotonic()
            own.update(progress=min(99, 100 * done // max(1, total)))

    return progress
