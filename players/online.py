"""Friends who are online, and their tables. Each player chooses to whom this is shown.

Open pages are recorded in Redis (tables/live/presence.py). Without Redis, nobody appears online.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from accounts.models import PageShownTo, User
from core.page_notices import hint_soon
from players.selectors import list_friends
from tables.catalog import format_title, title_of_game
from tables.live import presence
from tables.models import Seat
from tables.models.hosting import Admission

FRIEND_CAME: Final = "friend_came"
"""The notice to open pages of friends when a player comes online."""


@dataclass(frozen=True, slots=True)
class FriendsTable:
    """A table at which a friend sits. `can_join` means that there is a free seat."""

    name: str
    title: str
    url: str
    can_join: bool


@dataclass(frozen=True, slots=True)
class OnlineFriend:
    person: User
    tables: tuple[FriendsTable, ...]


def list_friends_online(user_id: int) -> list[OnlineFriend]:
    """Return the friends who are online and let friends see it, with the tables that the user may visit."""
    friends = {one.pk: one for one in list_friends(user_id) if _shows(one, is_friend=True)}
    here = _filter_online(friends)
    tables = _find_tables(here)
    return [OnlineFriend(friends[pk], tuple(tables.get(pk, ()))) for pk in friends if pk in here]


def is_seen_online(player: User, *, is_friend: bool) -> bool:
    """Return whether the player is online and lets a signed-in viewer see it.

    `is_friend` tells whether they are friends.
    """
    return _shows(player, is_friend=is_friend) and bool(_filter_online([player.pk]))


def filter_seen_online(viewer_id: int, people: Sequence[User]) -> frozenset[int]:
    """Return the ids of those of the given players who are online and let this viewer see it."""
    friends = {friend.pk for friend in list_friends(viewer_id)}
    return _filter_online(
        person.pk
        for person in people
        if person.pk == viewer_id or _shows(person, is_friend=person.pk in friends)
    )


def notify_friends(user_id: int) -> None:
    """Tell the open pages of friends that this player came online, if the player lets friends see it."""
    player = User.objects.get(pk=user_id)
    if _shows(player, is_friend=True):
        hint_soon([friend.pk for friend in list_friends(user_id)], FRIEND_CAME)


def show_online_to(*, user_id: int, whom: PageShownTo) -> None:
    """Set who may see that the player is online, and at which tables."""
    User.objects.filter(pk=user_id).update(online_shown_to=whom)


def _shows(player: User, *, is_friend: bool) -> bool:
    """Return whether the player lets a viewer see that they are online."""
    shown_to = player.online_shown_to
    return shown_to == PageShownTo.EVERYBODY or (shown_to == PageShownTo.FRIENDS and is_friend)


def _filter_online(user_ids: Iterable[int]) -> frozenset[int]:
    if not (ids := sorted(user_ids)):
        return frozenset()
    return frozenset(pk for pk, is_open in presence.with_page_now(ids).items() if is_open)


def _find_tables(user_ids: Iterable[int]) -> Mapping[int, list[FriendsTable]]:
    """Return a mapping from player id to the tables at which that player sits.

    They are tables of the lobby, and the player's own tables for friends. Tournament tables, and private
    tables for holders of a link, are left out.
    """
    seats = Seat.objects.filter(user__in=user_ids, left_at=None, table__is_lesson=False)
    found: dict[int, list[FriendsTable]] = {}
    for seat in seats.select_related("table").defer("table__state").order_by("joined_at", "pk"):
        table = seat.table
        is_theirs = table.admission == Admission.FRIENDS and table.host_id == seat.user_id
        is_listed = not table.invite_code or table.admission == Admission.ANYBODY
        if table.event_url or table.closing_at or not (is_theirs or is_listed):
            continue
        shown = FriendsTable(
            table.shown_name,
            f"{title_of_game(table.game)} · {format_title(table)}",
            reverse("table", args=[table.pk]),
            can_join=table.seats_taken < table.max_seats,
        )
        found.setdefault(seat.user_id, []).append(shown)
    return found
