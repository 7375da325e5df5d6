"""The steps of a withdrawal and the money that each moves, and the decisions of administrators."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from core.refusals import Refusal
from wallet.cash import require_cash
from wallet.ledger.chart import PostingLine, tds_payable, winnings, withdrawals
from wallet.ledger.checks import refuse_while_frozen
from wallet.ledger.holds import capture, hold, release
from wallet.ledger.posting import post_transfers
from wallet.models import GIVEN_BACK, STEPS, HoldResolution, Reason, Withdrawal
from wallet.payments.cases import refuse_while_owing
from wallet.refusals import (
    OWN_WITHDRAWAL,
    PAYMENT_REASON_MISSING,
    PLAYER_FROZEN,
    SAME_ADMINISTRATOR,
    WITHDRAWAL_DECIDED,
)
from wallet.withdrawals.emails import write_about

State = Withdrawal.State
# The hold lasts until staff or the bank have decided, however long that takes.
_AS_LONG_AS_IT_TAKES = timedelta(days=3_650)
_ENDS = frozenset({State.PAID, *GIVEN_BACK})


def hold_amount(withdrawal: Withdrawal) -> int:
    """Hold the amount and return the hold's id. Raises InsufficientFunds."""
    return hold(
        key=f"withdrawal:{withdrawal.reference}",
        lines=_build_lines(withdrawal),
        expires_at=timezone.now() + _AS_LONG_AS_IT_TAKES,
        actor_id=withdrawal.user_id,
        subject=_build_subject(withdrawal),
    ).hold_id


@contextmanager
def lock_withdrawal(**which: Any) -> Iterator[Withdrawal]:
    """Lock a withdrawal in a transaction. Raises Withdrawal.DoesNotExist."""
    with transaction.atomic():
        yield Withdrawal.objects.select_for_update(no_key=True).get(**which)


def take_step(withdrawal: Withdrawal, to: Withdrawal.State, **changes: Any) -> None:
    """Move a withdrawal to another state, move its money accordingly and write the player an e-mail.

    The caller has locked the row. Raises WITHDRAWAL_DECIDED if the state does not allow the step, and
    InsufficientFunds for a late payout of money that has gone back to the player and was spent.
    """
    came_from = State(withdrawal.state)
    if to not in STEPS[came_from]:
        raise Refusal(WITHDRAWAL_DECIDED, detail=f"{came_from} to {to}")
    if to is State.PAID:
        _pay(withdrawal)
    elif to in GIVEN_BACK and _is_held(withdrawal):
        release(
            hold_id=_hold_id(withdrawal),
            key=f"withdrawal:{withdrawal.reference}:back",
            subject=_build_subject(withdrawal),
        )
    changes["state"] = to
    if to in _ENDS:
        changes["ended_at"] = timezone.now()
    if came_from is State.APPROVED:
        changes["send_at"] = None
    for name, value in changes.items():
        setattr(withdrawal, name, value)
    withdrawal.save(update_fields=list(changes))
    write_about(withdrawal)


def _pay(withdrawal: Withdrawal) -> None:
    """Post the net amount and the tax in one event."""
    subject = _build_subject(withdrawal)
    if _is_held(withdrawal):
        capture(
            hold_id=_hold_id(withdrawal),
            key=f"withdrawal:{withdrawal.reference}:paid",
            subject=subject,
        )
    else:  # the payout had failed before, and the money went back
        post_transfers(
            key=f"withdrawal:{withdrawal.reference}:paid",
            lines=_build_lines(withdrawal),
            subject=subject,
        )


def _build_lines(withdrawal: Withdrawal) -> list[PostingLine]:
    source = winnings(withdrawal.user_id)
    lines = [PostingLine(source, withdrawals(), withdrawal.net, Reason.WITHDRAWAL)]
    if withdrawal.tax:
        lines.append(PostingLine(source, tds_payable(), withdrawal.tax, Reason.TAX))
    return lines


def _hold_id(withdrawal: Withdrawal) -> int:
    if withdrawal.hold_id is None:
        raise ValueError(f"withdrawal {withdrawal.reference} holds nothing")
    return withdrawal.hold_id


def _is_held(withdrawal: Withdrawal) -> bool:
    return not HoldResolution.objects.filter(hold_id=_hold_id(withdrawal)).exists()


def _build_subject(withdrawal: Withdrawal) -> str:
    return f"withdrawal:{withdrawal.reference}"


def approve_withdrawal(*, withdrawal_id: int, staff_id: int) -> Withdrawal:
    """Approve a withdrawal; a large one then waits for a second administrator.

    Raises CASH_IS_OFF, WithdrawalsFrozen, OWN_WITHDRAWAL, PLAYER_FROZEN, PAYMENT_DISPUTED, SAME_ADMINISTRATOR
    or WITHDRAWAL_DECIDED.
    """
    require_cash()
    refuse_while_frozen()
    with lock_withdrawal(pk=withdrawal_id) as withdrawal:
        if withdrawal.user_id == staff_id:
            raise Refusal(OWN_WITHDRAWAL)
        if not withdrawal.user.is_active:
            raise Refusal(PLAYER_FROZEN)
        refuse_while_owing(withdrawal.user_id)
        if withdrawal.state == State.NEEDS_SECOND:
            if withdrawal.approved_by_id == staff_id:
                raise Refusal(SAME_ADMINISTRATOR)
            take_step(
                withdrawal,
                State.APPROVED,
                second_approved_by_id=staff_id,
                send_at=timezone.now(),
            )
        elif withdrawal.amount > withdrawal.policy.second_approval_above:
            take_step(withdrawal, State.NEEDS_SECOND, approved_by_id=staff_id)
        else:
            take_step(withdrawal, State.APPROVED, approved_by_id=staff_id, send_at=timezone.now())
    return withdrawal


def refuse_withdrawal(*, withdrawal_id: int, staff_id: int, reason: str) -> Withdrawal:
    """Refuse a withdrawal and give the money back. The player reads the reason.

    Raises CASH_IS_OFF, OWN_WITHDRAWAL, PAYMENT_REASON_MISSING or WITHDRAWAL_DECIDED.
    """
    require_cash()
    if not reason.strip():
        raise Refusal(PAYMENT_REASON_MISSING)
    with lock_withdrawal(pk=withdrawal_id) as withdrawal:
        if withdrawal.user_id == staff_id:
            raise Refusal(OWN_WITHDRAWAL)
        take_step(withdrawal, State.REFUSED, ended_by_id=staff_id, reason=reason.strip())
    return withdrawal


def settle_dispute(*, withdrawal_id: int, staff_id: int, was_paid: bool, reason: str) -> Withdrawal:
    """Settle a disputed withdrawal according to the bank's records.

    Raises CASH_IS_OFF, OWN_WITHDRAWAL, PAYMENT_REASON_MISSING or WITHDRAWAL_DECIDED. Raises InsufficientFunds
    if it was paid but its money has gone back to the player and was spent: the house has to cover it first.
    """
    require_cash()
    if not reason.strip():
        raise Refusal(PAYMENT_REASON_MISSING)
    with lock_withdrawal(pk=withdrawal_id) as withdrawal:
        if withdrawal.user_id == staff_id:
            raise Refusal(OWN_WITHDRAWAL)
        if withdrawal.state != State.IN_DISPUTE:
            raise Refusal(WITHDRAWAL_DECIDED)
        take_step(
            withdrawal,
            State.PAID if was_paid else State.FAILED,
            ended_by_id=staff_id,
            reason=reason.strip(),
        )
    return withdrawal
