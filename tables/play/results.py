"""The webhook of a match that has ended: its players and winners, nothing of money."""

from typing import Any

from django.utils import timezone

from accounts.models import WebhookEvent
from accounts.notifications.webhooks.services import note_result
from games.engine.base import Result
from tables.models import Match, Table


def tell_result(table: Table, match: Match, result: Result) -> None:
    """Send the webhook with the transaction that ends the match."""
    now = timezone.now()
    note_result(WebhookEvent.MATCH_ENDED, lambda: _told(table, match, result), now=now)


def _told(table: Table, match: Match, result: Result) -> dict[str, Any]:
    return {
        "match": match.pk,
        "table": {"id": table.pk, "name": table.name},
        "game": table.game,
        "variant": table.format,
        "started_at": match.started_at,
        "players": [
            {
                "seat": int(seat),
                "id": player["user"],
                "name": player["name"],
                "bot": player["bot"],
                "rank": result.ranks.get(int(seat)),
            }
            for seat, player in sorted(match.players.items())
        ],
        "winners": list(result.winners),
    }
