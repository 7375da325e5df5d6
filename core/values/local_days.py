"""Days in the site's time zone (TIME_ZONE), and the moments at which they begin.

Moments are in UTC. If two moments are in the same local zone, Python subtracts and compares their wall-clock times,
which ignores a clock change between them.
"""

from datetime import UTC, date, datetime, time

from django.utils import timezone


def compute_moment(day: date, at: time) -> datetime:
    """Return the moment of a local time. A time that occurs twice means the first occurrence.

    A time that a clock change skips is moved forward by the length of the change.
    """
    return timezone.make_aware(datetime.combine(day, at)).astimezone(UTC)


def compute_day_start(day: date) -> datetime:
    return compute_moment(day, time.min)
