"""Withdrawals: requests, decisions, and the rows of the database."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.people.closing import unfreeze
from tests.barring import freeze_by_staff
from tests.given import reload
from tests.refusals import refused
from tests.wallet.cash_players import (
    bring_deposit,
    bring_winnings,
    make_player,
    make_staff,
    may_withdraw,
    read_cash,
)
from tests.wallet.rawsql import expect_unchanged
from tests.wallet.withdrawals.asking import (
    State,
    approve_for,
    ask,
    read_winnings,
)
from wallet.ledger.balances import balance
from wallet.ledger.chart import withdrawals
from wallet.ledger.checks import reconcile
from wallet.models import GIVEN_BACK, STEPS, TaxRule, Withdrawal, WithdrawalPolicy
from wallet.money import Buckets
from wallet.refusals import (
    IDENTITY_NOT_APPROVED,
    OWN_WITHDRAWAL,
    PAYMENT_REASON_MISSING,
    PLAYER_FROZEN,
    WITHDRAWAL_DECIDED,
    WITHDRAWAL_LIMIT_REACHED,
    WITHDRAWAL_TOO_SMALL,
    InsufficientFunds,
    NoTaxRule,
    WithdrawalsNotOpen,
)
from wallet.withdrawals.payouts import send_payouts
from wallet.withdrawals.requesting import cancel_withdrawal
from wallet.withdrawals.steps import approve_withdrawal, refuse_withdrawal, settle_dispute

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha(asha):
    """The player, who has also deposited 1,000 rupees. Above 1,000 rupees, two approvals are needed."""
    WithdrawalPolicy.objects.update(second_approval_above=100_000)
    bring_deposit(asha, 100_000)
    return asha


class TestAsking:
    def test_a_request_sets_the_amount_aside(self, asha):
        withdrawal = ask(asha)
        assert (withdrawal.state, withdrawal.tax, withdrawal.net) == (State.REQUESTED, 0, 50_000)
        assert read_cash(asha) == Buckets(0, 100_000, 150_000)
        assert balance(withdrawals()) == 0
        assert reconcile().findings == ()

    def test_winnings_above_the_deposits_are_taxed(self, asha):
        withdrawal = ask(asha, 150_000)
        assert withdrawal.net_winnings == 50_000
        assert (withdrawal.tax, withdrawal.net) == (15_000, 135_000)

    def test_a_pending_withdrawal_counts_for_the_tax_of_the_next(self, asha):
        ask(asha, 100_000)
        assert ask(asha, 50_000, reference="w2").tax == 15_000

    @pytest.mark.parametrize(
        ("amount", "refusal"),
        [
            (9_999, WITHDRAWAL_TOO_SMALL),
            (-1, WITHDRAWAL_TOO_SMALL),
            (200_001, InsufficientFunds),
            (5_000_001, WITHDRAWAL_LIMIT_REACHED),
        ],
    )
    def test_only_winnings_within_the_policy(self, asha, amount, refusal):
        with expect_unchanged(refusal):
            ask(asha, amount, net=amount)

    def test_requested_amounts_count_for_the_daily_limit(self, asha):
        WithdrawalPolicy.objects.update(most_a_day=60_000)
        ask(asha, 50_000)
        with expect_unchanged(WITHDRAWAL_LIMIT_REACHED):
            ask(asha, 10_001, reference="w2", net=10_001)
        ask(asha, 10_000, reference="w2")
        tomorrow = timezone.now() + timedelta(hours=25)
        ask(asha, 10_000, reference="w3", now=tomorrow)

    def test_a_cancelled_withdrawal_does_not_count_for_the_daily_limit(self, asha):
        WithdrawalPolicy.objects.update(most_a_day=60_000)
        ask(asha, 50_000)
        cancel_withdrawal(user_id=asha.pk, reference="w1")
        assert ask(asha, 60_000, reference="w2").state == State.REQUESTED

    def test_the_identity_has_to_be_approved(self, asha):
        other = make_player("Bela")
        bring_winnings(other, 100_000)
        with expect_unchanged(IDENTITY_NOT_APPROVED):
            ask(other, net=50_000)

    @pytest.mark.parametrize(
        ("missing", "refusal"), [(WithdrawalPolicy, WithdrawalsNotOpen), (TaxRule, NoTaxRule)]
    )
    def test_no_withdrawal_is_taken_without_rules(self, asha, missing, refusal):
        missing.objects.all().delete()
        with expect_unchanged(refusal):
            ask(asha, net=50_000)


class TestDeciding:
    def test_a_withdrawal_follows_the_policy_of_its_request(self, asha, boss):
        withdrawal = ask(asha, 100_001)
        WithdrawalPolicy.objects.create(
            least=1, most_a_day=10**9, second_approval_above=10**9, valid_from=timezone.now()
        )
        approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
        assert reload(withdrawal).state == State.NEEDS_SECOND

    def test_staff_cannot_decide_about_their_own_withdrawal(self, boss):
        withdrawal = ask(may_withdraw(boss, make_staff("Other")))
        with expect_unchanged(OWN_WITHDRAWAL):
            approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
        with expect_unchanged(OWN_WITHDRAWAL):
            refuse_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk, reason="x")

    def test_a_refusal_needs_a_reason(self, asha, boss):
        withdrawal = ask(asha)
        with expect_unchanged(PAYMENT_REASON_MISSING):
            refuse_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk, reason=" ")

    def test_a_player_cancels_a_withdrawal_until_it_is_approved(self, asha, boss):
        ask(asha)
        cancel_withdrawal(user_id=asha.pk, reference="w1")
        assert read_winnings(asha) == 200_000
        approve_for(asha, boss, reference="w2")
        for reference in ("w1", "w2"):
            with expect_unchanged(WITHDRAWAL_DECIDED):
                cancel_withdrawal(user_id=asha.pk, reference=reference)
        with expect_unchanged(Withdrawal.DoesNotExist):
            cancel_withdrawal(user_id=boss.pk, reference="w2")

    def test_a_withdrawal_can_be_cancelled_between_two_approvals(self, asha, boss):
        approve_for(asha, boss, amount=150_000)
        cancel_withdrawal(user_id=asha.pk, reference="w1")
        assert read_winnings(asha) == 200_000

    def test_an_approved_withdrawal_cannot_be_refused(self, asha, boss, chief):
        decision = {"withdrawal_id": approve_for(asha, boss).pk, "staff_id": chief.pk}
        with expect_unchanged(WITHDRAWAL_DECIDED):
            refuse_withdrawal(**decision, reason="x")
        with expect_unchanged(WITHDRAWAL_DECIDED):
            approve_withdrawal(**decision)
        with expect_unchanged(WITHDRAWAL_DECIDED):
            settle_dispute(**decision, was_paid=True, reason="x")


@pytest.mark.parametrize(
    ("change", "state"),
    [({"state": "CANCELLED"}, "CANCELLED"), ({"state": "PAID", "approved_by_id": 0}, "PAID")],
)
def test_the_check_of_the_ledger_finds_a_state_without_its_money(asha, boss, change, state):
    withdrawal = ask(asha)
    change = {name: boss.pk if value == 0 else value for name, value in change.items()}
    Withdrawal.objects.filter(pk=withdrawal.pk).update(**change)
    findings = [(finding.check, finding.subject) for finding in reconcile().findings]
    assert ("withdrawal and its hold disagree", f"w1: {state}") in findings
    unpaid = ("payment differs from the ledger", f"withdrawal:w1:paid: {withdrawal.net}, moved 0")
    assert (unpaid in findings) is (state == "PAID")


class TestSchema:
    def test_every_chain_of_steps_ends(self):
        ends = {state for state, following in STEPS.items() if not following}
        assert ends == {State.PAID, State.REFUSED, State.CANCELLED}
        assert set(STEPS) == set(State)
        assert set(GIVEN_BACK) == {State.REFUSED, State.CANCELLED, State.FAILED}

    @pytest.mark.parametrize(
        ("change", "constraint"),
        [
            ({"net": 49_999}, "is_net_and_tax"),
            ({"amount": 0, "net": 0}, "is_net_and_tax"),
            ({"net_winnings": 50_001}, "net_winnings_are_a_part"),
            ({"state": "SENT"}, "leaves_approved"),
            ({"state": "REFUSED"}, "refusal_has_a_reason"),
            ({"send_at": timezone.now()}, "is_sent_when_approved"),
        ],
    )
    def test_the_database_keeps_rows_sensible(self, asha, change, constraint):
        withdrawal = ask(asha)
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            Withdrawal.objects.filter(pk=withdrawal.pk).update(**change)

    def test_two_approvals_are_of_two_others(self, asha, boss):
        withdrawal = ask(asha, 150_000)
        rows = Withdrawal.objects.filter(pk=withdrawal.pk)
        with pytest.raises(IntegrityError, match="approved_by_two"), transaction.atomic():
            rows.update(approved_by=boss, second_approved_by=boss)
        with pytest.raises(IntegrityError, match="approved_by_others"), transaction.atomic():
            rows.update(approved_by=asha)


def test_a_withdrawal_of_a_frozen_player_can_only_be_refused(asha, boss):
    withdrawal = ask(asha, 100_000)
    freeze_by_staff(asha)
    with refused(PLAYER_FROZEN):
        approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
    assert reload(withdrawal).state == State.REQUESTED
    refuse_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk, reason="Stolen.")
    assert read_winnings(asha) == 200_000


def test_an_approved_withdrawal_waits_while_its_player_is_frozen(asha, boss):
    withdrawal = ask(asha, 100_000)
    approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
    freeze_by_staff(asha)
    assert send_payouts(now=timezone.now()) == 0
    assert (reload(withdrawal).state, withdrawal.payout_id) == (State.APPROVED, "")
    unfreeze(user_id=asha.pk, reason="A mistake.")
    due = Withdrawal.objects.filter(send_at__lte=timezone.now(), user__is_active=True)
    assert due.get() == withdrawal
