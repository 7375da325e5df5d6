"""A club that closes takes its tables with it: at once where nobody plays, after the match where somebody does."""

import pytest
from django.utils import timezone

from tables.models import Admission, Match, MatchStatus, Table, TableStatus
from tables.players.clubs import services
from tables.refusals import TableClosing
from tables.seating.hosting.private_tables import HostTerms, open_club_table, open_hosted_table
from tables.seating.hosting.services import start_table
from tables.seating.sitting import take_seat
from tables.tasks import wind_up_closed_clubs
from tests.given import reload
from tests.tables.driving import end_match, let_time_pass, make_kind
from tests.tables.players.clubs.clubbing import found
from wallet import api as wallet
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.money import Currency


def open_table(club, **terms):
    usual = {"game": "indian", "preset": "points", "seats": 2, "admission": Admission.CLUB}
    return open_club_table(HostTerms(**{**usual, **terms}, club_id=club.pk))


def sit(table, person):
    take_seat(table_id=table.pk, user_id=person.pk, amount=0, invite=table.invite_code)


def close(club):
    services.close_by_staff(club_id=club.pk, reason="test")


def count_seated(table):
    return table.sittings.filter(left_at=None).count()


def chips_of(person):
    return balance(chart.player(person.pk, Currency.CHIPS))


def test_a_waiting_table_closes_and_gives_back_what_was_brought(club, people):
    wallet.set_starting_fees(valid_from=timezone.now())
    make_kind(name="Room")
    officer = people[1]
    wallet.grant_welcome_chips(user_id=officer.pk)
    before = chips_of(officer)
    terms = HostTerms(game="indian", preset="points", seats=2, stake=1, club_id=club.pk)
    table = open_hosted_table(terms, user_id=officer.pk)
    assert chips_of(officer) < before
    assert wind_up_closed_clubs() == 0
    close(club)
    assert reload(table).status == TableStatus.WAITING
    assert wind_up_closed_clubs() == 1
    assert (reload(table).status, count_seated(table)) == (TableStatus.CLOSED, 0)
    assert chips_of(officer) == before
    assert wind_up_closed_clubs() == 0


def test_a_table_that_plays_closes_with_the_end_of_its_match(club, people):
    table = open_table(club, seats=3)
    for person in people[:2]:
        sit(table, person)
    start_table(table_id=table.pk, user_id=people[0].pk)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    close(club)
    assert wind_up_closed_clubs() == 1
    assert reload(table).status == TableStatus.PLAYING
    with pytest.raises(TableClosing):
        sit(table, people[2])
    assert wind_up_closed_clubs() == 0
    end_match(table)
    match = Match.objects.get()
    assert match.status == MatchStatus.FINISHED
    assert (reload(table).status, count_seated(table)) == (TableStatus.CLOSED, 0)


def test_other_clubs_and_tables_out_of_order_are_left_alone(club, people, make_player):
    own, other = open_table(club), open_table(found(make_player(), name="Banyan Club"))
    Table.objects.filter(pk=own.pk).update(broken_at=timezone.now())
    close(club)
    assert wind_up_closed_clubs() == 0
    assert reload(own).status == reload(other).status == TableStatus.WAITING
    Table.objects.filter(pk=own.pk).update(broken_at=None)
    assert wind_up_closed_clubs() == 1
    assert (reload(own).status, reload(other).status) == (TableStatus.CLOSED, TableStatus.WAITING)


def test_the_last_member_who_leaves_takes_the_tables_along(club, people):
    table = open_table(club)
    for person in (*people[1:4], people[0]):
        services.leave(club_id=club.pk, user_id=person.pk)
    assert wind_up_closed_clubs() == 1
    assert reload(table).status == TableStatus.CLOSED
