"""The waiting list of a full table. A seat that becomes free is reserved for the player who has waited longest.

A Celery tick reserves seats and takes them back. Its decisions are in the database, so that a lost or repeated tick
changes nothing. While a seat is reserved, the wallet holds its buy-in.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.models.sessions import NOWHERE, Origin
from core.after_commit import send_after_commit
from core.database.prepared import Prepared, read_flag
from core.page_notices import notify_pages
from core.refusals import SWITCHED_OFF, Refusal
from core.site.features import CASH_PLAY, is_on
from core.site.notices import play_rests
from tables.catalog import game_switch
from tables.models import Admission, Block, Follow, QueuePlace, Table, TableStatus, is_member
from tables.play.lock import lock_table, milliseconds
from tables.play.seat_view import find_host
from tables.play.seats import filter_kept_apart, refuse_if_barred
from tables.refusals import (
    ALREADY_SEATED,
    API_PLAYERS_NOT_ALLOWED,
    CLUB_ONLY,
    FRIENDS_ONLY,
    NOT_FOR_BOT_ACCOUNTS,
    PLAY_RESTS,
    REMOVED_FROM_TABLE,
    SEAT_IS_FREE,
    SEATS_ARE_ARRANGED,
    SENT_AWAY,
    TABLE_CLOSED,
    TABLE_CLOSING,
    InvitationNeeded,
    TableNotFound,
)
from tables.seating.companions import refuse_company
from tables.seating.selectors import get_waiting, has_code
from wallet import api as wallet
from wallet.money import Currency
from wallet.refusals import HoldEnded

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(seconds=30)
# The wallet holds the stack a little longer than the table keeps the chair.
_HELD_FOR = KEPT_FOR + timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class KeptChair:
    """A seat that is reserved for this player until `until_ms`."""

    table_id: int
    user_id: int
    name: str
    until_ms: int


@transaction.atomic
def join_queue(
    *,
    table_id: int,
    user_id: int,
    invite: str = "",
    by_program: bool = False,
    origin: Origin = NOWHERE,
) -> int:
    """Put the player on the waiting list. Return their place in it, from 1. A repeated call keeps the place.

    `invite` is the code of a private table. Without it, outsiders could reserve seats and keep friends out. Raises a
    Refusal.
    """
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    row = Table.objects.get(pk=table_id)
    if row.is_of_event:
        raise Refusal(SEATS_ARE_ARRANGED)
    if by_program and not row.allows_api_players:
        raise Refusal(API_PLAYERS_NOT_ALLOWED)
    if row.status == TableStatus.CLOSED:
        raise Refusal(TABLE_CLOSED)
    refuse_newcomer(row, user_id)
    if table.seat is not None:
        raise Refusal(ALREADY_SEATED)
    refuse_uninvited(row, user_id, invite)
    waits = row.queue.filter(user_id=user_id).exists()
    if not waits and count_free_chairs(row, user_id) > 0:
        raise Refusal(SEAT_IS_FREE)
    player = refuse_if_barred(user_id)
    if player is not None and player.is_bot_account:
        raise Refusal(NOT_FOR_BOT_ACCOUNTS)
    refuse_company(row, user_id=user_id, origin=origin)
    marks = {"device_mark": origin.device, "address_mark": origin.address}
    QueuePlace.objects.get_or_create(table=row, user_id=user_id, defaults=marks)
    return get_waiting(table_id=table_id, user_id=user_id).place or 1


@transaction.atomic
def leave_queue(*, table_id: int, user_id: int) -> None:
    """Remove the player from the waiting list if they are on it."""
    if lock_table(table_id) is not None:
        for place in QueuePlace.objects.filter(table_id=table_id, user_id=user_id):
            give_up(place)


def refuse_newcomer(row: Table, user_id: int) -> None:
    """Raise a Refusal if this player may not sit down here now.

    It is TABLE_CLOSING if staff are closing the table, REMOVED_FROM_TABLE if they have removed the player from it,
    PLAY_RESTS during maintenance, and SWITCHED_OFF if the game or cash is switched off.
    """
    if row.closing_at is not None:
        raise Refusal(TABLE_CLOSING)
    if user_id in (row.removed or ()):
        raise Refusal(REMOVED_FROM_TABLE)
    if play_rests(now=timezone.now()):
        raise Refusal(PLAY_RESTS)
    if not is_on(game_switch(row.game)):
        raise Refusal(SWITCHED_OFF)
    if row.currency != Currency.CHIPS and not is_on(CASH_PLAY):
        raise Refusal(SWITCHED_OFF)


def refuse_uninvited(row: Table, user_id: int, invite: str) -> None:
    """Raise a Refusal if this player may not come to a private table.

    It is CLUB_ONLY for non-members at a club's table, which needs no code. It is InvitationNeeded without the code of a
    table that is not listed, and if the player or the host has blocked the other. It is SENT_AWAY for a player whom the
    host has sent away. If the host admits only friends, it is FRIENDS_ONLY for all other players.
    """
    if not row.is_private:
        return
    _refuse_strangers(row, user_id, invite)
    if not row.is_hosted:
        return
    if user_id in (row.sent_away or ()):
        raise Refusal(SENT_AWAY)
    hosts = _find_hosts(row)
    if user_id in hosts:
        return
    either = Q(user=user_id, blocked__in=hosts) | Q(user__in=hosts, blocked=user_id)
    if Block.objects.filter(either).exists():
        raise InvitationNeeded
    if row.admission == Admission.FRIENDS and not _is_friend_of_any(user_id, hosts):
        raise Refusal(FRIENDS_ONLY)


def _refuse_strangers(row: Table, user_id: int, invite: str) -> None:
    if row.admission == Admission.CLUB:
        if not is_member(club_id=row.club_id, user_id=user_id):
            raise Refusal(CLUB_ONLY)
    elif row.admission != Admission.ANYBODY and not has_code(row, invite):
        raise InvitationNeeded


def _find_hosts(row: Table) -> set[int]:
    """Return the ids of the player who opened the table and of the player who hosts it now."""
    sittings = row.sittings.filter(left_at__isnull=True).select_related("user")
    host = find_host(row, sittings)
    hosts = (row.opened_by_id, None if host is None else host.user_id)
    return {user_id for user_id in hosts if user_id is not None}


def _is_friend_of_any(user_id: int, others: set[int]) -> bool:
    back = Follow.objects.filter(user__in=others, followed=user_id).values("user")
    return Follow.objects.filter(user=user_id, followed__in=back).exists()


def count_free_chairs(row: Table, user_id: int) -> int:
    """Return the number of free seats that are not reserved for other players. The caller has locked the table."""
    return _count_free(row) - _count_kept_for_others(row, user_id)


def is_kept_for_others(row: Table, user_id: int) -> bool:
    """Return whether there are free seats, but all are reserved for other players. The caller has locked the table."""
    kept = _count_kept_for_others(row, user_id)
    return kept > 0 and 0 < _count_free(row) <= kept


def _count_free(row: Table) -> int:
    return row.max_seats - row.sittings.filter(left_at__isnull=True).count()


def _count_kept_for_others(row: Table, user_id: int) -> int:
    return row.queue.filter(offered_until__gt=Now()).exclude(user_id=user_id).count()


def take_kept_chair(row: Table, user_id: int) -> None:
    """Remove a player from the waiting list, and release their held buy-in, so that they can pay it for the seat."""
    for place in row.queue.filter(user_id=user_id):
        give_up(place)


def list_due_queues() -> list[int]:
    """Return the tables with a free seat and a waiting player, or with an expired reservation."""
    waiting = Q(queue__offered_until__isnull=True) | Q(queue__offered_until__lte=Now())
    tables = Table.objects.filter(waiting, queue__isnull=False)
    return list(tables.values_list("pk", flat=True).distinct().order_by("pk"))


@transaction.atomic
def maintain_queue(table_id: int) -> list[KeptChair]:
    """Remove players whose reservation has expired, and reserve free seats for the next players on the list.

    Return the new reservations.
    """
    table = lock_table(table_id, skip_locked=True)
    if table is None:
        return []
    row = Table.objects.get(pk=table_id)
    if row.status == TableStatus.CLOSED:
        row.queue.all().delete()
        return []
    for place in row.queue.filter(offered_until__lte=Now()):
        give_up(place)
    if row.entry_fee and row.status == TableStatus.PLAYING:
        return []  # nobody joins a match
    kept = []
    for place in _list_waiting(row):
        if count_free_chairs(row, place.user_id) <= 0:
            break
        chair = _keep(row, place)
        if chair is not None:
            kept.append(chair)
    return kept


def _list_waiting(row: Table) -> list[QueuePlace]:
    """Return the waiting players who may sit with the players at the table, the longest waiting first."""
    waiting = list(row.queue.filter(offered_until__isnull=True).order_by("joined_at", "pk"))
    seated = row.sittings.filter(left_at__isnull=True).values_list("user_id", flat=True)
    barred = filter_kept_apart((place.user_id for place in waiting), others=list(seated))
    return [place for place in waiting if place.user_id not in barred]


def _keep(row: Table, place: QueuePlace) -> KeptChair | None:
    """Reserve a seat for an entry of the waiting list.

    Return None and remove the entry if the wallet lacks the buy-in, if the account is frozen, or if another player has
    sat down with whom this player may not sit.
    """
    now = timezone.now()
    if not place.user.is_active:
        _remove(place)
        return None
    try:
        refuse_company(row, user_id=place.user_id, origin=place.origin)
        hold_id = _hold_stack(row, place, expires_at=now + _HELD_FOR)
    except Refusal:
        _remove(place)
        return None
    until = now + KEPT_FOR
    row.queue.filter(pk=place.pk).update(offered_until=until, hold_id=hold_id)
    name = row.said("name", place.user.language)
    chair = KeptChair(row.pk, place.user_id, name, milliseconds(until))
    send_after_commit(announce_chair, chair)
    return chair


def _hold_stack(row: Table, place: QueuePlace, *, expires_at: datetime) -> int | None:
    """Hold the table's smallest buy-in in the wallet. Return the hold's id, or None at a free table."""
    if row.is_free:
        refuse_if_barred(place.user_id)
        return None
    return wallet.reserve_stack(
        user_id=place.user_id,
        amount=row.min_buy_in,
        currency=Currency(row.currency),
        key=f"queue:{place.pk}",
        expires_at=expires_at,
        subject=f"table:{row.pk}",
    ).hold_id


def give_up(place: QueuePlace) -> None:
    """Remove an entry from the waiting list, and release its held buy-in. The caller has locked the table."""
    if place.hold_id is not None:
        with suppress(HoldEnded):  # it has expired by itself
            wallet.release_stack(hold_id=place.hold_id, key=f"queue:{place.pk}:release")
    _remove(place)


def _remove(place: QueuePlace) -> None:
    QueuePlace.objects.filter(pk=place.pk, table=place.table_id).delete()


_waits = Prepared(
    "waits_for_a_chair",
    """SELECT EXISTS (SELECT FROM tables_queueplace
                       WHERE user_id = $1::bigint AND offered_until IS NOT NULL)""",
    (read_flag,),
)


def list_kept_chairs(user_id: int) -> list[KeptChair]:
    """Return the seats that are reserved for this player."""
    if _waits.first(user_id) == [False]:  # nearly all players, on every reload
        return []
    places = QueuePlace.objects.filter(user_id=user_id, offered_until__gt=Now())
    return [
        KeptChair(
            place.table_id,
            user_id,
            place.table.said("name", place.user.language),
            milliseconds(place.offered_until),
        )
        for place in places.select_related("table", "user")
        if place.offered_until is not None
    ]


def chair_message(chair: KeptChair) -> dict[str, Any]:
    """Return the message of `/ws/me/` about a reserved seat."""
    return {
        "type": "chair",
        "table": chair.table_id,
        "name": chair.name,
        "until": chair.until_ms,
        "url": reverse("table", args=[chair.table_id]),
    }


async def announce_chair(chair: KeptChair) -> None:
    """Notify the player's open pages of a reserved seat. If Redis is down, a page learns of it at its next ping."""
    try:
        await notify_pages(chair.user_id, chair_message(chair))
    except (RedisError, OSError) as error:
        logger.warning("user %s: a kept chair was not told: %s", chair.user_id, error)
