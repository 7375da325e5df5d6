"""Founding, joining and leading clubs. No chips are involved.

Lock order: the user, then the club. Every change of members locks the club. If two officers act at the same time, the
second one therefore sees the change of the first.
"""

import secrets
from collections.abc import Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.db.models.functions import Now

from accounts.faces import FACES
from accounts.models import User, compute_stored_skeleton
from accounts.names import PlayerNameValidator, refuse_reserved_name, tidy_player_name
from core.page_notices import hint_after_commit
from core.refusals import SWITCHED_OFF, Refusal, RefusalKind
from core.site.content import site
from core.site.features import CLUBS, is_on
from core.site.numbers import number
from core.throttling import Rate, take
from players.refusals import (
    ABOUT_REFUSED,
    ASKED_TOO_OFTEN,
    CLUB_IS_FULL,
    CLUB_NAME_REFUSED,
    CLUB_NAME_TAKEN,
    LINK_NEEDED,
    MEMBERS_ONLY,
    NO_SUCH_CLUB,
    NOT_ABOVE_YOU,
    NOT_ASKED,
    OWNER_ONLY,
    OWNER_STAYS,
    REMOVED_FROM_CLUB,
    TOO_MANY_ASK,
    TOO_MANY_CLUBS,
)
from tables.chat.moderation import has_link, strip_invisible
from tables.models import BELONGS, LEADS, LONGEST_ABOUT, Club, ClubMember, ClubRole, JoinBy
from tables.refusals import OFFICERS_ONLY

CLUB: Final = "club"
"""The notice to open pages of members when something about their club has changed."""
FOUNDED_A_DAY: Final = 3
ASKED_A_DAY: Final = 20
OPEN_REQUESTS: Final = 200
_DAY_SECONDS: Final = 86_400
_CODE_BYTES: Final = 9
# Memberships and pending requests that count towards a person's limit.
_COUNTED: Final = (*BELONGS, ClubRole.ASKED)


def found_club(*, user_id: int, name: str, about: str, icon: str, join_by: JoinBy) -> Club:
    """Found a club and make the founder its owner.

    Raises SWITCHED_OFF, CLUB_NAME_REFUSED, CLUB_NAME_TAKEN, ABOUT_REFUSED, TOO_MANY_CLUBS or ASKED_TOO_OFTEN.
    """
    if not is_on(CLUBS):
        raise Refusal(SWITCHED_OFF)
    with transaction.atomic():
        user = _lock_person(user_id)
        spelt, text = clean_name(name), _clean_about(about)
        _refuse_too_many_clubs(user.pk)
        _refuse_the_hasty("club_new", user_id, FOUNDED_A_DAY)
        club = Club(
            name=spelt,
            name_skeleton=compute_stored_skeleton(spelt),
            about=text,
            icon=icon if icon in FACES else "",
            founder=user,
            join_by=join_by,
            invite_code=secrets.token_urlsafe(_CODE_BYTES),
        )
        _save_name(club)
        ClubMember.objects.create(club=club, user=user, role=ClubRole.OWNER)
    return club


@transaction.atomic
def change_club(
    *, club_id: int, user_id: int, name: str, about: str, icon: str, join_by: JoinBy
) -> None:
    """Change the club's name, description, icon or way to join. Raises OWNER_ONLY, or what `found_club` raises."""
    club = lock_club(club_id)
    if _get_role(club, user_id) != ClubRole.OWNER:
        raise Refusal(OWNER_ONLY)
    club.name = clean_name(name, but=club_id)
    club.name_skeleton = compute_stored_skeleton(club.name)
    club.about = _clean_about(about)
    club.icon = icon if icon in FACES else ""
    club.join_by = join_by
    _save_name(club, "name", "name_skeleton", "about", "icon", "join_by")
    hint_members(club)


def _save_name(club: Club, *fields: str) -> None:
    try:
        with transaction.atomic():
            club.save(update_fields=fields or None)
    except IntegrityError as error:  # another club has taken the name concurrently
        raise Refusal(CLUB_NAME_TAKEN) from error


def clean_name(name: str, *, but: int = 0) -> str:
    """Return the name in the form in which it is stored. Raises CLUB_NAME_REFUSED or CLUB_NAME_TAKEN.

    `but` is the id of a club that may have this name already: the club that is being renamed.
    """
    spelt = tidy_player_name(name)
    try:
        PlayerNameValidator()(spelt)
        refuse_reserved_name(spelt, site_name=site().name)
    except ValidationError as error:
        raise Refusal(CLUB_NAME_REFUSED, message=error.messages[0]) from error
    alike = Club.objects.filter(
        name_skeleton=compute_stored_skeleton(spelt), closed_at=None
    ).exclude(pk=but)
    if alike.exists():
        raise Refusal(CLUB_NAME_TAKEN)
    return spelt


def _clean_about(about: str) -> str:
    text = strip_invisible(about)
    if len(text) > LONGEST_ABOUT or has_link(text):
        raise Refusal(ABOUT_REFUSED)
    return text


def join(*, club_id: int, user_id: int, invite: str = "") -> ClubRole:
    """Join a club by its link, or ask to join if the club allows it. Return the user's role afterwards.

    Raises SWITCHED_OFF, NO_SUCH_CLUB, REMOVED_FROM_CLUB, LINK_NEEDED, TOO_MANY_CLUBS, CLUB_IS_FULL,
    TOO_MANY_ASK or ASKED_TOO_OFTEN. A repeated call changes nothing.
    """
    if not is_on(CLUBS):
        raise Refusal(SWITCHED_OFF)
    with transaction.atomic():
        _lock_person(user_id)
        club = lock_club(club_id)
        role = _get_role(club, user_id)
        if role == ClubRole.REMOVED:
            raise Refusal(REMOVED_FROM_CLUB)
        is_invited = club.admits(invite)
        if role in BELONGS or (role == ClubRole.ASKED and not is_invited):
            return ClubRole(role)
        if club.join_by == JoinBy.LINK and not is_invited:
            raise Refusal(LINK_NEEDED)
        if role is None:
            _refuse_too_many_clubs(user_id)
            _refuse_the_hasty("club_join", user_id, ASKED_A_DAY)
        new = ClubRole.MEMBER if is_invited else ClubRole.ASKED
        if new == ClubRole.MEMBER:
            _refuse_if_full(club)
        elif club.members.filter(role=ClubRole.ASKED).count() >= OPEN_REQUESTS:
            raise Refusal(TOO_MANY_ASK)
        club.members.update_or_create(user_id=user_id, defaults={"role": new, "since": Now()})
        hint_members(club)
    return new


@transaction.atomic
def approve(*, club_id: int, user_id: int, other_id: int) -> None:
    """Admit a player who has asked to join. Raises OFFICERS_ONLY, NOT_ASKED or CLUB_IS_FULL."""
    club = _as_leader(club_id, user_id)
    asked = club.members.filter(user=other_id, role=ClubRole.ASKED, user__is_active=True)
    if not asked.exists():
        raise Refusal(NOT_ASKED)
    _refuse_if_full(club)
    asked.update(role=ClubRole.MEMBER, since=Now())
    hint_members(club)


@transaction.atomic
def refuse(*, club_id: int, user_id: int, other_id: int) -> None:
    """Decline a player's request to join; they may ask again. Raises OFFICERS_ONLY or NOT_ASKED."""
    club = _as_leader(club_id, user_id)
    if not club.members.filter(user=other_id, role=ClubRole.ASKED).delete()[0]:
        raise Refusal(NOT_ASKED)
    hint_members(club)


@transaction.atomic
def remove(*, club_id: int, user_id: int, other_id: int) -> None:
    """Remove a member and renew the club's link. They may not come back until an officer allows it.

    Raises OFFICERS_ONLY, MEMBERS_ONLY if the other does not belong to the club, or NOT_ABOVE_YOU.
    """
    club = _as_leader(club_id, user_id)
    role = _get_role(club, other_id)
    if role not in BELONGS:
        raise Refusal(MEMBERS_ONLY)
    if not _is_above(_get_role(club, user_id), role):
        raise Refusal(NOT_ABOVE_YOU)
    hint_members(club)  # the removed person's pages too
    club.members.filter(user=other_id).update(role=ClubRole.REMOVED, since=Now())
    _renew_code(club)


@transaction.atomic
def readmit(*, club_id: int, user_id: int, other_id: int) -> None:
    """Allow a removed player to ask or join again. Raises OFFICERS_ONLY."""
    club = _as_leader(club_id, user_id)
    club.members.filter(user=other_id, role=ClubRole.REMOVED).delete()
    hint_members(club)


@transaction.atomic
def make_officer(*, club_id: int, user_id: int, other_id: int) -> None:
    """Make a member an officer. Raises OWNER_ONLY, or MEMBERS_ONLY if the other is not a plain member."""
    _change_role(club_id, user_id, other_id, ClubRole.MEMBER, ClubRole.OFFICER)


@transaction.atomic
def make_member(*, club_id: int, user_id: int, other_id: int) -> None:
    """Make an officer a plain member. Raises OWNER_ONLY, or MEMBERS_ONLY if the other is not an officer."""
    _change_role(club_id, user_id, other_id, ClubRole.OFFICER, ClubRole.MEMBER)


def _change_role(club_id: int, user_id: int, other_id: int, old: ClubRole, new: ClubRole) -> None:
    club = _as_owner(club_id, user_id)
    if not club.members.filter(user=other_id, role=old).update(role=new):
        raise Refusal(MEMBERS_ONLY)
    hint_members(club)


@transaction.atomic
def pass_on(*, club_id: int, user_id: int, other_id: int) -> None:
    """Make another member the owner; the old owner becomes an officer.

    Raises OWNER_ONLY, or MEMBERS_ONLY unless the other belongs to the club and has an open account.
    """
    club = _as_owner(club_id, user_id)
    heir = club.members.filter(
        user=other_id, role__in=(ClubRole.OFFICER, ClubRole.MEMBER), user__is_active=True
    ).first()
    if heir is None:
        raise Refusal(MEMBERS_ONLY)
    _award_title(club, heir)
    hint_members(club)


@transaction.atomic
def leave(*, club_id: int, user_id: int) -> None:
    """Leave a club, or withdraw a request to join. If the last member leaves, the club is closed.

    Raises NO_SUCH_CLUB, MEMBERS_ONLY, or OWNER_STAYS for an owner while there are other members.
    """
    club = lock_club(club_id)
    role = _get_role(club, user_id)
    if role not in _COUNTED:
        raise Refusal(MEMBERS_ONLY)
    if role == ClubRole.OWNER:
        if _filter_others(club, user_id).exists():
            raise Refusal(OWNER_STAYS)
        close_row(club, "")
        club.members.filter(user=user_id).delete()
        return
    hint_members(club)
    club.members.filter(user=user_id).delete()


@transaction.atomic
def renew_link(*, club_id: int, user_id: int) -> None:
    """Replace the club's link; the old one stops working. Raises OFFICERS_ONLY."""
    _renew_code(_as_leader(club_id, user_id))


@transaction.atomic
def announce_evenings(*, club_id: int, user_id: int, is_told: bool) -> None:
    """Set whether this member is notified when an evening begins."""
    ClubMember.objects.filter(club=club_id, user=user_id).update(is_told=is_told)


@transaction.atomic
def leave_every_club(user_id: int) -> None:
    """Remove a user from all clubs when the account is closed. The caller has locked the user.

    A club that they own passes to the officer or, without officers, the member who has been there longest.
    Without other members it is closed.
    """
    own = ClubMember.objects.filter(user=user_id)
    clubs = Club.objects.select_for_update(no_key=True).order_by("pk")
    for club in clubs.filter(pk__in=list(own.values_list("club", flat=True))):
        is_owner = _get_role(club, user_id) == ClubRole.OWNER
        if is_owner and not pass_to_next(club) and club.is_open:
            close_row(club, "")
        hint_members(club)
    own.delete()


def pass_to_next(club: Club) -> bool:
    """Pass a locked club to the officer who has served longest. Return False if there is nobody to pass it to.

    Without officers it passes to the member who has been there longest. Only people with an open account are
    considered.
    """
    order = Case(
        When(role=ClubRole.OFFICER, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    owner = club.members.get(role=ClubRole.OWNER)
    others = _filter_others(club, owner.user_id).filter(user__is_active=True)
    heir = others.order_by(order, "since", "pk").first()
    if heir is None:
        return False
    _award_title(club, heir)
    hint_members(club)
    return True


@transaction.atomic
def close_by_staff(*, club_id: int, reason: str) -> None:
    """Close a club; its members are shown the reason. Raises NO_SUCH_CLUB."""
    close_row(lock_club(club_id), reason)


@transaction.atomic
def pass_on_by_staff(*, club_id: int) -> None:
    """Pass a club to the next owner. Raises NO_SUCH_CLUB, or MEMBERS_ONLY if there is nobody else."""
    club = lock_club(club_id)
    if not pass_to_next(club):
        raise Refusal(MEMBERS_ONLY)


def close_row(club: Club, reason: str) -> None:
    """Close a locked club: it is no longer listed, admits no members and holds no evenings.

    A job closes its tables (winding_up.py), because tables are locked before clubs.
    """
    club.closed_for, club.evening_at = reason, None
    Club.objects.filter(pk=club.pk).update(closed_at=Now(), closed_for=reason, evening_at=None)
    hint_members(club)


def lock_club(club_id: int, *, also_closed: bool = False) -> Club:
    """Lock a club. Raises NO_SUCH_CLUB, also for a closed club unless `also_closed`."""
    club = Club.objects.select_for_update(no_key=True).filter(pk=club_id).first()
    if club is None or not (club.is_open or also_closed):
        raise Refusal(NO_SUCH_CLUB)
    return club


def hint_members(club: Club) -> None:
    """After the commit, tell the members' open pages that something about the club has changed."""
    members = list(club.members.filter(role__in=BELONGS).values_list("user", flat=True))
    hint_after_commit(members, CLUB)


def _as_leader(club_id: int, user_id: int) -> Club:
    return _as(club_id, user_id, LEADS, OFFICERS_ONLY)


def _as_owner(club_id: int, user_id: int) -> Club:
    return _as(club_id, user_id, (ClubRole.OWNER,), OWNER_ONLY)


def _as(
    club_id: int,
    user_id: int,
    roles: Sequence[ClubRole],
    refusal: RefusalKind,
) -> Club:
    """Lock and return an open club for a user who has one of these roles there and an active account.

    Raises NO_SUCH_CLUB, or `refusal` for any other user.
    """
    club = lock_club(club_id)
    if not club.members.filter(user=user_id, role__in=roles, user__is_active=True).exists():
        raise Refusal(refusal)
    return club


def _get_role(club: Club, user_id: int) -> str | None:
    return club.members.filter(user=user_id).values_list("role", flat=True).first()


def _is_above(role: str | None, other: str | None) -> bool:
    ranks: dict[str, int] = {ClubRole.MEMBER: 1, ClubRole.OFFICER: 2, ClubRole.OWNER: 3}
    return ranks.get(role or "", 0) > ranks.get(other or "", 0)


def _filter_others(club: Club, user_id: int) -> QuerySet[ClubMember]:
    return club.members.filter(role__in=BELONGS).exclude(user=user_id)


def _award_title(club: Club, heir: ClubMember) -> None:
    # The database allows one owner at a time, so demote the old one first.
    club.members.filter(role=ClubRole.OWNER).update(role=ClubRole.OFFICER)
    club.members.filter(pk=heir.pk).update(role=ClubRole.OWNER)


def _renew_code(club: Club) -> None:
    code = secrets.token_urlsafe(_CODE_BYTES)
    Club.objects.filter(pk=club.pk).update(invite_code=code)


def _refuse_if_full(club: Club) -> None:
    if club.members.filter(role__in=BELONGS).count() >= number("CLUB_MEMBERS"):
        raise Refusal(CLUB_IS_FULL)


def _refuse_too_many_clubs(user_id: int) -> None:
    mine = ClubMember.objects.filter(user=user_id, role__in=_COUNTED, club__closed_at=None)
    if mine.count() >= number("CLUBS_EACH"):
        raise Refusal(TOO_MANY_CLUBS)


def _refuse_the_hasty(name: str, user_id: int, most: int) -> None:
    if not take(Rate(f"{name}:{user_id}", most, _DAY_SECONDS)).is_allowed:
        raise Refusal(ASKED_TOO_OFTEN)


def _lock_person(user_id: int) -> User:
    """Lock a user, so that two concurrent requests cannot exceed the number of clubs that a user may have.

    Raises MEMBERS_ONLY for a bot, a guest, or an account that is frozen or closed.
    """
    people = User.objects.select_for_update(no_key=True).filter(is_active=True, is_guest=False)
    user = people.filter(pk=user_id, is_bot=False).first()
    if user is None:
        raise Refusal(MEMBERS_ONLY)
    return user
