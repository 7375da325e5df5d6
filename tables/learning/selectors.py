"""The players who are still learning, and their lessons."""

from tables.models import Match, MatchStatus, Table


def is_learning(*, table_id: int, user_id: int | None) -> bool:
    """Return whether this is the player's own lesson with its first deal still running."""
    if user_id is None:
        return False
    if not Table.objects.filter(pk=table_id, is_lesson=True, opened_by=user_id).exists():
        return False
    return not Match.objects.filter(table=table_id, status=MatchStatus.FINISHED).exists()


def has_played(user_id: int) -> bool:
    """Return whether this person has finished a match, here or in a lesson."""
    played = Match.objects.filter(participants__contains=[user_id], status=MatchStatus.FINISHED)
    return played.exists()
