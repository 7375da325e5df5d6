"""Jobs of tournaments: ticks that look at the database and do what is due."""

from celery import shared_task

from tournaments.core.after_commit import together
from tournaments.leagues.ticking import act_on_leagues
from tournaments.live.broadcast import announce_from_thread, call_players
from tournaments.running.barring import let_barred_go, tournaments_of_barred
from tournaments.running.ticking import tick as do_what_is_due


@shared_task(name="tournaments.tick")
def tick() -> int:
    """The number of tournaments that changed."""
    act_on_leagues()
    announcement = do_what_is_due()
    announce_from_thread(announcement)
    call_players(announcement)
    return len(announcement.changed)


@shared_task(name="tournaments.withdraw_barred")
def withdraw_barred() -> int:
    """Withdraw players who may no longer play. Returns the number of tournaments changed."""
    announcement = together(
        [let_barred_go(tournament_id) for tournament_id in tournaments_of_barred()]
    )
    announce_from_thread(announcement)
    return len(announcement.changed)
