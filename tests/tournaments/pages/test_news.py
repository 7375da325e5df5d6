"""Finished tournaments: news for a returning player, and on the player's page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from players.away import visit
from players.profile import EventLine, list_played
from tests.tournaments.driving import play_to_the_end
from tournaments.models import Entrant, Tournament
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


def test_a_players_page_shows_a_finished_tournament_in_place_of_its_matches(
    start_tournament, make_player
):
    players = [make_player() for _ in range(2)]
    tournament = start_tournament(players)
    play_to_the_end(tournament)
    stranger = make_player()
    for player in players:
        place = Entrant.objects.get(user=player).place
        for viewer in (player, stranger):
            (line,) = list_played(player, viewer_id=viewer.pk)
            assert isinstance(line, EventLine)
            assert (line.title, line.place, line.entrants) == ("Monsoon Cup", place, 2)
            assert line.url == tournament.get_absolute_url()
    Tournament.objects.update(invite_code="neem")
    (line,) = list_played(players[0], viewer_id=players[0].pk)
    assert isinstance(line, EventLine)
    lines = list_played(players[0], viewer_id=stranger.pk)
    assert not any(isinstance(line, EventLine) for line in lines)
