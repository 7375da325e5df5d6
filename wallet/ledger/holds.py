"""Holds: money reserved for a seat or a withdrawal until it is decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models.functions import Now

from core.database.each import act_on_each
from core.refusals import Refusal
from wallet.ledger.chart import PostingLine
from wallet.ledger.posting import (
    Posting,
    call,
    hint_hold,
    hint_lines,
    lines_literal,
    translate_refusals,
)
from wallet.models import Hold
from wallet.refusals import MALFORMED_POSTING, HoldEnded

REAPED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Held:
    """A hold. `replayed` means that the key already had this hold and nothing more was held."""

    hold_id: int
    replayed: bool


def hold(
    *,
    key: str,
    lines: Sequence[PostingLine],
    expires_at: datetime,
    actor_id: int | None = None,
    subject: str = "",
) -> Held:
    """Hold the amounts of `lines` at their sources until the hold is captured, released or expired.

    The same key with the same lines returns the same hold, even with another `expires_at`. Raises
    InsufficientFunds, HOLD_EXPIRED if `expires_at` is in the past, IdempotencyConflict or MALFORMED_POSTING.
    """
    if not lines:
        raise Refusal(MALFORMED_POSTING, detail="no lines")
    with translate_refusals(savepoint=connection.in_atomic_block):
        held = Held(
            *call(
                "SELECT hold_id, replayed FROM ledger_hold(%s, %s::wallet_line[], %s, %s, %s)",
                [key, lines_literal(lines), expires_at, actor_id, subject],
            )
        )
    hint_lines(lines)
    return held


def capture(
    *,
    hold_id: int,
    key: str,
    lines: Sequence[PostingLine] | None = None,
    actor_id: int | None = None,
    subject: str = "",
) -> Posting:
    """Post the held amounts, or `lines` that take no more from any source than was held there. Release the rest.

    Raises HOLD_EXPIRED, HoldEnded, HOLD_EXCEEDED or UNKNOWN_HOLD, and MALFORMED_POSTING if `lines` is empty.
    """
    if lines is not None and not lines:
        raise Refusal(MALFORMED_POSTING, detail="no lines")
    with translate_refusals(savepoint=connection.in_atomic_block):
        posting = Posting(
            *call(
                """SELECT journal_id, replayed
                   FROM ledger_post_hold(%s, %s, %s::wallet_line[], %s, %s)""",
                [hold_id, key, None if lines is None else lines_literal(lines), actor_id, subject],
            )
        )
    hint_hold(hold_id)
    hint_lines(lines or ())
    return posting


def release(*, hold_id: int, key: str, actor_id: int | None = None, subject: str = "") -> Posting:
    """Release the whole hold. Raises HoldEnded or UNKNOWN_HOLD."""
    return _void(hold_id, key=key, expired=False, actor_id=actor_id, subject=subject)


def expire_holds() -> int:
    """Release expired holds. Return how many.

    A late run is harmless: an expired hold cannot be captured even before it is released.
    """
    overdue = (
        Hold.objects.filter(expires_at__lte=Now(), resolution=None)
        .order_by("expires_at")
        .values_list("id", flat=True)[:REAPED_AT_ONCE]
    )
    return act_on_each(list(overdue), _expire, doing="releasing a hold")


def _expire(hold_id: int) -> bool:
    try:
        return not _void(hold_id, key=f"hold:{hold_id}:expire", expired=True).replayed
    except HoldEnded:  # captured or released concurrently
        return False


def _void(
    hold_id: int, *, key: str, expired: bool, actor_id: int | None = None, subject: str = ""
) -> Posting:
    with translate_refusals(savepoint=connection.in_atomic_block):
        posting = Posting(
            *call(
                "SELECT journal_id, replayed FROM ledger_void_hold(%s, %s, %s, %s, %s)",
                [hold_id, key, expired, actor_id, subject],
            )
        )
    hint_hold(hold_id)
    return posting
