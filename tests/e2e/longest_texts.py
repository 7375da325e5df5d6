"""The longest translation of every text, for tests that check the room for texts."""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.utils.translation import trans_real

# Most often, Telugu has the longest translation.
LONGEST_LANGUAGE = "te"


@contextmanager
def longest_texts_given() -> Iterator[None]:
    """Give `LONGEST_LANGUAGE` the longest translation of each text. Texts that lack one stay English."""
    catalogues = [dict(_catalogue_of(code).items()) for code, _name in settings.LANGUAGES[1:]]
    longest: dict[object, str] = {}
    for text in {text for catalogue in catalogues for text in catalogue}:
        if all(text in catalogue for catalogue in catalogues):
            longest[text] = max((catalogue[text] for catalogue in catalogues), key=_length)
        else:
            singular = text[0] if isinstance(text, tuple) else text
            longest[text] = singular.rpartition("\x04")[2]
    own = _catalogue_of(LONGEST_LANGUAGE)
    own._catalogs.insert(0, longest)
    own._plurals.insert(0, own._plurals[0])
    try:
        yield
    finally:
        del own._catalogs[0], own._plurals[0]


def _catalogue_of(language: str) -> Any:
    """Return Django's compiled catalogue of a language. It has no public type."""
    translation_of_language: Any = trans_real.translation(language)
    return translation_of_language._catalog


def _length(text: str) -> int:
    """Return the number of characters, leaving out combining marks, which add little to a line's width."""
    return sum(not unicodedata.category(character).startswith("M") for character in text)
