"""The meaning of a line with its letters read as people see them (Unicode)."""

import re
import unicodedata
from typing import Final

# Letters and signs without a shape of their own that no category tells (Default_Ignorable, blank).
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u180b\u180c\u180d\u180f"
)
_NOT_SHOWN: Final = frozenset({"Cf", "Co", "Cs"})
# Of one letter: Hindi has a nukta, a vowel sign and an anusvara on one, and a selector.
MOST_MARKS: Final = 4
# Tags and variations, assigned or not.
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


def readable(text: str) -> str:
    """Return the line without what is not shown, with single spaces; empty if nothing is left to see."""
    shown: list[str] = []
    marks = 0
    for letter in text:
        category = unicodedata.category(letter)
        if category in {"Cc", "Zl", "Zp"}:
            letter = " "  # noqa: PLW2901 - a line's end is a space
        elif category in _NOT_SHOWN or letter in _BLANK or ord(letter) in _IGNORED:
            continue
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= MOST_MARKS:
            shown.append(letter)
    line = " ".join("".join(shown).split())
    # What this Python's Unicode does not know yet, such as a new emoji, has a shape all the same.
    has_shape = any(unicodedata.category(one)[0] in "LNPS" or one > "\uffff" for one in line)
    return line if has_shape else ""


def has_link(line: str) -> bool:
    """Tell whether a line holds an address, in whatever letters."""
    plain = unicodedata.normalize("NFKC", line.translate(_DOTS)).translate(_DOTS)
    return _LINK.search(plain.lower()) is not None
