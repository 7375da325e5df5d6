"""Payouts: approved withdrawals go to the provider, whose webhooks report the outcome."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import IdentityCheck
from wallet.cash import cash_is_on
from wallet.ledger.checks import ledger_is_sound
from wallet.models import PayoutWebhook, Withdrawal
from wallet.money import Currency
from wallet.payments.base import PaymentOutcome, PayoutOrder, PayoutRefused, SignedWebhook
from wallet.payments.cases import list_owing_players, open_mismatch
from wallet.payments.providers import get_provider, list_providers
from wallet.refusals import InsufficientFunds
from wallet.withdrawals.steps import lock_withdrawal, take_step

log = logging.getLogger(__name__)

State = Withdrawal.State
Effect = PayoutWebhook.Effect
SENT_AT_ONCE = 50
TRIED_AGAIN_AFTER = timedelta(minutes=1)
BANK_REFUSED = gettext_noop("The bank did not accept the payment.")


def send_payouts(*, now: datetime) -> int:
    """Send approved withdrawals that are due to the provider. Return how many it accepted.

    Nothing is sent while a ledger check has findings, and nothing to a player who is frozen or whose bank
    demands a payment back. Our reference is the provider's idempotency key: a payout sent again after a crash
    is paid once.
    """
    if not cash_is_on():
        return 0
    if not ledger_is_sound():
        log.error("the ledger is off: no payout is sent until a check finds nothing")
        return 0
    ready = Withdrawal.objects.filter(
        send_at__lte=now,
        provider__in=[listed.code for listed in list_providers()],
        user__is_active=True,
    )
    due = ready.exclude(user_id__in=list_owing_players()).order_by("send_at")
    taken = 0
    for withdrawal in list(due[:SENT_AT_ONCE]):
        try:
            taken += _send(withdrawal, now=now)
        except Exception:  # one failure must not block the others
            log.exception("payout %s could not be sent", withdrawal.reference)
    return taken


def _send(withdrawal: Withdrawal, *, now: datetime) -> bool:
    # The next attempt is stored before the call, so that a failed call is retried.
    taken = Withdrawal.objects.filter(
        pk=withdrawal.pk, state=State.APPROVED, send_at=withdrawal.send_at
    ).update(send_at=now + TRIED_AGAIN_AFTER)
    if not taken:
        return False
    try:
        payout_id = get_provider(withdrawal.provider).send_payout(_order(withdrawal))
    except PayoutRefused as refusal:
        log.warning("payout %s was refused: %s", withdrawal.reference, refusal.code)
        _settle(withdrawal, State.FAILED, reason=BANK_REFUSED)
        return False
    except OSError:
        log.exception("payout %s could not be handed over", withdrawal.reference)
        return False
    _settle(withdrawal, State.SENT, payout_id=payout_id)
    return True


def _settle(withdrawal: Withdrawal, to: Withdrawal.State, **changes: str) -> None:
    """Store the provider's answer, unless a webhook has already changed the state."""
    with lock_withdrawal(pk=withdrawal.pk) as locked:
        if locked.state == State.APPROVED:
            take_step(locked, to, **changes)


def _order(withdrawal: Withdrawal) -> PayoutOrder:
    name = (
        IdentityCheck.objects.filter(user_id=withdrawal.user_id, state=IdentityCheck.State.APPROVED)
        .values_list("full_name", flat=True)
        .get()
    )
    return PayoutOrder(
        reference=withdrawal.reference,
        amount=withdrawal.net,
        pay_to=withdrawal.pay_to,
        name=name,
    )


def take_payout_webhook(webhook: SignedWebhook) -> PayoutWebhook.Effect:
    """Process a provider's webhook about a payout, whose signature has been checked.

    A repeated webhook does nothing, and webhooks may come in any order. A payout is booked once, even after a
    reported failure. A webhook that does not fit the order opens a case for staff, unless the
    withdrawal is already disputed.
    """
    with transaction.atomic():
        withdrawal = (
            Withdrawal.objects.select_for_update(no_key=True)
            .filter(provider=webhook.provider, reference=webhook.reference)
            .first()
        )
        if withdrawal is None:
            log.error("payout webhook for unknown reference %s", webhook.reference)
            return Effect.UNKNOWN
        if PayoutWebhook.objects.filter(
            provider=webhook.provider, event_id=webhook.event_id
        ).exists():
            return Effect.REPEATED
        effect = _apply(withdrawal, webhook)
        PayoutWebhook.objects.create(
            withdrawal=withdrawal,
            provider=webhook.provider,
            event_id=webhook.event_id,
            payment_id=webhook.payment_id,
            outcome=webhook.outcome,
            amount=webhook.amount,
            currency=webhook.currency,
            effect=effect,
        )
        if effect is Effect.MISMATCH and withdrawal.state != State.IN_DISPUTE:
            open_mismatch(webhook, withdrawal=withdrawal)
    if effect is Effect.MISMATCH:
        log.error(
            "withdrawal %s is %s, sent %s: %s of %s",
            withdrawal.pk,
            withdrawal.state,
            withdrawal.net,
            webhook.outcome,
            webhook.amount,
        )
    return effect


def _apply(withdrawal: Withdrawal, webhook: SignedWebhook) -> PayoutWebhook.Effect:
    state = State(withdrawal.state)
    if webhook.outcome is PaymentOutcome.REVERSED and state is State.PAID:
        return Effect.MISMATCH  # booked as paid: staff find out whether it was
    if webhook.outcome is not PaymentOutcome.PAID:
        if state not in {State.APPROVED, State.SENT}:
            return Effect.IGNORED
        take_step(withdrawal, State.FAILED, payout_id=webhook.payment_id, reason=BANK_REFUSED)
        return Effect.FAILED
    if state is State.PAID and withdrawal.payout_id == webhook.payment_id:
        return Effect.IGNORED
    as_sent = (webhook.amount, webhook.currency) == (withdrawal.net, Currency.INR)
    if state in {State.APPROVED, State.SENT, State.FAILED}:
        return _mark_paid(withdrawal, webhook, as_sent=as_sent)
    return Effect.MISMATCH


def _mark_paid(
    withdrawal: Withdrawal, webhook: SignedWebhook, *, as_sent: bool
) -> PayoutWebhook.Effect:
    facts = {"payout_id": webhook.payment_id, "reason": ""}
    if as_sent:
        try:
            take_step(withdrawal, State.PAID, **facts)
        except InsufficientFunds:  # the payout had failed, and the player has spent the money since
            log.warning("withdrawal %s was paid after all, and is spent", withdrawal.pk)
        else:
            return Effect.PAID
    take_step(withdrawal, State.IN_DISPUTE, **facts)
    return Effect.MISMATCH
