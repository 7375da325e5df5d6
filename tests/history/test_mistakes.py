"""A player's losses by week and kind of decision, beside the medians of other players."""

import json
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from history.mistakes import compute_accuracy, own_profile
from history.models import SeatAnalysis
from tables.models import Match, MatchStatus
from tests.tables.analysing import store_analysis

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh():
    cache.clear()


@pytest.fixture
def week_ago(make_table):
    """Return a function that makes a match which began on a Wednesday, this many weeks ago."""
    table = make_table()
    today = timezone.localdate()
    wednesday = today - timedelta(days=today.weekday() - 2)
    noon = datetime.combine(wednesday, time(12), ZoneInfo("Asia/Kolkata"))

    def match(weeks):
        return Match.objects.create(
            table=table,
            status=MatchStatus.FINISHED,
            rules={},
            players={},
            participants=[],
            order=[0, 1],
            tossed=False,
            started_ms=0,
            started_at=noon - timedelta(weeks=weeks),
        )

    return match


def store_field(make_player, match, kinds_of, *, deals=3):
    """Store analyses of five more players, whose values the medians need."""
    for number in range(1, 6):
        player = make_player(chips=False)
        for deal in range(deals):
            store_analysis(match, player, deal, kinds_of(number))


def test_the_profile_shows_each_week_by_kind_beside_the_medians(week_ago, make_player):
    own = make_player(chips=False)
    before, now = week_ago(2), week_ago(1)
    store_analysis(before, own, 1, {"pick": 1.0, "discard": 3.0})
    store_analysis(before, own, 2, {"discard": 5.0})
    store_analysis(now, own, 1, {"drop": 8.0})
    # Five other players in the second week only.
    store_field(make_player, now, lambda number: {"discard": float(number)})
    (profile,) = own_profile(own.pk)
    assert [(week.deals, week.own, week.field) for week in profile.weeks] == [
        (2, 4.5, None),
        (1, 8.0, 3.5),  # of 8, 1, 2, 3, 4 and 5
    ]
    assert (profile.deals, profile.decisions) == (3, 30)
    by_kind = {line.title: line for line in profile.kinds}
    discards = by_kind["Discards"]
    assert (discards.own, discards.field) == pytest.approx((8 / 3, 17 / 6))
    assert [week.own for week in by_kind["Discards"].weeks] == [4.0, 0.0]
    assert [week.own for week in by_kind["Draws"].weeks] == [0.5, 0.0]
    assert [week.own for week in by_kind["Drops"].weeks] == [0.0, 8.0]
    assert [week.field for week in by_kind["Discards"].weeks] == [None, 2.5]
    assert [week.field for week in by_kind["Drops"].weeks] == [None, 0.0]
    # The tallest bars are 40 pixels, and none is invisible.
    assert [week.height for week in profile.weeks] == [22, 40]
    assert [week.height for week in by_kind["Draws"].weeks] == [2, 2]
    assert [week.height for week in by_kind["Drops"].weeks] == [2, 40]
    assert by_kind["Discards"].weeks[1].field_height == 12
    newest, oldest = profile.table
    assert [bar.own for bar in newest] == [8.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert oldest[0].first_day < newest[0].first_day


def test_the_accuracy_stands_beside_the_median_of_the_field(week_ago, make_player, client):
    own, match = make_player(chips=False), week_ago(1)
    store_analysis(match, own, 1, {"discard": 5.0})
    # Players with fewer than three deals do not count.
    store_field(make_player, match, lambda number: {"discard": 2.0 * number}, deals=2)
    (profile,) = own_profile(own.pk)
    assert (profile.accuracy, profile.field_accuracy) == (compute_accuracy(5.0, 10), None)
    cache.clear()
    store_field(make_player, match, lambda number: {"discard": 2.0 * number})
    (profile,) = own_profile(own.pk)
    assert profile.field_accuracy == compute_accuracy(6.0 * 3, 30) == 72
    client.force_login(own)
    page = client.get(reverse("my_decisions")).text
    assert f"<strong>{profile.accuracy} %</strong>" in page
    assert "median of all players 72 %" in page


def test_cached_medians_of_the_field_name_nobody(week_ago, make_player):
    own, match = make_player(chips=False), week_ago(1)
    store_analysis(match, own, 1, {"discard": 5.0})
    store_field(make_player, match, lambda number: {"discard": float(number)})
    (first,) = own_profile(own.pk)
    SeatAnalysis.objects.exclude(user=own).delete()
    (again,) = own_profile(own.pk)
    assert again == first
    means, weeks, _accuracy = cache.get("analyses-of-the-field-2:indian")
    kept = json.dumps([means, {str(day): medians for day, medians in weeks.items()}])
    assert set(json.loads(kept)[0]) == {"", "discard"}


def test_old_analyses_count_for_weeks_but_not_for_the_last_month(week_ago, make_player):
    own = make_player(chips=False)
    old, new = week_ago(8), week_ago(1)
    store_analysis(old, own, 1, {"discard": 30.0}, days_ago=50)
    store_analysis(new, own, 1, {"discard": 2.0})
    (profile,) = own_profile(own.pk)
    assert (profile.deals, profile.lost) == (1, 2.0)
    assert [week.own for week in profile.weeks] == [30.0, 2.0]


def test_only_the_players_own_page_links_to_their_decisions(make_player, client):
    own, other = make_player(chips=False), make_player(chips=False)
    client.force_login(own)
    link = f'href="{reverse("my_decisions")}"'
    assert link in client.get(reverse("players:player", args=[own.pk])).text
    assert link not in client.get(reverse("players:player", args=[other.pk])).text
