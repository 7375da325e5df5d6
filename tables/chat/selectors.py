from datetime import datetime, timedelta

from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import formats, timezone

from accounts.models import User
from core.database.prepared import Prepared, read_flag, read_integers
from tables.models import (
    ChatLine,
    IgnoredPlayer,
    Sanction,
)
from tables.play.lock import milliseconds
from tables.play.seat_view import View

# Lines of the chat that a newcomer is shown.
LINES_SHOWN = 30
_PARTING = timedelta(minutes=5)


def list_chat(
    *, table_id: int, length: int, of_watchers: bool = False, until: datetime | None = None
) -> list[ChatLine]:
    """Return the newest lines of a table's players, or of its spectators, oldest first.

    With `until`, later lines are left out, except those of the next moments, in which players say goodbye.
    """
    lines = ChatLine.objects.filter(table_id=table_id, from_watcher=of_watchers)
    if until is not None:
        lines = lines.filter(said_at__lte=until + _PARTING)
    return list(reversed(lines.select_related("user").order_by("-pk")[:length]))


def get_ignored_ids(user_id: int) -> frozenset[int]:
    """Return the ids of the players whose lines this person ignores."""
    ignored = IgnoredPlayer.objects.filter(user_id=user_id)
    return frozenset(ignored.values_list("ignored_id", flat=True))


def list_ignored_players(user_id: int) -> list[User]:
    ignored = User.objects.filter(pk__in=get_ignored_ids(user_id))
    return list(ignored.order_by("player_name"))


def find_silence(user_id: int) -> Sanction | None:
    """Return the silence that applies to this person now, or None. Of several, it is the one that ends last."""
    silences = Sanction.objects.filter(
        Q(ends_at=None) | Q(ends_at__gt=Now()),
        user=user_id,
        kind=Sanction.Kind.SILENCE,
        lifted_at=None,
    )
    return silences.order_by(F("ends_at").desc(nulls_first=True)).first()


def has_ended(silence: Sanction, *, now: datetime) -> bool:
    """Return whether a silence has been lifted or has run out."""
    is_past = silence.ends_at is not None and silence.ends_at <= now
    return silence.lifted_at is not None or is_past


def format_end(silence: Sanction) -> str:
    """Return when a silence ends, in the active language; empty for a permanent one."""
    if silence.ends_at is None:
        return ""
    return formats.date_format(timezone.localtime(silence.ends_at), "DATETIME_FORMAT")


_reader = Prepared(
    "reader_of_a_chat",
    """
SELECT ARRAY (SELECT ignored_id FROM tables_ignoredplayer WHERE user_id = $1::bigint
               UNION SELECT blocked_id FROM tables_block WHERE user_id = $1::bigint
               UNION SELECT user_id FROM tables_block WHERE blocked_id = $1::bigint),
       EXISTS (SELECT FROM tables_chatline
                WHERE table_id = $2::bigint AND from_watcher = $3::boolean)""",
    (read_integers, read_flag),
)


def chat_for(
    table_id: int, user_id: int, *, is_watching: bool = False
) -> tuple[frozenset[int], list[View]]:
    """Return the ids of the people whose lines are hidden from this person, and the recent lines of everybody else.

    Spectators read the lines of spectators; everybody else reads those of the players.
    """
    unread, has_lines = _reader.first(user_id, table_id, str(is_watching)) or ([], False)
    ignored = frozenset(unread)
    lines = (
        list_chat(table_id=table_id, length=LINES_SHOWN, of_watchers=is_watching)
        if has_lines
        else []
    )
    return ignored, [line_view(line) for line in lines if line.user_id not in ignored]


def get_unread_authors(user_id: int) -> frozenset[int]:
    """Return the ids of the people whose lines are hidden from this person.

    They are the players whom this person ignores or has blocked, and the players who have blocked this person.
    """
    unread, _has_lines = _reader.first(user_id, 0, "false") or ([], False)
    return frozenset(unread)


def line_view(line: ChatLine) -> View:
    """Return a line of chat as people at the table see it.

    A spectator's line includes their name, because they have no seat by which a page could find it.
    """
    named = {"name": line.user.player_name, "face": line.user.shown_face}
    return {
        "id": line.pk,
        "player": line.user_id,
        "phrase": line.phrase,
        "text": line.text,
        "at": milliseconds(line.said_at),
        **(named if line.from_watcher else {}),
    }
