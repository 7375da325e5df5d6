"""The ladder of BOT accounts."""

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.people.bot_accounts import become_bot, take_bot_mark
from accounts.people.closing import freeze
from history.fairplay.tracing import trace_match
from history.models import MatchTrace
from players.models import (
    AchievementMatch,
    DayTotal,
    GoalDay,
    LeaderboardPlace,
    PlayerAchievement,
    RatingChange,
    SeasonRank,
)
from players.ranking.leaderboards import draw_leaderboards
from players.ranking.ratings import count_matches
from players.ranking.seasons import open_season, turn_season
from players.ranking.selectors import rank_bots
from tables.models import ChipsPassed, PlayerRating, Table
from tables.seating.bot_accounts import play_among_bots
from tests.given import reload
from tests.tables.driving import end_match, let_time_pass, rate, settle

pytestmark = pytest.mark.django_db
POINTS = ("indian", "POINTS")


@pytest.fixture
def bots(make_player):
    return [become_bot(user_id=make_player().pk) for _ in range(2)]


@pytest.fixture
def play(bots):
    """Return a function that plays a match of the two BOTs, old enough to be counted."""

    def match():
        for bot in bots:
            play_among_bots(user_id=bot.pk, game="indian", preset="points", seats=2)
        table = Table.objects.latest("pk")
        let_time_pass(table)
        ended = end_match(table)
        settle(ended)
        return reload(ended)

    return match


def list_places(match):
    """Return the user ids of a finished match, the winner first."""
    ranks = match.result["ranks"]
    return [match.players[seat]["user"] for seat in sorted(ranks, key=ranks.get)]


def test_the_winner_of_the_first_match_leads_the_ladder(play, bots):
    match = play()
    assert count_matches() == 1
    lines = rank_bots(POINTS)
    assert [(line.place, line.rating.user_id) for line in lines] == [
        *enumerate(list_places(match), 1)
    ]
    assert [round(line.rating.value) for line in lines] == [1662, 1338]
    assert [line.rating.matches for line in lines] == [1, 1]
    assert rank_bots(("indian", "DEALS")) == []
    assert count_matches() == 0


def test_equal_bots_share_a_place_and_frozen_ones_have_none(bots):
    for bot in bots:
        rate(bot, 1600.2, 90, matches=3)
    assert [line.place for line in rank_bots(POINTS)] == [1, 1]
    freeze(user_id=bots[0].pk, staff_id=0, reason="why")
    assert [line.rating.user for line in rank_bots(POINTS)] == [bots[1]]


def test_the_ladder_has_only_bots_and_other_rankings_only_people(play, bots, make_player):
    rate(make_player(), 1900, 90, matches=30)
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


def test_a_match_of_a_former_bot_is_not_rated(play, bots):
    play()
    take_bot_mark(user_id=bots[0].pk, reason="By mistake.")
    assert count_matches() == 1
    assert not PlayerRating.objects.exists()
    assert not RatingChange.objects.exists()


def test_the_page_and_the_api_show_the_ladder(play, client, bots):
    users = list_places(play())
    count_matches()
    page = client.get(reverse("bot_ladder")).text
    names = {bot.pk: bot.player_name for bot in bots}
    first, second = (names[user] for user in users)
    assert page.index(first) < page.index("1662?") < page.index(second) < page.index("1338?")
    assert client.get(reverse("bot_ladder"), {"game": "chess"}).status_code == 404
    assert reverse("bot_ladder") in client.get(reverse("leaderboards")).text
    client.force_login(bots[0])
    answer = client.get("/api/v1/bots/", {"game": "indian", "format": "POINTS"}).json()
    usual = {"deviation": 290, "matches": 1}
    assert answer["results"] == [
        {"place": place, "player": user, "name": names[user], "value": value, **usual}
        for place, user, value in zip((1, 2), users, (1662, 1338), strict=True)
    ]
