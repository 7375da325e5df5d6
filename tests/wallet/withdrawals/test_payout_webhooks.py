"""Withdrawals: the provider's webhooks about payouts, in any order and repeated."""

import pytest

from tests.given import reload
from tests.refusals import refused
from tests.wallet.webhooks import post_webhook, read_effect, write_webhook
from tests.wallet.withdrawals.asking import (
    Effect,
    State,
    approve_for,
    ask,
    read_winnings,
    read_withdrawals,
)
from tests.wallet.withdrawals.test_withdrawals import asha
from wallet.ledger.balances import balance
from wallet.ledger.chart import tds_payable, withdrawals
from wallet.ledger.checks import reconcile
from wallet.models import PayoutWebhook, Transfer
from wallet.payments.base import PaymentOutcome
from wallet.payments.sandbox import provider as sandbox
from wallet.refusals import PAYMENT_REASON_MISSING, InsufficientFunds
from wallet.withdrawals.requesting import cancel_withdrawal
from wallet.withdrawals.steps import approve_withdrawal, settle_dispute

__all__ = ["asha"]  # a fixture
pytestmark = pytest.mark.django_db


class TestWebhooks:
    def test_a_payout_and_its_tax_are_one_posting(self, client, asha, boss, chief):
        withdrawal = approve_for(asha, boss, amount=150_000)
        approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=chief.pk)
        assert read_effect(client, withdrawal) == Effect.PAID
        assert (withdrawal.state, withdrawal.payout_id) == (State.PAID, "sb_w1")
        assert withdrawal.ended_at is not None
        assert (balance(withdrawals()), balance(tds_payable())) == (135_000, 15_000)
        assert read_winnings(asha) == 50_000
        lines = Transfer.objects.filter(journal__key="withdrawal:w1:paid").order_by("line")
        paid = list(lines.values_list("amount", "reason"))
        assert paid == [(135_000, "WITHDRAWAL"), (15_000, "TAX")]
        assert reconcile().findings == ()

    def test_repeated_and_late_webhooks_are_ignored(self, client, asha, boss, ledger):
        withdrawal = approve_for(asha, boss)
        assert read_effect(client, withdrawal) == Effect.PAID
        before = read_withdrawals(ledger)
        assert read_effect(client, withdrawal) == Effect.REPEATED
        assert read_effect(client, withdrawal, event="e2") == Effect.IGNORED
        assert read_effect(client, withdrawal, PaymentOutcome.FAILED, event="e0") == Effect.IGNORED
        assert read_withdrawals(ledger) == before

    def test_a_failure_gives_the_money_back_until_a_late_success(self, client, asha, boss):
        withdrawal = approve_for(asha, boss)
        assert read_effect(client, withdrawal, PaymentOutcome.FAILED) == Effect.FAILED
        assert (withdrawal.state, withdrawal.send_at) == (State.FAILED, None)
        assert read_effect(client, withdrawal, PaymentOutcome.FAILED, event="e2") == Effect.IGNORED
        assert read_winnings(asha) == 200_000
        assert read_effect(client, withdrawal, event="e3") == Effect.PAID
        assert (withdrawal.state, withdrawal.reason) == (State.PAID, "")
        assert (read_winnings(asha), balance(withdrawals())) == (150_000, 50_000)
        assert reconcile().findings == ()

    def test_a_late_success_of_spent_money_is_a_dispute(self, client, asha, boss, ledger, caplog):
        withdrawal = approve_for(asha, boss)
        read_effect(client, withdrawal, PaymentOutcome.FAILED)
        ask(asha, 200_000, reference="w2")
        before = ledger()
        assert read_effect(client, withdrawal, event="e2") == Effect.MISMATCH
        assert withdrawal.state == State.IN_DISPUTE
        assert ledger() == before
        assert "is spent" in caplog.text
        decision = {"staff_id": boss.pk, "was_paid": True, "reason": "Bank says so."}
        with pytest.raises(InsufficientFunds):
            settle_dispute(withdrawal_id=withdrawal.pk, **decision)
        assert ledger() == before
        cancel_withdrawal(user_id=asha.pk, reference="w2")
        settle_dispute(withdrawal_id=withdrawal.pk, **decision)
        assert (reload(withdrawal).state, read_winnings(asha)) == (State.PAID, 150_000)
        assert reconcile().findings == ()

    @pytest.mark.parametrize(("was_paid", "left"), [(True, 150_000), (False, 200_000)])
    def test_another_amount_or_currency_is_a_dispute(self, client, asha, boss, was_paid, left):
        withdrawal = approve_for(asha, boss)
        assert read_effect(client, withdrawal, amount=49_999) == Effect.MISMATCH
        assert withdrawal.state == State.IN_DISPUTE
        assert read_effect(client, withdrawal, event="e2") == Effect.MISMATCH
        assert read_effect(client, withdrawal, event="e3", currency="CHIPS") == Effect.MISMATCH
        assert read_winnings(asha) == 150_000
        decision = {"withdrawal_id": withdrawal.pk, "staff_id": boss.pk, "was_paid": was_paid}
        with refused(PAYMENT_REASON_MISSING):
            settle_dispute(**decision, reason="")
        settle_dispute(**decision, reason="Looked.")
        assert read_winnings(asha) == left
        assert reconcile().findings == ()

    def test_a_payout_that_was_never_sent_is_a_mismatch(self, client, asha, ledger):
        withdrawal = ask(asha)
        before = read_withdrawals(ledger)
        assert read_effect(client, withdrawal) == Effect.MISMATCH
        assert read_withdrawals(ledger) == before

    def test_a_second_payment_of_one_withdrawal_is_a_mismatch(self, client, asha, boss, ledger):
        withdrawal = approve_for(asha, boss)
        read_effect(client, withdrawal)
        before = read_withdrawals(ledger)
        assert read_effect(client, withdrawal, event="e2", payment="sb_other") == Effect.MISMATCH
        assert read_withdrawals(ledger) == before

    def test_forged_malformed_and_foreign_webhooks_are_refused(self, client, asha, boss, ledger):
        withdrawal = approve_for(asha, boss)
        before = read_withdrawals(ledger)
        content = write_webhook(withdrawal)
        for channel in (sandbox.Channel.REFUND_ORDER, sandbox.Channel.PAYOUT_ORDER):
            answer = post_webhook(client, content, sandbox.sign(content, channel))
            assert (answer.status_code, answer.json()) == (400, {"code": "bad_signature"})
        assert post_webhook(client, b"[]").json() == {"code": "malformed_webhook"}
        assert post_webhook(client, b"x").json() == {"code": "malformed_webhook"}
        unknown = write_webhook(withdrawal, reference="nobody-knows-it")
        assert post_webhook(client, unknown).status_code == 404
        assert client.post("/wallet/payout-webhooks/bank/").status_code == 404
        assert read_withdrawals(ledger) == before
        assert not PayoutWebhook.objects.exists()
