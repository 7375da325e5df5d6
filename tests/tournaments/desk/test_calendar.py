"""The calendar of a week's tournaments, made already or planned by templates."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from tests.tournaments.browsing import read_page, sign_in
from tournaments.desk.calendar import build_week, hide_past, parse_monday
from tournaments.models import Tournament, TournamentTemplate
from tournaments.running.scheduling import make_scheduled

pytestmark = pytest.mark.django_db
# A Wednesday, noon in Kolkata.
NOW = datetime(2026, 3, 18, 6, 30, tzinfo=UTC)
MONDAY = date(2026, 3, 16)


@pytest.mark.parametrize(
    ("text", "monday"),
    [
        ("2026-03-18", MONDAY),
        ("2026-03-22", MONDAY),
        ("2026-03-23", date(2026, 3, 23)),
        ("", MONDAY),
        ("yesterday", MONDAY),
    ],
)
def test_any_day_selects_its_week(text, monday):
    assert parse_monday(text, today=NOW.date()) == monday


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31"])
def test_far_weeks_are_clamped(text):
    monday = parse_monday(text, today=NOW.date())
    assert abs((monday - NOW.date()).days) <= 3_647
    assert len(build_week(monday, now=NOW)) == 7


def template(**changed):
    terms = {
        "name": "Monsoon Cup", "game": "indian", "preset": "deals2", "schedule": "0 20 * * *",
        "is_open": True, "rake_bps": 0, "announce_seconds": 36 * 3_600,
        "registration_seconds": 600, **changed,
    }  # fmt: skip
    return TournamentTemplate.objects.create(**terms)


def lines(days):
    return [
        (
            day.day.day,
            [timezone.localtime(row.starts_at).hour for row in day.tournaments],
            [(timezone.localtime(line.first).hour, line.number) for line in day.planned],
        )
        for day in days
        if day.tournaments or day.planned
    ]


def test_the_calendar_shows_made_and_planned_tournaments_by_day():
    cup = template()
    make_scheduled(template_id=cup.pk, now=NOW)
    assert Tournament.objects.count() == 2
    # Tournaments exist for today and tomorrow at eight. The later ones are only planned.
    assert lines(build_week(MONDAY, now=NOW)) == [
        (18, [20], []),
        (19, [20], []),
        (20, [], [(20, 1)]),
        (21, [], [(20, 1)]),
        (22, [], [(20, 1)]),
    ]
    TournamentTemplate.objects.update(is_open=False)
    assert lines(build_week(MONDAY, now=NOW)) == [(18, [20], []), (19, [20], [])]
    assert lines(build_week(MONDAY + timedelta(days=7), now=NOW)) == []


def test_a_repeated_hour_is_listed_once(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    cup = template(schedule="0 2 * * *", announce_seconds=36 * 3_600)
    now = datetime(2026, 10, 24, 12, 0, tzinfo=UTC)
    (made,) = make_scheduled(template_id=cup.pk, now=now)
    sunday = build_week(date(2026, 10, 19), now=now)[6]
    assert (sunday.tournaments, sunday.planned) == ([made], [])


def test_many_starts_of_a_day_share_one_line():
    template(schedule="*/30 * * * *")
    week = build_week(MONDAY + timedelta(days=7), now=NOW)
    assert [
        [(line.number, timezone.localtime(line.first).hour) for line in day.planned] for day in week
    ] == [[(48, 0)]] * 7
    assert week[0].planned[0].last is not None
    last = timezone.localtime(week[0].planned[0].last)
    assert (last.hour, last.minute) == (23, 30)


def test_private_tournaments_are_not_in_the_calendar():
    cup = template()
    make_scheduled(template_id=cup.pk, now=NOW)
    Tournament.objects.update(invite_code="friends")
    assert lines(build_week(MONDAY, now=NOW))[0] == (18, [], [(20, 1)])


def test_only_permitted_staff_see_the_calendar(client):
    template()
    page = "/admin/tournaments/tournament/calendar/"
    assert client.get(page).status_code == 302
    helper = User.objects.create_user("h@example.com", None, player_name="Helper", is_staff=True)
    sign_in(client, helper)
    assert client.get(page).status_code == 403
    admin = User.objects.create_superuser("admin@example.com", None, player_name="Admin")
    sign_in(client, admin)
    body = read_page(client, page)
    assert "Calendar of tournaments" in body
    assert f'data-day="{timezone.localdate()}"' in body
    assert page in read_page(client, "/admin/tournaments/tournament/")
    later = client.get(page, {"week": (timezone.localdate() + timedelta(days=7)).isoformat()})
    assert later.content.decode().count("Monsoon Cup") == 7


def test_past_days_without_a_tournament_are_left_out():
    template()
    later = make_scheduled(template_id=TournamentTemplate.objects.get().pk, now=NOW)
    assert later
    week = build_week(MONDAY, now=NOW)
    assert [day.day.day for day in hide_past(week, today=date(2026, 3, 20))] == [18, 19, 20, 21, 22]
    before = build_week(MONDAY - timedelta(days=7), now=NOW)
    assert hide_past(before, today=date(2026, 3, 20)) == before
