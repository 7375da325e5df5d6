"""The requirements of an identity check. Pure: no database, no clock."""

import re
from dataclasses import dataclass
from datetime import date

from core.values.joiners import has_stray_joiner

GREATEST_AGE = 120
# Numbers as printed, without spaces and hyphens. Aadhaar is not accepted: only licensed entities may store
# its number.
_NUMBERS = {
    "PAN": re.compile(r"[A-Z]{5}[0-9]{4}[A-Z]"),
    "PASSPORT": re.compile(r"[A-Z][0-9]{7}"),
    "DRIVING_LICENCE": re.compile(r"[A-Z]{2}[0-9A-Z]{8,16}"),
    "VOTER_ID": re.compile(r"[A-Z]{3}[0-9]{7}"),
}
_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0900-\u0dff\u200c\u200d .'\u2019-]){1,98}")


@dataclass(frozen=True, slots=True)
class IdentityClaim:
    """A person's claim of identity. `document_kind` is one of IdentityCheck.DocumentKind."""

    full_name: str
    born_on: date
    document_kind: str
    document_number: str


def age_on(day: date, *, born_on: date) -> int:
    """Return the age in whole years. In common years, the birthday of a person born on 29 February is 1 March."""
    return day.year - born_on.year - ((day.month, day.day) < (born_on.month, born_on.day))


def tidy_full_name(text: str) -> str:
    """Return the name with single spaces between its words. Raises ValueError if the text cannot be a name."""
    name = " ".join(text.split())
    if not _NAME.fullmatch(name) or has_stray_joiner(name):
        raise ValueError("no name")
    return name


def tidy_document_number(kind: str, text: str) -> str:
    """Return the number in capitals, without spaces and hyphens. Raises ValueError if it is invalid for this kind."""
    number = re.sub(r"[\s-]+", "", text).upper()
    if not _NUMBERS[kind].fullmatch(number):
        raise ValueError("no number of this kind")
    return number


def mask_number(number: str) -> str:
    """Return the number masked except for its end, as its owner sees it again: "••••••234F"."""
    return "•" * (len(number) - 4) + number[-4:]
