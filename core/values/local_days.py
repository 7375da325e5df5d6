"""Days on the clocks of the site (TIME_ZONE), and the moments at which they begin.

Moments are in UTC. Sums and comparisons of two moments of one local zone go by its wall clock, which is wrong
by the length of a clock change between them.
"""

from datetime import UTC, date, datetime, time

from django.utils import timezone


def compute_moment(day: date, at: time) -> datetime:
    """Return the moment of a local time. One that comes twice is the first; a skipped one is that much later."""
    return timezone.make_aware(datetime.combine(day, at)).astimezone(UTC)


def compute_day_start(day: date) -> datetime:
    return compute_moment(day, time.min)
