"""Players as others see them, and the relation between two players."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import PageShownTo, User, compute_stored_skeleton
from accounts.names import tidy_player_name
from tables.models import (
    Block,
    Follow,
    Match,
    MatchStatus,
    Seat,
    Table,
    TableInvitation,
    TableStatus,
)
from tables.seating.hosting.invitations import build_page_address

# An invitation that is not accepted expires after this.
INVITATION_LASTS: Final = timedelta(hours=6)
LEAST_OF_A_NAME: Final = 3
_FOUND_AT_ONCE: Final = 10
_MATCHES_LOOKED_AT: Final = 30
_OPPONENTS_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Relation:
    """A viewer's relation to another player. `is_blocked` is true if either of them has blocked the other."""

    follows: bool = False
    is_followed: bool = False
    blocks: bool = False
    is_blocked: bool = False

    @property
    def is_friend(self) -> bool:
        return self.follows and self.is_followed


def find_open_player(user_id: int) -> User | None:
    """Return the player if they have a page, as players with an open account do; otherwise None."""
    people = User.objects.filter(is_bot=False, is_guest=False, is_active=True)
    return people.filter(pk=user_id).first()


def find_player(name: str) -> User | None:
    """Return the player with exactly this name, ignoring case, or None."""
    people = User.objects.filter(is_bot=False, is_guest=False, is_active=True)
    return people.filter(player_name__iexact=tidy_player_name(name)).first()


def search_players(name: str, *, viewer_id: int) -> list[User]:
    """Return some players whose names begin with `name`, ignoring accents and case.

    A name of fewer than three characters finds nobody. Players in a block with the viewer are left out. So
    are players who hide that they are online; only `find_player` finds them, by their whole name.
    """
    beginning = compute_stored_skeleton(tidy_player_name(name))
    if len(beginning) < LEAST_OF_A_NAME:
        return []
    people = User.objects.filter(is_bot=False, is_guest=False, is_active=True)
    people = people.filter(name_skeleton__startswith=beginning).exclude(pk=viewer_id)
    people = people.exclude(online_shown_to=PageShownTo.NOBODY)
    apart = list_people_in_blocks(viewer_id)
    return list(people.exclude(pk__in=apart).order_by("name_skeleton", "pk")[:_FOUND_AT_ONCE])


def get_standing(viewer_id: int | None, other_id: int) -> Relation:
    if viewer_id is None or viewer_id == other_id:
        return Relation()
    follows = set(
        Follow.objects.filter(_match_between("followed", viewer_id, other_id)).values_list(
            "user_id", flat=True
        )
    )
    blocks = set(
        Block.objects.filter(_match_between("blocked", viewer_id, other_id)).values_list(
            "user_id", flat=True
        )
    )
    return Relation(viewer_id in follows, other_id in follows, viewer_id in blocks, bool(blocks))


def _match_between(field: str, one: int, other: int) -> Q:
    return Q(user=one, **{field: other}) | Q(user=other, **{field: one})


def may_see_figures(player: User, viewer_id: int | None, standing: Relation) -> bool:
    """Return whether the viewer may see the player's figures.

    Players always see their own. Other viewers see them if the player allows it and neither has blocked the
    other.
    """
    if viewer_id == player.pk:
        return True
    if standing.is_blocked:
        return False
    if player.page_shown_to == PageShownTo.EVERYBODY:
        return viewer_id is not None
    return player.page_shown_to == PageShownTo.FRIENDS and standing.is_friend


def list_friends(user_id: int) -> list[User]:
    back = Follow.objects.filter(followed=user_id).values("user")
    mine = Follow.objects.filter(user=user_id, followed__in=back).values("followed")
    return _list_people(mine)


def list_followed_by(user_id: int) -> list[User]:
    """Return the players whom this player follows and who do not follow back."""
    back = Follow.objects.filter(followed=user_id).values("user")
    mine = Follow.objects.filter(user=user_id).exclude(followed__in=back).values("followed")
    return _list_people(mine)


def list_blocked_players(user_id: int) -> list[User]:
    blocked = Block.objects.filter(user=user_id).values("blocked")
    return list(User.objects.filter(pk__in=blocked).order_by("player_name"))


def _list_people(ids: Iterable[Any]) -> list[User]:
    return list(User.objects.filter(pk__in=ids, is_active=True).order_by("player_name"))


def list_people_in_blocks(user_id: int) -> set[int]:
    """Return the ids of all users whom this user has blocked or who have blocked this user."""
    blocks = Block.objects.filter(Q(user=user_id) | Q(blocked=user_id))
    return {person for pair in blocks.values_list("user_id", "blocked_id") for person in pair}


def list_recent_opponents(user_id: int) -> list[User]:
    """Return the people in this user's last matches, latest first, without people in a block with this user."""
    matches = Match.objects.filter(participants__contains=[user_id], status=MatchStatus.FINISHED)
    rows = matches.order_by("-pk").values_list("participants", flat=True)[:_MATCHES_LOOKED_AT]
    ids = list(dict.fromkeys(other for row in rows for other in row if other != user_id))
    apart = list_people_in_blocks(user_id)
    people = User.objects.filter(is_active=True, is_guest=False, is_bot=False)
    found = people.in_bulk([other for other in ids if other not in apart][:_OPPONENTS_SHOWN])
    return [found[other] for other in ids if other in found]


@dataclass(frozen=True, slots=True)
class ReceivedInvitation:
    id: int
    sender: str
    table: str
    url: str


def invitations_for(user_id: int) -> list[ReceivedInvitation]:
    """Return this player's invitations of the last hours to tables that are still open."""
    rows = TableInvitation.objects.filter(
        invited=user_id, sent_at__gt=Now() - INVITATION_LASTS, sender__is_active=True
    ).exclude(table__status=TableStatus.CLOSED)
    told = rows.order_by("-pk").values_list(
        "pk", "sender__player_name", "table__name", "table_id", "table__invite_code"
    )
    return [
        ReceivedInvitation(pk, sender, name, build_page_address(table_id, code))
        for pk, sender, name, table_id, code in told
    ]


def list_tables_to_invite_to(user_id: int | None) -> list[tuple[int, str]]:
    """Return the tables at which this player sits, as (id, name), except for tournaments and lessons.

    Without an account the list is empty.
    """
    if user_id is None:
        return []
    seats = Seat.objects.filter(user=user_id, left_at=None, table__event_url="")
    tables = Table.objects.filter(pk__in=seats.values("table"), is_lesson=False)
    return list(tables.order_by("pk").values_list("pk", "name"))
