"""The erasure of a closed account at tables: matches stay, without the name."""

from django.db import connection, transaction
from django.db.models import Q

from tables.models import (
    Block,
    ChatLine,
    ChipsPassed,
    Follow,
    IgnoredPlayer,
    LeaderboardPlace,
    MatchLink,
    MatchTrace,
    PairEvidence,
    QueuePlace,
    Seat,
    SittingTrace,
    TableInvitation,
)

_RENAME = """
UPDATE tables_match m SET players = (
  SELECT jsonb_object_agg(seat, CASE WHEN (player ->> 'user')::bigint = %(user)s
                                     THEN player || jsonb_build_object('name', %(name)s::text)
                                     ELSE player END)
  FROM jsonb_each(m.players) AS p (seat, player))
WHERE m.participants @> ARRAY[%(user)s::bigint]
"""


def sits_somewhere(user_id: int) -> bool:
    """At a table, or waiting for a chair."""
    seated = Seat.objects.filter(user_id=user_id, left_at__isnull=True)
    return seated.exists() or QueuePlace.objects.filter(user_id=user_id).exists()


@transaction.atomic
def forget_player(*, user_id: int, name: str) -> None:
    """`name` takes the place of the player's own in every match; what they said and shared goes."""
    with connection.cursor() as cursor:
        cursor.execute(_RENAME, {"user": user_id, "name": name})
    ChatLine.objects.filter(user_id=user_id).delete()
    MatchLink.objects.filter(made_by_id=user_id).delete()
    IgnoredPlayer.objects.filter(user_id=user_id).delete()
    LeaderboardPlace.objects.filter(user_id=user_id).delete()
    Seat.objects.filter(user_id=user_id).update(device_mark="", address_mark="")
    ChipsPassed.objects.filter(Q(low=user_id) | Q(high=user_id)).delete()
    Follow.objects.filter(Q(user=user_id) | Q(followed=user_id)).delete()
    Block.objects.filter(Q(user=user_id) | Q(blocked=user_id)).delete()
    TableInvitation.objects.filter(Q(sender=user_id) | Q(invited=user_id)).delete()
    MatchTrace.objects.filter(Q(giver=user_id) | Q(taker=user_id)).delete()
    PairEvidence.objects.filter(Q(low=user_id) | Q(high=user_id)).delete()
    SittingTrace.objects.filter(user_id=user_id).delete()
