"""Days in the site's zone begin at local midnight; the returned moments are in UTC."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from accounts.desk.figures import get_midnight_before
from core.values.local_days import compute_day_start, compute_moment


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Asia/Kolkata", date(2024, 3, 10), 24),
        ("America/New_York", date(2024, 3, 10), 23),
        ("America/New_York", date(2024, 11, 3), 25),
        ("Australia/Lord_Howe", date(2024, 10, 6), 23.5),
        # Dates in the past, since governments may change future ones.
        ("America/Havana", date(2024, 11, 3), 25),  # 01:00 becomes 00:00
        ("Africa/Cairo", date(2024, 4, 26), 23),  # 00:00 becomes 01:00
    ],
)
def test_days_are_as_long_as_on_the_clock(settings, zone, day, hours):
    settings.TIME_ZONE = zone
    begins, following = compute_day_start(day), compute_day_start(day + timedelta(days=1))
    assert following - begins == timedelta(hours=hours)
    for number in range(int(hours * 4)):
        moment = begins + timedelta(minutes=15 * number)
        assert timezone.localdate(moment) == day
        assert get_midnight_before(moment).astimezone(UTC) == begins


def test_a_time_that_comes_twice_is_the_first_and_compares_equal(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    found = compute_moment(date(2026, 10, 25), time(2, 30))
    assert found == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert found in {datetime(2026, 10, 25, 0, 30, tzinfo=UTC)}
    skipped = compute_moment(date(2026, 3, 29), time(2, 30))
    assert skipped == datetime(2026, 3, 29, 3, 30, tzinfo=ZoneInfo("Europe/Berlin"))
