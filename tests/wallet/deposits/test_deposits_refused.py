"""Limits, self-exclusion and a frozen or closed account hold at the moment of payment: what may not
be credited goes back, over real HTTP, exactly once."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.people.closing import freeze
from config.account_data.closing import close_account
from tests.together import run_at_once
from tests.wallet.cash_players import make_staff
from tests.wallet.deposit_webhooks import AMOUNT, begin, exclude, facts, page_of, say
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import reconcile
from wallet.limits.services import set_deposit_limit
from wallet.models import Deposit, Journal, LimitPeriod, PaymentWebhook
from wallet.money import Buckets
from wallet.payments.base import About, Outcome
from wallet.payments.sandbox import provider as sandbox
from wallet.payments.sandbox.provider import send_webhook
from wallet.refusals import AccountClosed, AccountFrozen, DepositLimitReached
from wallet.tasks import expire_deposits

State = Deposit.State
Effect = PaymentWebhook.Effect
Why = Deposit.RefusedFor
NOTHING = Buckets(bonus=0, deposit=0, winnings=0)


def limit(user, amount):
    set_deposit_limit(user_id=user.pk, period=LimitPeriod.DAY, amount=amount)


def freeze_it(user):
    freeze(user_id=user.pk, staff_id=make_staff("Boss").pk, reason="Two people play with it.")


def close_it(user):
    # A browser that began to pay a while ago keeps nobody.
    Deposit.objects.update(started_at=timezone.now() - timedelta(days=2))
    close_account(user_id=user.pk)


def cash(user):
    return get_player_balances(user.pk).cash


class TestAtTheMomentOfPayment:
    @pytest.mark.parametrize(
        ("happens", "why"),
        [
            (exclude, Why.EXCLUDED),
            (freeze_it, Why.FROZEN),
            (close_it, Why.CLOSED),
            (lambda user: limit(user, AMOUNT - 1), Why.LIMIT),
        ],
    )
    def test_what_happened_since_the_order_counts(self, asha, happens, why):
        deposit = begin(asha)
        happens(asha)
        assert say(deposit) == Effect.REFUNDED
        assert facts(deposit) == (State.REFUNDING, why)
        assert cash(asha) == NOTHING
        assert not Journal.objects.exists()
        assert say(deposit) == Effect.REPEATED
        assert say(deposit, "e2") == Effect.IGNORED
        assert facts(deposit) == (State.REFUNDING, why)
        assert reconcile().findings == ()

    def test_failures_that_were_paid_after_all_do_not_add_up_past_the_limit(self, asha):
        limit(asha, AMOUNT)
        orders = []
        for _ in range(5):
            orders.append(begin(asha))
            assert say(orders[-1], "failed", Outcome.FAILED) == Effect.FAILED
        effects = [say(order, "paid") for order in orders]
        assert effects == [Effect.CREDITED] + 4 * [Effect.REFUNDED]
        assert cash(asha).deposit == AMOUNT

    def test_orders_that_waited_for_more_than_an_hour_do_not_either(self, asha):
        limit(asha, AMOUNT)
        first = begin(asha)
        Deposit.objects.update(started_at=timezone.now() - timedelta(minutes=61))
        second = begin(asha)
        assert [say(first), say(second)] == [Effect.CREDITED, Effect.REFUNDED]
        assert cash(asha).deposit == AMOUNT

    def test_a_payment_counts_from_when_it_came(self, asha):
        """An order of yesterday that was paid today is of today."""
        limit(asha, AMOUNT)
        deposit = begin(asha)
        Deposit.objects.update(started_at=timezone.now() - timedelta(hours=25))
        assert say(deposit) == Effect.CREDITED
        with pytest.raises(DepositLimitReached):
            begin(asha, 5_000)
        Deposit.objects.update(decided_at=timezone.now() - timedelta(hours=25))
        assert begin(asha).state == State.WAITING

    def test_what_only_waits_keeps_nothing_from_being_credited(self, asha):
        first, second = begin(asha), begin(asha)
        limit(asha, AMOUNT)
        assert [say(second), say(first)] == [Effect.CREDITED, Effect.REFUNDED]

    def test_a_frozen_account_begins_nothing(self, asha):
        freeze_it(asha)
        with pytest.raises(AccountFrozen):
            begin(asha)
        User.objects.filter(pk=asha.pk).update(closed_at=timezone.now(), frozen_at=None)
        with pytest.raises(AccountClosed):
            begin(asha)
        assert not Deposit.objects.exists()

    def test_a_second_payment_of_one_that_goes_back_is_left_to_people(self, asha):
        deposit = begin(asha)
        exclude(asha)
        say(deposit)
        assert say(deposit, "e2", payment_id="sb_other") == Effect.MISMATCH
        assert say(deposit, "e3", Outcome.FAILED) == Effect.IGNORED
        assert facts(deposit) == (State.REFUNDING, Why.EXCLUDED)
        assert deposit.payment_id == f"sb_{deposit.reference}"

    def test_a_notice_before_the_order_is_stored(self, asha):
        with transaction.atomic():
            deposit = begin(asha)
            transaction.set_rollback(True)
        assert say(deposit) == Effect.UNKNOWN
        assert not PaymentWebhook.objects.exists()
        deposit.pk = None
        deposit.save(force_insert=True)
        assert say(deposit) == Effect.CREDITED
        assert cash(asha).deposit == AMOUNT

    def test_the_database_wants_to_know_why(self, asha):
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
    def test_limit_and_payments_at_once(self, asha):
        """Ten orders that failed are paid in the same moment; the limit has room for three."""
        orders = [begin(asha) for _ in range(10)]
        for order in orders:
            say(order, "failed", Outcome.FAILED)
        limit(asha, 3 * AMOUNT)

        effects = run_at_once(*(lambda order=order: say(order, "paid") for order in orders))
        assert sorted(effects) == 3 * [Effect.CREDITED] + 7 * [Effect.REFUNDED]
        assert cash(asha).deposit == 3 * AMOUNT
        assert reconcile().findings == ()

    def test_one_webhook_many_times_at_once(self, site, asha):
        good, bad = begin(asha), begin(asha)
        limit(asha, AMOUNT)

        def call(deposit):
            content = sandbox.write_webhook(
                about=About.PAYMENT,
                event_id=f"e-{deposit.reference}",
                reference=deposit.reference,
                outcome=Outcome.PAID,
                amount=deposit.amount,
            )
            return lambda: send_webhook(content.decode(), sandbox.sign(content))

        for deposit in (good, bad):
            assert run_at_once(*8 * [call(deposit)]) == 8 * [None]
        assert PaymentWebhook.objects.count() == 2
        assert Journal.objects.filter(key__startswith="deposit:").count() == 1
        assert (facts(good)[0], facts(bad)) == (State.PAID, (State.REFUNDING, Why.LIMIT))
        assert cash(asha).deposit == AMOUNT


class TestExpiry:
    def test_an_order_expires_after_an_hour(self, asha, client):
        old, young = begin(asha), begin(asha)
        hour_ago = timezone.now() - timedelta(hours=1)
        Deposit.objects.filter(pk=old.pk).update(started_at=hour_ago)
        assert expire_deposits() == 1
        assert expire_deposits() == 0
        assert (facts(old)[0], facts(young)[0]) == (State.EXPIRED, State.WAITING)
        client.force_login(asha)
        page = reverse("wallet:deposit_state", args=[old.reference])
        assert "Nothing was paid in time." in client.get(page).text

    def test_a_payment_of_an_expired_order_is_judged_when_it_comes(self, asha):
        first, second = begin(asha), begin(asha)
        Deposit.objects.update(started_at=timezone.now() - timedelta(hours=2))
        assert expire_deposits() == 2
        assert say(first) == Effect.CREDITED
        exclude(asha)
        assert say(second) == Effect.REFUNDED
        assert (facts(first)[0], facts(second)[0]) == (State.PAID, State.REFUNDING)
        assert cash(asha).deposit == AMOUNT

    def test_the_provider_takes_nothing_after_the_end(self, asha, client):
        deposit, page = begin(asha), ""
        for ago, status in ((timedelta(minutes=59), 200), (timedelta(hours=1), 410)):
            deposit.started_at = timezone.now() - ago
            page = page_of(deposit)
            assert client.get(page).status_code == status
        answer = client.post(page, {"outcome": "pay"})
        assert answer.status_code == 410
        assert "The time for this payment is over." in answer.text
