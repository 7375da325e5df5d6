"""The tournaments of a local demo site."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.tournaments.driving import assert_books_balance, begin, play_to_the_end
from tournaments.models import Tournament, TournamentTemplate
from tournaments.rules.lifecycle import LifecycleStatus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starting_fees")]


def test_demo_tournaments_begin_within_minutes(settings):
    for _ in range(2):
        call_command("seed_demo")
    assert TournamentTemplate.objects.count() == 6
    for template in TournamentTemplate.objects.all():
        template.full_clean()
        assert template.tournaments.exists()
    # A tournament may have begun between the two calls.
    soonest = Tournament.objects.filter(starts_at__gt=timezone.now()).earliest("starts_at")
    assert soonest.starts_at - timezone.now() <= timedelta(minutes=5)
    assert soonest.status == LifecycleStatus.REGISTERING


def test_bots_play_a_demo_tournament_to_the_end():
    call_command("seed_demo")
    tournament = Tournament.objects.filter(name="Chai Break").earliest("starts_at")
    begin(tournament)
    play_to_the_end(tournament)
    assert (tournament.status, tournament.round_number) == (LifecycleStatus.FINISHED, 2)
    assert_books_balance(tournament)
    entrants = tournament.entrants.order_by("place")
    assert entrants.filter(round_out=2).count() == 3
    assert [entrant.prize > 0 for entrant in entrants] == [True] * 3 + [False] * 6


def test_demo_data_are_made_only_in_local_runs(settings):
    settings.DEMO_DATA = False
    with pytest.raises(CommandError):
        call_command("seed_demo")
    assert not TournamentTemplate.objects.exists()
