"""The decisions of staff about two players. The program alone decides nothing."""

from django.db import transaction
from django.utils import timezone

from tables.models import PairEvidence, PairState, PairVerdict


@transaction.atomic
def watch(*, pair_id: int, staff_id: int, reason: str) -> None:
    """Keep them on the list, whatever the next nights find."""
    pair = _locked(pair_id, staff_id, reason)
    pair.state, pair.verdict = PairState.WATCHED, PairVerdict.NONE
    pair.save()


@transaction.atomic
def keep_apart(*, pair_id: int, staff_id: int, reason: str, is_apart: bool) -> None:
    """From now on they get no seats at one table, or do so again. Where both sit, they play on."""
    pair = _locked(pair_id, staff_id, reason)
    if not is_apart:
        pair.kept_apart_since = None
    elif pair.kept_apart_since is None:
        pair.kept_apart_since = timezone.now()
    pair.save()


@transaction.atomic
def close_pair(*, pair_id: int, staff_id: int, reason: str, verdict: PairVerdict) -> None:
    """The verdict stays until staff watch them again. Who is kept apart stays so."""
    pair = _locked(pair_id, staff_id, reason)
    pair.state, pair.verdict = PairState.CLOSED, verdict
    pair.save()


def _locked(pair_id: int, staff_id: int, reason: str) -> PairEvidence:
    pair = PairEvidence.objects.select_for_update(no_key=True).get(pk=pair_id)
    pair.decided_by_id, pair.decided_at, pair.reason = staff_id, timezone.now(), reason
    return pair
