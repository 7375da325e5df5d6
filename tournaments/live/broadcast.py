"""Telling pages that a tournament has changed, and people that they are wanted: only hints.

Who misses one finds the same in the database: pages and sockets ask for it again by themselves.
"""

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.urls import reverse
from redis.exceptions import RedisError

from accounts.push.services import ROUND, Call, call_on_commit, subscribed_players
from core.page_notices import tell
from tournaments.core.after_commit import Announcement, Invitation

logger = logging.getLogger(__name__)

# How long a push service keeps a call for a browser that it does not reach.
CALL_SECONDS = 300


def group_of(tournament_id: int) -> str:
    return f"tournament.{tournament_id}"


async def announce(announcement: Announcement) -> None:
    """After the commit. Without Redis tournaments go on and pages learn of it later."""
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    try:
        for tournament_id in announcement.changed:
            await layer.group_send(group_of(tournament_id), {"type": "tournament.changed"})
        for invitation in announcement.invitations:
            await tell(invitation.user_id, message_of(invitation))
    except (RedisError, OSError) as error:
        logger.warning("announcement of tournaments %s not sent: %s", announcement.changed, error)


announce_from_thread = async_to_sync(announce)


def message_of(invitation: Invitation) -> dict[str, object]:
    """`/ws/me/`: the page of the table, and what to call it."""
    return {
        "type": "table_ready",
        "table": invitation.table_id,
        "tournament": invitation.tournament_id,
        "name": invitation.name,
        "url": reverse("tables:table", args=[invitation.table_id]),
    }


def call_players(announcement: Announcement) -> None:
    """Alert the players who are wanted at a table and asked for alerts."""
    wanting = subscribed_players(invitation.user_id for invitation in announcement.invitations)
    for invitation in announcement.invitations:
        if invitation.user_id not in wanting:
            continue
        call = Call(
            kind=ROUND,
            name=invitation.name,
            url=reverse("tables:table", args=[invitation.table_id]),
            tag=f"table-{invitation.table_id}",
            seconds=CALL_SECONDS,
        )
        call_on_commit({invitation.user_id}, call)
