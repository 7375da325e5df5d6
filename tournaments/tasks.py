"""The periodic jobs of tournaments. Each looks in the database for work that is due."""

from celery import shared_task
from django.utils import timezone

from core.database.each import act_on_each
from tournaments.leagues.ticking import act_on_leagues
from tournaments.registration.barring import list_tournaments_of_barred, release_barred
from tournaments.running.reminders import remind_entrants as remind
from tournaments.running.tick import tick as do_what_is_due


@shared_task(name="tournaments.tick")
def tick() -> int:
    """Take the due steps of leagues and tournaments. Return the number of tournaments that changed."""
    act_on_leagues()
    return do_what_is_due()


@shared_task(name="tournaments.withdraw_barred")
def withdraw_barred() -> int:
    """Withdraw players who may no longer play. Return the number of tournaments changed."""
    return act_on_each(
        list_tournaments_of_barred(), release_barred, doing="withdrawing barred players"
    )


@shared_task(name="tournaments.remind_entrants")
def remind_entrants() -> int:
    """Remind players of tournaments that begin soon. Return how many were reminded."""
    return remind(now=timezone.now())
