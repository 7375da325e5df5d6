"""The row lock of a tournament: taken before any of its entrants, rounds and ledger accounts."""

from tournaments.models import Tournament
from tournaments.refusals import TournamentNotFound


def lock_tournament(tournament_id: int) -> Tournament:
    """Until the transaction ends. Raises TournamentNotFound."""
    tournament = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
    if tournament is None:
        raise TournamentNotFound
    return tournament


def lock_if_free(tournament_id: int) -> Tournament | None:
    """Lock a tournament. Returns None if another transaction holds it: that one does the same work."""
    rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
    return rows.filter(pk=tournament_id).first()
