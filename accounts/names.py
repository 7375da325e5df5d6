"""The rules for player names."""

import json
import re
import unicodedata
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from importlib import resources

from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.values.isolation import NameField, ShownText, isolate, take_marks_off, unwrap
from core.values.joiners import JOINERS, has_stray_joiner

NAME_LENGTHS = range(3, 21)
# The names that the site itself gives are stored in English, and shown in the reader's language.
_PRACTICE_BOT = re.compile(r"(?P<name>.+) \(bot\)")
_GUEST = re.compile(r"Guest (?P<number>\d+)")
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
# First words of Unicode names that are not scripts: those of digits of any script, and of shared marks.
_OF_ANY_SCRIPT = frozenset({"DIGIT", "COMBINING", "VEDIC"})
_OF_ARABIC = frozenset({"ARABIC-INDIC", "EXTENDED"})  # their digits
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
# Other characters that a right-to-left name may contain (RFC 5893). With any others, its letters could be
# displayed in the same order as another name's.
_AMONG_RIGHT_TO_LEFT = _RIGHT_TO_LEFT | frozenset(
    {"AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM", "WS"}
)
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
_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl"})


class GivenName(ShownText):
    """A name given by the site: that of a practice bot, or of a guest who has not chosen a name."""

    __slots__ = ()

    def show(self) -> str:
        if bot := _PRACTICE_BOT.fullmatch(self.plain):
            return gettext("%(name)s (bot)") % bot.groupdict()
        guest = _GUEST.fullmatch(self.plain)
        assert guest is not None  # noqa: S101 - show_name has looked
        return gettext("Guest %(number)s") % guest.groupdict()


def show_name(name: str) -> str:
    """Return a player's name in a form that can be put into a sentence of the reader's language."""
    name = unwrap(name)
    is_given = _PRACTICE_BOT.fullmatch(name) or _GUEST.fullmatch(name)
    return GivenName(name) if is_given else isolate(name)


class PlayerNameField(NameField):
    def show(self, value: str) -> str:
        return show_name(value)


def tidy_player_name(value: str) -> str:
    """Return the canonical spelling of a name: composed characters, and single spaces.

    Removes the isolating marks that a name copied from a page has.
    """
    return " ".join(take_marks_off(unicodedata.normalize("NFKC", value)).split())


@deconstructible
class PlayerNameValidator:
    """Refuses control, direction and invisible characters, so that no two names look alike.

    Forms validate the typed name, so this validator first tidies it as it would be stored.
    """

    def __call__(self, value: str) -> None:
        value = tidy_player_name(value)
        if len(value) not in NAME_LENGTHS:
            raise ValidationError(
                _("A player name has 3 to 20 characters."), code="player_name_length"
            )
        is_fit = all(_may_stand_in_a_name(c) for c in value) and not has_stray_joiner(value)
        if not is_fit or _has_towers(value):
            raise ValidationError(
                _("A player name may contain only letters, digits, spaces and . _ - '."),
                code="player_name_characters",
            )
        if not _is_of_one_kind(value):
            raise ValidationError(
                _("A player name must be written in one alphabet."), code="player_name_alphabets"
            )
        if not _is_of_one_direction(value):
            raise ValidationError(
                _(
                    "A name written from right to left must begin with a letter, and all "
                    "its letters must run in that direction."
                ),
                code="player_name_direction",
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


def clean_program_name(value: str) -> str:
    """Return the name of a program as it is stored. Raises ValidationError.

    Programs may use more kinds of characters than players. Invisible characters and those that reverse the line are
    refused, because players read the name when they decide what the program may do.
    """
    spelt = tidy_player_name(value)
    is_seen = all(_can_be_seen(c) for c in spelt) and any(c.isalnum() for c in spelt)
    if not is_seen or has_stray_joiner(spelt) or _has_towers(spelt):
        raise ValidationError(
            _("Enter a name that contains letters or digits and no invisible characters."),
            code="program_name",
        )
    return spelt


def _can_be_seen(character: str) -> bool:
    is_hidden = unicodedata.category(character)[0] == "C" or character in _INVISIBLE
    return character in JOINERS or not is_hidden


def refuse_reserved_name(
    value: str, *, site_name: str = "", but: AbstractSet[str] = frozenset()
) -> None:
    """Refuse a name that sounds or looks like the site itself, its staff or its bots. Raises ValidationError.

    `but` holds reserved words that are allowed in this name.
    """
    spelt = _strip_accents(value)
    # Catch "TheAdmin", "Ad min", "a.d.m.i.n" and "Adm1n", but not "Badminton".
    joined = re.sub(r"[ ._'-]+", "", spelt)
    read = {joined.translate(digits) for digits in _LIKE_LETTERS}
    words = {
        *_split_words(value),
        *_BETWEEN_WORDS.split(spelt),
        _BETWEEN_WORDS.sub("", spelt),
        *read,
    }
    own = re.sub(r"[^a-z]", "", _strip_accents(site_name))
    # A short site name such as "Play" is part of many names, so it is reserved as a whole word only.
    anywhere = (*_RESERVED_ANYWHERE, *([own] if len(own) >= _LEAST_DISTINCTIVE else []))
    has_ours = any(name in text for name in anywhere for text in read) or own in {*read} - {""}
    looks = {compute_skeleton(word) for word in (*_split_words(value), joined, value)}
    ours = {compute_skeleton(name) for name in anywhere}
    looks_like_ours = any(name in look for name in ours for look in looks)
    is_reserved = bool(words & (RESERVED - but) or looks & _looks_reserved(frozenset(but)))
    if is_reserved or has_ours or looks_like_ours or _CLOSED.fullmatch(value):
        raise ValidationError(
            _(
                "This name could be mistaken for one of the site's staff or bots; choose "
                "another one."
            ),
            code="player_name_reserved",
        )


def _split_words(value: str) -> list[str]:
    """Return the words of a name in lower case; a capital after a small letter begins a new word."""
    return _BETWEEN_WORDS.split(_BEFORE_A_CAPITAL.sub(" ", value).casefold())


@lru_cache(maxsize=10_000)
def compute_skeleton(value: str) -> str:
    """Return the skeleton of a name: names that look alike have the same one.

    It is the skeleton of UTS 39 in lower case, without Latin accents and joiners, and with "vv" replaced by "w".
    """
    shown = "".join(c for c in value if c not in JOINERS)
    bare = _ACCENTS.sub("", _decompose(shown))
    # A capital may look like a small letter of another kind: I like l.
    small = bare.translate(_load_prototypes()).casefold()
    return unicodedata.normalize("NFD", small.translate(_load_prototypes())).replace("vv", "w")


@cache
def _load_prototypes() -> Mapping[int, str]:
    """Return the prototype of each character that has look-alikes (UTS 39).

    The library lists the pairs of confusables.txt in both directions. A character with one partner is a source, and
    that partner is its prototype; a character with several partners is the prototype of all of them. Only the file
    is read, because the library's module would keep all of it in memory, 8 MB in each process.
    """
    pairs_of = json.loads(
        resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text()
    )
    alike: dict[str, set[str]] = {}
    # The file has right-to-left characters between direction marks, in its keys as well.
    for character, pairs in pairs_of.items():
        partners = alike.setdefault(_BIDI_MARKS.sub("", character), set())
        partners.update(_BIDI_MARKS.sub("", pair["c"]) for pair in pairs)
    found = {
        ord(character): _choose_prototype(character, partners, alike)
        for character, partners in alike.items()
        if len(character) == 1 and not _ACCENTS.fullmatch(character)
    }
    # NFKD separates a hamza from its letter. In the file, prototypes of such letters have a high hamza instead.
    found[0x0654] = "\u0674"
    # A prototype may contain accents, and letters that have another prototype themselves.
    bare = {code: _ACCENTS.sub("", _decompose(text)) for code, text in found.items()}
    return {code: text.translate(found) or found[code] for code, text in bare.items()}


def _decompose(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


def _choose_prototype(
    character: str, partners: AbstractSet[str], alike: Mapping[str, AbstractSet[str]]
) -> str:
    several = [partner for partner in partners if len(partner) > 1]  # m looks like rn
    if several:
        return min(several)
    if len(partners) > 1:
        return character
    [partner] = partners
    is_pair = len(alike.get(partner, partners)) == 1
    return min(character, partner) if is_pair else partner


def _strip_accents(value: str) -> str:
    """Return the text in small letters, without Latin accents."""
    # Strip Latin accents only: vowels of Indian scripts are marks.
    return _ACCENTS.sub("", _decompose(value.casefold()))


def _may_stand_in_a_name(character: str) -> bool:
    is_fit = unicodedata.category(character) in _CATEGORIES or character in _JOINTS | JOINERS
    return is_fit and character not in _INVISIBLE


def _has_towers(value: str) -> bool:
    """Return whether a letter has the same mark twice, or more marks than any script needs.

    A repeated mark looks like a single one; a tower of marks would cover the lines around the name.
    """
    marks: list[str] = []
    for character in value:
        if unicodedata.category(character) == "Mn":
            marks.append(character)
        elif character not in JOINERS:
            marks = []
        if len(marks) > _MARKS_IN_A_ROW or len(set(marks)) < len(marks):
            return True
    return False


def _is_of_one_kind(value: str) -> bool:
    """Return whether each word uses only one script, and the name does not mix scripts that look alike."""
    words = [_list_alphabets(word) for word in re.split("[ ._'-]+", value)]
    everywhere = frozenset().union(*words)
    return all(len(word) <= 1 for word in words) and len(everywhere & _ALIKE) <= 1


def _list_alphabets(word: str) -> frozenset[str]:
    """Return the scripts of a word's letters, marks and digits."""
    names = {unicodedata.name(c, "").split(" ")[0] for c in word if c not in JOINERS}
    return frozenset(
        "EAST ASIAN" if name in _EAST_ASIAN else "ARABIC" if name in _OF_ARABIC else name
        for name in names - _OF_ANY_SCRIPT
    )


def _is_of_one_direction(value: str) -> bool:
    """Return whether the name's direction is unambiguous, so that no other name is displayed in the same way."""
    directions = [unicodedata.bidirectional(c) for c in value if c not in JOINERS]
    if not _RIGHT_TO_LEFT & {*directions}:
        return "AN" not in directions
    is_pure = {*directions} <= _AMONG_RIGHT_TO_LEFT and not {"AN", "EN"} <= {*directions}
    return directions[0] in _RIGHT_TO_LEFT and is_pure


@cache
def _looks_reserved(but: frozenset[str]) -> frozenset[str]:
    return frozenset(map(compute_skeleton, RESERVED - but))
