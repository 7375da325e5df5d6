"""Guests at a table: their own first deal, and no other."""

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from accounts.people.guests import guest_of
from tables.models import Table, TableStatus


def player_at(request: HttpRequest, table_id: int) -> int | None:
    """Return the viewer of a table: the signed-in player, or the guest whose lesson it is.

    At every other table a guest is an ordinary visitor: no player is held up, chatted to or played
    against by a person without an account.
    """
    if request.user.pk is not None:
        return request.user.pk
    return guest_at(request.session, table_id)


def guest_at(session: SessionBase, table_id: int) -> int | None:
    guest = guest_of(session)
    if guest is None:
        return None
    lessons = Table.objects.filter(pk=table_id, is_lesson=True, opened_by=guest)
    return guest if lessons.exists() else None


def lesson_of_guest(session: SessionBase) -> int | None:
    """The table at which this browser's guest has begun; None if there is none."""
    guest = guest_of(session)
    if guest is None:
        return None
    lessons = Table.objects.filter(is_lesson=True, opened_by=guest)
    open_ones = lessons.exclude(status=TableStatus.CLOSED)
    return open_ones.order_by("-pk").values_list("pk", flat=True).first()
