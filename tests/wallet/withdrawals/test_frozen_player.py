"""Nothing goes in or out of a frozen account; what was on its way waits."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.people.closing import freeze, unfreeze
from tests.wallet.cash_players import (
    approve_identity,
    bring_winnings,
    make_player,
    make_staff,
    set_rules,
)
from wallet.ledger.balances import player_balances
from wallet.models import Deposit, Withdrawal
from wallet.refusals import PlayerFrozen
from wallet.withdrawals.payouts import send_payouts
from wallet.withdrawals.requesting import WithdrawalRequest, request_withdrawal
from wallet.withdrawals.steps import approve_withdrawal, refuse_withdrawal

pytestmark = pytest.mark.django_db
State = Withdrawal.State


@pytest.fixture
def boss():
    return make_staff("Boss")


@pytest.fixture
def asha(boss):
    set_rules()
    user = make_player()
    approve_identity(user, boss)
    bring_winnings(user, 200_000)
    return user


def ask(user):
    wanted = WithdrawalRequest("w1", 100_000, 70_000, "asha@upi")
    return request_withdrawal(user_id=user.pk, wanted=wanted, now=timezone.now())


def test_no_page_of_a_frozen_player_answers(asha, boss):
    client = Client()
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/wallet/").status_code == 200
    freeze(user_id=asha.pk, staff_id=boss.pk, reason="Stolen.")
    pages = ("/wallet/deposits/", "/wallet/withdrawals/", "/tournaments/1/register/")
    for page in (*pages, "/tables/1/sit/", "/api/v1/tables/1/sit/"):
        answer = client.post(page, {"amount": "500", "pay_to": "x@upi"})
        assert answer.status_code in {302, 401, 403}, page
        assert answer.status_code != 302 or "/accounts/login/" in answer["Location"], page
    assert not Deposit.objects.exists()
    assert not Withdrawal.objects.exists()


def test_a_withdrawal_is_not_approved_but_may_be_refused(asha, boss):
    withdrawal = ask(asha)
    freeze(user_id=asha.pk, staff_id=boss.pk, reason="Stolen.")
    with pytest.raises(PlayerFrozen):
        approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
    withdrawal.refresh_from_db()
    assert withdrawal.state == State.REQUESTED
    refuse_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk, reason="Stolen.")
    assert player_balances(asha.pk).cash.winnings == 200_000


def test_an_approved_one_waits_until_the_account_is_open_again(asha, boss):
    withdrawal = ask(asha)
    approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
    freeze(user_id=asha.pk, staff_id=boss.pk, reason="Stolen.")
    assert send_payouts(now=timezone.now()) == 0
    withdrawal.refresh_from_db()
    assert (withdrawal.state, withdrawal.payout_id) == (State.APPROVED, "")
    unfreeze(user_id=asha.pk, reason="A mistake.")
    assert User.objects.get(pk=asha.pk).is_active
    due = Withdrawal.objects.filter(send_at__lte=timezone.now(), user__is_active=True)
    assert due.get() == withdrawal
