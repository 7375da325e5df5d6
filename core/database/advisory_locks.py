"""Keys of PostgreSQL's advisory locks: what only one transaction does at a time, each with a key of its own.

The database knows numbers alone: two jobs with one number would keep each other from their work. A lock ends with
its transaction (`pg_advisory_xact_lock`): through a pooler a session belongs to nobody. Jobs that take longer
than a transaction should have a lease (core/database/leases.py).
"""

from enum import IntEnum, unique


@unique
class AdvisoryLock(IntEnum):
    """`GIVING_CHIPS` and `PACKING_MATCHES` are the first of two keys; the second says whose."""

    COUNTING_MATCHES = 7_261_001
    REFRESHING_SITE = 7_261_004
    DRAWING_LEADERBOARDS = 7_261_005
    GIVING_CHIPS = 7_261_007
    SEATING_BOTS = 7_261_008
    PACKING_MATCHES = 7_261_009
    TURNING_DAYS = 7_261_010
