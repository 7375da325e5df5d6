"""Limits, self-exclusion and frozen or closed accounts, which are checked when the payment arrives."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from config.account_data.closing import close_account
from tests.barring import exclude, freeze_by_staff
from tests.refusals import refused
from tests.together import run_at_once
from tests.wallet.cash_players import read_cash
from tests.wallet.deposit_webhooks import AMOUNT, begin, build_payment_page, read_state, report
from tests.wallet.webhooks import deliver, write_webhook
from wallet.ledger.checks import reconcile
from wallet.limits.services import set_deposit_limit
from wallet.models import Deposit, Journal, LimitPeriod, PaymentWebhook
from wallet.money import Buckets, Currency
from wallet.payments.base import PaymentOutcome
from wallet.refusals import ACCOUNT_FROZEN, DEPOSIT_LIMIT_REACHED, WALLET_CLOSED
from wallet.tasks import expire_deposits

State = Deposit.State
Effect = PaymentWebhook.Effect
Why = Deposit.RefusedFor
NOTHING = Buckets(bonus=0, deposit=0, winnings=0)


def limit(user, amount):
    set_deposit_limit(user_id=user.pk, period=LimitPeriod.DAY, amount=amount)


def close(user):
    # Deposits begun long ago do not prevent the closing.
    Deposit.objects.update(started_at=timezone.now() - timedelta(days=2))
    close_account(user_id=user.pk)


class TestAtTheMomentOfPayment:
    @pytest.mark.parametrize(
        ("happens", "why"),
        [
            (exclude, Why.EXCLUDED),
            (freeze_by_staff, Why.FROZEN),
            (close, Why.CLOSED),
            (lambda user: limit(user, AMOUNT - 1), Why.LIMIT),
        ],
    )
    def test_a_bar_since_the_order_refuses_the_payment(self, asha, happens, why):
        deposit = begin(asha)
        happens(asha)
        assert report(deposit) == Effect.REFUNDED
        assert read_state(deposit) == (State.REFUNDING, why)
        assert read_cash(asha) == NOTHING
        assert not Journal.objects.exists()
        assert report(deposit) == Effect.REPEATED
        assert report(deposit, event="e2") == Effect.IGNORED
        assert read_state(deposit) == (State.REFUNDING, why)
        assert reconcile().findings == ()

    def test_late_payments_of_old_orders_stay_within_the_limit(self, asha):
        limit(asha, AMOUNT)
        first = begin(asha)
        Deposit.objects.update(started_at=timezone.now() - timedelta(minutes=61))
        second = begin(asha)
        assert [report(first), report(second)] == [Effect.CREDITED, Effect.REFUNDED]
        assert read_cash(asha).deposit == AMOUNT

    def test_a_payment_counts_on_the_day_it_arrives(self, asha):
        """A deposit begun yesterday and paid today is part of today's deposits."""
        limit(asha, AMOUNT)
        deposit = begin(asha)
        Deposit.objects.update(started_at=timezone.now() - timedelta(hours=25))
        assert report(deposit) == Effect.CREDITED
        with refused(DEPOSIT_LIMIT_REACHED):
            begin(asha, 5_000)
        Deposit.objects.update(decided_at=timezone.now() - timedelta(hours=25))
        assert begin(asha).state == State.WAITING

    def test_waiting_orders_do_not_use_up_the_limit(self, asha):
        first, second = begin(asha), begin(asha)
        limit(asha, AMOUNT)
        assert [report(second), report(first)] == [Effect.CREDITED, Effect.REFUNDED]

    def test_a_frozen_or_closed_account_begins_no_deposit(self, asha):
        freeze_by_staff(asha)
        with refused(ACCOUNT_FROZEN):
            begin(asha)
        User.objects.filter(pk=asha.pk).update(closed_at=timezone.now(), frozen_at=None)
        with refused(WALLET_CLOSED):
            begin(asha)
        assert not Deposit.objects.exists()

    def test_a_second_payment_of_a_refunded_deposit_is_left_to_staff(self, asha):
        deposit = begin(asha)
        exclude(asha)
        report(deposit)
        assert report(deposit, event="e2", payment_id="sb_other") == Effect.MISMATCH
        assert report(deposit, PaymentOutcome.FAILED, "e3") == Effect.IGNORED
        assert read_state(deposit) == (State.REFUNDING, Why.EXCLUDED)
        assert deposit.payment_id == f"sb_{deposit.reference}"

    def test_a_webhook_before_its_order_is_stored_is_taken_later(self, asha):
        with transaction.atomic():
            deposit = begin(asha)
            transaction.set_rollback(True)
        assert report(deposit) == Effect.UNKNOWN
        assert not PaymentWebhook.objects.exists()
        deposit.pk = None
        deposit.save(force_insert=True)
        assert report(deposit) == Effect.CREDITED
        assert read_cash(asha).deposit == AMOUNT

    def test_the_database_demands_a_reason_for_a_refund(self, asha):
        deposit = begin(asha)
        for wrong in (
            {"state": State.REFUNDED},
            {"refused_for": Why.LIMIT},
            {"state": State.REFUNDING, "refused_for": Why.LIMIT},
        ):
            with pytest.raises(IntegrityError), transaction.atomic():
                Deposit.objects.filter(pk=deposit.pk).update(**wrong)


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_simultaneous_payments_stay_within_the_limit(self, asha):
        """Ten deposits that failed are paid at the same time. The limit has room for three."""
        orders = [begin(asha) for _ in range(10)]
        for order in orders:
            report(order, PaymentOutcome.FAILED, "failed")
        limit(asha, 3 * AMOUNT)

        effects = run_at_once(
            *(lambda order=order: report(order, event="paid") for order in orders)
        )
        assert sorted(effects) == 3 * [Effect.CREDITED] + 7 * [Effect.REFUNDED]
        assert read_cash(asha).deposit == 3 * AMOUNT
        assert reconcile().findings == ()

    def test_simultaneous_copies_of_one_webhook_count_once(self, site, asha):
        good, bad = begin(asha), begin(asha)
        limit(asha, AMOUNT)
        for deposit in (good, bad):
            body = write_webhook(deposit)
            assert run_at_once(*8 * [partial(deliver, body)]) == 8 * [None]
        currencies = PaymentWebhook.objects.values_list("currency", flat=True)
        assert list(currencies) == [Currency.INR, Currency.INR]
        assert Journal.objects.filter(key__startswith="deposit:").count() == 1
        assert (read_state(good)[0], read_state(bad)) == (State.PAID, (State.REFUNDING, Why.LIMIT))
        assert read_cash(asha).deposit == AMOUNT


class TestExpiry:
    def test_an_order_expires_after_an_hour(self, asha, client):
        old, young = begin(asha), begin(asha)
        hour_ago = timezone.now() - timedelta(hours=1)
        Deposit.objects.filter(pk=old.pk).update(started_at=hour_ago)
        assert expire_deposits() == 1
        assert expire_deposits() == 0
        assert (read_state(old)[0], read_state(young)[0]) == (State.EXPIRED, State.WAITING)
        client.force_login(asha)
        page = reverse("wallet:deposit_state", args=[old.reference])
        assert "Nothing was paid in time." in client.get(page).text

    def test_a_late_payment_of_an_expired_order_is_judged_on_arrival(self, asha):
        first, second = begin(asha), begin(asha)
        Deposit.objects.update(started_at=timezone.now() - timedelta(hours=2))
        assert expire_deposits() == 2
        assert report(first) == Effect.CREDITED
        exclude(asha)
        assert report(second) == Effect.REFUNDED
        assert (read_state(first)[0], read_state(second)[0]) == (State.PAID, State.REFUNDING)
        assert read_cash(asha).deposit == AMOUNT

    def test_the_payment_page_closes_after_an_hour(self, asha, client):
        deposit, page = begin(asha), ""
        for ago, status in ((timedelta(minutes=59), 200), (timedelta(hours=1), 410)):
            deposit.started_at = timezone.now() - ago
            page = build_payment_page(deposit)
            assert client.get(page).status_code == status
        answer = client.post(page, {"outcome": "pay"})
        assert answer.status_code == 410
        assert "The time for this payment has run out." in answer.text
