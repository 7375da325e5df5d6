"""Schedules in words, and their crontabs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.plain_schedule import (
    PACES,
    PlainSchedule,
    Repeats,
    read_plainly,
    read_times,
    schedule_in_words,
    sort_days,
)
from tournaments.rules.schedule import InvalidSchedule

HOURS = st.sets(st.integers(0, 23), min_size=1).map(lambda hours: tuple(sorted(hours)))
MINUTES = st.integers(0, 59)
DAYS = st.sets(st.integers(0, 6), min_size=1).map(lambda days: sort_days([*days]))
PLAIN = st.one_of(
    st.sampled_from(PACES).map(lambda every: PlainSchedule(Repeats.MINUTES, every=every)),
    st.builds(PlainSchedule, st.just(Repeats.WEEK), days=DAYS, hours=HOURS, minute=MINUTES),
    st.builds(
        PlainSchedule,
        st.just(Repeats.MONTH),
        date=st.integers(1, 31),
        hours=HOURS.filter(lambda hours: len(hours) < 24),
        minute=MINUTES,
    ),
)


@given(PLAIN)
def test_a_plain_schedule_survives_its_crontab(plain):
    is_hourly = plain.repeats is Repeats.WEEK and len(plain.hours) == 24 and len(plain.days) == 7
    if not is_hourly:
        assert read_plainly(plain.crontab) == plain


@pytest.mark.parametrize(
    ("crontab", "words"),
    [
        ("", "by hand"),
        ("*/15 * * * *", "every 15 minutes"),
        ("0,30 * * * *", "every 30 minutes"),
        ("0 * * * *", "every hour"),
        ("0 18 * * sun", "every Sunday at 18:00"),
        ("30 19 * * mon,wed,fri", "every Monday, Wednesday, Friday at 19:30"),
        ("0 20 * * sat,sun", "every Saturday, Sunday at 20:00"),
        ("0 12,17,21 * * *", "every day at 12:00, 17:00, 21:00"),
        ("5 9 1 * *", "on day 1 of every month at 09:05"),
        # Crontabs that the form cannot express in words.
        ("10,40 * * * *", "10,40 * * * *"),
        ("0 20 1 1 *", "0 20 1 1 *"),
        ("0 20 1,15 * *", "0 20 1,15 * *"),
        ("0 20 13 * fri", "0 20 13 * fri"),
        ("0,30 20 * * sat", "0,30 20 * * sat"),
        ("once in a while", "once in a while"),
    ],
)
def test_a_crontab_in_words(crontab, words):
    assert schedule_in_words(crontab) == words


@pytest.mark.parametrize(
    ("text", "times"),
    [("18:00", ((18,), 0)), (" 21:30,9:30 ", ((9, 21), 30)), ("07:05", ((7,), 5))],
)
def test_times_are_read_as_people_write_them(text, times):
    assert read_times(text) == times


@pytest.mark.parametrize(
    "text",
    [
        "",
        "18",
        "24:00",
        "18:60",
        "\u0967\u096e:\u0966\u0966",
        "18:00;19:00",
        "-1:00",
        "18:00, 19:30",
    ],
)
def test_invalid_times_are_refused(text):
    with pytest.raises(InvalidSchedule):
        read_times(text)
