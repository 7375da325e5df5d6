"""The rules for player names."""

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources

from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

NAME_LENGTHS = range(3, 21)
# Suffix of every BOT account's name. Players cannot choose it: their names have no brackets.
BOT_MARK = " [BOT]"
# Invisible letters and marks: a name that contains one looks like another name.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | frozenset(
    map(chr, [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
)
_MARKS_IN_A_ROW = 3
# Scripts with letters that look like those of another script: a name may use one of them only.
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
# Scripts that are written together in one word.
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})
_ACCENTS = re.compile("[\u0300-\u036f]")
_BIDI_MARKS = re.compile("[\u200e\u200f]")
# The digit 1 reads as i or as l.
_LIKE_LETTERS = (str.maketrans("013457", "oieast"), str.maketrans("013457", "oleast"))
_BEFORE_A_CAPITAL = re.compile("(?<=[a-z])(?=[A-Z])")
_BETWEEN_WORDS = re.compile(r"[ ._'\d-]+")
# Words that claim to speak for the site or not to be a person; checked as whole words, in any case and
# spelling.
RESERVED = frozenset(
    {
        *("admin", "admins", "administrator", "administration", "sysadmin", "webmaster"),
        *("root", "system", "security", "official", "cashier", "helpdesk", "support", "staff"),
        *("moderator", "mod", "mods", "bot", "bots", "robot", "openrummy", "guest", "guests"),
        *("एडमिन", "प्रशासक", "प्रबंधक", "सपोर्ट", "स्टाफ", "बॉट", "अतिथि", "मेहमान"),
    }
)
# Reserved inside of words, too.
_RESERVED_ANYWHERE = ("openrummy",)
# A site's name of at least this many letters is reserved inside of words, too: it is no part of another
# word.
_LEAST_DISTINCTIVE = 6
_CLOSED = re.compile(r"(?i)closed\W*\d+")
_JOINTS = frozenset(" ._-'")
_NOT_LAST = frozenset("_-'")
# Letters, marks (Indian scripts write vowels as marks) and digits of any script.
_CATEGORIES = frozenset("LMN")


def tidy_player_name(value: str) -> str:
    """Return the canonical spelling of a name: composed characters, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", value).split())


@deconstructible
class PlayerNameValidator:
    """Refuses control, direction and invisible characters: names that look alike must be equal."""

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
    """Refuse a name that sounds or looks like the site itself, its staff or its bots. Raises ValidationError."""
    spelt = _strip_accents(value)
    # Catch "TheAdmin", "Ad min", "a.d.m.i.n" and "Adm1n", but not "Badminton".
    joined = re.sub(r"[ ._'-]+", "", spelt)
    read = {joined.translate(digits) for digits in _LIKE_LETTERS}
    words = {*_words_of(value), *_BETWEEN_WORDS.split(spelt), _BETWEEN_WORDS.sub("", spelt), *read}
    own = re.sub(r"[^a-z]", "", _strip_accents(site_name))
    # A short site name such as "Play" is part of many names, so it is reserved as a whole word only.
    anywhere = (*_RESERVED_ANYWHERE, *([own] if len(own) >= _LEAST_DISTINCTIVE else []))
    has_ours = any(name in text for name in anywhere for text in read) or own in {*read} - {""}
    looks = {compute_skeleton(word) for word in (*_words_of(value), joined, value)}
    ours = {compute_skeleton(name) for name in anywhere}
    looks_like_ours = any(name in look for name in ours for look in looks)
    is_reserved = bool(words & RESERVED or looks & _looks_reserved())
    if is_reserved or has_ours or looks_like_ours or _CLOSED.fullmatch(value):
        raise ValidationError(
            _("This name could be taken for the site's staff or its bots; choose another one."),
            code="player_name_reserved",
        )


def _words_of(value: str) -> list[str]:
    """Return the words of a name in lower case; a capital after a small letter begins a new word."""
    return _BETWEEN_WORDS.split(_BEFORE_A_CAPITAL.sub(" ", value).casefold())


@lru_cache(maxsize=10_000)
def compute_skeleton(value: str) -> str:
    """Return the skeleton of a name: names that look alike have the same one.

    The skeleton of UTS 39, without accents and in lower case; "vv" counts as w.
    """
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", value))
    # A capital may look like a small letter of another kind: I like l.
    small = bare.translate(_load_prototypes()).casefold()
    return unicodedata.normalize("NFD", small.translate(_load_prototypes())).replace("vv", "w")


@cache
def _load_prototypes() -> Mapping[int, str]:
    """Return the prototype of each character that has look-alikes (UTS 39).

    The library has the pairs of confusables.txt in both directions. A character with one partner is a source,
    and the partner its prototype; one with several is the prototype of all of them. The library's module
    would keep the whole file in memory, 8 MB in each process, so only the file is read.
    """
    pairs_of = json.loads(
        resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text()
    )
    alike = {
        character: {_BIDI_MARKS.sub("", pair["c"]) for pair in pairs}
        for character, pairs in pairs_of.items()
    }
    found = {}
    for character, partners in alike.items():
        if len(character) != 1:
            continue
        several = [partner for partner in partners if len(partner) > 1]  # m looks like rn
        if several:
            found[ord(character)] = several[0]
        elif len(partners) == 1:
            [partner] = partners
            is_pair = len(alike.get(partner, partners)) == 1
            found[ord(character)] = min(character, partner) if is_pair else partner
    return found


def _strip_accents(value: str) -> str:
    """Return the text in small letters, without accents."""
    # Strip Latin accents only: vowels of Indian scripts are marks.
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", value.casefold()))


def _may_stand_in_a_name(character: str) -> bool:
    is_fit = unicodedata.category(character)[0] in _CATEGORIES or character in _JOINTS
    return is_fit and character not in _INVISIBLE


def _has_towers(value: str) -> bool:
    """Return whether a letter has more marks than any script needs: they would cover the lines around it."""
    in_a_row = 0
    for character in value:
        in_a_row = in_a_row + 1 if unicodedata.category(character) == "Mn" else 0
        if in_a_row > _MARKS_IN_A_ROW:
            return True
    return False


def _is_of_one_kind(value: str) -> bool:
    """Return whether each word uses one script, and the name mixes none that look alike."""
    words = [_list_alphabets(word) for word in re.split("[ ._'-]+", value)]
    everywhere = frozenset().union(*words)
    return all(len(word) <= 1 for word in words) and len(everywhere & _ALIKE) <= 1


def _list_alphabets(word: str) -> frozenset[str]:
    names = (unicodedata.name(c, "").split(" ")[0] for c in word if c.isalpha())
    return frozenset("EAST ASIAN" if name in _EAST_ASIAN else name for name in names)


@cache
def _looks_reserved() -> frozenset[str]:
    return frozenset(map(compute_skeleton, RESERVED))
