"""Packing the changes of long finished matches: hundreds of rows become one."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Min, QuerySet
from django.db.models.functions import Now

from tables.changes import pack
from tables.models import Change, Match, MatchArchive, MatchStatus


def archive_matches(limit: int = 500) -> int:
    """Pack the oldest matches that have been over for MATCHES_ARCHIVED_AFTER_DAYS; how many.

    Each in a transaction of its own: cut off at any moment, every match is whole in one place.
    """
    return sum(_archive(match_id) for match_id in _due().values_list("pk", flat=True)[:limit])


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
def _archive(match_id: int) -> bool:
    match = Match.objects.select_for_update(skip_locked=True).filter(pk=match_id).first()
    if match is None or MatchArchive.objects.filter(match=match).exists():
        return False  # another worker has it
    changes = Change.objects.filter(match=match)
    MatchArchive.objects.create(match=match, changes=pack(changes.order_by("pk")))
    changes.delete()
    return True
