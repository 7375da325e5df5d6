"""News since a player's last visit if that was at least a day ago.

The first page shows it as one list, until the player dismisses it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection
from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import LastVisit
from tables.models import Block, Follow, Match, MatchStatus

# Newest lines of each kind.
LINES_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class NewsLine:
    text: str
    url: str


Source = Callable[[int, datetime], list[NewsLine]]
_sources: Final[list[Source]] = []


def add_news_source(source: Source) -> None:
    """Register a source of news, called with a user id and the time from which on news is wanted.

    An app calls this once, when it is ready.
    """
    _sources.append(source)


# A visit within the hour writes nothing.
_VISIT: Final = """
WITH noted AS (
  INSERT INTO players_last_visit AS v (user_id, seen_at) VALUES (%(user)s, now())
  ON CONFLICT (user_id) DO UPDATE SET
    away_since = CASE WHEN v.seen_at < now() - interval '1 day'
                      THEN coalesce(v.away_since, v.seen_at) ELSE v.away_since END,
    seen_at = now()
  WHERE v.seen_at < now() - interval '1 hour'
  RETURNING away_since)
SELECT coalesce((SELECT away_since FROM noted),
                (SELECT away_since FROM players_last_visit WHERE user_id = %(user)s))"""


def visit(user_id: int) -> list[NewsLine]:
    """Record that the player opened the first page. Return the news of their absence until they dismiss it."""
    with connection.cursor() as cursor:
        cursor.execute(_VISIT, {"user": user_id})
        since = cursor.fetchone()[0]
    if since is None:
        return []
    return [
        line
        for source in (_slow_games, _list_followers, *_sources)
        for line in source(user_id, since)
    ]


def dismiss(user_id: int) -> None:
    """Dismiss the news of the last absence."""
    LastVisit.objects.filter(pk=user_id).update(away_since=None)


def _slow_games(user_id: int, since: datetime) -> list[NewsLine]:
    matches = Match.objects.filter(
        participants__contains=[user_id],
        status=MatchStatus.FINISHED,
        ended_at__gt=since,
        table__is_slow=True,
    )
    found = matches.select_related("table").defer("table__state", "table__next_seed")
    return [
        NewsLine(_slow_game_text(match, user_id), reverse("match", args=[match.pk]))
        for match in found.order_by("-ended_at", "-pk")[:LINES_SHOWN]
    ]


def _slow_game_text(match: Match, user_id: int) -> str:
    assert match.result is not None  # noqa: S101 - finished
    [seat] = [seat for seat, player in match.players.items() if player["user"] == user_id]
    if int(seat) in match.result["winners"]:
        return _("The slow game at %(table)s is over. You won.") % {"table": match.table.shown_name}
    return _("The slow game at %(table)s is over.") % {"table": match.table.shown_name}


def _list_followers(user_id: int, since: datetime) -> list[NewsLine]:
    """Return news of the players who began to follow this one after `since` and are not followed back."""
    follows = Follow.objects.filter(followed=user_id, since__gt=since, user__is_active=True)
    follows = follows.exclude(user__in=Follow.objects.filter(user=user_id).values("followed"))
    follows = follows.exclude(user__in=Block.objects.filter(user=user_id).values("blocked"))
    newest = follows.select_related("user").order_by("-since", "-pk")[:LINES_SHOWN]
    return [
        NewsLine(
            _("%(name)s now follows you.") % {"name": follow.user.player_name},
            reverse("players:player", args=[follow.user_id]),
        )
        for follow in newest
    ]
