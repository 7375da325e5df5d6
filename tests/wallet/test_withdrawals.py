"""Withdrawals: asking, deciding, and what the provider says of them."""

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_player,
    make_staff,
    set_rules,
)
from wallet import services as wallet
from wallet.chart import tds_payable, withdrawals
from wallet.models import (
    GIVEN_BACK,
    STEPS,
    PayoutNotice,
    TaxRule,
    Transfer,
    Withdrawal,
    WithdrawalPolicy,
)
from wallet.money import Buckets
from wallet.payments import sandbox
from wallet.payments.base import Outcome
from wallet.reconciliation import reconcile
from wallet.selectors import balance, player_balances

pytestmark = pytest.mark.django_db

WEBHOOK = "/wallet/payout-notices/sandbox/"
Effect = PayoutNotice.Effect
State = Withdrawal.State


@pytest.fixture
def boss():
    return make_staff("Boss")


@pytest.fixture
def chief():
    return make_staff("Chief")


@pytest.fixture
def asha(boss):
    """Deposited 1,000 rupees and has won 2,000; the policy wants two approvals above 1,000."""
    set_rules(second_above=100_000)
    user = make_player()
    approve_identity(user, boss)
    bring_deposit(user, 100_000)
    bring_winnings(user, 200_000)
    return user


def ask(user, amount=50_000, reference="w1", net=None, now=None):
    now = now or timezone.now()
    if net is None:
        net = wallet.quote_withdrawal(user_id=user.pk, amount=amount, now=now).taxed.net
    wish = wallet.WithdrawalWish(reference, amount, net, "asha@upi")
    return wallet.request_withdrawal(user_id=user.pk, wish=wish, now=now)


def everything(ledger):
    return ledger(), list(Withdrawal.objects.order_by("pk").values_list())


def winnings(user):
    return player_balances(user.pk).cash.winnings


def approved(user, boss, **facts):
    return wallet.approve_withdrawal(withdrawal_id=ask(user, **facts).pk, staff_id=boss.pk)


def notice(withdrawal, outcome=Outcome.PAID, event="e1", amount=None, payment=None):
    body = json.loads(
        sandbox.write_notice(
            event_id=event,
            reference=withdrawal.reference,
            outcome=outcome,
            amount=amount or withdrawal.net,
        )
    )
    return json.dumps({**body, "payment": payment or body["payment"]}).encode()


def send(client, content, channel=sandbox.Channel.PAYOUT):
    return client.post(
        WEBHOOK,
        content,
        content_type="application/json",
        headers={"X-Signature": sandbox.sign(content, channel)},
    )


def effect(client, withdrawal, *args, **facts):
    answer = send(client, notice(withdrawal, *args, **facts))
    assert answer.status_code == 200
    withdrawal.refresh_from_db()
    return answer.json()["effect"]


class TestAsking:
    def test_the_amount_is_put_aside(self, asha, ledger):
        withdrawal = ask(asha)
        assert (withdrawal.state, withdrawal.tax, withdrawal.net) == (State.REQUESTED, 0, 50_000)
        assert player_balances(asha.pk).cash == Buckets(0, 100_000, 150_000)
        assert balance(withdrawals()) == 0
        assert reconcile().findings == ()

    def test_tax_is_on_what_is_above_the_deposits(self, asha):
        withdrawal = ask(asha, 150_000)
        assert (withdrawal.net_winnings, withdrawal.tax, withdrawal.net) == (
            50_000,
            15_000,
            135_000,
        )

    def test_what_waits_counts_for_the_tax_of_the_next(self, asha):
        ask(asha, 100_000)
        assert ask(asha, 50_000, reference="w2").tax == 15_000

    def test_the_same_wish_twice_is_one_withdrawal(self, asha, ledger):
        first = ask(asha)
        before = everything(ledger)
        assert ask(asha, net=50_000) == first
        assert everything(ledger) == before

    @pytest.mark.parametrize(
        ("amount", "refusal"),
        [
            (9_999, wallet.WithdrawalTooSmall),
            (-1, wallet.WithdrawalTooSmall),
            (200_001, wallet.InsufficientFunds),
            (5_000_001, wallet.WithdrawalLimitReached),
        ],
    )
    def test_only_winnings_within_the_policy(self, asha, ledger, amount, refusal):
        before = everything(ledger)
        with pytest.raises(refusal):
            ask(asha, amount, net=amount)
        assert everything(ledger) == before

    def test_the_days_limit_counts_what_was_asked_for(self, asha, ledger):
        WithdrawalPolicy.objects.update(most_a_day=60_000)
        ask(asha, 50_000)
        before = everything(ledger)
        with pytest.raises(wallet.WithdrawalLimitReached):
            ask(asha, 10_001, reference="w2", net=10_001)
        assert everything(ledger) == before
        ask(asha, 10_000, reference="w2")
        tomorrow = timezone.now() + timedelta(hours=25)
        ask(asha, 10_000, reference="w3", now=tomorrow)

    def test_what_was_given_back_does_not_count(self, asha):
        WithdrawalPolicy.objects.update(most_a_day=60_000)
        ask(asha, 50_000)
        wallet.cancel_withdrawal(user_id=asha.pk, reference="w1")
        assert ask(asha, 60_000, reference="w2").state == State.REQUESTED

    def test_the_identity_has_to_be_approved(self, asha, ledger):
        other = make_player("Bela")
        bring_winnings(other, 100_000)
        before = everything(ledger)
        with pytest.raises(wallet.IdentityNotApproved):
            ask(other, net=50_000)
        assert everything(ledger) == before

    def test_a_tax_that_has_changed_is_shown_again(self, asha, ledger):
        quote = wallet.quote_withdrawal(user_id=asha.pk, amount=150_000, now=timezone.now())
        bring_deposit(asha, 50_000, key="more")
        before = everything(ledger)
        with pytest.raises(wallet.WithdrawalChanged):
            ask(asha, 150_000, net=quote.taxed.net)
        assert everything(ledger) == before

    @pytest.mark.parametrize(
        ("missing", "refusal"),
        [("policy", wallet.WithdrawalsNotOpen), ("rule", wallet.NoTaxRule)],
    )
    def test_without_rules_nothing_leaves(self, boss, ledger, missing, refusal):
        set_rules()
        user = make_player()
        approve_identity(user, boss)
        bring_winnings(user, 100_000)
        if missing == "policy":
            WithdrawalPolicy.objects.all().delete()
        else:
            TaxRule.objects.all().delete()
        before = everything(ledger)
        with pytest.raises(refusal):
            ask(user, net=50_000)
        assert everything(ledger) == before


class TestDeciding:
    def test_approved_then_on_its_way(self, asha, boss):
        withdrawal = approved(asha, boss)
        assert (withdrawal.state, withdrawal.approved_by_id) == (State.APPROVED, boss.pk)
        assert withdrawal.send_at is not None
        assert winnings(asha) == 150_000

    def test_a_large_one_needs_two(self, asha, boss, chief, ledger):
        withdrawal = approved(asha, boss, amount=100_001)
        assert (withdrawal.state, withdrawal.send_at) == (State.NEEDS_SECOND, None)
        before = everything(ledger)
        with pytest.raises(wallet.SameAdministrator):
            wallet.approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
        assert everything(ledger) == before
        wallet.approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=chief.pk)
        withdrawal.refresh_from_db()
        assert (withdrawal.state, withdrawal.second_approved_by_id) == (State.APPROVED, chief.pk)

    def test_the_policy_of_the_request_counts(self, asha, boss):
        withdrawal = ask(asha, 100_001)
        WithdrawalPolicy.objects.create(
            least=1,
            most_a_day=10**9,
            second_approval_above=10**9,
            valid_from=timezone.now(),
        )
        wallet.approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
        withdrawal.refresh_from_db()
        assert withdrawal.state == State.NEEDS_SECOND

    def test_nobody_decides_about_his_own(self, boss, ledger):
        set_rules()
        approve_identity(boss, make_staff("Other"))
        bring_winnings(boss, 100_000)
        withdrawal = ask(boss)
        before = everything(ledger)
        with pytest.raises(wallet.OwnWithdrawal):
            wallet.approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
        with pytest.raises(wallet.OwnWithdrawal):
            wallet.refuse_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk, reason="x")
        assert everything(ledger) == before

    def test_refused_with_a_reason_and_the_money_is_back(self, asha, boss, ledger):
        withdrawal = ask(asha)
        before = everything(ledger)
        with pytest.raises(wallet.ReasonMissing):
            wallet.refuse_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk, reason=" ")
        assert everything(ledger) == before
        wallet.refuse_withdrawal(
            withdrawal_id=withdrawal.pk, staff_id=boss.pk, reason="Another name at the bank."
        )
        withdrawal.refresh_from_db()
        assert (withdrawal.state, withdrawal.reason) == (
            State.REFUSED,
            "Another name at the bank.",
        )
        assert winnings(asha) == 200_000
        assert reconcile().findings == ()

    def test_the_player_cancels_while_nobody_has_approved(self, asha, boss, ledger):
        ask(asha)
        wallet.cancel_withdrawal(user_id=asha.pk, reference="w1")
        assert winnings(asha) == 200_000
        approved(asha, boss, reference="w2")
        before = everything(ledger)
        for reference in ("w1", "w2"):
            with pytest.raises(wallet.WithdrawalDecided):
                wallet.cancel_withdrawal(user_id=asha.pk, reference=reference)
        with pytest.raises(Withdrawal.DoesNotExist):
            wallet.cancel_withdrawal(user_id=boss.pk, reference="w2")
        assert everything(ledger) == before

    def test_a_large_one_is_cancelled_between_two_approvals(self, asha, boss):
        approved(asha, boss, amount=150_000)
        wallet.cancel_withdrawal(user_id=asha.pk, reference="w1")
        assert winnings(asha) == 200_000

    def test_an_approved_one_is_past_refusing(self, asha, boss, chief, ledger):
        withdrawal = approved(asha, boss)
        before = everything(ledger)
        with pytest.raises(wallet.WithdrawalDecided):
            wallet.refuse_withdrawal(withdrawal_id=withdrawal.pk, staff_id=chief.pk, reason="x")
        with pytest.raises(wallet.WithdrawalDecided):
            wallet.approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=chief.pk)
        with pytest.raises(wallet.WithdrawalDecided):
            wallet.settle_dispute(
                withdrawal_id=withdrawal.pk, staff_id=chief.pk, was_paid=True, reason="x"
            )
        assert everything(ledger) == before

    def test_nothing_is_decided_where_cash_is_off(self, asha, boss, ledger, settings):
        withdrawal = ask(asha)
        before = everything(ledger)
        settings.CASH_PLAY = "off"
        which = {"withdrawal_id": withdrawal.pk, "staff_id": boss.pk}
        for decide in (
            lambda: wallet.approve_withdrawal(**which),
            lambda: wallet.refuse_withdrawal(**which, reason="x"),
            lambda: wallet.settle_dispute(**which, was_paid=True, reason="x"),
            lambda: wallet.cancel_withdrawal(user_id=asha.pk, reference="w1"),
            lambda: ask(asha, reference="w2", net=50_000),
        ):
            with pytest.raises(wallet.CashIsOff):
                decide()
        assert wallet.send_payouts(now=timezone.now()) == 0
        assert everything(ledger) == before


class TestNotices:
    def test_paid_with_its_tax_in_one_posting(self, client, asha, boss, chief):
        withdrawal = approved(asha, boss, amount=150_000)
        wallet.approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=chief.pk)
        assert effect(client, withdrawal) == Effect.PAID
        assert (withdrawal.state, withdrawal.payout_id) == (State.PAID, "sb_w1")
        assert withdrawal.ended_at is not None
        assert (balance(withdrawals()), balance(tds_payable())) == (135_000, 15_000)
        assert winnings(asha) == 50_000
        lines = Transfer.objects.filter(journal__key="withdrawal:w1:paid").order_by("line")
        assert list(lines.values_list("amount", "reason")) == [
            (135_000, "WITHDRAWAL"),
            (15_000, "TAX"),
        ]
        assert reconcile().findings == ()

    def test_repeated_and_out_of_order(self, client, asha, boss, ledger):
        withdrawal = approved(asha, boss)
        assert effect(client, withdrawal) == Effect.PAID
        before = everything(ledger)
        assert effect(client, withdrawal) == Effect.REPEATED
        assert effect(client, withdrawal, event="e2") == Effect.IGNORED
        assert effect(client, withdrawal, Outcome.FAILED, event="e0") == Effect.IGNORED
        assert everything(ledger) == before

    def test_failed_and_the_money_is_back(self, client, asha, boss):
        withdrawal = approved(asha, boss)
        assert effect(client, withdrawal, Outcome.FAILED) == Effect.FAILED
        assert (withdrawal.state, withdrawal.send_at) == (State.FAILED, None)
        assert winnings(asha) == 200_000
        assert effect(client, withdrawal, Outcome.FAILED, event="e2") == Effect.IGNORED
        assert winnings(asha) == 200_000

    def test_a_late_success_after_a_failure_counts(self, client, asha, boss):
        withdrawal = approved(asha, boss)
        effect(client, withdrawal, Outcome.FAILED)
        assert effect(client, withdrawal, event="e2") == Effect.PAID
        assert (withdrawal.state, withdrawal.reason) == (State.PAID, "")
        assert (winnings(asha), balance(withdrawals())) == (150_000, 50_000)
        assert reconcile().findings == ()

    def test_a_late_success_of_money_that_is_spent_is_looked_into(
        self, client, asha, boss, ledger, caplog
    ):
        withdrawal = approved(asha, boss)
        effect(client, withdrawal, Outcome.FAILED)
        ask(asha, 200_000, reference="w2")
        before = ledger()
        assert effect(client, withdrawal, event="e2") == Effect.MISMATCH
        assert withdrawal.state == State.IN_DISPUTE
        assert ledger() == before
        assert "is spent" in caplog.text
        with pytest.raises(wallet.InsufficientFunds):
            wallet.settle_dispute(
                withdrawal_id=withdrawal.pk, staff_id=boss.pk, was_paid=True, reason="Bank says so."
            )
        assert ledger() == before
        wallet.cancel_withdrawal(user_id=asha.pk, reference="w2")
        wallet.settle_dispute(
            withdrawal_id=withdrawal.pk, staff_id=boss.pk, was_paid=True, reason="Bank says so."
        )
        withdrawal.refresh_from_db()
        assert (withdrawal.state, winnings(asha)) == (State.PAID, 150_000)
        assert reconcile().findings == ()

    @pytest.mark.parametrize(("was_paid", "left"), [(True, 150_000), (False, 200_000)])
    def test_another_amount_is_looked_into(self, client, asha, boss, ledger, was_paid, left):
        withdrawal = approved(asha, boss)
        before = ledger()
        assert effect(client, withdrawal, amount=49_999) == Effect.MISMATCH
        assert withdrawal.state == State.IN_DISPUTE
        assert effect(client, withdrawal, event="e2") == Effect.MISMATCH
        assert ledger() == before
        assert winnings(asha) == 150_000
        with pytest.raises(wallet.ReasonMissing):
            wallet.settle_dispute(
                withdrawal_id=withdrawal.pk, staff_id=boss.pk, was_paid=was_paid, reason=""
            )
        wallet.settle_dispute(
            withdrawal_id=withdrawal.pk, staff_id=boss.pk, was_paid=was_paid, reason="Looked."
        )
        assert winnings(asha) == left
        assert reconcile().findings == ()

    def test_a_payout_of_what_was_never_sent(self, client, asha, ledger):
        withdrawal = ask(asha)
        before = everything(ledger)
        assert effect(client, withdrawal) == Effect.MISMATCH
        assert everything(ledger) == before

    def test_a_second_payment_of_one_withdrawal(self, client, asha, boss, ledger):
        withdrawal = approved(asha, boss)
        effect(client, withdrawal)
        before = everything(ledger)
        assert effect(client, withdrawal, event="e2", payment="sb_other") == Effect.MISMATCH
        assert everything(ledger) == before

    def test_forged_or_about_something_else(self, client, asha, boss, ledger):
        withdrawal = approved(asha, boss)
        before = everything(ledger)
        content = notice(withdrawal)
        for channel in (sandbox.Channel.PAYMENT, sandbox.Channel.PAYOUT_ORDER):
            answer = send(client, content, channel)
            assert (answer.status_code, answer.json()) == (400, {"code": "bad_signature"})
        assert send(client, b"[]").json() == {"code": "malformed_notice"}
        assert send(client, b"x").json() == {"code": "malformed_notice"}
        withdrawal.reference = "nobody-knows-it"
        assert send(client, notice(withdrawal)).status_code == 404
        assert client.post("/wallet/payout-notices/bank/").status_code == 404
        assert everything(ledger) == before
        assert not PayoutNotice.objects.exists()

    def test_chips_are_never_paid_out(self, client, asha, boss, ledger):
        withdrawal = approved(asha, boss)
        before = ledger()
        content = json.dumps({**json.loads(notice(withdrawal)), "currency": "CHIPS"}).encode()
        assert send(client, content).json() == {"effect": "MISMATCH"}
        assert ledger() == before

    def test_where_cash_is_off_no_notice_is_taken(self, client, asha, boss, ledger, settings):
        withdrawal = approved(asha, boss)
        before = everything(ledger)
        settings.CASH_PLAY = "off"
        assert send(client, notice(withdrawal)).status_code == 404
        assert everything(ledger) == before


class TestSchema:
    def test_the_steps_end(self):
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


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({"state": "CANCELLED"}, "CANCELLED"),
        ({"state": "PAID", "approved_by_id": 0}, "PAID"),
    ],
)
def test_the_check_of_the_ledger_finds_a_state_without_its_money(asha, boss, change, state):
    withdrawal = ask(asha)
    change = {name: boss.pk if value == 0 else value for name, value in change.items()}
    Withdrawal.objects.filter(pk=withdrawal.pk).update(**change)
    findings = [(finding.check, finding.subject) for finding in reconcile().findings]
    assert ("withdrawal and its hold disagree", f"w1: {state}") in findings
    unpaid = ("payment differs from the ledger", f"withdrawal:w1:paid: {withdrawal.net}, moved 0")
    assert (unpaid in findings) is (state == "PAID")
