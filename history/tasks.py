"""Celery tasks that may run a second late. Each reads the database and does what is due."""

from celery import shared_task
from django.utils import timezone

from history.analysing import analyse_waiting
from history.archiving import archive_matches
from history.days import turn_days
from history.fairplay.tracing import trace_matches
from history.fairplay.weighing import TIME_LIMIT, score_pairs
from history.open_data import TIME_LIMIT as TIME_FOR_OPEN_DATA
from history.open_data import publish_last_month
from history.puzzles.making import SECONDS_FOR_A_DEAL, find_puzzles


@shared_task(name="history.archive_matches")
def archive_old_matches() -> int:
    """Archive old matches. Return the number of matches packed."""
    return archive_matches()


@shared_task(name="history.turn_days")
def turn_days_of_changes() -> int:
    """Create partitions of coming days and drop those of packed days. Return the number of changed partitions."""
    return turn_days(now=timezone.now())


@shared_task(name="history.analyse_deals")
def analyse_deals() -> int:
    """Compute requested analyses. Return their number."""
    return analyse_waiting()


@shared_task(name="history.find_puzzles", soft_time_limit=SECONDS_FOR_A_DEAL)
def find_new_puzzles() -> int:
    """Search one more deal for a puzzle. Return the number of puzzles made."""
    return find_puzzles()


@shared_task(name="history.trace_matches")
def trace_finished_matches() -> int:
    """Trace matches for evidence of collusion. Return the number of matches traced."""
    return trace_matches()


@shared_task(name="history.publish_deals", time_limit=TIME_FOR_OPEN_DATA)
def publish_deals_of_last_month() -> bool:
    """Publish the open data of last month, once. Return whether this call published it."""
    return publish_last_month(timezone.now())


@shared_task(name="history.score_pairs", time_limit=TIME_LIMIT)
def score_all_pairs() -> int | None:
    """Compute the evidence about pairs, once a night.

    Return the number of pairs shown to staff, or None if the computation is not due.
    """
    return score_pairs()
