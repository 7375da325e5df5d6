"""The texts of games (`tables/games/wording.py`) in the language of the reader."""

from django.utils.translation import gettext, pgettext

from tables.games.base import Text


def translated(text: Text) -> str:
    """The text in the active language, with its values filled in."""
    words = pgettext(text.context, text.message) if text.context else gettext(text.message)
    return words % text.values if text.values else words
