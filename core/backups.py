"""What is known of the backups of this site. `deploy/backup.sh` makes and checks them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max

from core.models import Backup

# One is made each night, and one restored each week. A night that takes a little longer wakes nobody.
BACKUP_IS_LATE_AFTER: Final = timedelta(hours=26)
CHECK_IS_LATE_AFTER: Final = timedelta(days=9)
# Rows are for the ages alone; the folder of backups says which are still there.
_ROWS_KEPT_FOR: Final = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class LastBackup:
    """When the newest backup was made, and when any was last restored and found to be good."""

    made_at: datetime
    checked_at: datetime | None


def record_backup(name: str, *, size_bytes: int, now: datetime) -> None:
    """Record a backup that is complete, and forget those of more than a year ago."""
    Backup.objects.update_or_create(name=name, defaults={"size_bytes": size_bytes, "made_at": now})
    Backup.objects.filter(made_at__lt=now - _ROWS_KEPT_FOR).delete()


def record_backup_check(name: str, *, now: datetime) -> bool:
    """Record that a backup was restored and is good. Returns False if this site has not made it."""
    return bool(Backup.objects.filter(name=name).update(checked_at=now))


def last_backup() -> LastBackup | None:
    """Return None if no backup was ever recorded, as where the database's host makes them."""
    found = Backup.objects.aggregate(made_at=Max("made_at"), checked_at=Max("checked_at"))
    return None if found["made_at"] is None else LastBackup(**found)
