"""Start times of a template's tournaments, each of which is made once."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tournaments.models import Tournament
from tournaments.rules.schedule import InvalidSchedule, list_next_starts, parse_schedule
from tournaments.running.scheduling import MOST_AHEAD, make_scheduled, make_tournament
from tournaments.running.tick import tick
from wallet import api as wallet
from wallet.money import Currency
from wallet.refusals import NoFeeSchedule

KOLKATA, BERLIN = ZoneInfo("Asia/Kolkata"), ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=KOLKATA)  # a Monday


def starts_of(expression, *, after=NOON, zone=KOLKATA, number=3):
    moments = list_next_starts(expression, after=after, zone=zone, number=number)
    assert all(moment > after for moment in moments)
    return [f"{moment.astimezone(zone):%d %b %H:%M}" for moment in moments]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("*/30 * * * *", ["02 Mar 12:30", "02 Mar 13:00", "02 Mar 13:30"]),
        ("0 20 * * sat", ["07 Mar 20:00", "14 Mar 20:00", "21 Mar 20:00"]),
        ("15 9,18 * * 1-5", ["02 Mar 18:15", "03 Mar 09:15", "03 Mar 18:15"]),
        ("0 0 1 */6 *", ["01 Jul 00:00", "01 Jan 00:00", "01 Jul 00:00"]),
        ("0 12 * * 0", ["08 Mar 12:00", "15 Mar 12:00", "22 Mar 12:00"]),
        ("0 10 29 2 *", ["29 Feb 10:00"]),
    ],
)
def test_a_schedule_lists_its_next_starts(expression, expected):
    assert starts_of(expression, number=len(expected)) == expected


@pytest.mark.parametrize(
    ("fold", "expected"),
    [(0, ["25 Oct 02:50", "25 Oct 03:10"]), (1, ["25 Oct 03:10", "25 Oct 03:50"])],
)
def test_starts_in_a_repeated_hour_are_listed_twice(fold, expected):
    after = datetime(2026, 10, 25, 2, 40, tzinfo=BERLIN, fold=fold).astimezone(UTC)
    assert starts_of("10,50 1-3 * * *", after=after, zone=BERLIN, number=2) == expected


def test_a_skipped_time_is_skipped_and_a_repeated_time_counts_once():
    spring = datetime(2026, 3, 28, 12, 0, tzinfo=BERLIN)
    assert starts_of("30 2 * * *", after=spring, zone=BERLIN, number=2) == [
        "30 Mar 02:30",
        "31 Mar 02:30",
    ]
    autumn = datetime(2026, 10, 24, 12, 0, tzinfo=BERLIN)
    assert starts_of("30 2 * * *", after=autumn, zone=BERLIN, number=2) == [
        "25 Oct 02:30",
        "26 Oct 02:30",
    ]


LORD_HOWE = ZoneInfo("Australia/Lord_Howe")


def test_a_gap_of_half_an_hour_skips_only_the_times_in_it():
    before = datetime(2026, 10, 3, 12, 0, tzinfo=LORD_HOWE)  # 02:00 becomes 02:30 on the 4th
    found = list_next_starts("15,45 2 * * *", after=before, zone=LORD_HOWE, number=3)
    assert found == (
        datetime(2026, 10, 3, 15, 45, tzinfo=UTC),
        datetime(2026, 10, 4, 15, 15, tzinfo=UTC),
        datetime(2026, 10, 4, 15, 45, tzinfo=UTC),
    )


def list_clock_changes(zone, year):
    """Return the days (as midnights in UTC) on which a new UTC offset is in force for the first time that year."""
    days = [datetime(year, 1, 1, tzinfo=UTC) + timedelta(days=number) for number in range(366)]
    offsets = [day.astimezone(zone).utcoffset() for day in days]
    return [days[n] for n in range(1, len(days)) if offsets[n] != offsets[n - 1]]


@st.composite
def evenings_before_clock_changes(draw):
    zone = ZoneInfo(draw(st.sampled_from(sorted(available_timezones() - {"localtime"}))))
    year = draw(st.integers(1990, 2037))
    changes = list_clock_changes(zone, year) or [datetime(year, 3, 8, tzinfo=UTC)]
    after = draw(st.sampled_from(changes)) - timedelta(minutes=draw(st.integers(0, 1_800)))
    return zone, after.astimezone(draw(st.sampled_from([UTC, zone])))


@given(
    evenings_before_clock_changes(),
    st.sampled_from(
        ["0 * * * *", "*/15 * * * *", "15,45 2 * * *", "30 0-3 * * *", "0 0 * * *", "59 23 * * *"]
    ),
)
def test_every_start_comes_once_in_every_zone(at, expression):
    zone, after = at
    schedule, begin = parse_schedule(expression), after.astimezone(UTC)
    minutes = [begin + timedelta(minutes=number) for number in range(1, 48 * 60)]
    clocks = [(moment, moment.astimezone(zone)) for moment in minutes]
    expected = [
        moment
        for moment, shown in clocks
        if shown.fold == 0 and (shown.hour in schedule.hours and shown.minute in schedule.minutes)
    ]
    found = list_next_starts(expression, after=after, zone=zone, number=len(expected))
    assert len(expected) > 0
    assert [moment.utcoffset() for moment in found] == [timedelta(0)] * len(expected)
    assert list(found) == expected


def test_a_repeated_hour_is_announced_once_and_stops_nothing(db, make_template, settings):
    settings.TIME_ZONE = "Europe/Berlin"
    template = make_template(schedule="0 * * * *", announce_seconds=86_400)
    begin = datetime(2026, 10, 24, 12, 0, tzinfo=UTC)
    for hours in range(30):
        make_scheduled(template_id=template.pk, now=begin + timedelta(hours=hours))
    starts = list(Tournament.objects.order_by("starts_at").values_list("starts_at", flat=True))
    # 02:00 comes at 00:00 and at 01:00 of UTC; it is held at the first.
    expected = [begin + timedelta(hours=n) for n in range(1, 54) if n != 13]
    assert starts == expected


@pytest.mark.parametrize(
    ("schedule", "starts_at"),
    [
        ("0 3 8 3 *", datetime(2026, 3, 8, 7, 0, tzinfo=UTC)),
        ("0 3 1 11 *", datetime(2026, 11, 1, 8, 0, tzinfo=UTC)),
    ],
)
@pytest.mark.parametrize("seconds", [1_800, 86_400])
@pytest.mark.django_db
def test_registration_is_as_long_as_set_on_the_night_of_a_clock_change(
    make_template, settings, schedule, starts_at, seconds
):
    settings.TIME_ZONE = "America/New_York"
    template = make_template(
        schedule=schedule, announce_seconds=172_800, registration_seconds=seconds
    )
    now = starts_at - timedelta(days=1, hours=12)
    (made,) = make_scheduled(template_id=template.pk, now=now)
    assert (made.starts_at, made.opens_at) == (starts_at, starts_at - timedelta(seconds=seconds))
    local = starts_at.astimezone(ZoneInfo("America/New_York"))
    by_hand = make_tournament(template, starts_at=local + timedelta(minutes=1), now=now)
    assert by_hand.starts_at - by_hand.opens_at == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "expression",
    ["", "* * * *", "61 * * * *", "* 25 * * *", "a b c d e", "*/0 * * * *", "* * * * * *"],
)
def test_invalid_schedules_are_refused(expression):
    with pytest.raises(InvalidSchedule):
        parse_schedule(expression)


@pytest.fixture
def hourly(db, make_template):
    return make_template(schedule="0 * * * *", announce_seconds=7_200)


def test_a_tick_announces_each_tournament_once(hourly):
    for _ in range(3):
        tick()
    made = list(Tournament.objects.order_by("starts_at"))
    assert len(made) == 2
    first, second = made
    assert second.starts_at - first.starts_at == timedelta(hours=1)
    assert timezone.now() < first.starts_at <= timezone.now() + timedelta(hours=1)
    assert first.opens_at == first.starts_at - timedelta(seconds=hourly.registration_seconds)
    assert (first.entry_fee, first.rake_bps, first.template) == (100, 1_000, hourly)


def test_a_tournament_keeps_the_terms_of_its_template(hourly):
    tick()
    hourly.entry_fee = 500
    hourly.save()
    tick()
    assert set(Tournament.objects.values_list("entry_fee", flat=True)) == {100}


def test_a_closed_template_makes_nothing(hourly):
    hourly.is_open = False
    hourly.save()
    tick()
    assert not Tournament.objects.exists()


def test_the_number_of_announced_tournaments_is_limited(db, make_template):
    template = make_template(schedule="* * * * *", announce_seconds=86_400)
    assert len(make_scheduled(template_id=template.pk, now=timezone.now())) == MOST_AHEAD


def test_the_service_fee_is_that_of_the_current_fee_schedule(db, make_template):
    template = make_template(rake_bps=None)
    now = timezone.now()
    with pytest.raises(NoFeeSchedule):
        make_tournament(template, starts_at=now + timedelta(hours=1), now=now)
    wallet.set_starting_fees(valid_from=now)
    tournament = make_tournament(template, starts_at=now + timedelta(hours=1), now=now)
    assert (tournament.rake_bps, tournament.fee_rake) == (1_000, 10)


def test_a_template_without_a_fee_does_not_stop_the_others(hourly, make_template, caplog):
    make_template(name="No fee", schedule="0 * * * *", rake_bps=None)
    tick()
    assert set(Tournament.objects.values_list("template_id", flat=True)) == {hourly.pk}
    assert "no tournament could be made" in caplog.text


def test_a_template_with_a_broken_schedule_does_not_stop_the_others(hourly, make_template, caplog):
    make_template(name="A", schedule="whenever")
    tick()
    assert set(Tournament.objects.values_list("template_id", flat=True)) == {hourly.pk}
    assert "no tournament could be made" in caplog.text


def test_templates_with_nothing_to_announce_cost_no_query_each(hourly, make_template):
    counted = []
    for more in (1, 5):
        for number in range(more):
            make_template(
                name=f"Cup {more}.{number}", schedule="30 * * * *", announce_seconds=7_200
            )
        tick()
        with CaptureQueriesContext(connection) as queries:
            tick()
        counted.append(len(queries))
    assert Tournament.objects.count() == 14
    assert counted[0] == counted[1]


def find_refused_fields(template):
    with pytest.raises(ValidationError) as refused:
        template.full_clean()
    return set(refused.value.message_dict)


def test_invalid_templates_are_refused(db, make_template):
    template = make_template()
    template.full_clean()
    template.schedule = "whenever"
    assert find_refused_fields(template) == {"schedule"}
    template.schedule = ""
    template.ticket_for = template
    assert find_refused_fields(template) == {"ticket_for"}
    template.ticket_for = make_template(name="Free", entry_fee=0)
    assert find_refused_fields(template) == {"ticket_for"}
    template.ticket_for = make_template(name="Cash", currency=Currency.INR)
    assert find_refused_fields(template) == {"ticket_for"}
    template.ticket_for = make_template(name="Big", entry_fee=1_000)
    template.full_clean()


def test_dates_follow_the_local_time_zone():
    late = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)  # the 3rd in Kolkata
    assert starts_of("0 1 * * *", after=late, number=1) == ["03 Mar 01:00"]
