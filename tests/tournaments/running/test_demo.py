"""The tournaments of a local run."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.tournaments.driving import begin, play_to_the_end
from tournaments.models import Tournament, TournamentTemplate
from tournaments.rules.lifecycle import Status
from wallet import api as wallet

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fees(db):
    wallet.set_starting_fees(valid_from=timezone.now())


def test_tournaments_begin_within_minutes(settings):
    for _ in range(2):
        call_command("seed_demo")
    assert TournamentTemplate.objects.count() == 6
    for template in TournamentTemplate.objects.all():
        template.full_clean()
        assert template.tournaments.exists()
    soonest = Tournament.objects.earliest("starts_at")
    assert soonest.starts_at - timezone.now() <= timedelta(minutes=5)
    assert soonest.status == Status.REGISTERING


def test_bots_alone_play_one_of_them():
    call_command("seed_demo")
    tournament = Tournament.objects.filter(name="Chai Break").earliest("starts_at")
    begin(tournament)
    play_to_the_end(tournament)
    assert tournament.status == Status.FINISHED
    assert tournament.entrants.count() == 9


def test_bots_alone_play_a_heads_up_bracket():
    call_command("seed_demo")
    tournament = Tournament.objects.filter(name="Banyan Duel").earliest("starts_at")
    begin(tournament)
    play_to_the_end(tournament)
    places = tournament.entrants.order_by("place").values_list("rank", "prize")
    assert (tournament.status, tournament.round_number) == (Status.FINISHED, 3)
    assert [rank for rank, _prize in places][:4] == [1, 2, 3, 4]
    assert [prize > 0 for _rank, prize in places] == [True] * 3 + [False] * 5


def test_bots_alone_play_a_shoot_out():
    call_command("seed_demo")
    tournament = Tournament.objects.filter(name="Peacock Shoot-out").earliest("starts_at")
    begin(tournament)
    play_to_the_end(tournament)
    assert (tournament.status, tournament.round_number) == (Status.FINISHED, 3)
    assert tournament.entrants.filter(round_out=3).count() == 4


def test_nothing_of_it_outside_of_local_runs(settings):
    settings.DEMO_DATA = False
    with pytest.raises(CommandError):
        call_command("seed_demo")
    assert not TournamentTemplate.objects.exists()
