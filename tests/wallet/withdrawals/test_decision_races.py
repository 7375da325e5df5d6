"""Decisions about bonuses and payouts, taken by many at one moment: one counts."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.given import fresh
from tests.together import at_once, names_of
from tests.wallet.cash_players import bring_deposit, make_player, make_staff, may_withdraw
from tests.wallet.withdrawals.asking import ask
from wallet import api as wallet
from wallet.bonuses.services import BonusGift, grant_bonus, tend_bonuses
from wallet.ledger.balances import player_balances
from wallet.ledger.checks import reconcile
from wallet.models import Bonus, Journal, Withdrawal
from wallet.money import Currency
from wallet.payments.base import About, Outcome
from wallet.payments.sandbox import provider as sandbox
from wallet.payments.sandbox.provider import send_webhook
from wallet.rules import ReleaseTerms
from wallet.withdrawals.payouts import send_payouts
from wallet.withdrawals.steps import approve_withdrawal

pytestmark = pytest.mark.django_db(transaction=True)
INR = Currency.INR


@pytest.fixture
def asha(transactional_db):
    """Without the rules of withdrawals, which some of these tests set themselves."""
    return make_player()


def gift(reference="g1"):
    until = timezone.now() + timedelta(days=30)
    return BonusGift(reference, ReleaseTerms(10_000, 2, 2), until, "For patience.")


def test_a_bonus_that_two_administrators_send_off_twice_is_given_once(asha, boss):
    other = make_staff("Chief")
    given = at_once(
        *(
            lambda staff=staff: grant_bonus(user_id=asha.pk, gift=gift(), staff_id=staff.pk)
            for staff in (boss, other, boss, other)
        )
    )
    assert names_of(given) == 4 * ["Bonus"]
    assert Bonus.objects.count() == 1
    assert player_balances(asha.pk).cash.bonus == 10_000
    assert reconcile().findings == ()


def test_a_bonus_that_is_due_is_released_once(asha, settings):
    settings.CASH_BONUS_BPS = 0
    bring_deposit(asha, 100_000)
    grant_bonus(user_id=asha.pk, gift=gift())
    seat, match = 101, 201
    wallet.buy_in(user_id=asha.pk, seat_id=seat, amount=10_000, currency=INR, key="seat:101:in")
    wallet.take_entry_fees(
        match_id=match, seat_ids=[seat], amount=10_000, currency=INR, key="match:201:entries"
    )
    wallet.settle_pot(
        match_id=match,
        table_id=1,
        currency=INR,
        shares={999: 10_000},
        house_share=0,
        key="match:201:settle",
    )
    later = timezone.now() + timedelta(hours=1)
    at_once(*6 * [lambda: tend_bonuses(now=later)])
    cash = player_balances(asha.pk).cash
    assert (cash.bonus, cash.winnings) == (5_000, 5_000)
    assert Journal.objects.filter(key__contains=":release:").count() == 1
    assert reconcile().findings == ()


def test_a_bonus_that_ends_is_taken_back_once(asha):
    grant_bonus(user_id=asha.pk, gift=gift())
    later = timezone.now() + timedelta(days=31)
    at_once(*6 * [lambda: tend_bonuses(now=later)])
    assert player_balances(asha.pk).cash.total == 0
    assert Bonus.objects.get().state == Bonus.State.EXPIRED
    assert reconcile().findings == ()


def test_two_administrators_approve_together_and_it_is_paid_out_once(
    live_site, settings, asha, boss
):
    settings.PAYMENT_OPTIONS = {"SANDBOX_URL": live_site}
    may_withdraw(asha, boss, winnings=100_000, second_above=50_000)
    asked = ask(asha, 100_000)
    staff = [boss, make_staff("Chief"), make_staff("Third")]
    decided = at_once(
        *(
            lambda person=person: approve_withdrawal(withdrawal_id=asked.pk, staff_id=person.pk)
            for person in staff
        )
    )
    assert names_of(decided) == ["Withdrawal", "Withdrawal", "WithdrawalDecided"]
    assert fresh(asked).state == Withdrawal.State.APPROVED
    assert asked.approved_by_id != asked.second_approved_by_id
    now = timezone.now()
    assert sum(at_once(*4 * [lambda: send_payouts(now=now)])) == 1

    def told(event):
        body = sandbox.write_webhook(
            about=About.PAYOUT, event_id=event, reference="w1", outcome=Outcome.PAID, amount=70_000
        )
        return lambda: send_webhook(body.decode(), sandbox.sign(body))

    # The same word again, and the same payment under other names.
    events = ["e1", "e1", "e1", *(uuid.uuid4().hex for _ in range(3))]
    assert at_once(*map(told, events)) == 6 * [None]
    assert (fresh(asked).state, asked.webhooks.count()) == (Withdrawal.State.PAID, 4)
    assert player_balances(asha.pk).cash.winnings == 0
    assert Journal.objects.filter(key="withdrawal:w1:paid").count() == 1
    assert reconcile().findings == ()
