"""The state of PostgreSQL's WAL archive (docs/recovery.md). A failing archive fills its disk."""

from typing import Final

from django.db import connection

# Seconds since a part was kept, where the next one was tried in vain; 0 where nothing fails or
# nothing is kept aside.
WAL_ARCHIVE_FAILING_SECONDS: Final = """
(SELECT CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity')
        THEN extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset))
        ELSE 0 END
   FROM pg_stat_archiver)
"""
# The next try comes within a minute.
WAL_ARCHIVE_FAILS_FROM_SECONDS: Final = 300


def wal_archive_failing_seconds() -> float:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {WAL_ARCHIVE_FAILING_SECONDS}")
        [seconds] = cursor.fetchone() or (0,)
    return float(seconds)
