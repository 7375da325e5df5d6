"""Marks of a browser and of an address: equal ones tell that two things were done from one place.

They are keyed (HMAC-SHA256): without the site's key neither the browser's number nor the address can
be found from them. The key is another one every 90 days, so marks of different quarters cannot be
put together.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db import models
from django.utils.crypto import salted_hmac

MARK_LENGTH: Final = 32
KEPT: Final = timedelta(days=90)
_SALT: Final = "accounts.origins"


@dataclass(frozen=True, slots=True)
class Origin:
    """Marks of `MARK_LENGTH` characters; empty where nothing is known: a program keeps no cookie."""

    device: str = ""
    address: str = ""

    def marks(self) -> list[str]:
        """Return the known marks, in alphabetical order."""
        return sorted(mark for mark in (self.device, self.address) if mark)

    def shares_device(self, other: "Origin") -> bool:
        return bool(self.device) and self.device == other.device

    def shares_address(self, other: "Origin") -> bool:
        return bool(self.address) and self.address == other.address

    def is_shared(self, other: "Origin") -> bool:
        return self.shares_device(other) or self.shares_address(other)


NOWHERE: Final = Origin()


def mark_of(kind: str, text: str, *, day: date) -> str:
    """The mark of a browser's number (`kind` "device") or of an "address"; empty for nothing."""
    if not text:
        return ""
    quarter = day.toordinal() // KEPT.days
    signed = salted_hmac(f"{_SALT}.{kind}.{quarter}", text, algorithm="sha256")
    return signed.hexdigest()[:MARK_LENGTH]


class WithOrigin(models.Model):
    """A row with the origin of an action. The marks are emptied after at most 90 days."""

    device_mark = models.CharField(max_length=MARK_LENGTH, default="", db_default="", blank=True)
    address_mark = models.CharField(max_length=MARK_LENGTH, default="", db_default="", blank=True)

    class Meta:
        abstract = True

    @property
    def origin(self) -> Origin:
        return Origin(self.device_mark, self.address_mark)
