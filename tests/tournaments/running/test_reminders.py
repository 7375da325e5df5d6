"""Reminders half an hour before the start, sent once to players who entered long before it."""

import json
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.models import AbsenceNotice, User
from config.settings.schedule import MAIL
from core.models import OutgoingEmail
from tests.accounts.push_service import subscribe_device
from tests.tables.live.conftest import service
from tests.together import run_at_once
from tests.tournaments.driving import bring_start, enter
from tests.workers import do_waiting_jobs
from tournaments.models import Entrant, Tournament
from tournaments.registration.services import withdraw
from tournaments.running.reminders import ENTERED_BEFORE, REMINDED_BEFORE, remind_entrants
from tournaments.running.tick import tick

__all__ = ["service"]  # a fixture


@pytest.fixture
def cup(make_tournament_of):
    """A tournament that begins in 29 minutes."""
    return make_tournament_of(starts_at=timezone.now() + REMINDED_BEFORE - timedelta(minutes=1))


def enter_long_ago(tournament, *users):
    enter(tournament, *users)
    entrants = Entrant.objects.filter(tournament=tournament, user__in=users)
    entrants.update(entered_at=F("entered_at") - ENTERED_BEFORE)


def remind():
    return remind_entrants(now=timezone.now())


def list_mailed():
    return list(OutgoingEmail.objects.order_by("pk").values_list("user_id", flat=True))


@pytest.mark.django_db
class TestByMail:
    def test_a_player_is_reminded_once(self, cup, make_player):
        player = make_player()
        enter_long_ago(cup, player)
        assert (remind(), remind()) == (1, 0)
        (mail,) = OutgoingEmail.objects.all()
        assert (mail.user_id, mail.subject) == (player.pk, "“Monsoon Cup” begins soon")
        start = timezone.localtime(cup.starts_at).strftime("%H:%M IST")
        assert f"begins on {timezone.localtime(cup.starts_at).day} " in mail.text
        assert start in mail.text
        assert f"?next=%2Ftournaments%2F{cup.pk}%2F" in mail.text
        assert mail.stop_url

    def test_who_entered_shortly_before_is_not(self, cup, make_player):
        enter(cup, make_player())
        assert (remind(), list_mailed()) == (0, [])

    def test_nobody_is_reminded_earlier_or_after_the_start(self, cup, make_player):
        enter_long_ago(cup, make_player())
        for moment in (cup.starts_at - REMINDED_BEFORE - timedelta(seconds=1), cup.starts_at):
            assert remind_entrants(now=moment) == 0
        assert list_mailed() == []

    def test_of_a_start_that_is_moved_players_are_reminded_again(self, cup, make_player):
        enter_long_ago(cup, make_player())
        assert remind() == 1
        Tournament.objects.filter(pk=cup.pk).update(starts_at=F("starts_at") - timedelta(minutes=9))
        Entrant.objects.update(entered_at=F("entered_at") - timedelta(minutes=9))
        assert (remind(), remind()) == (1, 0)

    @pytest.mark.parametrize(
        "changes",
        [
            {"paused_at": timezone.now()},
            {"broken_at": timezone.now()},
            {"status": "CANCELLED"},
            {"status": "PLAYING"},
        ],
    )
    def test_a_tournament_that_rests_or_has_begun_reminds_nobody(self, cup, make_player, changes):
        enter_long_ago(cup, make_player())
        Tournament.objects.filter(pk=cup.pk).update(**changes)
        assert (remind(), list_mailed()) == (0, [])

    def test_who_has_withdrawn_or_wants_no_notice_gets_none(self, cup, make_player):
        gone, silent, told = (make_player() for _ in range(3))
        enter_long_ago(cup, gone, silent, told)
        withdraw(tournament_id=cup.pk, user_id=gone.pk, now=timezone.now())
        User.objects.filter(pk=silent.pk).update(absence_notice=AbsenceNotice.NONE)
        assert remind() == 2
        assert list_mailed() == [told.pk]

    def test_the_start_comes_as_if_nobody_had_been_reminded(self, cup, make_player):
        enter_long_ago(cup, *(make_player() for _ in range(3)))
        assert remind() == 3
        bring_start(cup)
        tick()
        cup.refresh_from_db()
        assert cup.status == "PLAYING"
        assert remind() == 0


def test_two_workers_remind_each_player_once(transactional_db, cup, make_player):
    enter_long_ago(cup, *(make_player() for _ in range(6)))
    assert sum(run_at_once(remind, remind)) == 6
    assert len(set(list_mailed())) == len(list_mailed()) == 6


def test_a_subscribed_device_is_called_instead_of_a_mail(
    service, transactional_db, cup, make_player
):
    player = make_player()
    enter_long_ago(cup, player)
    device = subscribe_device(service, player)
    assert remind() == 1
    do_waiting_jobs(MAIL)
    (message,) = service.received
    read = json.loads(device.read(message))
    assert (read["title"], read["body"]) == (
        "A tournament begins soon",
        "Monsoon Cup: be there when it starts.",
    )
    assert read["url"] == cup.get_absolute_url()
    assert 0 < int(message.headers["ttl"]) <= REMINDED_BEFORE.total_seconds()
    assert list_mailed() == []
