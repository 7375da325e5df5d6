"""The text of times and countdowns that the server writes, before a script replaces it."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.templatetags.moments import countdown, moment

NOW = datetime.fromisoformat("2026-01-05T10:00:00+05:30")


@pytest.mark.parametrize(
    ("left", "written"),
    [
        # As static/js/lib/countdown.js writes them.
        (timedelta(seconds=0), "0:00"),
        (timedelta(seconds=9.2), "0:10"),
        (timedelta(minutes=4, seconds=10), "4:10"),
        (timedelta(hours=1, minutes=4, seconds=10), "1:04:10"),
        (timedelta(hours=23, minutes=59, seconds=59), "23:59:59"),
        (timedelta(days=1), ""),
        (timedelta(seconds=-1), ""),
    ],
)
def test_a_countdown_begins_as_the_script_goes_on(monkeypatch, left, written):
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    assert countdown(NOW + left) == written


def test_a_time_has_the_zone_that_it_is_written_in(settings):
    settings.TIME_ZONE = "Asia/Kolkata"
    with timezone.override("Asia/Kolkata"):
        assert moment(NOW, "weekday") == (
            f'<time datetime="{NOW.isoformat()}" data-moment="weekday">Mon 5 Jan, 10:00 IST</time>'
        )
