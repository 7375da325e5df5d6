"""Races of two decisions about a withdrawal, only one of which is taken."""

from functools import partial

import pytest
from django.utils import timezone

from tests.given import reload
from tests.together import names_of, run_at_once
from tests.wallet.cash_players import make_player, make_staff, may_withdraw
from tests.wallet.webhooks import build_webhook, deliver, write_webhook
from tests.wallet.withdrawals import asking
from tests.wallet.withdrawals.asking import Effect, State, read_winnings
from wallet.ledger.checks import reconcile
from wallet.models import Journal, Withdrawal
from wallet.payments.base import PaymentOutcome
from wallet.withdrawals.payouts import send_payouts, take_payout_webhook
from wallet.withdrawals.requesting import cancel_withdrawal
from wallet.withdrawals.steps import approve_withdrawal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asha(boss):
    return may_withdraw(make_player(), boss, winnings=100_000, second_above=50_000)


def ask(user, reference="w1", amount=100_000):
    return asking.ask(user, amount, reference, net=amount * 7 // 10)


def test_the_same_request_from_two_pages_is_one_withdrawal(asha):
    assert names_of(run_at_once(*[lambda: ask(asha)] * 4)) == ["Withdrawal"] * 4
    assert Withdrawal.objects.count() == 1
    assert read_winnings(asha) == 0
    assert reconcile().findings == ()


def test_only_one_of_two_requests_gets_the_money(asha):
    outcomes = run_at_once(lambda: ask(asha, "w1"), lambda: ask(asha, "w2"))
    assert names_of(outcomes) == ["InsufficientFunds", "Withdrawal"]
    assert Withdrawal.objects.count() == 1
    assert reconcile().findings == ()


def test_one_administrator_in_two_windows_is_not_two(asha, boss):
    withdrawal = ask(asha)
    decide = {"withdrawal_id": withdrawal.pk, "staff_id": boss.pk}
    outcomes = run_at_once(*[lambda: approve_withdrawal(**decide)] * 2)
    assert names_of(outcomes) == ["Withdrawal", "same_administrator"]
    assert reload(withdrawal).state == State.NEEDS_SECOND


def test_a_withdrawal_is_either_approved_or_cancelled(asha, boss):
    withdrawal = ask(asha, amount=50_000)
    approved, cancelled = run_at_once(
        lambda: approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk),
        lambda: cancel_withdrawal(user_id=asha.pk, reference="w1"),
    )
    assert names_of([approved, cancelled]) == ["Withdrawal", "withdrawal_decided"]
    assert read_winnings(asha) == (50_000 if approved == withdrawal else 100_000)
    assert reconcile().findings == ()


def test_simultaneous_success_and_failure_end_as_paid(asha, boss):
    withdrawal = ask(asha, amount=50_000)
    approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
    effects = run_at_once(
        lambda: take_payout_webhook(build_webhook(withdrawal, PaymentOutcome.FAILED, "e1")),
        lambda: take_payout_webhook(build_webhook(withdrawal, PaymentOutcome.PAID, "e2")),
    )
    assert effects[1] == Effect.PAID
    assert reload(withdrawal).state == State.PAID  # in either order: the money has left
    assert read_winnings(asha) == 50_000
    assert reconcile().findings == ()


def test_two_administrators_approve_together_and_it_is_paid_out_once(site, asha, boss):
    asked = ask(asha)
    staff = [boss, make_staff("Chief"), make_staff("Third")]
    decided = run_at_once(
        *(
            lambda person=person: approve_withdrawal(withdrawal_id=asked.pk, staff_id=person.pk)
            for person in staff
        )
    )
    assert names_of(decided) == ["Withdrawal", "Withdrawal", "withdrawal_decided"]
    assert reload(asked).state == State.APPROVED
    assert asked.approved_by_id != asked.second_approved_by_id
    now = timezone.now()
    assert sum(run_at_once(*4 * [lambda: send_payouts(now=now)])) == 1
    # The same event again, and the same payment under other names.
    bodies = [write_webhook(asked, event=event) for event in ("e1", "e1", "e1", "e2", "e3", "e4")]
    assert run_at_once(*(partial(deliver, body) for body in bodies)) == 6 * [None]
    assert (reload(asked).state, asked.webhooks.count()) == (State.PAID, 4)
    assert read_winnings(asha) == 0
    assert Journal.objects.filter(key="withdrawal:w1:paid").count() == 1
    assert reconcile().findings == ()
