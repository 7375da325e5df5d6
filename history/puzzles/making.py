"""Makes puzzles from finished deals, a few each day, in a job on the coach's queue.

Celery beat starts a job every minute, and each job searches one deal. One row stores the match that is being searched,
and a deadline. After a crash the next job continues with the same match.
"""

import json
import logging
import random
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.utils import timezone

from games.registry import get_game
from history.models import AnalysisState, Puzzle, PuzzleSearch, SeatAnalysis
from history.puzzles.answering import live_puzzles
from history.records import deal_record
from history.selectors import list_ended_deals
from players.ranking.glicko import Rating
from tables.catalog import list_offered_games
from tables.models import Match, MatchStatus

logger = logging.getLogger(__name__)

# For each kind, in 24 hours.
PUZZLES_A_DAY: Final = 2
# Deals searched on one local day.
DEALS_A_DAY: Final = 60
_A_DAY: Final = timedelta(days=1)
RUNS_FOR: Final = timedelta(minutes=2)
# Time limit of a search. The job is killed after 120 s, so a slower machine gives the deal up before that.
SECONDS_FOR_A_DEAL: Final = 60
# Give up on a deal after this many crashed attempts.
_TRIES: Final = 3
_STARTING: Final = Path(__file__).with_name("starting_puzzles.json")

Kind = tuple[str, str]
"""The code of a game, and of a kind of its puzzles."""


@dataclass(frozen=True, slots=True)
class _Taken:
    match_id: int
    deadline_at: datetime


def list_kinds() -> list[Kind]:
    """Return the kinds of puzzles in the games that the site offers."""
    return [
        (code, kind)
        for code, game in list_offered_games().items()
        if game.puzzles is not None
        for kind in game.puzzles.kinds
    ]


def find_puzzles() -> int:
    """Search one more deal for a puzzle. Return the number found, at most one.

    It does nothing while players wait for analyses, which come first.
    """
    choose_daily_puzzles(timezone.localdate())
    wanted = _list_wanted_kinds(timezone.now())
    if not wanted or SeatAnalysis.objects.filter(state=AnalysisState.WAITING).exists():
        return 0
    taken = _take(timezone.now())
    if taken is None:
        return 0
    try:
        found = _find_puzzle(taken.match_id, wanted)
    except SoftTimeLimitExceeded:
        # A retry would take as long: the next job searches another deal.
        logger.warning("no puzzle of match %s within %s s", taken.match_id, SECONDS_FOR_A_DEAL)
        found = None
    return _store(taken, found)


def _list_wanted_kinds(now: datetime) -> list[Kind]:
    """Return the kinds of which too few puzzles were made in the last day, the scarcest first."""
    new = Puzzle.objects.filter(made_at__gt=now - _A_DAY).values_list("game", "kind")
    made = Counter(new)
    return sorted(
        (kind for kind in list_kinds() if made[kind] < PUZZLES_A_DAY), key=made.__getitem__
    )


@transaction.atomic
def _take(now: datetime) -> _Taken | None:
    """Return the match to search: the match whose job crashed, or the newest match that has not been searched yet.

    Return None if there is no such match, if enough matches were searched today, or if another job is searching.
    """
    PuzzleSearch.objects.get_or_create(pk=1)
    search = PuzzleSearch.objects.select_for_update().get(pk=1)
    if search.deadline_at is not None and search.deadline_at > now:
        return None
    today = timezone.localdate(now)
    if search.day != today:
        search.day, search.looked_at = today, 0
    if search.match is not None and search.tries >= _TRIES:
        search.through, search.match = max(search.through, search.match), None
    if search.match is None:
        if search.looked_at >= DEALS_A_DAY:
            return None
        search.match, search.tries = _find_newest_match(search.through), 0
        search.looked_at += search.match is not None
    if search.match is not None:
        search.tries += 1
        search.deadline_at = now + RUNS_FOR
    search.save()
    return _take_search(search)


def _take_search(search: PuzzleSearch) -> _Taken | None:
    if search.match is None or search.deadline_at is None:
        return None
    return _Taken(search.match, search.deadline_at)


def _find_newest_match(through: int) -> int | None:
    """Return the newest finished match with an id above `through`, or None.

    Lessons are left out, because their first deal is prepared.
    """
    games = {code for code, _kind in list_kinds()}
    matches = Match.objects.filter(pk__gt=through, status=MatchStatus.FINISHED)
    played = matches.filter(table__game__in=games, table__is_lesson=False)
    return played.order_by("-pk").values_list("pk", flat=True).first()


def _find_puzzle(match_id: int, wanted: Sequence[Kind]) -> Puzzle | None:
    """Return a puzzle from one random deal of the match, or None if the deal yields none.

    Its kind is the first of the wanted kinds for which the deal yields a puzzle.
    """
    # The generator's seed is not the match's, so that nothing about the deal follows from its puzzle.
    rng = random.Random(secrets.randbits(64))  # noqa: S311 - its seed is secret
    match = Match.objects.select_related("table").get(pk=match_id)
    numbers = sorted(list_ended_deals(match))
    record = deal_record(match_id=match_id, number=rng.choice(numbers)) if numbers else None
    puzzles = get_game(match.table.game).puzzles
    if record is None or puzzles is None:
        return None
    for game, kind in wanted:
        found = puzzles.find(record, kind, rng=rng) if game == match.table.game else None
        if found is not None:
            return _build_puzzle(game, kind, found)
    return None


def _build_puzzle(game: str, kind: str, found: Mapping[str, Any]) -> Puzzle:
    """Build a puzzle with the initial rating of a player who has never played."""
    new = Rating()
    return Puzzle(
        game=game,
        kind=kind,
        task=found["task"],
        solution=found["solution"],
        value=new.value,
        deviation=new.deviation,
        volatility=new.volatility,
    )


@transaction.atomic
def _store(taken: _Taken, found: Puzzle | None) -> int:
    """Store the puzzle, and that the match has been searched. Return the number of puzzles stored.

    Store nothing if this job took so long that another job has started on the same match.
    """
    search = PuzzleSearch.objects.select_for_update().get(pk=1)
    if _take_search(search) != taken:
        return 0
    search.through, search.match, search.deadline_at = taken.match_id, None, None
    search.save()
    if found is None:
        return 0
    found.save()
    return 1


# --- The puzzle of the day.


@transaction.atomic
def choose_daily_puzzles(today: date) -> None:
    """Choose the puzzles of today and tomorrow. The kinds take turns.

    The first choice is a puzzle of the day's kind that has never been the daily puzzle. The next choice is any other
    puzzle that has never been the daily one. Otherwise take the puzzle that was the daily one longest ago.
    """
    days = (today, today + timedelta(days=1))
    chosen = Puzzle.objects.filter(daily_on__in=days, retired_at__isnull=True)
    missing = set(days) - set(chosen.values_list("daily_on", flat=True))
    if not missing:
        return
    PuzzleSearch.objects.get_or_create(pk=1)
    PuzzleSearch.objects.select_for_update().get(pk=1)  # one process chooses
    for day in sorted(missing):
        _choose(day, days)


def _choose(day: date, taken: Sequence[date]) -> None:
    # A puzzle that was retired on its day makes way.
    Puzzle.objects.filter(daily_on=day, retired_at__isnull=False).update(daily_on=None)
    if Puzzle.objects.filter(daily_on=day).exists():
        return
    of_kinds = list_kinds()
    if not of_kinds:
        return
    game, kind = of_kinds[day.toordinal() % len(of_kinds)]
    live = live_puzzles().exclude(daily_on__in=taken)
    for asked in (live.filter(game=game, kind=kind, daily_on__isnull=True), live):
        longest_ago = asked.order_by("daily_on", "pk")
        # Puzzles that have never been the daily one come first.
        found = longest_ago.filter(daily_on__isnull=True).first() or longest_ago.first()
        if found is not None:
            Puzzle.objects.filter(pk=found.pk).update(daily_on=day)
            return


# --- What a new site begins with, and what staff take away.


@transaction.atomic
def make_starting_puzzles() -> int:
    """Add the puzzles from self-played deals if there are no puzzles yet. Return the total number.

    `python -m bench.puzzles` wrote their file (docs/puzzles.md).
    """
    if not Puzzle.objects.exists():
        starting = json.loads(_STARTING.read_text(encoding="utf-8"))
        puzzles = [_build_puzzle(one["game"], one["kind"], one) for one in starting]
        for puzzle in puzzles:
            puzzle.made_at = timezone.now() - _A_DAY  # so that they do not use up the day's limit
        Puzzle.objects.bulk_create(puzzles)
        choose_daily_puzzles(timezone.localdate())
    return Puzzle.objects.count()


@transaction.atomic
def retire_puzzle(*, puzzle_id: int, is_retired: bool) -> None:
    """Retire a puzzle, or bring it back. Its answers are kept."""
    puzzle = Puzzle.objects.select_for_update(no_key=True).get(pk=puzzle_id)
    puzzle.retired_at = timezone.now() if is_retired else None
    puzzle.save(update_fields=["retired_at"])
    choose_daily_puzzles(timezone.localdate())
