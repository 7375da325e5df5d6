from collections.abc import Iterable

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from wallet.models import (
    SelfExclusion,
)


def exclusion_of(user_id: int) -> SelfExclusion | None:
    """The one that ends last of those that run."""
    return (
        _running_exclusions()
        .filter(user_id=user_id)
        .order_by(F("until").desc(nulls_first=True))
        .first()
    )


def barred_among(user_ids: Iterable[int]) -> frozenset[int]:
    """Those who may not play now: frozen, or excluded by themselves."""
    excluded = Exists(_running_exclusions().filter(user=OuterRef("pk")))
    people = User.objects.filter(Q(is_active=False) | Q(excluded), pk__in=list(user_ids))
    return frozenset(people.values_list("pk", flat=True))


def is_of_barred() -> Q:
    """The rows, of a model with a `user`, of those who may not play now."""
    excluded = Exists(_running_exclusions().filter(user=OuterRef("user")))
    return Q(user__is_active=False) | Q(excluded)


def _running_exclusions() -> QuerySet[SelfExclusion]:
    return SelfExclusion.objects.filter(Q(until=None) | Q(until__gt=Now()))
