"""Periodic jobs. Each looks in the database for work that is due, so a late run does no harm."""

from celery import shared_task
from django.utils import timezone

from players.clubs.evenings import open_evenings
from players.clubs.winding_up import wind_up_clubs
from players.ranking.leaderboards import draw_leaderboards
from players.ranking.ratings import count_matches
from players.ranking.seasons import turn_season


@shared_task(name="players.count_matches")
def count_finished_matches() -> int:
    """Count finished matches in ratings, totals and achievements. Return how many matches were counted."""
    return count_matches()


@shared_task(name="players.draw_leaderboards")
def draw_all_leaderboards() -> int:
    """Compute the leaderboards that are due. Return the number of rows written."""
    return draw_leaderboards()


@shared_task(name="players.turn_season")
def turn_season_of_ranks() -> bool:
    """Close the season that is over and open the next one. Return whether anything was done."""
    return turn_season(now=timezone.now())


@shared_task(name="players.open_evenings")
def open_evenings_of_clubs() -> int:
    """Open the tables of clubs whose evening begins. Return how many were opened."""
    return open_evenings(now=timezone.now())


@shared_task(name="players.wind_up_clubs")
def wind_up_closed_clubs() -> int:
    """Close the tables of closed clubs, at once or after their match. Return the number of tables changed."""
    return wind_up_clubs()
