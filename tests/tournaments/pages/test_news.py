"""Finished tournaments in the news for a returning player."""

from datetime import timedelta

import pytest
from django.utils import timezone

from players.away import visit
from tests.tournaments.driving import play_to_the_end
from tournaments.models import Entrant
from tournaments.store.reading import list_finished_tournaments

pytestmark = pytest.mark.django_db


def test_a_finished_tournament_is_news_with_the_place(start_tournament, make_player):
    players = [make_player() for _ in range(2)]
    tournament = start_tournament(players)
    since = timezone.now() - timedelta(hours=1)
    assert list_finished_tournaments(players[0].pk, since) == []
    play_to_the_end(tournament)
    places = dict(Entrant.objects.values_list("user_id", "place"))
    for player in players:
        [line] = list_finished_tournaments(player.pk, since)
        assert line.text == f"Monsoon Cup is over. Your place: {places[player.pk]}."
        assert line.url == tournament.get_absolute_url()
        assert visit(player.pk) == []
    assert list_finished_tournaments(players[0].pk, timezone.now()) == []
    assert list_finished_tournaments(make_player().pk, since) == []
