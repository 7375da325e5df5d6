"""Packing the changes of long finished matches: hundreds of rows become one."""

import time
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Min, QuerySet
from django.db.models.functions import Now

from tables.models import Change, Match, MatchArchive, MatchStatus
from tables.play.changes import NO_CHANGES, packed_changes

PACKED_TOGETHER = 50
# Well within the time limit of a job; beat asks for the next one before that.
SECONDS_A_RUN = 100


def archive_matches(limit: int | None = None) -> int:
    """Pack the oldest matches that have been over for MATCHES_ARCHIVED_AFTER_DAYS; how many.

    Some in a transaction: cut off at any moment, every match is whole in one place. Several at one
    moment share the work.
    """
    archived = 0
    until = time.monotonic() + SECONDS_A_RUN
    while time.monotonic() < until:
        room = PACKED_TOGETHER if limit is None else min(PACKED_TOGETHER, limit - archived)
        number = _archive(room)
        archived += number
        if not number:
            break
    return archived


def _due() -> QuerySet[Match]:
    days = settings.MATCHES_ARCHIVED_AFTER_DAYS
    # The archived ones have no changes left, so the first one with changes is where to go on.
    first = Change.objects.filter(match__isnull=False).aggregate(first=Min("match_id"))["first"]
    if not days or first is None:
        return Match.objects.none()
    return (
        Match.objects.filter(pk__gte=first, ended_at__lt=Now() - timedelta(days=days))
        .exclude(status=MatchStatus.RUNNING)
        .filter(archive__isnull=True)
        .order_by("pk")
    )


@transaction.atomic
def _archive(most: int) -> int:
    if not most:
        return 0
    # What another worker has is left to it.
    locked = _due().select_for_update(skip_locked=True, of=("self",)).only("pk")
    ids = set(locked.values_list("pk", flat=True)[:most])
    # It may have been done between the look and the lock.
    ids -= set(MatchArchive.objects.filter(match__in=ids).values_list("match_id", flat=True))
    changes = Change.objects.filter(match__in=ids)
    packed = packed_changes(ids)
    MatchArchive.objects.bulk_create(
        MatchArchive(match_id=match_id, changes=packed.get(match_id, NO_CHANGES))
        for match_id in sorted(ids)
    )
    changes.delete()
    return len(ids)
