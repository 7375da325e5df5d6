"""Notices to open pages: a tournament has changed, or a table is ready for a player.

A page that misses a notice catches up from the database, because pages and sockets ask regularly.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from channels.layers import get_channel_layer
from django.urls import reverse
from redis.exceptions import RedisError

from accounts.push.services import ROUND, Call, filter_subscribed_players, push_after_commit
from core.after_commit import send_after_commit
from core.page_notices import notify_pages

logger = logging.getLogger(__name__)

# How long a push service keeps a notification for a browser that it does not reach.
CALL_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Invitation:
    """A notice that a player's table is ready."""

    user_id: int
    tournament_id: int
    table_id: int
    chair: int | None
    name: str


def name_tournament_group(tournament_id: int) -> str:
    """Return the name of the channel group for the sockets on a tournament's page."""
    return f"tournament.{tournament_id}"


def announce_change(tournament_id: int) -> None:
    """After the commit, tell the tournament's open pages that it has changed."""
    send_after_commit(_send_change, tournament_id)


def invite(invitations: Sequence[Invitation]) -> None:
    """After the commit, call players to their tables, on open pages and subscribed devices."""
    if not invitations:
        return
    send_after_commit(_send_invitations, tuple(invitations))
    subscribed = filter_subscribed_players(invitation.user_id for invitation in invitations)
    for invitation in invitations:
        if invitation.user_id not in subscribed:
            continue
        call = Call(
            kind=ROUND,
            name=invitation.name,
            url=reverse("table", args=[invitation.table_id]),
            tag=f"table-{invitation.table_id}",
            seconds=CALL_SECONDS,
        )
        push_after_commit({invitation.user_id}, call)


def build_message(invitation: Invitation, *, is_connected: bool = False) -> dict[str, object]:
    """Return the message that `/ws/me/` sends: the table's address and name.

    `is_connected` tells whether a page or program of the player is already connected to the table.
    """
    return {
        "type": "table_ready",
        "table": invitation.table_id,
        "tournament": invitation.tournament_id,
        "name": invitation.name,
        "url": reverse("table", args=[invitation.table_id]),
        "connected": is_connected,
    }


async def _send_change(tournament_id: int) -> None:
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    try:
        await layer.group_send(name_tournament_group(tournament_id), {"type": "tournament.changed"})
    except (RedisError, OSError) as error:
        logger.warning("change of tournament %s not sent: %s", tournament_id, error)


async def _send_invitations(invitations: Sequence[Invitation]) -> None:
    try:
        for invitation in invitations:
            await notify_pages(invitation.user_id, build_message(invitation))
    except (RedisError, OSError) as error:
        logger.warning("%s invitations not sent: %s", len(invitations), error)
