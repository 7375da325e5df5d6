"""The company of a private table: who is there, who is expected, which friends may be invited."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models.functions import Now

from players.selectors import INVITATION_LASTS, list_friends
from tables.models import SeatStatus, Table, TableInvitation, TableStatus
from tables.play.seat_view import find_host

# Of many friends the first by name; the page of players lists all.
_FRIENDS_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class Person:
    """A player who sits or waits at a table."""

    id: int
    name: str
    face: str
    is_bot: bool = False
    is_guest: bool = False
    is_host: bool = False
    may_be_sent_away: bool = True


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend of the viewer who is not at the table."""

    id: int
    name: str
    face: str
    is_invited: bool


@dataclass(frozen=True, slots=True)
class TableCompany:
    """The people of a table as one of them sees it. `invited` are names of people who have not come yet."""

    seats: int
    fills_with_bots: bool
    is_seated: bool
    is_host: bool
    may_close: bool
    here: Sequence[Person]
    waiting: Sequence[Person]
    invited: Sequence[str]
    friends: Sequence[Friend]


def get_company(*, table_id: int, viewer: int | None) -> TableCompany | None:
    """Return the company, or None at a table without a host. The caller has checked that the viewer may see it."""
    table = Table.objects.defer("state", "next_seed").filter(pk=table_id).first()
    if table is None or not table.is_hosted:
        return None
    sittings = list(
        table.sittings.filter(left_at__isnull=True).select_related("user").order_by("number")
    )
    host = find_host(table, sittings)
    here = [
        Person(
            sitting.user_id,
            sitting.user.player_name,
            sitting.user.shown_face,
            is_bot=sitting.user.is_bot,
            is_guest=sitting.user.is_guest,
            is_host=sitting == host,
            may_be_sent_away=sitting.status == SeatStatus.WAITING,
        )
        for sitting in sittings
    ]
    queue = table.queue.select_related("user").order_by("joined_at", "pk")
    waiting = [
        Person(place.user_id, place.user.player_name, place.user.shown_face) for place in queue
    ]
    there = {person.id for person in (*here, *waiting)}
    invitations = TableInvitation.objects.filter(
        table=table, sent_at__gt=Now() - INVITATION_LASTS
    ).exclude(invited__in=there)
    invited = dict(invitations.values_list("invited", "invited__player_name").order_by("pk"))
    is_seated = viewer in {sitting.user_id for sitting in sittings}
    friends = list_friends(viewer)[:_FRIENDS_SHOWN] if viewer is not None and is_seated else []
    return TableCompany(
        seats=table.max_seats,
        fills_with_bots=table.fills_with_bots,
        is_seated=is_seated,
        is_host=host is not None and host.user_id == viewer,
        may_close=table.status != TableStatus.PLAYING,
        here=here,
        waiting=waiting,
        invited=list(invited.values()),
        friends=[
            Friend(friend.pk, friend.player_name, friend.shown_face, friend.pk in invited)
            for friend in friends
            if friend.pk not in there
        ],
    )
