"""Cash from a payment provider into a player's deposits."""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.refusals import NoBotAccount
from core.refusals import Refusal, RefusalKind
from core.site.features import DEPOSITS, is_on
from core.site.numbers import number
from wallet.cash import require_cash
from wallet.deposits.emails import write_about
from wallet.ledger.chart import PostingLine, deposits, player
from wallet.ledger.posting import post_transfers
from wallet.limits.selectors import ORDER_LASTS, deposit_left
from wallet.limits.services import (
    lock_player,
    refuse_by_region,
    refuse_deposit,
    refuse_unless_confirmed,
)
from wallet.models import Deposit, PaymentWebhook, Reason
from wallet.money import Currency
from wallet.payments.base import PaymentOutcome, SignedWebhook
from wallet.payments.cases import hold_back_for, open_mismatch
from wallet.payments.providers import get_payment_provider, get_provider
from wallet.refusals import (
    ACCOUNT_FROZEN,
    BOTS_HAVE_NO_CASH,
    DEPOSIT_LIMIT_REACHED,
    DEPOSIT_OUT_OF_RANGE,
    DEPOSITS_ARE_OFF,
    PROVIDER_AWAY,
    SELF_EXCLUDED,
    WALLET_CLOSED,
)

# Amounts of the buttons for a quick deposit, in paise, within the bounds.
QUICK_AMOUNTS = (10_000, 50_000, 100_000, 200_000, 500_000)


@dataclass(frozen=True, slots=True)
class DepositOffer:
    """The amounts that a player can deposit now, in paise.

    `left` is what the player's own limits still allow, or None without a limit.
    """

    least: int
    most: int
    left: int | None
    quick: Sequence[int]


def find_deposit(user_id: int, *, reference: str) -> Deposit | None:
    """Return the player's deposit with this reference, or None."""
    return Deposit.objects.filter(user_id=user_id, reference=reference).first()


def deposit_offer(user_id: int) -> DepositOffer:
    least, most, left = number("DEPOSIT_LEAST"), number("DEPOSIT_MOST"), deposit_left(user_id)
    largest = most if left is None else min(most, left)
    quick = [amount for amount in QUICK_AMOUNTS if least <= amount <= largest]
    return DepositOffer(least, most, left, quick)


log = logging.getLogger(__name__)

State = Deposit.State
Effect = PaymentWebhook.Effect
EXPIRED_AT_ONCE = 500
# The payment has arrived and was credited or is being refunded. A second payment is a mismatch.
_SETTLED = frozenset({State.PAID, State.REFUNDING, State.REFUNDED, State.REFUND_REFUSED})
_REFUSED_FOR: dict[RefusalKind | None, Deposit.RefusedFor] = {
    WALLET_CLOSED: Deposit.RefusedFor.CLOSED,
    ACCOUNT_FROZEN: Deposit.RefusedFor.FROZEN,
    SELF_EXCLUDED: Deposit.RefusedFor.EXCLUDED,
    DEPOSIT_LIMIT_REACHED: Deposit.RefusedFor.LIMIT,
}


def start_deposit(*, user_id: int, amount: int) -> Deposit:
    """Begin a deposit of `amount` paise, which waits for the provider.

    Raises CASH_IS_OFF, DEPOSITS_ARE_OFF, DEPOSIT_OUT_OF_RANGE outside DEPOSIT_LEAST to DEPOSIT_MOST,
    ADDRESS_NOT_CONFIRMED, WALLET_CLOSED, ACCOUNT_FROZEN, BOTS_HAVE_NO_CASH, SELF_EXCLUDED, DEPOSIT_LIMIT_REACHED,
    or what refuse_by_region raises.
    """
    require_cash()
    if not is_on(DEPOSITS):
        raise Refusal(DEPOSITS_ARE_OFF)
    if not number("DEPOSIT_LEAST") <= amount <= number("DEPOSIT_MOST"):
        raise Refusal(DEPOSIT_OUT_OF_RANGE)
    provider = get_payment_provider().code
    with transaction.atomic():
        refuse_unless_confirmed(user_id)
        refuse_by_region(user_id)
        user = lock_player(user_id)
        if user.is_bot_account:
            raise Refusal(BOTS_HAVE_NO_CASH)
        refuse_deposit(user, amount, waiting=True)
        return Deposit.objects.create(
            user_id=user_id, amount=amount, provider=provider, reference=uuid.uuid4().hex
        )


def refuse_payer(user_id: int, **_signal: Any) -> None:
    """Raise NoBotAccount for an account that has ever begun a deposit: it cannot become a BOT account."""
    if Deposit.objects.filter(user_id=user_id).exists():
        raise NoBotAccount


def find_payment_page(deposit: Deposit) -> str:
    """Return the address of the payment page. Raises PROVIDER_AWAY; the deposit then expires automatically."""
    try:
        return get_provider(deposit.provider).payment_page(
            reference=deposit.reference,
            amount=deposit.amount,
            return_path=reverse("wallet:deposit_state", args=[deposit.reference]),
            expires_at=compute_payment_deadline(deposit),
        )
    except OSError as error:
        log.exception("no payment page for deposit %s", deposit.reference)
        raise Refusal(PROVIDER_AWAY) from error


def compute_payment_deadline(deposit: Deposit) -> datetime:
    """Return the time after which the provider no longer accepts the payment."""
    return deposit.started_at + ORDER_LASTS


def expire_deposits(*, now: datetime) -> int:
    """Mark deposits that were not paid in time as expired. Return how many.

    A payment that arrives later is judged like any other.
    """
    waiting = Deposit.objects.filter(state=State.WAITING)
    overdue = waiting.filter(started_at__lte=now - ORDER_LASTS).order_by("started_at")
    ids = list(overdue.values_list("pk", flat=True)[:EXPIRED_AT_ONCE])
    # One row at a time, so that a webhook's lock on one deposit blocks no other.
    return sum(waiting.filter(pk=pk).update(state=State.EXPIRED, decided_at=now) for pk in ids)


def take_payment_webhook(webhook: SignedWebhook) -> PaymentWebhook.Effect:
    """Process a provider's webhook about a deposit, whose signature has been checked.

    A repeated webhook does nothing, and webhooks may come in any order. A payment of the right amount is
    credited once, even after a reported failure: the money has arrived. A payment that the player's
    limits, self-exclusion or account now forbid goes back to its source. A payment of another amount is
    not credited; staff decide about it.
    """
    same_payment = Deposit.objects.filter(provider=webhook.provider, reference=webhook.reference)
    user_id = same_payment.values_list("user_id", flat=True).first()
    if user_id is None:
        log.error("payment webhook for unknown reference %s", webhook.reference)
        return Effect.UNKNOWN
    with transaction.atomic():
        # Lock the player first, so that their limits do not change during the decision.
        user = lock_player(user_id)
        deposit = same_payment.select_for_update(no_key=True).get()
        if PaymentWebhook.objects.filter(
            provider=webhook.provider, event_id=webhook.event_id
        ).exists():
            return Effect.REPEATED
        effect, refused_for = _decide_effect(deposit, webhook), None
        if effect is Effect.CREDITED:
            refused_for = _find_refusal_reason(user, deposit)
        if refused_for is not None:
            effect = Effect.REFUNDED
            deposit.refused_for = refused_for
        PaymentWebhook.objects.create(
            deposit=deposit,
            provider=webhook.provider,
            event_id=webhook.event_id,
            payment_id=webhook.payment_id,
            outcome=webhook.outcome,
            amount=webhook.amount,
            currency=webhook.currency,
            effect=effect,
        )
        _apply(deposit, webhook, effect)
        if effect is Effect.CREDITED:
            hold_back_for(deposit)
        elif effect is Effect.MISMATCH:
            open_mismatch(webhook, deposit=deposit)
    if effect is Effect.MISMATCH:
        log.error("deposit %s: asked %s, paid %s", deposit.pk, deposit.amount, webhook.amount)
    return effect


def _decide_effect(deposit: Deposit, webhook: SignedWebhook) -> PaymentWebhook.Effect:
    state = State(deposit.state)
    if webhook.outcome is not PaymentOutcome.PAID:
        return Effect.FAILED if state is State.WAITING else Effect.IGNORED
    if state in _SETTLED and deposit.payment_id == webhook.payment_id:
        return Effect.IGNORED
    as_asked = (webhook.amount, webhook.currency) == (deposit.amount, Currency.INR)
    if state in _SETTLED or not as_asked:
        return Effect.MISMATCH
    return Effect.CREDITED


def _find_refusal_reason(user: User, deposit: Deposit) -> Deposit.RefusedFor | None:
    """Return why this payment may not be credited now, or None."""
    try:
        refuse_deposit(user, deposit.amount, waiting=False)
    except Refusal as refusal:
        if refusal.kind not in _REFUSED_FOR:
            raise
        return _REFUSED_FOR[refusal.kind]
    return None


def _apply(deposit: Deposit, webhook: SignedWebhook, effect: PaymentWebhook.Effect) -> None:
    now = timezone.now()
    if effect is Effect.CREDITED:
        _credit(deposit)
        deposit.state, deposit.payment_id = State.PAID, webhook.payment_id
    elif effect is Effect.REFUNDED:
        deposit.state, deposit.payment_id = State.REFUNDING, webhook.payment_id
        deposit.refund_at = now
    elif effect is Effect.FAILED:
        deposit.state = State.FAILED
    elif effect is Effect.MISMATCH and deposit.state not in _SETTLED:
        deposit.state = State.IN_DISPUTE
    else:
        return
    deposit.decided_at = now
    deposit.save(update_fields=["state", "payment_id", "decided_at", "refused_for", "refund_at"])
    if effect is Effect.REFUNDED:
        write_about(deposit)


def _credit(deposit: Deposit) -> None:
    to = player(deposit.user_id, Currency.INR)
    post_transfers(
        key=f"deposit:{deposit.provider}:{deposit.reference}",
        lines=[PostingLine(deposits(), to, deposit.amount, Reason.DEPOSIT)],
        subject=f"deposit:{deposit.pk}",
    )
