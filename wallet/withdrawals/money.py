"""The money of a withdrawal and the steps of its state, always together."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from wallet.ledger.chart import Line, tds_payable, winnings, withdrawals
from wallet.ledger.holds import capture, hold, release
from wallet.ledger.posting import post_transfers
from wallet.models import GIVEN_BACK, STEPS, HoldResolution, Reason, Withdrawal
from wallet.refusals import WithdrawalDecided
from wallet.withdrawals.emails import write_about

State = Withdrawal.State
# The money stays put aside until somebody or the bank has decided, however long that takes.
_AS_LONG_AS_IT_TAKES = timedelta(days=3_650)
_ENDS = frozenset({State.PAID, *GIVEN_BACK})


def put_aside(withdrawal: Withdrawal) -> int:
    """The id of the hold. Raises InsufficientFunds."""
    return hold(
        key=f"withdrawal:{withdrawal.reference}",
        lines=_lines(withdrawal),
        expires_at=timezone.now() + _AS_LONG_AS_IT_TAKES,
        actor_id=withdrawal.user_id,
        subject=_subject(withdrawal),
    ).hold_id


@contextmanager
def ending(**which: Any) -> Iterator[Withdrawal]:
    """A withdrawal, locked, in a transaction. Withdrawal.DoesNotExist if there is none."""
    with transaction.atomic():
        yield Withdrawal.objects.select_for_update(no_key=True).get(**which)


def step(withdrawal: Withdrawal, to: Withdrawal.State, **changes: Any) -> None:
    """To another state, with what this means for the money and an e-mail to the player; the caller
    has locked the row.

    Raises WithdrawalDecided where the state does not allow it; a late payout of money that has
    gone back to the player raises InsufficientFunds if it is not there any more.
    """
    came_from = State(withdrawal.state)
    if to not in STEPS[came_from]:
        raise WithdrawalDecided(f"{came_from} to {to}")
    if to is State.PAID:
        _pay(withdrawal)
    elif to in GIVEN_BACK and _is_put_aside(withdrawal):
        release(
            hold_id=_hold_id(withdrawal),
            key=f"withdrawal:{withdrawal.reference}:back",
            subject=_subject(withdrawal),
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
    """Net and tax leave in one posting."""
    subject = _subject(withdrawal)
    if _is_put_aside(withdrawal):
        capture(
            hold_id=_hold_id(withdrawal),
            key=f"withdrawal:{withdrawal.reference}:paid",
            subject=subject,
        )
    else:  # it had failed before, and the money went back
        post_transfers(
            key=f"withdrawal:{withdrawal.reference}:paid",
            lines=_lines(withdrawal),
            subject=subject,
        )


def _lines(withdrawal: Withdrawal) -> list[Line]:
    source = winnings(withdrawal.user_id)
    lines = [Line(source, withdrawals(), withdrawal.net, Reason.WITHDRAWAL)]
    if withdrawal.tax:
        lines.append(Line(source, tds_payable(), withdrawal.tax, Reason.TAX))
    return lines


def _hold_id(withdrawal: Withdrawal) -> int:
    if withdrawal.hold_id is None:
        raise ValueError(f"withdrawal {withdrawal.reference} holds nothing")
    return withdrawal.hold_id


def _is_put_aside(withdrawal: Withdrawal) -> bool:
    return not HoldResolution.objects.filter(hold_id=_hold_id(withdrawal)).exists()


def _subject(withdrawal: Withdrawal) -> str:
    return f"withdrawal:{withdrawal.reference}"
