"""Keys of PostgreSQL's advisory locks: what only one process does at a time, each with a key of its own.

The database knows numbers alone: two jobs with one number would keep each other from their work.
"""

from enum import IntEnum, unique


@unique
class AdvisoryLock(IntEnum):
    """`GIVING_CHIPS` is the first of two keys; the second says for whom."""

    COUNTING_MATCHES = 7_261_001
    SENDING_EMAILS = 7_261_002
    CHECKING_ALERTS = 7_261_003
    REFRESHING_SITE = 7_261_004
    DRAWING_LEADERBOARDS = 7_261_005
    WEIGHING_PAIRS = 7_261_006
    GIVING_CHIPS = 7_261_007
    TELLING_ABSENT = 7_261_008
    CALLING_PLAYERS = 7_261_009
