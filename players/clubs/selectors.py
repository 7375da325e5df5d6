"""Reading clubs for pages: the list, the player's own clubs, and one club."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When

from accounts.models import User, compute_stored_skeleton
from accounts.names import tidy_player_name
from players.online import filter_seen_online
from tables.models import (
    BELONGS,
    LEADS,
    ChatLine,
    Club,
    ClubMember,
    ClubRole,
    Table,
    TableStatus,
)

CLUBS_SHOWN: Final = 50
_ORDER: Final = Case(
    When(role=ClubRole.OWNER, then=Value(0)),
    When(role=ClubRole.OFFICER, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)
_MEMBERS: Final = Count("members", filter=Q(members__role__in=BELONGS))


@dataclass(frozen=True, slots=True)
class MemberLine:
    person: User
    role: str
    role_name: str
    is_online: bool


@dataclass(frozen=True, slots=True)
class ClubSeen:
    """A club as one user sees it. Outsiders only see its name, description and number of members."""

    club: Club
    own: ClubMember | None
    count: int

    @property
    def role(self) -> str:
        return "" if self.own is None else self.own.role

    @property
    def is_member(self) -> bool:
        return self.role in BELONGS

    @property
    def is_leader(self) -> bool:
        return self.role in LEADS and self.club.is_open

    @property
    def is_owner(self) -> bool:
        return self.role == ClubRole.OWNER and self.club.is_open


def find_club(user_id: int, club_id: int) -> ClubSeen | None:
    """Return a club, or None. A closed club is visible only to its members."""
    club = Club.objects.annotate(count=_MEMBERS).filter(pk=club_id).first()
    if club is None:
        return None
    own = ClubMember.objects.filter(club=club_id, user=user_id).first()
    seen = ClubSeen(club, own, club.count)
    return seen if club.is_open or seen.is_member else None


def find_club_by_invitation(club_id: int, invite: str) -> ClubSeen | None:
    """Return an open club if `invite` is the code of its link, otherwise None."""
    club = Club.objects.annotate(count=_MEMBERS).filter(pk=club_id, closed_at=None).first()
    return ClubSeen(club, None, club.count) if club is not None and club.admits(invite) else None


def list_members(club: Club, *, viewer_id: int) -> list[MemberLine]:
    """Return the members, sorted by role and date of joining.

    A member is marked as online if the viewer may see that.
    """
    rows = _list_people(club, BELONGS).order_by(_ORDER, "since", "pk")
    online = filter_seen_online(viewer_id, [row.user for row in rows])
    return [
        MemberLine(row.user, row.role, row.get_role_display(), row.user_id in online)
        for row in rows
    ]


def list_people_who_ask(club: Club) -> list[User]:
    return [row.user for row in _list_people(club, (ClubRole.ASKED,)).order_by("since", "pk")]


def list_removed_people(club: Club) -> list[User]:
    return [row.user for row in _list_people(club, (ClubRole.REMOVED,)).order_by("-since", "-pk")]


def _list_people(club: Club, roles: Sequence[ClubRole]) -> QuerySet[ClubMember]:
    return club.members.filter(role__in=roles, user__closed_at=None).select_related("user")


def person_in(club_id: int, user_id: int) -> User | None:
    """Return a user who is or was in the club, has asked to join, or has written in its chat; otherwise None."""
    of_club = Q(pk__in=ClubMember.objects.filter(club=club_id).values("user"))
    said = Q(pk__in=ChatLine.objects.filter(club=club_id).values("user"))
    return User.objects.filter(of_club | said, pk=user_id).first()


def tables_of_club(club: Club) -> list[Table]:
    """Return the open tables that were opened for the club, newest first."""
    tables = Table.objects.filter(club=club, closing_at=None).exclude(status=TableStatus.CLOSED)
    return list(tables.defer("state", "next_seed").order_by("-pk"))


def list_clubs(user_id: int) -> list[Club]:
    """Return the open clubs of which this user is a member, sorted by name."""
    own = ClubMember.objects.filter(user=user_id, role__in=BELONGS)
    clubs = Club.objects.filter(pk__in=own.values("club"), closed_at=None)
    return list(clubs.annotate(count=_MEMBERS).order_by("name", "pk"))


def open_clubs(name: str = "") -> list[Club]:
    """Return open clubs, the largest first. With `name`, return only clubs whose names contain it."""
    clubs = Club.objects.filter(closed_at=None)
    if spelt := tidy_player_name(name):
        alike = Q(name_skeleton__contains=compute_stored_skeleton(spelt))
        clubs = clubs.filter(alike | Q(name__icontains=spelt))
    return list(clubs.annotate(count=_MEMBERS).order_by("-count", "name", "pk")[:CLUBS_SHOWN])
