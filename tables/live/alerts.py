"""Alerts to absent players: players to move who do not have the table open, and seated players with no page open.

Slow games have their own alerts (tables/live/slow_games.py).

The cache records for which turns an alert was sent, so that each turn causes one. If the cache is emptied, one turn may
cause two. An absent player is notified once, as they have chosen: on their devices after a minute, or by e-mail after a
deal without them. This is recorded in the seat's row, so that a lost or repeated tick changes nothing. While Redis does
not answer, no player is considered absent.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from math import ceil

from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import AbsenceNotice, User
from accounts.people.mail_stop import build_stop_url
from accounts.push.services import (
    AWAY,
    TURN,
    Call,
    filter_subscribed_players,
    live_subscriptions,
    push_after_commit,
    push_is_on,
)
from core.database.each import act_on_each
from core.database.leases import Job, lease
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from games.registry import get_game
from tables.live import presence
from tables.models import Deal, Seat, Table, TableStatus
from tables.play.reading import read_database_time

# A push service keeps an alert while the turn lasts, but no longer than this.
LONGEST_TURN_SECONDS = 3_600
# How many seconds alerts are delayed if their process dies.
LONGEST_RUN = 30
# Tables whose states are read together.
AT_ONCE = 1_000


def call_players() -> int:
    """Alert absent players who are to move. Return the number of alerts."""
    if not push_is_on():
        return 0
    # Two runs at once would check the same tables; the second leaves them to the first.
    with lease(Job.CALLING_PLAYERS, seconds=LONGEST_RUN) as is_alone:
        return _alert_players() if is_alone else 0


def _alert_players() -> int:
    seats = _list_seats_of_subscribed_players()
    here = _present({table_id for _seat_id, table_id, _number in seats}) if seats else {}
    away = [seat_id for seat_id, table_id, number in seats if _is_away(table_id, number, here)]
    return sum(
        _alert_waited_for(away[start : start + AT_ONCE]) for start in range(0, len(away), AT_ONCE)
    )


def _list_seats_of_subscribed_players() -> Sequence[tuple[int, int, int]]:
    """Return the id, table and number of each seat whose player has subscribed to push messages."""
    wants_calls = Exists(live_subscriptions().filter(user_id=OuterRef("user_id")))
    seated = Seat.objects.filter(
        left_at=None, bot_since=None, table__status=TableStatus.PLAYING, table__is_slow=False
    )
    return list(seated.filter(wants_calls).values_list("pk", "table_id", "number"))


def _alert_waited_for(seat_ids: Sequence[int]) -> int:
    """Alert the absent players in these seats who are to move. The table's state tells whose turn it is."""
    away = Seat.objects.filter(pk__in=seat_ids, left_at=None).select_related("user")
    seats = list(away.only("table_id", "number", "user_id", "user__language"))
    states = Table.objects.in_bulk([seat.table_id for seat in seats])
    return act_on_each(
        seats,
        lambda seat: _alert_if_waited_for(seat, states.get(seat.table_id)),
        doing="alerting a player who is to move",
    )


def _alert_if_waited_for(seat: Seat, table: Table | None) -> bool:
    if table is None or table.status != TableStatus.PLAYING or table.state is None:
        return False
    game = get_game(table.game)
    acting = game.core.status(game.stored.load(bytes(table.state))).acting
    return seat.number in acting and _alert_once(seat, table)


def _is_away(table_id: int, number: int, here: Mapping[int, frozenset[int]]) -> bool:
    """Return whether a seat is known to be absent. Without Redis no seat is known to be absent."""
    return table_id in here and number not in here[table_id]


def _present(table_ids: set[int]) -> Mapping[int, frozenset[int]]:
    presence.record_database_time(read_database_time())
    return async_to_sync(_read_presence)(table_ids)


async def _read_presence(table_ids: set[int]) -> Mapping[int, frozenset[int]]:
    try:
        return await presence.present(table_ids)
    finally:
        await presence.close()


def _alert_once(seat: Seat, table: Table) -> bool:
    key = f"called:{table.pk}:{table.turn_version}:{seat.number}"
    if not cache.add(key, 1, LONGEST_TURN_SECONDS):
        return False
    call = Call(
        kind=TURN,
        name=table.said("name", seat.user.language),
        url=reverse("table", args=[table.pk]),
        tag=f"table-{table.pk}",
        seconds=_seconds_left(table),
    )
    push_after_commit({seat.user_id}, call)
    return True


def _seconds_left(table: Table) -> int:
    """Return the seconds left of the turn, after which an alert would come too late."""
    if table.deadline_at is None:
        return LONGEST_TURN_SECONDS
    left = ceil((table.deadline_at - timezone.now()).total_seconds())
    return min(max(left, 1), LONGEST_TURN_SECONDS)


# A page in the background reports once a minute.
AWAY_FOR = timedelta(seconds=70)
SEATS_AT_ONCE = 10_000
# How long a push service keeps the notification.
CALL_SECONDS = 600


def notify_absent() -> int:
    """Notify absent players, once for each seat and absence. Return their number."""
    # Two runs at once would check the same seats; the second leaves them to the first.
    with lease(Job.TELLING_ABSENT) as is_alone:
        return sum(_notify_absent_at(seats) for seats in _list_held_seats()) if is_alone else 0


def _list_held_seats() -> Iterator[Sequence[Seat]]:
    """Yield all occupied seats in batches, bots' seats included. Only the fields about absence are loaded."""
    held = Seat.objects.filter(left_at=None).order_by("user_id", "pk")
    held = held.only("user_id", "away_since", "away_told_at")
    rest = held
    while some := list(rest[:SEATS_AT_ONCE]):
        yield some
        last = some[-1]
        rest = held.filter(user_id__gte=last.user_id).exclude(user_id=last.user_id, pk__lte=last.pk)


def _notify_absent_at(seats: Sequence[Seat]) -> int:
    players = {seat.user_id for seat in seats}
    # Query the people separately: a join with the seats would scan all people for each partition.
    players -= set(User.objects.filter(pk__in=players, is_bot=True).values_list("pk", flat=True))
    known = presence.with_page_now(sorted(players))
    here = [seat for seat in seats if known.get(seat.user_id) is True]
    gone = [seat for seat in seats if known.get(seat.user_id) is False]
    # Few seats change, so write only those that do.
    held = Seat.objects.filter(left_at=None)
    came = [seat.pk for seat in here if seat.away_since is not None]
    left = [seat.pk for seat in gone if seat.away_since is None]
    held.filter(pk__in=came).update(away_since=None, away_told_at=None)
    held.filter(pk__in=left, away_since=None).update(away_since=Now())
    untold = [seat.pk for seat in gone if seat.away_since is not None and seat.away_told_at is None]
    told = held.filter(pk__in=untold, away_since__lte=Now() - AWAY_FOR, away_told_at=None)
    # A slow game waits for its players. Each absence is handled once.
    slow = Seat.objects.filter(pk__in=told.filter(table__is_slow=True).values("pk"))
    slow.update(away_told_at=Now())
    deals = Deal.objects.filter(
        match__table=OuterRef("table"), started_at__gt=OuterRef("away_since")
    )
    absent = list(told.annotate(is_dealt=Exists(deals)).only("table_id", "user_id"))
    reached = filter_subscribed_players(seat.user_id for seat in absent)
    return act_on_each(
        [seat for seat in absent if seat.is_dealt or seat.user_id in reached],
        lambda seat: _notify_of_absence(seat, by_push=seat.user_id in reached),
        doing="notifying an absent player",
    )


@transaction.atomic
def _notify_of_absence(absent: Seat, *, by_push: bool) -> bool:
    """Notify one absent player. Return whether this call did so.

    The seat is locked first, so that a second tick finds that the player was notified.
    """
    own = Seat.objects.filter(pk=absent.pk, table=absent.table_id)
    seat = own.select_for_update(skip_locked=True).filter(left_at=None).first()
    if seat is None or seat.away_since is None or seat.away_told_at is not None:
        return False
    own.update(away_told_at=Now())
    wanted = seat.user.absence_notice
    if by_push and wanted != AbsenceNotice.NONE:
        _push_absence(seat)
    elif wanted == AbsenceNotice.PUSH_OR_EMAIL:
        _mail_absence(seat.user, seat.table.said("name", seat.user.language))
    else:
        return False
    return True


def _push_absence(seat: Seat) -> None:
    call = Call(
        kind=AWAY,
        name=seat.table.said("name", seat.user.language),
        url=reverse("table", args=[seat.table_id]),
        tag=f"table-{seat.table_id}",
        seconds=CALL_SECONDS,
    )
    push_after_commit({seat.user_id}, call)


def _mail_absence(user: User, table: str) -> None:
    stop_url = build_stop_url(user.pk)
    write_mail(ABSENT, user=user, hint="absence", stop_url=stop_url, table=table)


def _compose_absence(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        _("no page of %(site)s is open, and a deal has gone on without you at %(table)s.") % values,
        _("Go back to the table or leave it: “Your tables” in the lobby leads there."),
        _("You can turn this message off in your settings."),
    ]
    return _("You still sit at %(table)s") % values, "\n".join(lines)


ABSENT = register_mail_kind(
    "absent",
    gettext_lazy("Absent from a table"),
    _compose_absence,
    table=gettext_lazy("the table's name"),
)
