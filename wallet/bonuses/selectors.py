"""Reading bonuses, and how much has been played for them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import QuerySet

from wallet.models import Bonus
from wallet.rules import NextChunk, compute_next_chunk

# A seat is found by its buy-ins and top-ups, up to this long before the period. Without any it is ignored.
_LONGEST_SITTING = timedelta(days=30)
# Entry fees and lost stakes from a player's accounts and seats into pots and prize pools that have been
# paid out. Money that can still be refunded has not been played yet.
_PLAYED = """
WITH own AS (
  SELECT id FROM wallet_account
  WHERE kind IN ('PLAYER', 'WINNINGS', 'BONUS') AND owner_id = %(user)s
    AND currency = 'INR' AND shard = 0
), seat AS (
  SELECT DISTINCT t.destination_id AS id
  FROM wallet_entry e JOIN wallet_transfer t ON t.id = e.transfer_id
  WHERE e.account_id IN (SELECT id FROM own) AND e.amount < 0
    AND e.happened_at > %(looked_back)s AND t.reason IN ('BUY_IN', 'TOP_UP')
), flow AS (
  SELECT CASE WHEN e.amount < 0 THEN t.destination_id ELSE t.source_id END AS place_id, e.amount
  FROM wallet_entry e JOIN wallet_transfer t ON t.id = e.transfer_id
  WHERE e.account_id IN (SELECT id FROM own UNION ALL SELECT id FROM seat)
    AND e.happened_at >= %(since)s AND t.reason IN ('ENTRY_FEE', 'STAKE', 'REFUND')
)
SELECT coalesce(-sum(flow.amount), 0)
FROM flow JOIN wallet_account place ON place.id = flow.place_id
WHERE place.kind IN ('POT', 'PRIZE_POOL') AND place.balance = 0
"""


@dataclass(frozen=True, slots=True)
class BonusProgress:
    """A bonus with the amount played for it and the next chunk. Only the oldest running bonus progresses."""

    bonus: Bonus
    played: int
    next: NextChunk | None


def list_bonuses(user_id: int) -> QuerySet[Bonus]:
    """Return a player's bonuses, newest first."""
    return Bonus.objects.filter(user_id=user_id).order_by("-pk")


def list_running_bonuses(user_id: int) -> QuerySet[Bonus]:
    """Return a player's running bonuses in the order in which they are released."""
    return Bonus.objects.filter(user_id=user_id, state=Bonus.State.RUNNING).order_by("pk")


def compute_progress(bonus: Bonus) -> BonusProgress:
    if bonus.state != Bonus.State.RUNNING or bonus.counts_from is None:
        return BonusProgress(bonus, 0, None)
    played = sum_entry_fees_played(bonus.user_id, since=bonus.counts_from)
    return BonusProgress(bonus, played, compute_next_chunk(bonus.terms, played=played))


def sum_entry_fees_played(user_id: int, *, since: datetime) -> int:
    """Return the cash entry fees and stakes played from `since` on, in paise, less refunds."""
    with connection.cursor() as cursor:
        cursor.execute(
            _PLAYED,
            {"user": user_id, "since": since, "looked_back": since - _LONGEST_SITTING},
        )
        (played,) = cursor.fetchone() or (0,)
    return max(int(played), 0)
