"""R10.12: the matches that count, the standings, and prizes that are paid exactly once."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from core.models import OutgoingEmail
from tables.models import ChipsPassed, Match, PairEvidence
from tests.given import reload
from tests.refusals import refused
from tests.tournaments.driving import chips_of
from tests.tournaments.leagues_driving import make_league, make_table, play
from tournaments.leagues.settling import cancel_league, disqualify_from_league, follow
from tournaments.leagues.ticking import act_on_league, act_on_leagues, list_due_leagues
from tournaments.models import League, LeaguePlace
from tournaments.refusals import LEAGUE_OVER, NOT_IN_LEAGUE
from wallet.ledger.checks import reconcile
from wallet.models import Journal

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(make_player):
    return [make_player() for _ in range(3)]


def standings(league):
    act_on_league(league.pk)
    rows = LeaguePlace.objects.filter(league=league).order_by("place", "user")
    return [(row.user.player_name, row.points, row.matches, row.rank) for row in rows]


def points(league):
    return {name: got for name, got, _matches, _rank in standings(league)}


def bring_end(*leagues):
    """Move leagues and their matches into the past, so that the prizes are due."""
    shift = timedelta(days=8)
    for league in leagues:
        league.refresh_from_db()
        league.starts_at -= shift
        league.ends_at -= shift
        league.save()
    Match.objects.update(started_at=F("started_at") - shift, ended_at=F("ended_at") - shift)


def test_a_player_gets_points_for_each_beaten_opponent(players):
    league = make_league()
    table = make_table()
    play(table, *players)
    play(table, *players, ranks=(1, 2, 2))
    assert standings(league) == [
        ("Player 1", 8, 2, 1),
        ("Player 2", 3, 2, 2),
        ("Player 3", 1, 1, 3),
    ]


def test_only_the_best_matches_count(players):
    league = make_league(counted=2, meetings=10)
    table = make_table()
    for ranked in (players, players[:2], players[:2]):
        play(table, *ranked)
    assert standings(league)[0] == ("Player 1", 6, 2, 1)


def test_only_the_first_meetings_of_a_pair_count(players):
    league = make_league(meetings=2)
    table = make_table()
    for minutes in (40, 30, 20):
        play(table, players[0], players[1], minutes_ago=minutes)
    play(table, players[1], players[0], minutes_ago=10)
    play(table, players[0], players[2], minutes_ago=5)
    assert points(league) == {"Player 1": 6}


@pytest.mark.parametrize(
    "other",
    [
        {"bots_wanted": 1},
        {"invite_code": "secret"},
        {"is_lesson": True},
        {"event_url": "/tournaments/1/"},
        {"preset": "pool101", "point_value": 0, "entry_fee": 50},
        {"game": "gin", "preset": "points", "max_seats": 2},
    ],
)
def test_matches_at_other_kinds_of_tables_do_not_count(players, other):
    league = make_league()
    play(make_table(**other), *players)
    assert standings(league) == []
    play(make_table(), *players)
    assert len(standings(league)) == 2


def test_matches_below_the_least_stake_do_not_count(players):
    league = make_league(least_stake=5)
    play(make_table(point_value=4), *players)
    assert standings(league) == []
    play(make_table(point_value=5), *players)
    assert points(league)["Player 1"] == 4


def test_matches_outside_the_dates_of_the_league_do_not_count(players):
    league = make_league()
    table = make_table()
    early, late, cancelled = (play(table, *players) for _ in range(3))
    Match.objects.filter(pk=early.pk).update(started_at=league.starts_at - timedelta(seconds=1))
    Match.objects.filter(pk=late.pk).update(ended_at=league.settles_at)
    Match.objects.filter(pk=cancelled.pk).update(status="CANCELLED")
    assert standings(league) == []
    Match.objects.filter(pk=late.pk).update(
        started_at=league.ends_at - timedelta(seconds=1),
        ended_at=league.settles_at - timedelta(seconds=1),
    )
    assert points(league)["Player 1"] == 4


def test_bots_neither_earn_nor_give_points(players):
    league = make_league()
    play(make_table(), *players, bots=players[1:2])
    assert points(league) == {"Player 1": 2}


@pytest.mark.parametrize("how", ["watched", "apart", "one place"])
def test_suspected_double_accounts_earn_no_points_from_each_other(players, how):
    low, high = sorted(players[:2], key=lambda user: user.pk)
    if how == "one place":
        day = timezone.localdate()
        ChipsPassed.objects.create(day=day, low=low, high=high, one_origin=True)
    else:
        PairEvidence.objects.create(
            low=low,
            high=high,
            state="WATCHED" if how == "watched" else "NEW",
            kept_apart_since=timezone.now() if how == "apart" else None,
        )
    league = make_league()
    play(make_table(), *players)
    assert points(league) == {"Player 1": 2, "Player 2": 2}


def test_equal_points_are_ranked_by_fewer_then_earlier_matches(make_player):
    first, second, third, loser, other = (make_player() for _ in range(5))
    league = make_league()
    table = make_table()
    play(table, first, loser, minutes_ago=30)
    play(table, first, other, minutes_ago=9)
    play(table, second, loser, other, minutes_ago=20)
    play(table, third, loser, other, minutes_ago=8)
    assert [row[0] for row in standings(league)] == ["Player 2", "Player 3", "Player 1", "Player 4"]


def test_players_equal_in_everything_share_rank_and_prizes(players):
    league = make_league(payout_table=[[1, 6_000], [1, 4_000]])
    play(make_table(), *players, ranks=(1, 1, 3))
    assert [row[3] for row in standings(league)] == [1, 1]
    bring_end(league)
    act_on_leagues()
    assert [p.prize for p in LeaguePlace.objects.order_by("place")] == [500, 500]


def test_prizes_are_paid_once_and_announced_by_mail(players):
    league = make_league(pool=999, words={"hi": {"name": "कमल सप्ताह"}})
    User.objects.filter(pk=players[1].pk).update(language="hi")
    play(make_table(), *players)
    bring_end(league)
    before = [chips_of(user) for user in players]
    assert act_on_leagues() == 1
    assert act_on_leagues() == 0
    assert not act_on_league(league.pk)
    won = [chips_of(user) - had for user, had in zip(players, before, strict=True)]
    # The payout table's shares are 50 and 30 per cent. The third player has no points.
    assert won == [625, 374, 0]
    assert sum(won) == league.pool
    assert reload(league).settled_at is not None
    mails = {mail.user_id: mail for mail in OutgoingEmail.objects.all()}
    assert set(mails) == {players[0].pk, players[1].pk}
    assert "Week of the Lotus" in mails[players[0].pk].subject
    assert "कमल सप्ताह" in mails[players[1].pk].subject
    assert Journal.objects.get(key=f"league:{league.pk}:prizes").subject == f"league:{league.pk}"
    assert reconcile().findings == ()


def test_a_failing_league_waits_for_staff_and_stops_no_other(players):
    broken, sound = make_league(payout_table=[[1, 1]]), make_league()
    play(make_table(), *players)
    bring_end(broken, sound)
    assert act_on_leagues() == 2
    broken.refresh_from_db()
    sound.refresh_from_db()
    assert "not_the_whole_pool" in broken.broken_reason
    assert (broken.settled_at, sound.settled_at is not None) == (None, True)
    assert list_due_leagues(timezone.now()) == []


def test_frozen_and_disqualified_players_win_no_prize_and_others_move_up(make_player):
    first, second, third, last = (make_player() for _ in range(4))
    league = make_league(payout_table=[[1, 10_000]])
    play(make_table(), first, second, third, last)
    act_on_leagues()
    with refused(NOT_IN_LEAGUE):
        disqualify_from_league(league_id=league.pk, user_id=last.pk, now=timezone.now())
    out = disqualify_from_league(league_id=league.pk, user_id=first.pk, now=timezone.now())
    assert (out.rank, out.points) == (None, 6)
    User.objects.filter(pk=second.pk).update(is_active=False, frozen_at=timezone.now())
    bring_end(league)
    before = chips_of(third)
    act_on_leagues()
    assert chips_of(third) - before == 1_000
    assert LeaguePlace.objects.get(user=third).rank == 1
    assert set(LeaguePlace.objects.filter(rank=None).values_list("user", flat=True)) == {
        first.pk,
        second.pk,
    }
    with refused(LEAGUE_OVER):
        disqualify_from_league(league_id=league.pk, user_id=third.pk, now=timezone.now())


def test_a_league_without_matches_pays_nothing():
    league = make_league()
    bring_end(league)
    act_on_leagues()
    assert reload(league).settled_at is not None
    assert not Journal.objects.filter(key=f"league:{league.pk}:prizes").exists()


def test_a_cancelled_league_pays_nothing(players):
    league = make_league(repeats=True)
    play(make_table(), *players)
    cancel_league(league_id=league.pk, now=timezone.now(), reason="Rain.")
    bring_end(league)
    before = chips_of(players[0])
    assert act_on_leagues() == 0
    assert chips_of(players[0]) == before
    assert League.objects.count() == 1
    with refused(LEAGUE_OVER):
        cancel_league(league_id=league.pk, now=timezone.now(), reason="Rain.")


def test_the_next_league_is_announced_once_with_the_same_local_length(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    zone = ZoneInfo("Europe/Berlin")
    league = make_league(
        repeats=True,
        starts_at=datetime(2025, 10, 13, tzinfo=zone),
        ends_at=datetime(2025, 10, 20, tzinfo=zone),
    )
    with timezone.override(zone):
        made = follow(league)
        assert made is not None
        assert follow(league) is None
        # The clocks go back in the night between, so this day has an extra hour.
        assert made.starts_at == league.ends_at
        assert timezone.localtime(made.ends_at, zone) == datetime(2025, 10, 27, tzinfo=zone)
    assert (made.pool, made.settled_at, made.follows) == (league.pool, None, league)
    with pytest.raises(IntegrityError), transaction.atomic():
        League.objects.create(
            **{
                f.name: getattr(made, f.name)
                for f in League._meta.local_fields
                if f.name not in ("id", "created_at")
            }
        )


def test_a_league_of_less_than_the_repeated_hour_is_followed_by_one_as_long(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    starts_at = datetime(2025, 10, 26, 0, 30, tzinfo=UTC)  # 02:30
    ends_at = starts_at + timedelta(minutes=45)  # 02:15
    made = follow(make_league(repeats=True, starts_at=starts_at, ends_at=ends_at))
    assert made is not None
    assert made.ends_at == ends_at + timedelta(minutes=45)


def test_no_step_is_due_before_a_league_starts():
    now = timezone.now()
    make_league(starts_at=now + timedelta(days=1), repeats=True)
    assert act_on_leagues() == 0
    assert League.objects.count() == 1


def test_standings_are_updated_once_a_minute():
    league = make_league()
    assert act_on_leagues() == 1
    assert act_on_leagues() == 0
    League.objects.filter(pk=league.pk).update(drawn_at=timezone.now() - timedelta(minutes=1))
    assert act_on_leagues() == 1
