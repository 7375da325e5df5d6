"""The ladder of BOT accounts: their matches among themselves, and nothing of them among people."""

import pytest
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from accounts.people.bot_accounts import become_bot, take_bot_mark
from accounts.people.closing import freeze
from tables.history.fairplay.tracing import trace_match
from tables.models import (
    AchievementMatch,
    ChipsPassed,
    DayTotal,
    GoalDay,
    LeaderboardPlace,
    Match,
    MatchTrace,
    PlayerAchievement,
    PlayerRating,
    RatingChange,
    SeasonRank,
    Table,
)
from tables.ranking.leaderboards import draw_leaderboards
from tables.ranking.ratings import SETTLES_WITHIN, count_matches
from tables.ranking.seasons import open_season, turn_season
from tables.ranking.selectors import rank_bots
from tables.seating.bot_accounts import play_among_bots
from tests.given import reload
from tests.tables.driving import end_match, let_time_pass

pytestmark = pytest.mark.django_db
POINTS = ("indian", "POINTS")


@pytest.fixture
def bots(make_player):
    return [become_bot(user_id=make_player().pk) for _ in range(2)]


@pytest.fixture
def play(bots):
    """Play a match of the two BOTs to its end, which is long enough ago to be counted."""

    def match():
        for bot in bots:
            play_among_bots(user_id=bot.pk, game="indian", preset="points", seats=2)
        table = Table.objects.latest("pk")
        let_time_pass(table)
        ended = end_match(table)
        Match.objects.filter(pk=ended.pk).update(ended_at=Now() - 2 * SETTLES_WITHIN)
        return reload(ended)

    return match


def places(match):
    """Return the users of a finished match, the winner first."""
    ranks = match.result["ranks"]
    return [match.players[seat]["user"] for seat in sorted(ranks, key=ranks.get)]


def test_the_winner_leads_by_the_first_step_of_a_rating(play, bots):
    match = play()
    assert count_matches() == 1
    lines = rank_bots(POINTS)
    assert [(line.place, line.rating.user_id) for line in lines] == [*enumerate(places(match), 1)]
    assert [round(line.rating.value) for line in lines] == [1662, 1338]
    assert [line.rating.matches for line in lines] == [1, 1]
    assert rank_bots(("indian", "DEALS")) == []
    assert count_matches() == 0


def test_equal_ratings_share_a_place_and_frozen_ones_have_none(bots):
    for bot in bots:
        PlayerRating.objects.create(
            user=bot, game="indian", format="POINTS", value=1600.2, deviation=90,
            volatility=0.06, matches=3, rated_at=timezone.now(),
        )  # fmt: skip
    assert [line.place for line in rank_bots(POINTS)] == [1, 1]
    freeze(user_id=bots[0].pk, staff_id=0, reason="why")
    assert [line.rating.user for line in rank_bots(POINTS)] == [bots[1]]


def test_people_stand_on_no_ladder_and_bots_on_nothing_of_people(play, bots, make_player):
    person = make_player()
    PlayerRating.objects.create(
        user=person, game="indian", format="POINTS", value=1900, deviation=60,
        volatility=0.06, matches=30, rated_at=timezone.now(),
    )  # fmt: skip
    turn_season(now=timezone.now())
    assert open_season() is not None
    match = play()
    count_matches()
    assert {line.rating.user for line in rank_bots(POINTS)} == set(bots)
    for model in (DayTotal, SeasonRank, PlayerAchievement, AchievementMatch, GoalDay, ChipsPassed):
        assert not model.objects.exists(), model
    draw_leaderboards()
    assert not LeaderboardPlace.objects.exists()
    assert trace_match(match.pk)
    assert not MatchTrace.objects.exists()


def test_a_match_is_not_rated_once_staff_have_taken_a_mark_away(play, bots):
    play()
    take_bot_mark(user_id=bots[0].pk, reason="By mistake.")
    assert count_matches() == 1
    assert not PlayerRating.objects.exists()
    assert not RatingChange.objects.exists()


def test_the_page_and_the_api_show_it(play, client, bots):
    match = play()
    count_matches()
    page = client.get(reverse("bot_ladder")).text
    names = [bot.player_name for bot in sorted(bots, key=lambda bot: places(match).index(bot.pk))]
    assert page.index(names[0]) < page.index("1662?") < page.index(names[1]) < page.index("1338?")
    assert client.get(reverse("bot_ladder"), {"game": "chess"}).status_code == 404
    assert reverse("bot_ladder") in client.get(reverse("leaderboards")).text
    client.force_login(bots[0])
    answer = client.get("/api/v1/bots/", {"game": "indian", "format": "POINTS"}).json()
    assert answer["results"] == [
        {
            "place": place,
            "player": user,
            "name": name,
            "value": value,
            "deviation": 290,
            "matches": 1,
        }
        for place, user, name, value in zip((1, 2), places(match), names, (1662, 1338), strict=True)
    ]
