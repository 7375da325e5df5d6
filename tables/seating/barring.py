"""Stands up players who were frozen or have excluded themselves. No match begins with them.

The same applies to two players, one of whom has won as many chips from the other as they may in a day: the player who
sat down later is stood up. Barred players finish a running match; its end or its cancellation stands them up.
Everywhere else they are removed at once, also from waiting lists. A receiver removes them after the commit that barred
them, and a tick finds players that the receiver has missed. Either may run twice.
"""

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.people.closing import player_barred
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from tables.models import QueuePlace, Seat, SeatStatus, Table
from tables.play.change import TableChange
from tables.play.lock import lock_table
from tables.play.seats import (
    build_left_event,
    cash_out_sitting,
    filter_barred_players,
    save_seating,
    sort_for_locking,
)
from tables.seating.companions import list_later_of_done_pairs, list_tables_of_done_pairs
from tables.seating.queue import give_up
from tables.seating.sitting import tidy_up
from wallet.api import is_of_barred
from wallet.money import Currency


def list_tables_of_barred(*, user_id: int | None = None) -> list[int]:
    """Return the ids of the tables at which barred players sit or wait. With `user_id`, consider only this player."""
    who = is_of_barred() if user_id is None else is_of_barred() & Q(user=user_id)
    seats = Seat.objects.filter(who, left_at__isnull=True, table__event_url="")
    seats = seats.exclude(status=SeatStatus.LEAVING)
    seats = seats.exclude(status=SeatStatus.PLAYING, is_last_deal=True)
    places = QueuePlace.objects.filter(who)
    tables = {*seats.values_list("table", flat=True), *places.values_list("table", flat=True)}
    return sorted(tables if user_id is not None else {*tables, *list_tables_of_done_pairs()})


@transaction.atomic
def release_barred(table_id: int) -> TableChange | None:
    """Stand up barred players and take them off the waiting list. Return None if no seat has changed.

    Barred players of a running match are stood up after it.
    """
    table = lock_table(table_id)
    if table is None:
        return None
    row = Table.objects.get(pk=table_id)
    if row.is_of_event:
        return None
    for place in row.queue.filter(is_of_barred()):
        give_up(place)
    sittings = row.sittings.filter(left_at__isnull=True)
    barred = {
        *filter_barred_players(sittings.select_related("user")),
        *_list_players_of_done_pairs(row, sittings),
    }
    playing = sittings.filter(user__in=barred, status=SeatStatus.PLAYING, is_last_deal=False)
    private = {str(seat): {"last_deal": True} for seat in playing.values_list("number", flat=True)}
    playing.update(is_last_deal=True)
    going = list(sort_for_locking(sittings.filter(user__in=barred, status=SeatStatus.WAITING)))
    for sitting in going:
        cash_out_sitting(row, sitting)
    if not going and not private:
        return None
    events = [build_left_event(sitting) for sitting in going]
    if going:
        events += tidy_up(table, row)
    return save_seating(table, row, events, private=private)


def _list_players_of_done_pairs(row: Table, sittings: QuerySet[Seat]) -> list[int]:
    """Return the ids of players who must leave, because their pair has reached today's limit.

    Notify each of them once.
    """
    if row.currency != Currency.CHIPS or row.is_free:
        return []
    seated = list(sittings.select_related("user").order_by("pk"))
    going = list_later_of_done_pairs(seated)
    for sitting in going:
        if not sitting.is_last_deal:
            _notify(sitting.user, row)
    return [sitting.user_id for sitting in going]


def _notify(user: User, row: Table) -> None:
    write_mail(PAIR_DONE, user=user, hint="account", table=row.said("name", user.language))


def _pair_done(values: Values) -> tuple[str, str]:
    told = _(
        "At the table “%(table)s”, you and another player have reached the limit of chips that "
        "two players may win from each other in a day. You leave the table with your stack, at "
        "the latest when the current deal is over. Play on at another table, or come back "
        "tomorrow."
    )
    return _("You must leave a table: a daily limit is reached"), "\n".join(
        [render_greeting(values), "", told % values]
    )


PAIR_DONE = register_mail_kind(
    "pair_done",
    gettext_lazy("Limit of chips between two players in a day reached"),
    _pair_done,
    table=gettext_lazy("the table's name"),
)


def stand_up(user_id: int, **_signal: Any) -> None:
    """Stand a player up from all tables, because they may no longer play. The tick retries failed attempts."""
    for table_id in list_tables_of_barred(user_id=user_id):
        release_barred(table_id)


def connect() -> None:
    player_barred.connect(stand_up, dispatch_uid="tables.stand_up")
