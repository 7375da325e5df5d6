"""Following, blocking and inviting players, and deleting the data of closed accounts.

Nothing here moves chips, and only a challenge seats a player.
"""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import PageShownTo, User
from accounts.models.sessions import NOWHERE, Origin
from core.page_notices import hint_after_commit
from core.refusals import SWITCHED_OFF, Refusal
from core.site.features import PRIVATE_TABLES, is_on
from games.registry import get_game
from players.models import LastVisit, LeaderboardPlace
from players.refusals import NOT_FRIENDS, TOO_MANY_INVITATIONS, TOO_MANY_PEOPLE
from players.selectors import find_open_player, get_standing, list_tables_to_invite_to
from tables.catalog import game_switch, has_page, list_offered_games
from tables.models import Block, Follow, Table, TableInvitation
from tables.refusals import NO_SUCH_PERSON, NotSeated
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.hosting.services import readmit

MOST_FOLLOWED: Final = 500
MOST_BLOCKED: Final = 500
INVITATIONS_A_DAY: Final = 30
INVITATION: Final = "invitation"
"""The notice to open pages of a friend who is invited."""


@transaction.atomic
def follow(*, user_id: int, other_id: int) -> None:
    """Follow a player. Raises TOO_MANY_PEOPLE or NO_SUCH_PERSON.

    NO_SUCH_PERSON is also raised if either has blocked the other, so that the block stays hidden.
    """
    _lock(user_id)
    _refuse_strangers(user_id, other_id)
    mine = Follow.objects.filter(user=user_id)
    if mine.count() >= MOST_FOLLOWED:
        raise Refusal(TOO_MANY_PEOPLE)
    Follow.objects.get_or_create(user_id=user_id, followed_id=other_id)


def unfollow(*, user_id: int, other_id: int) -> None:
    Follow.objects.filter(user=user_id, followed=other_id).delete()


@transaction.atomic
def block(*, user_id: int, other_id: int) -> None:
    """Block a player and end every other relation with them. Raises NO_SUCH_PERSON or TOO_MANY_PEOPLE."""
    _lock(user_id)
    if user_id == other_id or find_open_player(other_id) is None:
        raise Refusal(NO_SUCH_PERSON)
    if Block.objects.filter(user=user_id).count() >= MOST_BLOCKED:
        raise Refusal(TOO_MANY_PEOPLE)
    Block.objects.get_or_create(user_id=user_id, blocked_id=other_id)
    one, other = Q(user=user_id, followed=other_id), Q(user=other_id, followed=user_id)
    Follow.objects.filter(one | other).delete()
    sent = Q(sender=user_id, invited=other_id) | Q(sender=other_id, invited=user_id)
    TableInvitation.objects.filter(sent).delete()


def unblock(*, user_id: int, other_id: int) -> None:
    Block.objects.filter(user=user_id, blocked=other_id).delete()


@transaction.atomic
def invite(*, user_id: int, friend_id: int, table_id: int) -> None:
    """Invite a friend to the player's table. A repeated call keeps the invitation.

    If the player is the host and had sent the friend away, the friend may come again. Raises NOT_FRIENDS,
    NotSeated or TOO_MANY_INVITATIONS.
    """
    # Lock the table before the people, as everywhere.
    readmit(table_id=table_id, user_id=user_id, other_id=friend_id)
    _lock(user_id)
    if not get_standing(user_id, friend_id).is_friend or find_open_player(friend_id) is None:
        raise Refusal(NOT_FRIENDS)
    if table_id not in (number for number, _name in list_tables_to_invite_to(user_id)):
        raise NotSeated
    lately = TableInvitation.objects.filter(sender=user_id, sent_at__gt=Now() - timedelta(days=1))
    if lately.count() >= INVITATIONS_A_DAY:
        raise Refusal(TOO_MANY_INVITATIONS)
    TableInvitation.objects.get_or_create(
        table_id=table_id, sender_id=user_id, invited_id=friend_id
    )
    hint_after_commit({friend_id}, INVITATION)


def list_challenges() -> list[str]:
    """Return the codes of the games to which a friend can be challenged now."""
    if not is_on(PRIVATE_TABLES):
        return []
    return [code for code in list_offered_games() if has_page(code) and is_on(game_switch(code))]


@transaction.atomic
def challenge(*, user_id: int, friend_id: int, game: str, origin: Origin = NOWHERE) -> Table:
    """Open a free table with the game's fewest seats, seat the player there and invite the friend.

    Raises NOT_FRIENDS, SWITCHED_OFF, or what `open_hosted_table` and `invite` raise; then no table is opened.
    """
    _lock(user_id)
    if not get_standing(user_id, friend_id).is_friend or find_open_player(friend_id) is None:
        raise Refusal(NOT_FRIENDS)
    if game not in list_challenges():
        raise Refusal(SWITCHED_OFF)
    format = get_game(game).formats[0]
    terms = HostTerms(game=game, preset=format.presets[0], seats=format.seats[0])
    table = open_hosted_table(terms, user_id=user_id, origin=origin)
    invite(user_id=user_id, friend_id=friend_id, table_id=table.pk)
    return table


def decline(*, user_id: int, invitation_id: int) -> None:
    TableInvitation.objects.filter(pk=invitation_id, invited=user_id).delete()


def show_page_to(*, user_id: int, whom: PageShownTo) -> None:
    User.objects.filter(pk=user_id).update(page_shown_to=whom)


def _refuse_strangers(user_id: int, other_id: int) -> None:
    is_apart = get_standing(user_id, other_id).is_blocked
    if user_id == other_id or is_apart or find_open_player(other_id) is None:
        raise Refusal(NO_SUCH_PERSON)


def _lock(user_id: int) -> None:
    """Lock the user, so that two concurrent requests cannot exceed a limit together."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)


def forget_visits_and_places(user_id: int) -> None:
    """Delete the player's places on the leaderboards and the time of their last visit."""
    LeaderboardPlace.objects.filter(user_id=user_id).delete()
    LastVisit.objects.filter(user_id=user_id).delete()
