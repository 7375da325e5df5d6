"""Keys of PostgreSQL's advisory locks, with which only one transaction at a time can do something.

The database only knows numbers: two jobs with the same number would block each other. A lock ends with its
transaction (`pg_advisory_xact_lock`), because sessions of a pooler are shared. Jobs that take longer than a
transaction need a lease (core/database/leases.py).
"""

from enum import IntEnum, unique


@unique
class AdvisoryLock(IntEnum):
    """The keys of all advisory locks.

    `GIVING_CHIPS`, `PACKING_MATCHES` and `SEATING_PROGRAMS` are the first of two keys; the second one identifies
    the row.
    """

    COUNTING_MATCHES = 7_261_001
    REFRESHING_SITE = 7_261_004
    DRAWING_LEADERBOARDS = 7_261_005
    GIVING_CHIPS = 7_261_007
    SEATING_BOTS = 7_261_008
    PACKING_MATCHES = 7_261_009
    TURNING_DAYS = 7_261_010
    SEATING_PROGRAMS = 7_261_011
