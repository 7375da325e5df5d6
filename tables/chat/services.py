"""Talking at a table: only who sits there, not too fast, without links."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from tables.chat.selectors import chat_of
from tables.models import (
    LONGEST_LINE,
    ChatLine,
    IgnoredPlayer,
    Match,
    Report,
    ReportReason,
    Seat,
    Table,
)
from tables.refusals import (
    ChatIsOff,
    NoSuchPlayer,
    NothingSaid,
    NotSeated,
    PhrasesOnly,
    SaidTooMuch,
)

PHRASES: Final = frozenset(
    {"hello", "good_luck", "well_played", "thanks", "sorry", "hurry", "moment", "bye"}
)
EMOTES: Final = frozenset({"smile", "clap", "think", "wow", "sad", "party"})

# So many lines in so much time, and no more.
LINES_AT_ONCE = 5
AT_ONCE = timedelta(seconds=10)
LINES_IN_A_REPORT = 50

_LINK = re.compile(r"(?i)https?:|www\.|\b[a-z0-9-]{2,}\.(?:com|net|org|in|io|me|ru|xyz|app|link)\b")
# Control characters and what turns the direction of a text.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody says: a phrase by its code, or his own words."""

    phrase: str = ""
    text: str = ""


@transaction.atomic
def say(*, table_id: int, user_id: int, line: Line) -> ChatLine:
    """Say something to everybody who sits at the table. Raises a Refusal; then nothing is said."""
    if settings.TABLE_CHAT == "off":
        raise ChatIsOff
    # Two sockets, be it at two tables, cannot both say the last line that is allowed.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    sitting = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at__isnull=True)
    if not sitting.exists():
        raise NotSeated
    said = _checked(line)
    lately = ChatLine.objects.filter(user_id=user_id, said_at__gt=Now() - AT_ONCE)
    if lately.count() >= LINES_AT_ONCE:
        raise SaidTooMuch
    return ChatLine.objects.create(
        table_id=table_id, user_id=user_id, phrase=said.phrase, text=said.text
    )


def _checked(line: Line) -> Line:
    if line.phrase:
        known = PHRASES | EMOTES if settings.TABLE_EMOTES else PHRASES
        if line.phrase not in known:
            raise NothingSaid
        return Line(phrase=line.phrase)
    if settings.TABLE_CHAT == "phrases":
        raise PhrasesOnly
    text = " ".join(_UNPRINTABLE.sub(" ", line.text).split())
    if not text or len(text) > LONGEST_LINE or _LINK.search(text):
        raise NothingSaid
    return Line(text=text)


def ignore(*, user_id: int, ignored_id: int, table_id: int) -> None:
    """From now on this player reads nothing of the other. Raises NoSuchPlayer."""
    _refuse_strangers(user_id, ignored_id, table_id)
    IgnoredPlayer.objects.get_or_create(user_id=user_id, ignored_id=ignored_id)


def listen_again(*, user_id: int, ignored_id: int) -> None:
    IgnoredPlayer.objects.filter(user_id=user_id, ignored_id=ignored_id).delete()


@transaction.atomic
def report(
    *, reporter_id: int, reported_id: int, table_id: int, reason: ReportReason, words: str
) -> Report:
    """Tell the staff about a player of one's table, with the chat of now. Raises NoSuchPlayer."""
    _refuse_strangers(reporter_id, reported_id, table_id)
    table = Table.objects.get(pk=table_id)
    return Report.objects.create(
        reporter_id=reporter_id,
        reported_id=reported_id,
        table=table,
        match=Match.objects.filter(table=table).order_by("-pk").first(),
        reason=reason,
        words=words,
        chat=_excerpt(chat_of(table_id=table_id, length=LINES_IN_A_REPORT)),
    )


def _excerpt(lines: Sequence[ChatLine]) -> list[Mapping[str, str]]:
    return [
        {
            "at": line.said_at.isoformat(timespec="seconds"),
            "player": line.user.player_name,
            "line": line.phrase or line.text,
        }
        for line in lines
    ]


def _refuse_strangers(user_id: int, other_id: int, table_id: int) -> None:
    both = Q(user_id=user_id) | Q(user_id=other_id)
    people = Seat.objects.filter(both, table_id=table_id, user__is_bot=False)
    if user_id == other_id or people.values("user_id").distinct().count() != 2:  # noqa: PLR2004
        raise NoSuchPlayer
