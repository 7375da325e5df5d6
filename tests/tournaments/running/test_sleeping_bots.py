"""The setting BOTS_WAIT_FOR_PEOPLE: bots play only tournaments that people have entered or may watch."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.db.models.functions import Now

from accounts.sessions.services import HERE_FOR
from tables.models import Match
from tests.tournaments.driving import begin, enter
from tournaments.store.reading import TOO_FEW
from wallet.models import Transfer

pytestmark = pytest.mark.django_db


@pytest.fixture
def begin_cup(settings, make_tournament_of):
    """Return a function that makes a tournament whose start is due. The player, if given, has entered it."""

    def begin_cup(*, waits=True, player=None):
        settings.BOTS_WAIT_FOR_PEOPLE = waits
        cup = make_tournament_of(seats=3, qualifiers=1, bots_to=6, bot_strength="easy")
        if player is not None:
            enter(cup, player)
        return begin(cup)

    return begin_cup


def mark_seen(player, *, ago):
    UserSession.objects.create(user=player, session_key="key", ip="127.0.0.1", user_agent="")
    UserSession.objects.update(last_seen_at=Now() - ago)


def test_a_tournament_without_people_is_cancelled_and_nothing_is_minted(begin_cup, make_player):
    mark_seen(make_player(), ago=HERE_FOR + timedelta(seconds=1))
    before = Transfer.objects.count()
    cup = begin_cup()
    assert (cup.status, cup.cancel_reason, cup.entrants.count()) == ("CANCELLED", TOO_FEW, 0)
    assert Transfer.objects.count() == before
    assert not Match.objects.exists()


def test_bots_join_a_tournament_with_a_person(begin_cup, make_player):
    assert begin_cup(player=make_player()).entrants.filter(user__is_bot=True).count() == 5


def test_bots_join_while_a_person_is_on_the_site(begin_cup, make_player):
    mark_seen(make_player(), ago=HERE_FOR - timedelta(minutes=1))
    assert begin_cup().status == "PLAYING"


def test_bots_join_at_once_without_the_setting(begin_cup):
    assert begin_cup(waits=False).entrants.count() == 6
