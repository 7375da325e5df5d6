"""Codes as players write them. A code for friends ends in a part that names who invites."""

import string
from typing import Final

from django.utils.crypto import constant_time_compare, salted_hmac

_DIGITS: Final = string.digits + string.ascii_uppercase
_SALT: Final = "wallet.campaigns"
_MARK_LENGTH: Final = 4
_LONGEST_NUMBER: Final = 12  # of 63 bits


def code_for_friends(code: str, user_id: int) -> str:
    """ "FRIENDS" of player 4711 is FRIENDS-3MV with a mark that nobody can make up."""
    return f"{code}-{_written(user_id)}{_mark(code, user_id)}"


def read_code(text: str) -> tuple[str, int | None]:
    """The code and who invites; None for a code without a mark, or with a wrong one."""
    kept = "".join(one for one in text.upper() if one in _DIGITS or one == "-")
    code, _dash, rest = kept.partition("-")
    number, mark = rest[:-_MARK_LENGTH], rest[-_MARK_LENGTH:]
    if not number or len(number) > _LONGEST_NUMBER or "-" in rest:
        return code, None
    user_id = int(number, len(_DIGITS))
    return code, user_id if constant_time_compare(mark, _mark(code, user_id)) else None


def _mark(code: str, user_id: int) -> str:
    digest = salted_hmac(_SALT, f"{code}:{user_id}", algorithm="sha256").digest()
    return "".join(_DIGITS[byte % len(_DIGITS)] for byte in digest[:_MARK_LENGTH])


def _written(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
        if not number:
            return digits
