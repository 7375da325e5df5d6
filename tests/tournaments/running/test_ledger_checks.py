"""Findings of the ledger check about tournaments."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.wallet.rawsql import post
from tournaments.models import Tournament
from wallet.ledger.checks import LedgerFinding, reconcile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", ["FINISHED", "CANCELLED"])
def test_the_ledger_check_finds_money_in_a_finished_tournament(make_tournament_of, status):
    tournament = make_tournament_of()
    post("fee:1", f"MINT,0,PRIZE_POOL,{tournament.pk},CHIPS,70,ENTRY_FEE")
    assert reconcile().findings == ()
    ended = timezone.now() - timedelta(minutes=61)
    Tournament.objects.filter(pk=tournament.pk).update(status=status, ended_at=ended)
    assert reconcile().findings == (
        LedgerFinding(
            "tournament that is over and its prize pool disagree",
            f"tournament {tournament.pk}: 70 CHIPS, unused tickets 0",
        ),
    )
