"""The two invisible joiners, U+200C and U+200D, which some words and emoji need.

They may stand after a virama and between joining letters of Arabic, as in RFC 5892 (A.1, A.2), between a ra and a
virama ("র‍্যাক"), and between the parts of an emoji. Elsewhere they change nothing that is shown.
"""

import re
import unicodedata
from functools import cache
from typing import Final

NON_JOINER: Final = "\u200c"
JOINER: Final = "\u200d"
JOINERS: Final = frozenset({NON_JOINER, JOINER})
# Ra of Bengali, of Assamese and of Kannada: with a joiner before the virama it keeps its shape.
_RAS: Final = frozenset("\u09b0\u09f0\u0cb0")
_VIRAMA: Final = 9
# An arrow used in emoji, which Unicode classes as a mathematical sign.
_ARROW: Final = "\u2194"
# The variation selector and the skin colours, which follow an emoji.
_VARIANTS: Final = "".join(map(chr, [0xFE0F, *range(0x1F3FB, 0x1F400)]))
_SHAPES: Final = range(0xFB50, 0xFF00)


def is_joiner_in_place(text: str, index: int) -> bool:
    """Return whether the joiner at this index is one that can change how the text is shown."""
    before, after = text[:index], text[index + 1 :]
    if not before:
        return False
    if _is_virama(before[-1]):
        return True
    if text[index] == NON_JOINER:
        return _joins_left(before) and _joins_right(after)
    is_beside_ra = before[-1] in _RAS and _is_virama(after[:1])
    return is_beside_ra or (_is_emoji(before.rstrip(_VARIANTS)[-1:]) and _is_emoji(after[:1]))


def has_stray_joiner(text: str) -> bool:
    return any(
        letter in JOINERS and not is_joiner_in_place(text, index)
        for index, letter in enumerate(text)
    )


def strip_stray_joiners(text: str) -> str:
    """Return the text without the joiners that change nothing."""
    kept = ""
    for index, letter in enumerate(text):
        # Judge by the letters that are kept, because a joiner that was dropped before must not justify this one.
        if letter not in JOINERS or is_joiner_in_place(kept + text[index:], len(kept)):
            kept += letter
    return kept


def _is_virama(letter: str) -> bool:
    return bool(letter) and unicodedata.combining(letter) == _VIRAMA


def _is_emoji(letter: str) -> bool:
    """Return whether this is an emoji, perhaps one that is newer than this Python's Unicode data."""
    is_new = letter > "\uffff" and unicodedata.category(letter) == "Cn"
    return bool(letter) and (unicodedata.category(letter) == "So" or letter == _ARROW or is_new)


def _joins_left(text: str) -> bool:
    letter = next((one for one in reversed(text) if not unicodedata.combining(one)), "")
    return letter in _letters_with("<initial>")


def _joins_right(text: str) -> bool:
    letter = next((one for one in text if not unicodedata.combining(one)), "")
    return letter in _letters_with("<final>")


@cache
def _letters_with(shape: str) -> frozenset[str]:
    """Return the Arabic letters that have this shape ("<initial>": they join to the left).

    Python's Unicode data lacks the joining types, but it has the old code points of each letter's shapes.
    """
    shapes = (unicodedata.decomposition(chr(code)).partition(" ") for code in _SHAPES)
    one = re.compile("[0-9A-F]{4}")
    return frozenset(
        chr(int(of, 16)) for kind, _, of in shapes if kind == shape and one.fullmatch(of)
    )
