"""Two players whom staff keep apart, so that they do not sit at one table, or watch (docs/fair-play.md)."""

from collections.abc import Collection, Iterable

from tables.models import PairEvidence, PairState

Pair = tuple[int, int]


def kept_apart(user_ids: Collection[int]) -> frozenset[Pair]:
    """Return every pair of these users that staff keep apart, the lower number first."""
    if len(user_ids) < 2:  # noqa: PLR2004 - a pair
        return frozenset()
    pairs = PairEvidence.objects.filter(
        low__in=user_ids, high__in=user_ids, kept_apart_since__isnull=False
    )
    return frozenset(pairs.values_list("low", "high"))


def is_apart_from_any(user_id: int, others: Collection[int]) -> bool:
    """Return whether this user is kept apart from one of the others."""
    return any(user_id in pair for pair in kept_apart({user_id, *others}))


def apart_from_any(user_ids: Iterable[int], *, others: Collection[int]) -> frozenset[int]:
    """Which of these users are kept apart from one of the others; asked at once for all."""
    some, there = frozenset(user_ids), frozenset(others)
    if not some or not there:
        return frozenset()
    pairs = kept_apart(some | there)
    either_way = pairs | {(high, low) for low, high in pairs}
    return frozenset(one for one, other in either_way if one in some and other in there)


def are_watched(user_ids: Collection[int]) -> bool:
    """Return whether staff watch two of these users."""
    pairs = PairEvidence.objects.filter(
        low__in=user_ids, high__in=user_ids, state=PairState.WATCHED
    )
    return pairs.exists()
