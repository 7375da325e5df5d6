"""The tables of a club that is closed."""

from django.utils import timezone

from players.clubs import services
from players.tasks import wind_up_closed_clubs
from tables.models import Admission, Match, MatchStatus, Table, TableStatus
from tables.refusals import TABLE_CLOSING
from tables.seating.hosting.private_tables import HostTerms, open_club_table, open_hosted_table
from tables.seating.hosting.services import start_table
from tests.given import reload
from tests.players.clubs.clubbing import found
from tests.refusals import refused
from tests.tables.driving import (
    chips_of,
    end_match,
    let_time_pass,
    list_seated,
    make_kind,
    seat_all,
)
from wallet import api as wallet


def open_table(club, **terms):
    usual = {"game": "indian", "preset": "points", "seats": 2, "admission": Admission.CLUB}
    return open_club_table(HostTerms(**{**usual, **terms}, club_id=club.pk))


def test_a_waiting_table_closes_with_its_club_and_returns_stacks(club, people, fees):
    make_kind(name="Room")
    officer = people[1]
    wallet.grant_welcome_chips(user_id=officer.pk)
    before = chips_of(officer)
    terms = HostTerms(game="indian", preset="points", seats=2, stake=1, club_id=club.pk)
    table = open_hosted_table(terms, user_id=officer.pk)
    assert chips_of(officer) < before
    assert wind_up_closed_clubs() == 0
    services.close_by_staff(club_id=club.pk, reason="test")
    assert reload(table).status == TableStatus.WAITING
    assert wind_up_closed_clubs() == 1
    assert (reload(table).status, list_seated(table)) == (TableStatus.CLOSED, [])
    assert chips_of(officer) == before
    assert wind_up_closed_clubs() == 0


def test_a_table_in_play_closes_after_its_match(club, people):
    table = open_table(club, seats=3)
    seat_all(table, *people[:2])
    start_table(table_id=table.pk, user_id=people[0].pk)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    services.close_by_staff(club_id=club.pk, reason="test")
    assert wind_up_closed_clubs() == 1
    assert reload(table).status == TableStatus.PLAYING
    with refused(TABLE_CLOSING):
        seat_all(table, people[2])
    assert wind_up_closed_clubs() == 0
    end_match(table)
    assert Match.objects.get().status == MatchStatus.FINISHED
    assert (reload(table).status, list_seated(table)) == (TableStatus.CLOSED, [])


def test_tables_of_other_clubs_and_broken_ones_stay_open(club, people, make_player):
    own, other = open_table(club), open_table(found(make_player(), name="Banyan Club"))
    Table.objects.filter(pk=own.pk).update(broken_at=timezone.now())
    services.close_by_staff(club_id=club.pk, reason="test")
    assert wind_up_closed_clubs() == 0
    assert reload(own).status == reload(other).status == TableStatus.WAITING
    Table.objects.filter(pk=own.pk).update(broken_at=None)
    assert wind_up_closed_clubs() == 1
    assert (reload(own).status, reload(other).status) == (TableStatus.CLOSED, TableStatus.WAITING)


def test_the_tables_of_a_club_close_when_its_last_member_leaves(club, people):
    table = open_table(club)
    for person in (*people[1:4], people[0]):
        services.leave(club_id=club.pk, user_id=person.pk)
    assert wind_up_closed_clubs() == 1
    assert reload(table).status == TableStatus.CLOSED
