"""Cash from a payment provider into a player's deposits."""

import logging
import uuid

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from wallet.cash import require_cash
from wallet.chart import Line, Reason, deposits, player
from wallet.models import Deposit, PaymentNotice
from wallet.money import Currency
from wallet.payments.base import Notice, Outcome
from wallet.payments.providers import payment_provider
from wallet.refusals import DepositOutOfRange
from wallet.services.limits import lock_player, refuse_beyond_deposit_limits, refuse_if_excluded
from wallet.services.posting import post_transfers

log = logging.getLogger(__name__)


def start_deposit(*, user_id: int, amount: int) -> Deposit:
    """A deposit of `amount` paise that waits for the provider.

    Raises CashIsOff, SelfExcluded, DepositOutOfRange outside DEPOSIT_LEAST to DEPOSIT_MOST, or
    DepositLimitReached.
    """
    require_cash()
    if not settings.DEPOSIT_LEAST <= amount <= settings.DEPOSIT_MOST:
        raise DepositOutOfRange
    provider = payment_provider().code
    with transaction.atomic():
        lock_player(user_id)
        refuse_if_excluded(user_id)
        refuse_beyond_deposit_limits(user_id, amount)
        return Deposit.objects.create(
            user_id=user_id, amount=amount, provider=provider, reference=uuid.uuid4().hex
        )


def take_notice(notice: Notice) -> PaymentNotice.Effect:
    """What the provider says happened to a deposit; its signature has been checked.

    A notice that comes again does nothing. Whatever order they come in, a payment of the right
    amount is credited once, also after a failure: the money has arrived. A payment of another
    amount is credited to nobody and left to the administration.
    """
    with transaction.atomic():
        deposit = (
            Deposit.objects.select_for_update(no_key=True)
            .filter(provider=notice.provider, reference=notice.reference)
            .first()
        )
        if deposit is None:
            log.error("payment notice for unknown reference %s", notice.reference)
            return PaymentNotice.Effect.UNKNOWN
        effect = _effect(deposit, notice)
        stored, is_new = PaymentNotice.objects.get_or_create(
            provider=notice.provider,
            event_id=notice.event_id,
            defaults={
                "deposit": deposit,
                "payment_id": notice.payment_id,
                "outcome": notice.outcome,
                "amount": notice.amount,
                "currency": notice.currency,
                "effect": effect,
            },
        )
        if not is_new:
            return PaymentNotice.Effect.REPEATED
        _apply(deposit, notice, effect)
    if effect is PaymentNotice.Effect.MISMATCH:
        log.error("deposit %s: asked %s, paid %s", deposit.pk, deposit.amount, notice.amount)
    return PaymentNotice.Effect(stored.effect)


def _effect(deposit: Deposit, notice: Notice) -> PaymentNotice.Effect:
    state = Deposit.State(deposit.state)
    if notice.outcome is Outcome.FAILED:
        waiting = state is Deposit.State.WAITING
        return PaymentNotice.Effect.FAILED if waiting else PaymentNotice.Effect.IGNORED
    if state is Deposit.State.PAID and deposit.payment_id == notice.payment_id:
        return PaymentNotice.Effect.IGNORED
    as_asked = (notice.amount, notice.currency) == (deposit.amount, Currency.INR)
    if state is Deposit.State.PAID or not as_asked:
        return PaymentNotice.Effect.MISMATCH
    return PaymentNotice.Effect.CREDITED


def _apply(deposit: Deposit, notice: Notice, effect: PaymentNotice.Effect) -> None:
    if effect is PaymentNotice.Effect.CREDITED:
        to = player(deposit.user_id, Currency.INR)
        post_transfers(
            key=f"deposit:{notice.provider}:{deposit.reference}",
            lines=[Line(deposits(), to, deposit.amount, Reason.DEPOSIT)],
            subject=f"deposit:{deposit.pk}",
        )
        deposit.state = Deposit.State.PAID
        deposit.payment_id = notice.payment_id
    elif effect is PaymentNotice.Effect.FAILED:
        deposit.state = Deposit.State.FAILED
    elif effect is PaymentNotice.Effect.MISMATCH and deposit.state != Deposit.State.PAID:
        deposit.state = Deposit.State.IN_DISPUTE
    else:
        return
    deposit.decided_at = timezone.now()
    deposit.save(update_fields=["state", "payment_id", "decided_at"])
