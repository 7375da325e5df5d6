"""The rules of the chat: what may be said at a table, and how often. `checked` asks all of them.

To add one, see docs/adding.md.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db.models.functions import Now

from core.site.features import CHAT, is_on
from tables.chat.phrases import phrases_offered
from tables.chat.spelling import has_link, readable
from tables.models import LONGEST_LINE, ChatLine, Seat
from tables.refusals import ChatIsOff, NothingSaid, NotSeated, PhrasesOnly, SaidTooMuch

# So many lines in so much time, and no more.
LINES_AT_ONCE: Final = 5
AT_ONCE: Final = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of chat: a phrase by its code, or the player's own words."""

    phrase: str = ""
    text: str = ""


def checked(line: Line, *, table_id: int, user_id: int) -> Line:
    """The line as it may be said. Raises a Refusal.

    The caller holds a lock on the user: two sockets cannot both say the last line that is allowed.
    """
    if not chat_is_on():
        raise ChatIsOff
    _refuse_strangers(table_id, user_id)
    said = _phrase(line) if line.phrase else _words(line)
    _refuse_the_hasty(user_id)
    return said


def chat_is_on() -> bool:
    """Return whether the settings and the administration's switch allow chat."""
    return settings.TABLE_CHAT != "off" and is_on(CHAT)


def _refuse_strangers(table_id: int, user_id: int) -> None:
    sitting = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at__isnull=True)
    if not sitting.exists():
        raise NotSeated


def _phrase(line: Line) -> Line:
    if all(line.phrase != phrase.code for phrase in phrases_offered()):
        raise NothingSaid
    return Line(phrase=line.phrase)


def _words(line: Line) -> Line:
    if settings.TABLE_CHAT == "phrases":
        raise PhrasesOnly
    text = readable(line.text)
    if not text or len(text) > LONGEST_LINE or has_link(text):
        raise NothingSaid
    return Line(text=text)


def _refuse_the_hasty(user_id: int) -> None:
    lately = ChatLine.objects.filter(user_id=user_id, said_at__gt=Now() - AT_ONCE)
    if lately.count() >= LINES_AT_ONCE:
        raise SaidTooMuch
