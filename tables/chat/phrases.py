"""The phrases and emotes that players can send with one press. This is their only list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Phrase:
    """Its code is what is sent and kept; it never changes."""

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


def phrases_offered() -> Sequence[Phrase]:
    """Return the phrases that this site offers."""
    return [phrase for phrase in PHRASES if settings.TABLE_EMOTES or not phrase.is_emote]
