"""Two players whom staff keep apart, so that they do not sit at one table, or watch (docs/fair-play.md)."""

from collections.abc import Collection

from tables.models import PairEvidence, PairState

Pair = tuple[int, int]


def kept_apart(user_ids: Collection[int]) -> frozenset[Pair]:
    """Of these users every two who are kept apart, the lower number first."""
    if len(user_ids) < 2:  # noqa: PLR2004 - a pair
        return frozenset()
    pairs = PairEvidence.objects.filter(
        low__in=user_ids, high__in=user_ids, kept_apart_since__isnull=False
    )
    return frozenset(pairs.values_list("low", "high"))


def is_apart_from_any(user_id: int, others: Collection[int]) -> bool:
    """Whether this user is kept apart from one of the others."""
    return any(user_id in pair for pair in kept_apart({user_id, *others}))


def are_watched(user_ids: Collection[int]) -> bool:
    """Whether staff watch two of these users."""
    pairs = PairEvidence.objects.filter(
        low__in=user_ids, high__in=user_ids, state=PairState.WATCHED
    )
    return pairs.exists()
