"""Findings of the ledger check about tables and matches."""

import pytest
from django.db.models import F
from django.db.models.functions import Now

from tables.models import Match, MatchStatus, Seat, Table
from tests.given import require
from tests.tables.driving import let_time_pass, seat_all
from wallet.ledger.checks import Finding, reconcile

pytestmark = pytest.mark.django_db
FEE = 100


def begin(table, players, amount):
    seat_all(table, *players, amount=amount)
    let_time_pass(table)
    return Match.objects.get(table=table)


def test_a_running_match_agrees_with_its_pot(make_player, make_table):
    match = begin(make_table(preset="pool101", entry_fee=FEE), [make_player(), make_player()], FEE)
    assert reconcile().findings == ()
    Table.objects.update(entry_fee=F("entry_fee") + 1)
    assert reconcile().findings == (
        Finding("match and its pot disagree", f"match {match.pk}: 200 of 2 players at 101"),
    )


def test_a_match_that_is_over_holds_nothing(make_player, make_table):
    match = begin(make_table(preset="pool101", entry_fee=FEE), [make_player(), make_player()], FEE)
    Match.objects.update(status=MatchStatus.FINISHED, ended_at=Now())
    assert reconcile().findings == (
        Finding("match that is over holds money", f"match {match.pk}: 200 CHIPS"),
    )


def test_a_seat_that_was_left_holds_nothing(make_player, make_table):
    begin(make_table(), [make_player(), make_player()], 800)
    assert reconcile().findings == ()
    seat = Seat.objects.order_by("pk").first()
    Seat.objects.filter(pk=require(seat).pk).update(left_at=Now())
    assert reconcile().findings == (
        Finding("seat that was left holds money", f"seat {require(seat).pk}: 800 CHIPS"),
    )
