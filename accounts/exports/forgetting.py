"""What nobody asks for any more: sessions that have expired, and old keys of API requests."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import QuerySet

from accounts.models import ApiRequest

# A program that is not answered asks again within minutes.
KEYS_KEPT_FOR = timedelta(days=7)
# In a statement: a long one would keep the space of all that is deleted meanwhile.
FORGOTTEN_AT_ONCE = 5_000
STATEMENTS = 200


def forget_what_has_expired(*, now: datetime) -> int:
    """The number of rows that are gone; what is left over is the next call's."""
    return _forget(lambda: Session.objects.filter(expire_date__lt=now)) + _forget(
        lambda: ApiRequest.objects.filter(made_at__lt=now - KEYS_KEPT_FOR)
    )


def _forget(old: Callable[[], QuerySet[Any, Any]]) -> int:
    forgotten = 0
    for _statement in range(STATEMENTS):
        some = list(old().values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
        forgotten += old().filter(pk__in=some).delete()[0]
        if len(some) < FORGOTTEN_AT_ONCE:
            break
    return forgotten
