"""The choices of players beyond those that their browser keeps."""

from accounts.models import User


def set_absence_notice(*, user_id: int, notice: str) -> None:
    """Set the way this player is told that they still sit at a table, a value of `AbsenceNotice`."""
    User.objects.filter(pk=user_id).update(absence_notice=notice)
