"""Seasons: ranks that follow ratings, and the change from one season to the next."""

import threading
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from players.models import RankSeason, RatingChange, SeasonRank
from players.ranking.ratings import count_matches
from players.ranking.seasons import (
    PLACES_SHOWN,
    WAITS,
    end_of_season,
    follow_ratings,
    rank_season,
    turn_season,
)
from players.tasks import turn_season_of_ranks
from tables.models import Match, PlayerRating
from tests.given import reload
from tests.tables.driving import end_match, rate, settle, start_match
from tests.together import end_waiting_backend

pytestmark = pytest.mark.django_db
PLAYED = ("indian", "POINTS")


def parse_moment(text):
    return timezone.make_aware(datetime.fromisoformat(text))


@pytest.mark.parametrize(
    ("moment", "end"),
    [
        ("2026-01-01T00:00", "2026-04-01T00:00"),
        ("2026-03-31T23:59", "2026-04-01T00:00"),
        ("2026-04-01T00:00", "2026-07-01T00:00"),
        ("2026-12-31T23:59", "2027-01-01T00:00"),
    ],
)
def test_a_season_ends_with_a_quarter_of_the_site(moment, end):
    assert end_of_season(parse_moment(moment)) == parse_moment(end)


def test_a_season_whose_last_day_has_a_clock_change_names_that_day(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    ends_at = end_of_season(datetime(2024, 2, 1, tzinfo=UTC))
    assert ends_at == datetime(2024, 3, 31, 22, 0, tzinfo=UTC)
    season = RankSeason(begins_at=datetime(2023, 12, 31, 23, 0, tzinfo=UTC), ends_at=ends_at)
    assert season.last_day == date(2024, 3, 31)
    assert str(season) == "season from 2024-01-01"


@pytest.fixture
def season():
    """An open season that should have ended a second ago."""
    now = timezone.now()
    return RankSeason.objects.create(
        begins_at=now - timedelta(days=90), ends_at=now - timedelta(seconds=1)
    )


def rank(season, player, value, matches=9, **others):
    played = {"game": "indian", "format": "POINTS", **others}
    return season.ranks.create(user=player, value=value, matches=matches, **played)


def list_ranks(season):
    rows = season.ranks.order_by("user", "format")
    return [(row.user_id, row.format, row.value, row.matches) for row in rows]


def play_rated(make_table, *players):
    settle(end_match(start_match(make_table(is_rated=True), *players)))


def test_the_first_run_opens_a_season_until_its_end(client):
    assert "Nobody is listed here yet." in client.get(reverse("season_ranks")).text
    assert turn_season_of_ranks()
    [season] = RankSeason.objects.all()
    assert season.closed_at is None
    assert season.ends_at == end_of_season(season.begins_at)
    assert not turn_season_of_ranks()
    assert not turn_season(now=season.ends_at - timedelta(seconds=1))
    assert RankSeason.objects.count() == 1


def test_a_rank_starts_at_the_rating_and_follows_it(season, make_table, make_player):
    players = make_player(), make_player()
    play_rated(make_table, *players)
    assert count_matches() == 1
    ratings = {row.user_id: row.value for row in PlayerRating.objects.all()}
    assert list_ranks(season) == [(one.pk, "POINTS", ratings[one.pk], 1) for one in players]
    # A rank that differs moves by as much as the rating.
    SeasonRank.objects.filter(user=players[0]).update(value=1000)
    play_rated(make_table, *players)
    assert count_matches() == 1
    change = RatingChange.objects.filter(user=players[0]).latest("pk")
    [first, second] = list_ranks(season)
    assert first[2] == pytest.approx(1000 + change.value - change.value_before)
    assert first[3] == second[3] == 2
    assert second[2] == pytest.approx(PlayerRating.objects.get(user=players[1]).value)


def test_no_rank_is_made_without_a_season_or_rated_match(make_table, make_player):
    play_rated(make_table, make_player(), make_player())
    assert count_matches() == 1
    follow_ratings([])
    assert not SeasonRank.objects.exists()


def test_ranks_move_half_way_to_the_middle_at_the_end(season, make_player):
    strong, weak, closed, frozen = (make_player() for _ in range(4))
    for player, value in ((strong, 1900.0), (weak, 1200.0), (closed, 1700.0), (frozen, 1600.0)):
        rank(season, player, value)
    rank(season, strong, 1540.0, matches=0, format="POOL101")
    User.objects.filter(pk=frozen.pk).update(is_active=False, frozen_at=timezone.now())
    User.objects.filter(pk=closed.pk).update(is_active=False, closed_at=timezone.now())
    rating = rate(strong, 1900, 60)
    before = list_ranks(season)
    now = timezone.now()
    assert turn_season(now=now)
    assert reload(season).closed_at == now
    assert list_ranks(season) == before
    following = RankSeason.objects.get(closed_at=None)
    assert (following.begins_at, following.ends_at) == (season.ends_at, end_of_season(now))
    assert list_ranks(following) == [
        (strong.pk, "POINTS", 1700.0, 0),
        (strong.pk, "POOL101", 1520.0, 0),
        (weak.pk, "POINTS", 1350.0, 0),
        (frozen.pk, "POINTS", 1550.0, 0),
    ]
    assert reload(rating).value == 1900
    assert not turn_season(now=now)
    assert SeasonRank.objects.count() == 9


def test_the_end_of_a_season_waits_for_its_matches_for_a_while(season, make_table, make_player):
    match = end_match(start_match(make_table(is_rated=True), make_player(), make_player()))
    Match.objects.filter(pk=match.pk).update(ended_at=season.ends_at - timedelta(seconds=1))
    assert not turn_season(now=timezone.now())
    assert RankSeason.objects.count() == 1
    assert turn_season(now=season.ends_at + WAITS)
    assert RankSeason.objects.filter(closed_at=None).get() != season


def test_a_match_that_ends_after_the_season_counts_in_the_next(season, make_table, make_player):
    RankSeason.objects.filter(pk=season.pk).update(ends_at=season.ends_at - timedelta(minutes=10))
    ends_at = reload(season).ends_at
    players = make_player(), make_player()
    for seconds in (-1, 0):
        play_rated(make_table, *players)
        Match.objects.filter(pk=Match.objects.latest("pk").pk).update(
            ended_at=ends_at + timedelta(seconds=seconds)
        )
    assert count_matches() == 1
    assert {row[3] for row in list_ranks(season)} == {1}
    assert turn_season(now=timezone.now())
    assert count_matches() == 1
    assert {row[3] for row in list_ranks(season)} == {1}
    assert {row[3] for row in list_ranks(RankSeason.objects.get(closed_at=None))} == {1}


def test_the_database_keeps_one_open_season_and_one_rank_each(season, make_player):
    player = make_player()
    rank(season, player, 1500.0)
    with pytest.raises(IntegrityError), transaction.atomic():
        RankSeason.objects.create(begins_at=timezone.now(), ends_at=end_of_season(timezone.now()))
    with pytest.raises(IntegrityError), transaction.atomic():
        rank(season, player, 1600.0)
    assert list_ranks(season) == [(player.pk, "POINTS", 1500.0, 9)]


@pytest.mark.django_db(transaction=True)
def test_a_killed_season_turn_is_repeated_once(season, make_player, other_connection):
    rank(season, make_player(), 1800.0)
    failed = []

    def turn():
        try:
            turn_season(now=timezone.now())
        except OperationalError as error:
            failed.append(error)
        finally:
            connection.close()

    with other_connection.cursor() as holder:
        holder.execute("BEGIN")
        holder.execute("LOCK TABLE players_season_rank IN SHARE MODE")
        run = threading.Thread(target=turn)
        run.start()
        end_waiting_backend()
        run.join()
        holder.execute("ROLLBACK")
    assert len(failed) == 1
    assert RankSeason.objects.get().closed_at is None
    assert SeasonRank.objects.count() == 1
    assert [turn_season(now=timezone.now()) for _ in range(2)] == [True, False]
    [carried] = SeasonRank.objects.exclude(season=season)
    assert (carried.value, carried.matches) == (1650.0, 0)


def read_table(season, user_id=None):
    table = rank_season(season, PLAYED, user_id=user_id)
    own = None if table.own is None else (table.own.place, table.own.value)
    return [(line.place, line.rank.user_id, line.value) for line in table.places], own


def test_equal_ranks_share_a_place_and_rare_players_have_none(season, make_player):
    first, second, equal, last, new, frozen = (make_player() for _ in range(6))
    for player, value in ((first, 1700.2), (second, 1600.4), (equal, 1599.6), (last, 1400.0)):
        rank(season, player, value)
    rank(season, new, 1900.0, matches=4)
    rank(season, frozen, 1950.0)
    User.objects.filter(pk=frozen.pk).update(is_active=False, frozen_at=timezone.now())
    places = [(1, first.pk, 1700), (2, second.pk, 1600), (2, equal.pk, 1600), (4, last.pk, 1400)]
    assert read_table(season) == (places, None)
    assert read_table(season, last.pk) == (places, None)
    assert read_table(season, new.pk) == (places, None)


def test_the_players_own_rank_is_shown_below_the_best(season, make_player):
    players = [make_player(chips=False) for _ in range(PLACES_SHOWN + 2)]
    for number, player in enumerate(players):
        rank(season, player, 1800.0 - number)
    places, own = read_table(season, players[-1].pk)
    assert len(places) == PLACES_SHOWN
    assert own == (PLACES_SHOWN + 2, 1800 - PLACES_SHOWN - 1)


def test_the_page_shows_this_season_and_past_ones(season, make_player, client):
    page = client.get(reverse("season_ranks")).text
    assert "Nobody is listed here yet." in page
    player = make_player()
    rank(season, player, 1800.0)
    turn_season(now=timezone.now())
    following = RankSeason.objects.get(closed_at=None)
    new = client.get(reverse("season_ranks")).text
    assert "Then every rank moves halfway to 1500" in new
    assert player.player_name not in new
    client.force_login(player)
    old = client.get(reverse("season_ranks"), {"season": season.pk}).text
    assert "This season ended on" in old
    assert '<td class="num">1800</td>' in "".join(line.strip() for line in old.splitlines())
    assert "(you)" in old
    for wrong in ({"season": 0}, {"season": "x"}, {"game": "chess"}, {"season": following.pk + 9}):
        assert client.get(reverse("season_ranks"), wrong).status_code == 404
