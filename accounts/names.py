"""What a player may be called at a table."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

NAME_LENGTHS = range(3, 21)
# Letters and marks that show nothing: with one of them a name looks like another.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | frozenset(
    map(chr, [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
)
_MARKS_IN_A_ROW = 3
# Alphabets whose letters look like those of another: of these a name has one.
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
# Written together in one word.
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})
_LIKE_LATIN = str.maketrans(
    "авекмнорстухѕіјһԁԛԝӏґ" + "αβικνορτυχ",
    "abekmhopctyxsijhdqwlr" + "abiknoptux",
)
# A digit 1 is read as i and as l.
_LIKE_LETTERS = (str.maketrans("013457", "oieast"), str.maketrans("013457", "oleast"))
_BETWEEN_WORDS = re.compile(r"[ ._'\d-]+")
# What speaks for the site, or for what is no person; as whole words, in any case and spelling.
RESERVED = frozenset(
    {
        *("admin", "admins", "administrator", "administration", "sysadmin", "webmaster"),
        *("root", "system", "security", "official", "cashier", "helpdesk", "support", "staff"),
        *("moderator", "mod", "mods", "bot", "bots", "robot", "openrummy", "guest", "guests"),
        *("एडमिन", "प्रशासक", "प्रबंधक", "सपोर्ट", "स्टाफ", "बॉट", "अतिथि", "मेहमान"),
    }
)
# Nobody has these in a name of their own, so they count inside of words too.
_RESERVED_ANYWHERE = ("openrummy",)
# A site's name of so many letters is no part of another word.
_TELLS_THE_SITE = 6
_CLOSED = re.compile(r"(?i)closed\W*\d+")
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
        if not all(_may_stand_in_a_name(c) for c in value) or _has_towers(value):
            raise ValidationError(
                _("A player name has letters, digits, spaces and . _ - ' only."),
                code="player_name_characters",
            )
        if not _is_of_one_kind(value):
            raise ValidationError(
                _("A player name is written in one alphabet."), code="player_name_alphabets"
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


def refuse_reserved_name(value: str, *, site_name: str = "") -> None:
    """Raises ValidationError for what sounds like the site itself, its staff or its bots."""
    spelt = _spelt_alike(value)
    # "Ad min" and "a.d.m.i.n" too, and "Adm1n"; but not "Badminton".
    joined = re.sub(r"[ ._'-]+", "", spelt)
    read = {joined.translate(digits) for digits in _LIKE_LETTERS}
    words = {*_BETWEEN_WORDS.split(spelt), _BETWEEN_WORDS.sub("", spelt), *read}
    own = re.sub(r"[^a-z]", "", _spelt_alike(site_name))
    # A short one, "Play", is a part of many names; alone it is the site's all the same.
    anywhere = (*_RESERVED_ANYWHERE, *([own] if len(own) >= _TELLS_THE_SITE else []))
    has_ours = any(name in text for name in anywhere for text in read) or own in {*read} - {""}
    if words & RESERVED or has_ours or _CLOSED.fullmatch(value):
        raise ValidationError(
            _("This name could be taken for the site's staff or its bots; choose another one."),
            code="player_name_reserved",
        )


def latin_twin(value: str) -> str:
    """How a name of another alphabet looks in Latin, if all its letters do; otherwise as it is."""
    twin = value.lower().translate(_LIKE_LATIN)
    return twin if twin.isascii() else value


def _spelt_alike(value: str) -> str:
    """In small letters, without accents, of Latin where it looks like Latin."""
    parts = unicodedata.normalize("NFKD", value.casefold())
    # Accents of Latin alone: vowels of Indian scripts are marks.
    return latin_twin(re.sub("[\u0300-\u036f]", "", parts))


def _may_stand_in_a_name(character: str) -> bool:
    is_fit = unicodedata.category(character)[0] in _CATEGORIES or character in _JOINTS
    return is_fit and character not in _INVISIBLE


def _has_towers(value: str) -> bool:
    """More marks on one letter than any script needs, which cover the lines around it."""
    in_a_row = 0
    for character in value:
        in_a_row = in_a_row + 1 if unicodedata.category(character) == "Mn" else 0
        if in_a_row > _MARKS_IN_A_ROW:
            return True
    return False


def _is_of_one_kind(value: str) -> bool:
    """Each word is of one alphabet, and the name mixes none that look alike."""
    words = [_alphabets(word) for word in re.split("[ ._'-]+", value)]
    everywhere = frozenset().union(*words)
    return all(len(word) <= 1 for word in words) and len(everywhere & _ALIKE) <= 1


def _alphabets(word: str) -> frozenset[str]:
    names = (unicodedata.name(c, "").split(" ")[0] for c in word if c.isalpha())
    return frozenset("EAST ASIAN" if name in _EAST_ASIAN else name for name in names)
