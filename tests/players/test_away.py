"""News for a player who returns after an absence."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.people.preferences import set_preferences
from config.account_data.export import export_account_data
from games.engine.paces import pace_fields
from games.registry import get_game
from players.away import visit
from players.models import LastVisit
from players.services import forget_visits_and_places
from tables.models import Block, Follow, Match
from tests.given import require
from tests.tables.driving import end_match, start_match

pytestmark = pytest.mark.django_db


def go_away(player, **time):
    """Move the player's last visit this long into the past."""
    LastVisit.objects.filter(user=player).update(seen_at=Now() - timedelta(**time))


def list_news(player):
    return [line.text for line in visit(player.pk)]


@pytest.fixture
def player(make_player):
    found = make_player()
    assert list_news(found) == []
    return found


@pytest.fixture
def follower(make_player, player):
    found = make_player()
    Follow.objects.create(user=found, followed=player)
    return found


def test_news_appears_after_a_day_until_dismissed(player, follower, client):
    go_away(player, hours=23)
    assert list_news(player) == []
    go_away(player, hours=25)
    Follow.objects.update(since=Now() - timedelta(hours=2))
    assert list_news(player) == [f"{follower.player_name} now follows you."]
    assert len(list_news(player)) == 1
    client.force_login(player)
    assert "While you were away" in client.get(reverse("lobby")).text
    assert client.get(reverse("players:dismiss_news")).status_code == 405
    answer = client.post(reverse("players:dismiss_news"), follow=True)
    assert "While you were away" not in answer.text
    assert list_news(player) == []


def test_a_second_absence_keeps_undismissed_news(player, follower):
    go_away(player, hours=25)
    Follow.objects.update(since=Now() - timedelta(hours=2))
    assert len(list_news(player)) == 1
    first = LastVisit.objects.get(user=player).away_since
    go_away(player, days=1, hours=1)
    assert len(list_news(player)) == 1
    assert LastVisit.objects.get(user=player).away_since == first


def test_old_followed_blocked_and_frozen_players_are_no_news(player, follower, make_player):
    before, blocked, frozen = make_player(), make_player(), make_player()
    Follow.objects.create(user=blocked, followed=player)
    Block.objects.create(user=player, blocked=blocked)
    Follow.objects.create(user=player, followed=follower)
    Follow.objects.create(user=before, followed=player, since=timezone.now() - timedelta(days=3))
    Follow.objects.create(user=frozen, followed=player)
    go_away(player, days=2)
    assert list_news(player) == [f"{frozen.player_name} now follows you."]
    User.objects.filter(pk=frozen.pk).update(is_active=False, frozen_at=timezone.now())
    assert list_news(player) == []


def test_finished_slow_games_are_told_with_their_result(player, make_player, make_free):
    other = make_player()
    visit(other.pk)
    book = get_game("indian").rules
    changes = pace_fields(book, book.preset("points"), "slow")
    table = make_free(changes=changes)
    match = end_match(start_match(table, player, other))
    for one in (player, other):
        go_away(one, days=2)
    winner = (player, other)[require(match.result)["winners"][0]]
    loser = other if winner == player else player
    name = match.table.shown_name
    [line] = visit(winner.pk)
    assert line.text == f"The slow game at {name} is over. You won."
    assert line.url == reverse("match", args=[match.pk])
    assert list_news(loser) == [f"The slow game at {name} is over."]
    Match.objects.update(ended_at=Now() - timedelta(days=3))
    assert list_news(winner) == []


def test_a_visit_within_the_hour_writes_nothing(player, client):
    seen = LastVisit.objects.get(user=player).seen_at
    with CaptureQueriesContext(connection) as queries:
        assert list_news(player) == []
    assert len(queries) == 1
    assert LastVisit.objects.get(user=player).seen_at == seen
    set_preferences(user_id=player.pk, chosen={"quiet": "on"})
    go_away(player, days=2)
    client.force_login(player)
    assert "While you were away" not in client.get(reverse("lobby")).text


def test_the_last_visit_is_exported_and_deleted(player, make_player):
    other = make_player()
    visit(other.pk)
    assert list(json.loads(export_account_data(player.pk))["last_visit"][0]) == ["seen_at"]
    forget_visits_and_places(player.pk)
    assert list(LastVisit.objects.values_list("user", flat=True)) == [other.pk]
