"""Findings of the ledger check about tables and matches."""

import pytest
from django.db.models import F
from django.db.models.functions import Now

from tables.models import Match, MatchStatus, Seat, Table
from tests.given import require
from tests.tables.driving import begin_match, start_match
from tests.tables.pools import FEE
from wallet.ledger.checks import LedgerFinding, reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(make_table, players):
    return begin_match(make_table(preset="pool101", entry_fee=FEE), *players[:2])


def test_the_check_finds_a_running_match_that_disagrees_with_its_pot(match):
    assert reconcile().findings == ()
    Table.objects.update(entry_fee=F("entry_fee") + 1)
    assert reconcile().findings == (
        LedgerFinding("match and its pot disagree", f"match {match.pk}: 200 of 2 players at 101"),
    )


def test_the_check_finds_money_in_a_match_that_is_over(match):
    Match.objects.update(status=MatchStatus.FINISHED, ended_at=Now())
    assert reconcile().findings == (
        LedgerFinding("match that is over holds money", f"match {match.pk}: 200 CHIPS"),
    )


def test_the_check_finds_money_at_a_seat_that_was_left(make_table, players):
    start_match(make_table(), *players[:2])
    assert reconcile().findings == ()
    seat = require(Seat.objects.order_by("pk").first())
    Seat.objects.filter(pk=seat.pk).update(left_at=Now())
    assert reconcile().findings == (
        LedgerFinding("seat that was left holds money", f"seat {seat.pk}: 800 CHIPS"),
    )
