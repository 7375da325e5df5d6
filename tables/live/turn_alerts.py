"""Turn alerts: for players at turn who have no page of the table open.

A Celery tick looks at the tables of people who want to be called; what it did is remembered in the
cache, so each turn calls once, and a cache that is emptied costs one call too many.
"""

from collections.abc import Mapping, Sequence
from math import ceil

from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone

from accounts.models.sessions import PushSubscription
from accounts.push.services import TURN, Call, call_on_commit, push_is_on
from core.database.advisory_locks import AdvisoryLock, alone
from games.registry import get_game
from tables.live import presence
from tables.models import Seat, Table, TableStatus
from tables.play.reading import database_now

# A push service keeps a call for as long as the turn goes on, and no longer than this.
LONGEST_TURN_SECONDS = 3_600
# Tables whose states are read together.
AT_ONCE = 1_000


def call_players() -> int:
    """The number of players who were called."""
    if not push_is_on():
        return 0
    # Two at once would look at the same tables; the second leaves them to the first.
    with alone(AdvisoryLock.CALLING_PLAYERS) as is_alone:
        return _call_players() if is_alone else 0


def _call_players() -> int:
    seats = _seats_of_subscribed_players()
    here = _present({table_id for _seat_id, table_id, _number in seats}) if seats else {}
    away = [seat_id for seat_id, table_id, number in seats if _is_away(table_id, number, here)]
    return sum(_call(away[start : start + AT_ONCE]) for start in range(0, len(away), AT_ONCE))


def _seats_of_subscribed_players() -> Sequence[tuple[int, int, int]]:
    """Return the seats whose players want calls: each its id, table and number."""
    wants_calls = Exists(PushSubscription.objects.filter(user_id=OuterRef("user_id")))
    seated = Seat.objects.filter(left_at=None, table__status=TableStatus.PLAYING)
    return list(seated.filter(wants_calls).values_list("pk", "table_id", "number"))


def _call(seat_ids: Sequence[int]) -> int:
    """Call players who are away and at turn. The turn is read from the table's state."""
    away = Seat.objects.filter(pk__in=seat_ids, left_at=None).select_related("user")
    seats = list(away.only("table_id", "number", "user_id", "user__language"))
    states = Table.objects.in_bulk([seat.table_id for seat in seats])
    waited_for = [seat for seat in seats if _is_waited_for(seat, states.get(seat.table_id))]
    return sum(_call_once(seat, states[seat.table_id]) for seat in waited_for)


def _is_waited_for(seat: Seat, table: Table | None) -> bool:
    if table is None or table.status != TableStatus.PLAYING or table.state is None:
        return False
    game = get_game(table.game)
    return seat.number in game.core.status(game.stored.load(bytes(table.state))).acting


def _is_away(table_id: int, number: int, here: Mapping[int, frozenset[int]]) -> bool:
    """Without Redis nobody is known to be away, so nobody is called."""
    return table_id in here and number not in here[table_id]


def _present(table_ids: set[int]) -> Mapping[int, frozenset[int]]:
    presence.note_database_time(database_now())
    return async_to_sync(_read_presence)(table_ids)


async def _read_presence(table_ids: set[int]) -> Mapping[int, frozenset[int]]:
    try:
        return await presence.present(table_ids)
    finally:
        await presence.close()


def _call_once(seat: Seat, table: Table) -> bool:
    key = f"called:{table.pk}:{table.turn_version}:{seat.number}"
    if not cache.add(key, 1, LONGEST_TURN_SECONDS):
        return False
    call = Call(
        kind=TURN,
        name=table.said("name", seat.user.language),
        url=reverse("tables:table", args=[table.pk]),
        tag=f"table-{table.pk}",
        seconds=_seconds_left(table),
    )
    call_on_commit({seat.user_id}, call)
    return True


def _seconds_left(table: Table) -> int:
    """Until the turn is over: a call that comes later is of no use."""
    if table.deadline_at is None:
        return LONGEST_TURN_SECONDS
    left = ceil((table.deadline_at - timezone.now()).total_seconds())
    return min(max(left, 1), LONGEST_TURN_SECONDS)
