"""Refunds of payments that may not be credited. These payments never reach the ledger."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from core.refusals import Refusal
from wallet.cash import cash_is_on
from wallet.models import Deposit, PaymentWebhook
from wallet.payments import cases
from wallet.payments.base import Concern, RefundOrder, RefundRefused, ReportStage, SignedReport
from wallet.payments.providers import get_provider, list_providers
from wallet.refusals import REFUND_DECIDED

log = logging.getLogger(__name__)

State = Deposit.State
SENT_AT_ONCE = 50
TRIED_AGAIN_AFTER = timedelta(minutes=1)


def send_refunds(*, now: datetime) -> int:
    """Order due refunds from their payment providers. Return how many were accepted.

    Our reference is the provider's idempotency key: a refund ordered again after a crash is paid only once.
    """
    if not cash_is_on():
        return 0
    due = Deposit.objects.filter(
        state=State.REFUNDING,
        refund_at__lte=now,
        provider__in=[listed.code for listed in list_providers()],
    ).order_by("refund_at")
    taken = 0
    for deposit in list(due[:SENT_AT_ONCE]):
        try:
            taken += _send(deposit, now=now)
        except Exception:  # one failure must not block the others
            log.exception("deposit %s could not be paid back", deposit.reference)
    return taken


def decide_refund(*, deposit_id: int, was_paid_back: bool) -> None:
    """Decide about a refund that the provider refused.

    With `was_paid_back`, record that the player got the money back in another way. Otherwise retry the refund.

    Raises REFUND_DECIDED.
    """
    with _lock(deposit_id) as deposit:
        if deposit.state != State.REFUND_REFUSED:
            raise Refusal(REFUND_DECIDED)
        if was_paid_back:
            _save(deposit, State.REFUNDED)
        else:
            # The provider repeats its refusal or failure for the same reference.
            deposit.refund_attempt += 1
            _save(deposit, State.REFUNDING, refund_at=timezone.now())


def take_report(report: SignedReport) -> str:
    """Process a provider's report. Return its effect.

    A refund that this site ordered is recognised by its reference. If that refund has failed, the deposit
    waits for staff. Any other report goes to a case of `wallet.payments.cases`.
    """
    if report.concern is Concern.REFUND:
        own = Deposit.objects.filter(
            provider=report.provider,
            payment_id=report.payment_id,
            state__in=[State.REFUNDING, State.REFUNDED, State.REFUND_REFUSED],
        )
        for deposit in own:
            if report.reference.startswith(deposit.reference):
                return _take_own(deposit.pk, report)
    return cases.take_report(report)


def _take_own(deposit_id: int, report: SignedReport) -> str:
    if report.stage is not ReportStage.KEPT:
        return PaymentWebhook.Effect.IGNORED
    with _lock(deposit_id) as deposit:
        known = PaymentWebhook.objects.filter(provider=report.provider, event_id=report.event_id)
        if known.exists():
            return PaymentWebhook.Effect.REPEATED
        is_current = (
            deposit.state in {State.REFUNDING, State.REFUNDED}
            and report.reference == deposit.refund_reference
        )
        effect = (
            PaymentWebhook.Effect.REFUND_FAILED if is_current else PaymentWebhook.Effect.IGNORED
        )
        PaymentWebhook.objects.create(
            deposit=deposit,
            provider=report.provider,
            event_id=report.event_id,
            payment_id=report.payment_id,
            outcome=report.event,
            amount=report.amount,
            currency=report.currency,
            effect=effect,
        )
        if is_current:
            log.warning("deposit %s is not paid back: the refund failed", deposit.reference)
            _save(deposit, State.REFUND_REFUSED, refund_id=report.subject_id)
    return effect


def _send(deposit: Deposit, *, now: datetime) -> bool:
    # The next attempt is stored before the call, so that a failed call is retried.
    taken = Deposit.objects.filter(
        pk=deposit.pk, state=State.REFUNDING, refund_at=deposit.refund_at
    ).update(refund_at=now + TRIED_AGAIN_AFTER)
    if not taken:
        return False
    order = RefundOrder(deposit.refund_reference, deposit.payment_id, deposit.amount)
    try:
        refund_id = get_provider(deposit.provider).refund_payment(order)
    except RefundRefused as refusal:
        log.warning("deposit %s is not paid back: %s", deposit.reference, refusal.code)
        _settle(deposit, State.REFUND_REFUSED)
        return False
    except OSError:
        log.exception("deposit %s could not be paid back", deposit.reference)
        return False
    _settle(deposit, State.REFUNDED, refund_id=refund_id)
    return True


def _settle(deposit: Deposit, to: Deposit.State, *, refund_id: str = "") -> None:
    with _lock(deposit.pk) as locked:
        if locked.state == State.REFUNDING:
            _save(locked, to, refund_id=refund_id)


@contextmanager
def _lock(deposit_id: int) -> Iterator[Deposit]:
    with transaction.atomic():
        yield Deposit.objects.select_for_update(no_key=True).get(pk=deposit_id)


def _save(
    deposit: Deposit, to: Deposit.State, *, refund_at: datetime | None = None, refund_id: str = ""
) -> None:
    deposit.state, deposit.refund_at, deposit.refund_id = to, refund_at, refund_id
    deposit.save(update_fields=["state", "refund_at", "refund_id", "refund_attempt"])
