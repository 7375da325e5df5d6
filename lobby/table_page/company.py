"""The waiting room of a private table: the players there and who is ready, the rules, and friends to invite."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models.functions import Now

from games.engine.paces import PACE_TITLES, find_pace
from games.registry import get_game
from players.online import filter_seen_online
from players.selectors import INVITATION_LASTS, list_friends
from tables.catalog import title_of_game, translate
from tables.models import Seat, SeatStatus, Table, TableInvitation, TableStatus
from tables.play.seat_view import find_host
from tables.play.seats import is_ready
from wallet.api import get_seat_balances
from wallet.money import Currency

# With more friends, only the first by name are shown; the page of players lists all.
_FRIENDS_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class Person:
    """A player who sits at a table or waits for a seat."""

    id: int
    name: str
    face: str
    is_bot: bool = False
    is_guest: bool = False
    is_host: bool = False
    is_ready: bool = True
    may_be_sent_away: bool = True


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend of the viewer who is not at the table."""

    id: int
    name: str
    face: str
    is_invited: bool
    is_online: bool


@dataclass(frozen=True, slots=True)
class TableCompany:
    """The people at a private table as one viewer sees them. `invited` are names of people who have not come yet.

    `chairs` has the number of each seat and its person, or None. `missing` is the amount that the viewer
    still has to bring for the next match, in the smallest unit.
    """

    table: Table
    game_title: str
    chairs: Sequence[tuple[int, Person | None]]
    pace: str
    missing: int
    seats: int
    fills_with_bots: bool
    is_seated: bool
    is_host: bool
    host: Person | None
    own: Person | None
    may_close: bool
    here: Sequence[Person]
    waiting: Sequence[Person]
    invited: Sequence[str]
    friends: Sequence[Friend]

    @property
    def ready(self) -> int:
        """Return how many of the seated people are ready."""
        return sum(person.is_ready for person in self.here if not person.is_bot)

    @property
    def people(self) -> int:
        return sum(not person.is_bot for person in self.here)


def get_company(*, table_id: int, viewer: int | None) -> TableCompany | None:
    """Return the people at a private table, or None at a table without a host.

    The caller has checked that the viewer may see the table.
    """
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
            is_ready=sitting.user.is_bot or is_ready(table, sitting),
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
    seated = {sitting.number: person for sitting, person in zip(sittings, here, strict=True)}
    own = next((sitting for sitting in sittings if sitting.user_id == viewer), None)
    is_seated = own is not None
    friends = list_friends(viewer)[:_FRIENDS_SHOWN] if viewer is not None and is_seated else []
    # `viewer` is set wherever there are friends.
    online = filter_seen_online(viewer, friends) if viewer is not None and friends else frozenset()
    return TableCompany(
        table=table,
        game_title=title_of_game(table.game),
        chairs=[(number, seated.get(number)) for number in range(table.max_seats)],
        pace=_name_pace(table),
        missing=_count_missing(table, own),
        seats=table.max_seats,
        fills_with_bots=table.fills_with_bots,
        is_seated=is_seated,
        is_host=host is not None and host.user_id == viewer,
        host=None if host is None else seated[host.number],
        own=None if own is None else seated[own.number],
        may_close=table.status != TableStatus.PLAYING,
        here=here,
        waiting=waiting,
        invited=list(invited.values()),
        friends=[
            Friend(
                friend.pk,
                friend.player_name,
                friend.shown_face,
                is_invited=friend.pk in invited,
                is_online=friend.pk in online,
            )
            for friend in sorted(friends, key=lambda one: one.pk not in online)
            if friend.pk not in there
        ],
    )


def _name_pace(table: Table) -> str:
    """Return the title of a pace, such as "Relaxed: twice the time"; empty for a table with turn times of its own."""
    game = get_game(table.game)
    pace = find_pace(game.rules, game.rules.load(table.rules))
    return "" if pace is None else translate(PACE_TITLES[pace])


def _count_missing(table: Table, own: Seat | None) -> int:
    """Return the amount, in the smallest unit, that this player still has to bring for the next match."""
    if own is None or table.is_free:
        return 0
    stacks = get_seat_balances([own.pk], currency=Currency(table.currency))
    return max(0, table.min_buy_in - stacks.get(own.pk, 0))
