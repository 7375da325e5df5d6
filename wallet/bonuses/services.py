"""Granting bonuses, releasing them for play, and expiring them."""

import logging
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from core.database.each import act_on_each
from core.refusals import Refusal
from wallet.bonuses.selectors import list_running_bonuses, sum_entry_fees_played
from wallet.cash import cash_is_on, require_cash
from wallet.ledger.balances import get_player_balances
from wallet.ledger.chart import AccountRef, PostingLine, bonus_expense, winnings
from wallet.ledger.chart import bonus as bonus_account
from wallet.ledger.posting import post_transfers, sweep
from wallet.limits.selectors import find_exclusion
from wallet.limits.services import lock_player
from wallet.models import AccountKind, Bonus, LedgerAccount, Reason
from wallet.money import MAX_AMOUNT
from wallet.refusals import (
    BONUS_NOT_FOR_EXCLUDED,
    BONUS_NOT_FOR_ONESELF,
    BONUS_TERMS_WRONG,
    PAYMENT_REASON_MISSING,
    WALLET_CLOSED,
)
from wallet.rules import ReleaseTerms, compute_due_amount, compute_left_of_each

log = logging.getLogger(__name__)

State = Bonus.State
MOST_CHUNKS = 100
MOST_TIMES = 100
LOOKED_AT_ONCE = 500
# Well within the time limit of a job. The next run begins with the players who are left.
SECONDS_A_RUN = 30


@dataclass(frozen=True, slots=True)
class BonusGift:
    """A bonus to grant. `reference` is the idempotency key of the decision."""

    reference: str
    terms: ReleaseTerms
    expires_at: datetime
    reason: str


def grant_bonus(*, user_id: int, gift: BonusGift, staff_id: int | None = None) -> Bonus:
    """Grant a bonus from the house. `staff_id` is None for a bonus that a campaign grants.

    A repeated reference returns the bonus that it granted the first time.

    Raises CASH_IS_OFF, PAYMENT_REASON_MISSING, BONUS_TERMS_WRONG, BONUS_NOT_FOR_ONESELF, WALLET_CLOSED or
    BONUS_NOT_FOR_EXCLUDED.
    """
    require_cash()
    now = timezone.now()
    _refuse_senseless(gift, now)
    if user_id == staff_id:
        raise Refusal(BONUS_NOT_FOR_ONESELF)
    with transaction.atomic():
        user = lock_player(user_id)
        earlier = Bonus.objects.filter(reference=gift.reference).first()
        if earlier is not None:
            return earlier
        if user.closed_at is not None:
            raise Refusal(WALLET_CLOSED)
        if user.is_bot:
            raise Refusal(BONUS_TERMS_WRONG)
        if find_exclusion(user_id) is not None:
            raise Refusal(BONUS_NOT_FOR_EXCLUDED)
        given = Bonus.objects.create(
            user_id=user_id,
            reference=gift.reference,
            amount=gift.terms.amount,
            chunks=gift.terms.chunks,
            play_multiple=gift.terms.play_multiple,
            reason=gift.reason.strip(),
            granted_by_id=staff_id,
            granted_at=now,
            expires_at=gift.expires_at,
            counts_from=None if list_running_bonuses(user_id).exists() else now,
        )
        post_transfers(
            key=f"bonus:{given.pk}",
            lines=[
                PostingLine(bonus_expense(), bonus_account(user_id), given.amount, Reason.BONUS)
            ],
            actor_id=staff_id,
            subject=f"bonus:{given.pk}",
        )
    return given


def maintain_bonuses(*, now: datetime) -> int:
    """Release bonuses for play and take back expired ones. Return how many bonuses were checked.

    Checks bonuses that were last checked before `now`, the longest unchecked first, for at most
    SECONDS_A_RUN. Late and repeated runs are harmless.
    """
    if not cash_is_on():
        return 0
    looked_at = 0
    failed: set[int] = set()
    until = time.monotonic() + SECONDS_A_RUN
    while time.monotonic() < until and (players := _to_be_looked_at(now, failed)):
        for user_id, bonuses in Counter(players).items():
            try:
                maintain_bonuses_for(user_id=user_id, now=now)
            except Exception:  # one failure must not block the others
                log.exception("the bonuses of player %s could not be tended", user_id)
                failed.add(user_id)
            looked_at += bonuses
            if time.monotonic() > until:
                break
    _give_back_leftovers(now)
    return looked_at


def _to_be_looked_at(now: datetime, failed: Collection[int]) -> list[int]:
    """Return the user ids of running bonuses last checked before `now`, but at most LOOKED_AT_ONCE.

    A user appears once for each such bonus. The users in `failed` are left out.
    """
    running = Bonus.objects.filter(state=State.RUNNING, looked_at__lt=now).exclude(
        user_id__in=failed
    )
    return list(running.order_by("looked_at").values_list("user_id", flat=True)[:LOOKED_AT_ONCE])


def maintain_bonuses_for(*, user_id: int, now: datetime) -> None:
    with transaction.atomic():
        lock_player(user_id)
        running = list(list_running_bonuses(user_id))
        for place, mine in enumerate(running):
            free = get_player_balances(user_id).cash.bonus
            unreleased = [bonus.amount - bonus.released for bonus in running[place:]]
            left = compute_left_of_each(free, unreleased)[0]
            if place == 0 and mine.counts_from is not None:
                played = sum_entry_fees_played(user_id, since=mine.counts_from)
                left -= _release(mine, left, played=played, now=now)
            if mine.state == State.RUNNING and mine.expires_at <= now:
                _expire(mine, left, now=now)
        _begin_the_next(user_id, now)
        list_running_bonuses(user_id).update(looked_at=now)


def _release(bonus: Bonus, left: int, *, played: int, now: datetime) -> int:
    """Move the amount that is due to the winnings, and return it. `left` is what is unspent of the bonus.

    The bonus ends once its whole amount is due and none of its money is left.
    """
    due = compute_due_amount(bonus.terms, played=played)
    amount = max(min(due - bonus.released, left), 0)
    if amount:
        post_transfers(
            key=f"bonus:{bonus.pk}:release:{bonus.released}",
            lines=[
                PostingLine(
                    bonus_account(bonus.user_id),
                    winnings(bonus.user_id),
                    amount,
                    Reason.BONUS_RELEASE,
                )
            ],
            subject=f"bonus:{bonus.pk}",
        )
        bonus.released += amount
        bonus.save(update_fields=["released"])
    if due == bonus.amount and amount == left:
        _end(bonus, State.RELEASED, now)
    return amount


def _expire(bonus: Bonus, left: int, *, now: datetime) -> None:
    if left > 0:
        post_transfers(
            key=f"bonus:{bonus.pk}:expire",
            lines=[
                PostingLine(
                    bonus_account(bonus.user_id), bonus_expense(), left, Reason.BONUS_EXPIRY
                )
            ],
            subject=f"bonus:{bonus.pk}",
        )
    _end(bonus, State.EXPIRED, now)


def _end(bonus: Bonus, state: Bonus.State, now: datetime) -> None:
    bonus.state = state
    bonus.ended_at = now
    bonus.save(update_fields=["state", "ended_at"])


def _begin_the_next(user_id: int, now: datetime) -> None:
    first = list_running_bonuses(user_id).first()
    if first is not None and first.counts_from is None:
        first.counts_from = now
        first.save(update_fields=["counts_from"])


def _give_back_leftovers(now: datetime) -> None:
    """Move bonus money that came back from a table after the player's last bonus had ended.

    It goes to the winnings if that bonus was released, otherwise back to the house.
    """
    with_money = LedgerAccount.objects.filter(
        kind=AccountKind.BONUS, balance__gt=0, owner_id__in=Bonus.objects.values("user_id")
    ).exclude(owner_id__in=Bonus.objects.filter(state=State.RUNNING).values("user_id"))
    accounts = list(with_money.values_list("owner_id", "seq")[:LOOKED_AT_ONCE])
    act_on_each(accounts, _give_back_leftover, doing="taking back bonus money")


@transaction.atomic
def _give_back_leftover(account: tuple[int, int]) -> None:
    user_id, seq = account
    lock_player(user_id)
    last = Bonus.objects.filter(user_id=user_id).order_by("-ended_at").first()
    if last is None or last.state == State.RUNNING:
        return
    to: AccountRef = bonus_expense()
    reason = Reason.BONUS_EXPIRY
    if last.state == State.RELEASED:
        to, reason = winnings(user_id), Reason.BONUS_RELEASE
    sweep(
        key=f"bonus:{last.pk}:leftover:{seq}",
        source=bonus_account(user_id),
        destination=to,
        reason=reason,
        subject=f"bonus:{last.pk}",
    )


def _refuse_senseless(gift: BonusGift, now: datetime) -> None:
    terms = gift.terms
    if not gift.reason.strip():
        raise Refusal(PAYMENT_REASON_MISSING)
    if not (
        0 < terms.amount <= MAX_AMOUNT
        and 0 < terms.chunks <= min(MOST_CHUNKS, terms.amount)
        and 0 < terms.play_multiple <= MOST_TIMES
        and now < gift.expires_at <= now + timedelta(days=366)
    ):
        raise Refusal(BONUS_TERMS_WRONG)
