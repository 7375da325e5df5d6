"""The age of the newest backup and of its last restore test. `deploy/backup.sh` writes the rows."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max

from core.models import Backup

# A backup is made each night and a restore tested each week. A slightly slower night raises no alert.
BACKUP_IS_LATE_AFTER: Final = timedelta(hours=26)
CHECK_IS_LATE_AFTER: Final = timedelta(days=9)


@dataclass(frozen=True, slots=True)
class LastBackup:
    """The times at which the newest backup was made, and at which a backup was last restored successfully."""

    made_at: datetime
    checked_at: datetime | None


def get_last_backup() -> LastBackup | None:
    """Return the latest backup. None if none was ever recorded, for instance because the database's host makes them."""
    found = Backup.objects.aggregate(made_at=Max("made_at"), checked_at=Max("checked_at"))
    return None if found["made_at"] is None else LastBackup(**found)
