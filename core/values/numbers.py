"""Whole numbers that people and programs write in addresses and searches."""

import re
from typing import Final

# The digits that int() and PostgreSQL read alike; "²".isdigit() holds, and int("²") is an error.
_DIGITS: Final = re.compile(r"[0-9]{1,19}", re.ASCII)
LARGEST_ID: Final = 2**63 - 1


def parse_number(text: str, *, most: int = LARGEST_ID) -> int | None:
    """Return the number in a text of digits, or None for any other text and for a number above `most`."""
    number = int(text) if _DIGITS.fullmatch(text) else None
    return number if number is not None and number <= most else None
