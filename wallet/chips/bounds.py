"""The bounds on free chips for accounts of one browser and of one address (settings, "Money").

A person with a dozen accounts gets no more chips than these bounds allow. Moving them to another
account has a bound of its own (tables/seating/companions.py).
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction

from accounts.models.origins import Origin
from core.database.advisory_locks import AdvisoryLock
from wallet.models import FreeChips
from wallet.refusals import ChipsOfAddressGiven, ChipsOfDeviceGiven

Kind = FreeChips.Kind

WELCOMES_COUNT: Final = timedelta(days=30)
_DAY: Final = timedelta(days=1)


@transaction.atomic
def count_free_chips(
    kind: FreeChips.Kind, origin: Origin, *, now: datetime, of_address: bool = True
) -> None:
    """Note that chips are being given to an account at this place, in the caller's transaction.

    Without `of_address` the address has no bound. Raises ChipsOfDeviceGiven or ChipsOfAddressGiven;
    then nothing is noted.
    """
    if not origin.marks():
        return
    of_device, of_an_address = _bounds(kind)
    _lock(origin)
    rows = FreeChips.objects.filter(kind=kind)
    if origin.device:
        since = now - (WELCOMES_COUNT if kind == Kind.WELCOME else _DAY)
        given = rows.filter(device_mark=origin.device, given_at__gt=since).count()
        if given >= of_device:
            raise ChipsOfDeviceGiven
    if origin.address and of_address:
        given = rows.filter(address_mark=origin.address, given_at__gt=now - _DAY).count()
        if given >= of_an_address:
            raise ChipsOfAddressGiven
    FreeChips.objects.create(
        kind=kind, device_mark=origin.device, address_mark=origin.address, given_at=now
    )


def forget_free_chips(*, now: datetime) -> int:
    """Delete what no bound counts any more; returns how many rows."""
    return FreeChips.objects.filter(given_at__lte=now - WELCOMES_COUNT).delete()[0]


def _bounds(kind: FreeChips.Kind) -> tuple[int, int]:
    if kind == Kind.WELCOME:
        return settings.WELCOMES_OF_A_DEVICE, settings.WELCOMES_OF_AN_ADDRESS
    return settings.RELOADS_OF_A_DEVICE, settings.RELOADS_OF_AN_ADDRESS


def _lock(origin: Origin) -> None:
    """Two accounts at one moment are counted one after the other."""
    with connection.cursor() as cursor:
        for mark in origin.marks():
            cursor.execute(
                "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [AdvisoryLock.GIVING_CHIPS, mark]
            )
