"""Cancelled tournaments: marked at once, and wound up in small steps that may be interrupted."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from core.models import OutgoingEmail
from tables.models import Seat, Table, TableStatus
from tables.play.lock import lock_table
from tests.given import reload
from tests.refusals import refused
from tests.together import run_at_once
from tests.tournaments.driving import (
    assert_books_balance,
    chips_of,
    enter,
    open_tables,
    play_table,
    pool_of,
)
from tournaments.models import Entrant, EntrantState, RoundTable, Ticket
from tournaments.refusals import REGISTRATION_CLOSED, TOURNAMENT_OVER
from tournaments.registration.services import register, withdraw
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running import cancelling
from tournaments.running.cancelling import cancel, wind_up
from tournaments.running.tick import tick
from wallet.ledger.checks import reconcile


@pytest.fixture
def running(start_tournament, make_player):
    """A tournament with three tables of two in its first round, and its players."""
    players = [make_player() for _ in range(6)]
    tournament = start_tournament(players, seats=2, qualifiers=1)
    return tournament, players


def call_off(tournament):
    cancel(tournament_id=tournament.pk, now=timezone.now(), reason="A storm.")
    tournament.refresh_from_db()


@pytest.mark.django_db
def test_cancelling_takes_few_statements_for_any_field(running, make_player):
    tournament, _players = running
    with CaptureQueriesContext(connection) as queries:
        call_off(tournament)
    assert len(queries) <= 6
    assert (tournament.status, tournament.wound_up_at) == (LifecycleStatus.CANCELLED, None)
    with refused(REGISTRATION_CLOSED):
        register(tournament_id=tournament.pk, user_id=make_player().pk, now=timezone.now())
    with refused(TOURNAMENT_OVER):
        cancel(tournament_id=tournament.pk, now=timezone.now(), reason="Again.")
    # Money that is being refunded is no finding.
    assert pool_of(tournament) > 0
    assert reconcile().findings == ()


@pytest.mark.django_db
def test_winding_up_takes_small_interruptible_steps(running, monkeypatch):
    tournament, players = running
    monkeypatch.setattr(cancelling, "TABLES_AT_A_TIME", 2)
    monkeypatch.setattr(cancelling, "REFUNDS_AT_A_TIME", 4)
    monkeypatch.setattr(cancelling, "PEOPLE_AT_A_TIME", 5)
    call_off(tournament)
    counted = []
    while wind_up(tournament.pk, now=timezone.now()):
        open_ones = Table.objects.exclude(status=TableStatus.CLOSED).count()
        paid_back = sum(chips_of(player) == 10_000 for player in players)
        counted.append((open_ones, paid_back))
    assert counted == [(1, 0), (0, 0), (0, 4), (0, 6), (0, 6), (0, 6), (0, 6)]
    assert reload(tournament).wound_up_at is not None
    assert pool_of(tournament) == 0
    told = OutgoingEmail.objects.values_list("user_id", flat=True)
    assert sorted(told) == sorted(player.pk for player in players)
    assert not Seat.objects.filter(left_at=None).exists()
    states = set(tournament.entrants.values_list("state", flat=True))
    assert states == {EntrantState.WITHDRAWN}
    assert reconcile().findings == ()


@pytest.mark.django_db(transaction=True)
def test_a_locked_table_is_ended_later_and_delays_no_other(running):
    tournament, players = running
    held = open_tables(tournament)[0]
    call_off(tournament)
    with transaction.atomic():
        assert lock_table(held.pk) is not None
        [changed] = run_at_once(tick)
    assert changed >= 1
    left = RoundTable.objects.filter(ended_at=None)
    assert list(left.values_list("table_id", flat=True)) == [held.pk]
    assert reload(tournament).wound_up_at is None
    tick()
    assert reload(tournament).wound_up_at is not None
    assert [chips_of(player) for player in players] == [10_000] * 6


@pytest.mark.django_db(transaction=True)
def test_concurrent_workers_refund_everything_once(running):
    tournament, players = running
    play_table(open_tables(tournament)[0])
    call_off(tournament)
    assert sum(run_at_once(*3 * [tick])) >= 1
    tick()
    assert [chips_of(player) for player in players] == [10_000] * 6
    assert_books_balance(tournament)


@pytest.mark.django_db
def test_all_entrants_are_told_of_the_cancellation_by_mail(make_tournament_of, make_player):
    """The mail gives the reason and the refund in the player's language. Bots and withdrawn players get none."""
    tournament = make_tournament_of(
        name="Lotus Cup", words={"hi": {"name": "कमल कप"}}, max_entrants=2, entry_fee=100
    )
    paid, by_ticket, waits, gone = (make_player() for _ in range(4))
    enter(tournament, gone)
    withdraw(tournament_id=tournament.pk, user_id=gone.pk, now=timezone.now())
    User.objects.filter(pk=waits.pk).update(language="hi")
    enter(tournament, paid, by_ticket, waits)
    Entrant.objects.filter(user=by_ticket).update(
        ticket=Ticket.objects.create(
            user=by_ticket, template=tournament.template, won_in=tournament,
            price=100, currency="CHIPS", used_at=timezone.now(),
        )
    )  # fmt: skip
    call_off(tournament)
    tick()
    assert reload(tournament).wound_up_at is not None
    mails = {mail.user_id: mail for mail in OutgoingEmail.objects.all()}
    assert set(mails) == {paid.pk, by_ticket.pk, waits.pk}
    assert mails[paid.pk].subject == "“Lotus Cup” was cancelled"
    assert "A storm." in mails[paid.pk].text
    assert "Refunded to your wallet: 100 chips." in mails[paid.pk].text
    assert "Your ticket can be used again." in mails[by_ticket.pk].text
    assert Ticket.objects.get().used_at is None
    assert "कमल कप" in mails[waits.pk].subject
    assert "आपने कुछ नहीं दिया था।" in mails[waits.pk].text
    tick()
    assert OutgoingEmail.objects.count() == 3
