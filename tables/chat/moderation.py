"""The rules of the chat: allowed phrases and words, and rate limits.

`check_line` applies all of them to a line of a table's chat. `clean_line` applies those that hold in the chat of
clubs, too. To add a rule, see docs/adding.md.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from django.conf import settings
from django.db.models.functions import Now
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.refusals import Refusal
from core.site.features import CHAT, is_on
from core.values.joiners import JOINERS, strip_stray_joiners
from tables.chat.selectors import find_silence, format_end
from tables.models import LONGEST_LINE, ChatLine, Seat, Table
from tables.play.reading import read_standing
from tables.refusals import (
    CHAT_IS_OFF,
    NOTHING_SAID,
    PHRASES_ONLY,
    SAID_TOO_MUCH,
    NotSeated,
    Silenced,
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A ready-made phrase. Its code is sent and stored, and never changes."""

    code: str
    words: str | Promise
    is_emote: bool = False


PHRASES: Final = (
    Phrase("hello", _("Hello!")),
    Phrase("good_luck", _("Good luck!")),
    Phrase("well_played", _("Well played!")),
    Phrase("thanks", _("Thank you")),
    Phrase("sorry", _("Sorry")),
    Phrase("hurry", _("Please play on")),
    Phrase("moment", _("One moment, please")),
    Phrase("bye", _("Goodbye")),
    Phrase("smile", "🙂", is_emote=True),
    Phrase("clap", "👏", is_emote=True),
    Phrase("think", "🤔", is_emote=True),
    Phrase("wow", "😮", is_emote=True),
    Phrase("sad", "😢", is_emote=True),
    Phrase("party", "🎉", is_emote=True),
)


def list_phrases() -> Sequence[Phrase]:
    """Return the phrases that this site offers."""
    return [phrase for phrase in PHRASES if settings.TABLE_EMOTES or not phrase.is_emote]


# Letters and signs that show nothing although their category says otherwise (Default_Ignorable, blank).
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u180b\u180c\u180d\u180f"
)
_NOT_SHOWN: Final = frozenset({"Cf", "Co", "Cs"})
# Marks on one letter. Hindi puts a nukta, a vowel sign, an anusvara and a selector on one.
MOST_MARKS: Final = 4
# Tags and variation selectors, assigned or not.
_IGNORED: Final = range(0xE0000, 0xE1000)
# Full stops that browsers read as dots of an address.
_DOTS: Final = str.maketrans({"\u3002": ".", "\uff61": ".", "\u2024": "."})

_LETTERS: Final = r"a-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"
_LINK: Final = re.compile(
    rf"""(?x)
    [a-z]{{2,}}://  |  \bwww\.
    | [{_LETTERS}0-9]\.(?:[{_LETTERS}]{{2,}}|भारत)  # a dot between letters, without a space
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b
    | \s\.\s*(?:com|net|org|xyz|ru|io|tk)\b
    | \w\s*(?:\[\.\]|\(\.\)|\[dot\]|\(dot\))\s*\w
    """
)


def strip_invisible(text: str) -> str:
    """Remove invisible characters and repeated spaces. Return an empty string if nothing visible is left."""
    shown: list[str] = []
    marks = 0
    for letter in text:
        category = unicodedata.category(letter)
        if category in {"Cc", "Zl", "Zp"}:
            letter = " "  # noqa: PLW2901 - a line's end is a space
        elif letter in JOINERS:
            shown.append(letter)
            continue
        elif category in _NOT_SHOWN or letter in _BLANK or ord(letter) in _IGNORED:
            continue
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= MOST_MARKS:
            shown.append(letter)
    line = strip_stray_joiners(" ".join("".join(shown).split()))
    # Characters newer than this Python's Unicode, such as new emoji, count as visible.
    has_shape = any(unicodedata.category(one)[0] in "LNPS" or one > "\uffff" for one in line)
    return line if has_shape else ""


def has_link(line: str) -> bool:
    """Return whether a line contains a web address, even one in full-width or styled letters."""
    plain = unicodedata.normalize("NFKC", line.translate(_DOTS)).translate(_DOTS)
    return _LINK.search(plain.lower()) is not None


# Rate limit for a player's lines.
LINES_AT_ONCE: Final = 5
AT_ONCE: Final = timedelta(seconds=10)


# Rate limit for all spectators of a table together, each of whom sees every line.
WATCHERS_LINES_AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class ModeratedLine:
    """A line of chat: a phrase by its code, or the player's own words."""

    phrase: str = ""
    text: str = ""
    from_watcher: bool = False


def check_line(line: ModeratedLine, *, table_id: int, user_id: int) -> ModeratedLine:
    """Return the line in the form in which it may be posted at this table. Raises a Refusal if it may not.

    Spectators may only use phrases, and only other spectators see them: free text could help a player. The caller holds
    a lock on the user, so that two sockets cannot both post the last line that the rate limit allows.
    """
    if not has_chat(table_id):
        raise Refusal(CHAT_IS_OFF)
    sitting = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at__isnull=True)
    if sitting.exists():
        return clean_line(line, user_id=user_id)
    _refuse_strangers(table_id, user_id)
    if not line.phrase:
        raise Refusal(PHRASES_ONLY)
    said = clean_line(line, user_id=user_id)
    _refuse_a_crowd(table_id)
    return replace(said, from_watcher=True)


def clean_line(line: ModeratedLine, *, user_id: int) -> ModeratedLine:
    """Return the line in the form in which this person may post it in any chat. Raises a Refusal if they may not.

    The caller has locked the user.
    """
    said = _clean_phrase(line) if line.phrase else _clean_words(line, user_id)
    _refuse_the_hasty(user_id)
    return said


def chat_is_on() -> bool:
    """Return whether chat is on, both in the settings and by the switch in the administration."""
    return settings.TABLE_CHAT != "off" and is_on(CHAT)


def allows_words() -> bool:
    """Return whether people may write free text, rather than only choose phrases."""
    return settings.TABLE_CHAT == "all"


def has_chat(table_id: int) -> bool:
    """Return whether people may chat at this table: chat is on at this site, and the table allows it."""
    return chat_is_on() and Table.objects.filter(pk=table_id, allows_chat=True).exists()


def _refuse_strangers(table_id: int, user_id: int) -> None:
    """Raise NotSeated for spectators who may not see the game, and for guests, who have not registered."""
    place = read_standing(table_id=table_id, user_id=user_id)
    if place is None or not place.may_watch or _is_guest(user_id):
        raise NotSeated


def _clean_phrase(line: ModeratedLine) -> ModeratedLine:
    if all(line.phrase != phrase.code for phrase in list_phrases()):
        raise Refusal(NOTHING_SAID)
    return ModeratedLine(phrase=line.phrase)


def _clean_words(line: ModeratedLine, user_id: int) -> ModeratedLine:
    # A guest has no account to hold responsible for free text.
    if settings.TABLE_CHAT == "phrases" or _is_guest(user_id):
        raise Refusal(PHRASES_ONLY)
    _refuse_the_silenced(user_id)
    text = strip_invisible(line.text)
    if not text or len(text) > LONGEST_LINE or has_link(text):
        raise Refusal(NOTHING_SAID)
    return ModeratedLine(text=text)


def _is_guest(user_id: int) -> bool:
    return User.objects.filter(pk=user_id, is_guest=True).exists()


def _refuse_the_silenced(user_id: int) -> None:
    silence = find_silence(user_id)
    if silence is not None:
        raise Silenced(format_end(silence))


@dataclass(frozen=True, slots=True)
class SilenceNotice:
    """The notice that replaces a silenced player's text field.

    `seconds` is the time left, or 0 for a permanent silence.
    """

    sentence: str
    seconds: int


def describe_silence(user_id: int, *, now: datetime) -> SilenceNotice | None:
    """Return the notice for a player who is silenced now, or None."""
    silence = find_silence(user_id)
    if silence is None:
        return None
    left = 0
    if silence.ends_at is not None:
        left = max(1, ceil((silence.ends_at - now).total_seconds()))
    return SilenceNotice(str(Silenced(format_end(silence))), left)


def _refuse_a_crowd(table_id: int) -> None:
    lately = ChatLine.objects.filter(
        table_id=table_id, from_watcher=True, said_at__gt=Now() - AT_ONCE
    )
    if lately.count() >= WATCHERS_LINES_AT_ONCE:
        raise Refusal(SAID_TOO_MUCH)


def _refuse_the_hasty(user_id: int) -> None:
    lately = ChatLine.objects.filter(user_id=user_id, said_at__gt=Now() - AT_ONCE)
    if lately.count() >= LINES_AT_ONCE:
        raise Refusal(SAID_TOO_MUCH)
