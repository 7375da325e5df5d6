"""The decisions of administrators about withdrawals."""

from django.utils import timezone

from wallet.cash import require_cash
from wallet.ledger.health import refuse_while_frozen
from wallet.models import Withdrawal
from wallet.refusals import (
    OwnWithdrawal,
    PlayerFrozen,
    ReasonMissing,
    SameAdministrator,
    WithdrawalDecided,
)
from wallet.withdrawals.money import ending, step

State = Withdrawal.State


def approve_withdrawal(*, withdrawal_id: int, staff_id: int) -> Withdrawal:
    """Approved, or waiting for a second administrator where the policy wants one.

    Raises CashIsOff, WithdrawalsFrozen, OwnWithdrawal, PlayerFrozen, SameAdministrator or
    WithdrawalDecided.
    """
    require_cash()
    refuse_while_frozen()
    with ending(pk=withdrawal_id) as withdrawal:
        if withdrawal.user_id == staff_id:
            raise OwnWithdrawal
        if not withdrawal.user.is_active:
            raise PlayerFrozen
        if withdrawal.state == State.NEEDS_SECOND:
            if withdrawal.approved_by_id == staff_id:
                raise SameAdministrator
            step(
                withdrawal,
                State.APPROVED,
                second_approved_by_id=staff_id,
                send_at=timezone.now(),
            )
        elif withdrawal.amount > withdrawal.policy.second_approval_above:
            step(withdrawal, State.NEEDS_SECOND, approved_by_id=staff_id)
        else:
            step(withdrawal, State.APPROVED, approved_by_id=staff_id, send_at=timezone.now())
    return withdrawal


def refuse_withdrawal(*, withdrawal_id: int, staff_id: int, reason: str) -> Withdrawal:
    """The money goes back; the player reads the reason. Raises CashIsOff, OwnWithdrawal,
    ReasonMissing or WithdrawalDecided."""
    require_cash()
    if not reason.strip():
        raise ReasonMissing
    with ending(pk=withdrawal_id) as withdrawal:
        if withdrawal.user_id == staff_id:
            raise OwnWithdrawal
        step(withdrawal, State.REFUSED, ended_by_id=staff_id, reason=reason.strip())
    return withdrawal


def settle_dispute(*, withdrawal_id: int, staff_id: int, was_paid: bool, reason: str) -> Withdrawal:
    """Settle a withdrawal by the bank's books where webhooks could not.

    Raises CashIsOff, OwnWithdrawal, ReasonMissing, WithdrawalDecided, or InsufficientFunds where
    it was paid but its money has gone back and was spent: then the house has to cover it first.
    """
    require_cash()
    if not reason.strip():
        raise ReasonMissing
    with ending(pk=withdrawal_id) as withdrawal:
        if withdrawal.user_id == staff_id:
            raise OwnWithdrawal
        if withdrawal.state != State.IN_DISPUTE:
            raise WithdrawalDecided
        step(
            withdrawal,
            State.PAID if was_paid else State.FAILED,
            ended_by_id=staff_id,
            reason=reason.strip(),
        )
    return withdrawal
