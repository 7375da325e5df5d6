"""The webhook of a tournament that is over: the places, nothing of money."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from core.models import WebhookEvent
from core.webhooks.delivery import note_result
from tournaments.models import Entrant, Tournament
from tournaments.rules.bracket import Place

PLACES_TOLD: Final = 100


def tell_result(
    tournament: Tournament,
    in_order: Sequence[Entrant],
    placed: Mapping[int, Place],
    *,
    now: datetime,
) -> None:
    """Send the webhook with the transaction that ends it. `in_order` begins with the winner."""
    note_result(WebhookEvent.TOURNAMENT_ENDED, lambda: _told(tournament, in_order, placed), now=now)


def _told(
    tournament: Tournament, in_order: Sequence[Entrant], placed: Mapping[int, Place]
) -> dict[str, Any]:
    return {
        "tournament": tournament.pk,
        "name": tournament.name,
        "game": tournament.game,
        "format": tournament.format,
        "started_at": tournament.started_at,
        "entrants": len(in_order),
        "places": [
            {
                "place": placed[entrant.pk].rank,
                "id": entrant.user_id,
                "name": entrant.user.player_name,
                "bot": entrant.user.is_bot,
            }
            for entrant in in_order[:PLACES_TOLD]
        ],
    }
