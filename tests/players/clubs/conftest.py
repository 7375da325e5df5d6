"""A club with an owner, an officer and two members; and a stranger."""

import pytest

from players.clubs import services
from tests.players.clubs.clubbing import enter, found
from tests.workers import empty_redis


@pytest.fixture(autouse=True)
def _reset_rates():
    empty_redis()


@pytest.fixture
def people(db, make_player):
    return [make_player(chips=False) for _ in range(5)]


@pytest.fixture
def club(people):
    """A club with an owner, an officer and two members."""
    owner, officer, member, other, _stranger = people
    club = found(owner)
    enter(club, officer, member, other)
    services.make_officer(club_id=club.pk, user_id=owner.pk, other_id=officer.pk)
    return club
