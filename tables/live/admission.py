"""Admission of sockets to a table."""

from typing import Any

from django.conf import settings
from django.http import QueryDict

from core.threads import aside, in_thread
from tables.live.delayed_view import get_standing_of_nobody
from tables.live.sockets import NOT_ALLOWED, NOT_FOUND
from tables.play.reading import Standing, read_standing
from tables.refusals import ApiPlayersNotAllowed, PlaysByToken, Refusal, TableNotFound
from tables.seating.hosting.invitations import invite_in
from tables.seating.selectors import may_see

LONGEST_QUERY = 200


def invitation_of(scope: Any) -> str:
    """Return the invitation in a socket's address, as in the address of its page."""
    # Read only the beginning of a long query: one with too many fields is no invitation.
    return invite_in(QueryDict(scope["query_string"][:LONGEST_QUERY], encoding="latin-1"))


class Admission:
    """The person's standing at a socket's table, and the reason for refusing them.

    Spectators must not delay players, so their queries run on separate threads.
    """

    def __init__(self, scope: Any, table_id: int, user_id: int | None) -> None:
        self._scope = scope
        self._table_id = table_id
        self._user_id = user_id
        self._run = aside if user_id is None else in_thread
        self.standing: Standing | None = None  # as of `refusal`

    async def refusal(self) -> tuple[int, Refusal] | None:
        """Return the close code and the refusal, or None if the person may connect."""
        self.standing = place = await self.look_up()
        if place is None or (place.is_private and not await self._may_see()):
            return NOT_FOUND, TableNotFound()
        if self._scope.get("token_id") and not place.allows_api_players:
            return NOT_ALLOWED, ApiPlayersNotAllowed()
        if place.seat is not None and self._is_bot_account_in_browser():
            return NOT_ALLOWED, PlaysByToken()
        return None

    def _is_bot_account_in_browser(self) -> bool:
        return self._scope["user"].is_bot_account and not self._scope.get("token_id")

    async def look_up(self) -> Standing | None:
        """Read the current standing."""
        if self._user_id is None and settings.SPECTATOR_DELAY_SECONDS > 0:
            return await get_standing_of_nobody(self._table_id)
        return await self._run(read_standing, table_id=self._table_id, user_id=self._user_id)

    async def _may_see(self) -> bool:
        invite = invitation_of(self._scope)
        return await self._run(
            may_see, table_id=self._table_id, user_id=self._user_id, invite=invite
        )
