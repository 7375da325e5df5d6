"""What a player may be called at a table."""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

NAME_LENGTHS = range(3, 21)
_JOINTS = frozenset(" ._-'")
_NOT_LAST = frozenset("_-'")
# Letters, marks (Indian scripts write vowels as marks) and digits of any script.
_CATEGORIES = frozenset("LMN")


def tidy_player_name(value: str) -> str:
    """One spelling for what looks the same: composed characters, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", value).split())


@deconstructible
class PlayerNameValidator:
    """No control, direction or invisible characters: two names that look alike must not differ."""

    def __call__(self, value: str) -> None:
        if len(value) not in NAME_LENGTHS:
            raise ValidationError(
                _("A player name has 3 to 20 characters."), code="player_name_length"
            )
        if not all(unicodedata.category(c)[0] in _CATEGORIES or c in _JOINTS for c in value):
            raise ValidationError(
                _("A player name has letters, digits, spaces and . _ - ' only."),
                code="player_name_characters",
            )
        if unicodedata.category(value[0])[0] not in {"L", "N"} or value[-1] in _NOT_LAST:
            raise ValidationError(
                _("A player name begins with a letter or digit and does not end in _ - or '."),
                code="player_name_ends",
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlayerNameValidator)

    def __hash__(self) -> int:
        return hash(PlayerNameValidator)
