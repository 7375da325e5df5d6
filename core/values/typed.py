"""Texts as people type them: digits of their own script, and codes with the spaces and dashes they were shown with."""

import unicodedata
from typing import Final

_PASSED_OVER: Final = frozenset({"P", "Z", "C"})


def spell_digits(text: str) -> str:
    """Return the text with the digits of any script and width as ASCII, and without spaces around it.

    Keyboards for Indian languages write "५००", and input methods write wide digits. A text with digits of several
    scripts stays as it is, because it could be a mistake. A superscript digit, as in "5²", is left as it is.
    """
    zeros = {ord(one) - unicodedata.decimal(one) for one in text if one.isdecimal()}
    if len(zeros) == 1:
        text = "".join(str(unicodedata.decimal(one)) if one.isdecimal() else one for one in text)
    return text.strip()


def spell_code(text: str) -> str:
    """Return a code without spaces, dashes and any other punctuation, which only helps people to read it."""
    kept = (one for one in spell_digits(text) if unicodedata.category(one)[0] not in _PASSED_OVER)
    return "".join(kept)
