"""Jobs that may run a second late; each reads the database and does what is due."""

from celery import shared_task
from django.utils import timezone

from tables.history.analysing import analyse_waiting
from tables.history.archiving import archive_matches
from tables.history.days import turn_days
from tables.history.fairplay.tracing import trace_matches
from tables.history.fairplay.weighing import TIME_LIMIT, weigh_pairs
from tables.history.open_data import TIME_LIMIT as TIME_FOR_OPEN_DATA
from tables.history.open_data import publish_last_month
from tables.history.puzzles.making import SECONDS_FOR_A_DEAL, find_puzzles
from tables.live.alerts import call_players, tell_absent
from tables.live.slow_games import tend_slow_games
from tables.play.move import open_offers
from tables.play.start import follow_fee, list_tables_with_old_fee
from tables.players.clubs.evenings import open_evenings
from tables.players.clubs.winding_up import wind_up_clubs
from tables.ranking.leaderboards import draw_leaderboards
from tables.ranking.ratings import count_matches
from tables.ranking.seasons import turn_season
from tables.seating.barring import let_barred_go, list_tables_of_barred
from tables.seating.queue import list_due_queues, tend_queue
from tables.seating.supply import keep_supplied


@shared_task(name="tables.keep_supplied")
def keep_tables_supplied() -> int:
    """Keep tables to join. Return the number of closed tables."""
    return keep_supplied()


@shared_task(name="tables.follow_fees")
def follow_fees() -> int:
    """Let tables adopt new fees. Return the number of changed tables."""
    return sum(follow_fee(table_id) is not None for table_id in list_tables_with_old_fee())


@shared_task(name="tables.open_offers")
def open_due_offers() -> int:
    """Offer splitting the prize where it is due. Return the number of tables."""
    return open_offers()


@shared_task(name="tables.tend_queues")
def tend_queues() -> int:
    """Keep free chairs for waiting players. Return the number of chairs offered."""
    return sum(len(tend_queue(table_id)) for table_id in list_due_queues())


@shared_task(name="tables.stand_up_barred")
def stand_up_barred() -> int:
    """Stand up players who may no longer play. Return the number of tables changed."""
    return sum(let_barred_go(table_id) is not None for table_id in list_tables_of_barred())


@shared_task(name="tables.count_matches")
def count_finished_matches() -> int:
    """Update ratings and the totals of leaderboards. Return the number of matches counted."""
    return count_matches()


@shared_task(name="tables.draw_leaderboards")
def draw_all_leaderboards() -> int:
    """Compute the leaderboards. Return the number of rows."""
    return draw_leaderboards()


@shared_task(name="tables.turn_season")
def turn_season_of_ranks() -> bool:
    """Close the season that is over. Return whether anything was done."""
    return turn_season(now=timezone.now())


@shared_task(name="tables.call_players")
def call_absent_players() -> int:
    """Alert players who are to move and absent. Return the number of alerts."""
    return call_players()


@shared_task(name="tables.tell_absent")
def tell_absent_players() -> int:
    """Notify players without an open page that they are still seated. Return their number."""
    return tell_absent()


@shared_task(name="tables.tend_slow_games")
def tend_all_slow_games() -> int:
    """Notify players of slow games. Return the number of messages."""
    return tend_slow_games()


@shared_task(name="tables.open_evenings")
def open_evenings_of_clubs() -> int:
    """Open the tables of clubs whose evening begins. Return their number."""
    return open_evenings(now=timezone.now())


@shared_task(name="tables.wind_up_clubs")
def wind_up_closed_clubs() -> int:
    """Close the tables of closed clubs. Return the number of tables changed."""
    return wind_up_clubs()


@shared_task(name="tables.archive_matches")
def archive_old_matches() -> int:
    """Archive old matches. Return the number of matches packed."""
    return archive_matches()


@shared_task(name="tables.turn_days")
def turn_days_of_changes() -> int:
    """Create partitions of coming days and drop those of packed days. Return the number of changed partitions."""
    return turn_days(now=timezone.now())


@shared_task(name="tables.analyse_deals")
def analyse_deals() -> int:
    """Compute requested analyses. Return their number."""
    return analyse_waiting()


@shared_task(name="tables.find_puzzles", soft_time_limit=SECONDS_FOR_A_DEAL)
def find_new_puzzles() -> int:
    """Look for puzzles in one more deal. Return the number of puzzles made."""
    return find_puzzles()


@shared_task(name="tables.trace_matches")
def trace_finished_matches() -> int:
    """Trace matches for evidence of collusion. Return the number of matches traced."""
    return trace_matches()


@shared_task(name="tables.publish_deals", time_limit=TIME_FOR_OPEN_DATA)
def publish_deals_of_last_month() -> bool:
    """Publish the open data of last month, once. Return whether that was done now."""
    return publish_last_month(timezone.now())


@shared_task(name="tables.weigh_pairs", time_limit=TIME_LIMIT)
def weigh_all_pairs() -> int | None:
    """Compare the evidence about pairs at night. Return the number of pairs shown to staff, None by day."""
    return weigh_pairs()
