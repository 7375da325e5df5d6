"""A player shows a match to others by a link, for as long as they like."""

import secrets

from django.db import transaction

from tables.models import Match, MatchLink
from tables.models.sharing import TOKEN_BYTES


@transaction.atomic
def share_match(*, match_id: int, user_id: int) -> MatchLink | None:
    """This player's link to the match, made if there is none; None if they did not play in it."""
    if not Match.objects.filter(pk=match_id, participants__contains=[user_id]).exists():
        return None
    link, _is_new = MatchLink.objects.get_or_create(
        match_id=match_id,
        made_by_id=user_id,
        defaults={"token": secrets.token_urlsafe(TOKEN_BYTES)},
    )
    return link


def withdraw_link(*, match_id: int, user_id: int) -> None:
    """From now on this player's link leads nowhere; a later one is another."""
    MatchLink.objects.filter(match_id=match_id, made_by_id=user_id).delete()
