"""Setting a player's own limits, and refusing play or deposits that limits, account or region forbid."""

from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from accounts.identity.regions import compute_proven_age, find_region
from accounts.models import User
from accounts.people.closing import announce_barred
from core.emails.sending import awaits_confirmation
from core.refusals import Refusal
from core.site.content import site
from wallet.limits.selectors import (
    LENGTHS,
    compute_net_losses,
    deposit_limits,
    find_exclusion,
    get_limits_in_effect,
    get_loss_limits,
    sum_of_deposits,
)
from wallet.models import DepositLimit, LimitPeriod, LossLimit, SelfExclusion
from wallet.money import MAX_AMOUNT
from wallet.refusals import (
    ACCOUNT_FROZEN,
    ADDRESS_NOT_CONFIRMED,
    AGE_NOT_PROVEN,
    DEPOSIT_LIMIT_REACHED,
    LOSS_LIMIT_REACHED,
    MALFORMED_POSTING,
    REGION_REFUSES_CASH,
    SELF_EXCLUDED,
    TOO_YOUNG_FOR_CASH,
    WALLET_CLOSED,
    ExclusionTooShort,
    RegionNotStated,
)

_Limit = TypeVar("_Limit", DepositLimit, LossLimit)
RAISED_AFTER = timedelta(hours=72)
SHORTEST_EXCLUSION = timedelta(hours=24)


def set_deposit_limit(*, user_id: int, period: LimitPeriod, amount: int | None) -> DepositLimit:
    """Set a limit in paise. A lower one takes effect at once, a higher one or None (no limit) after RAISED_AFTER.

    Until then the old limit stays in effect. A pending raise is replaced. Raises MALFORMED_POSTING for an
    amount that cannot be a limit.
    """
    return _set_limit(DepositLimit, user_id, period, amount)


def set_loss_limit(*, user_id: int, period: LimitPeriod, amount: int | None) -> LossLimit:
    """Set a loss limit, like set_deposit_limit."""
    return _set_limit(LossLimit, user_id, period, amount)


def _set_limit(
    model: type[_Limit], user_id: int, period: LimitPeriod, amount: int | None
) -> _Limit:
    if amount is not None and not 0 < amount <= MAX_AMOUNT:
        raise Refusal(MALFORMED_POSTING, detail=str(amount))
    with transaction.atomic():
        lock_player(user_id)
        now = timezone.now()
        model.objects.filter(user_id=user_id, period=period, effective_from__gt=now).delete()
        current = get_limits_in_effect(model, user_id).get(period)
        is_lower = amount is not None and (current is None or amount <= current)
        return model.objects.create(
            user_id=user_id,
            period=period,
            amount=amount,
            effective_from=now if is_lower or current is None else now + RAISED_AFTER,
        )


def exclude_oneself(*, user_id: int, until: datetime | None) -> SelfExclusion:
    """Exclude a player from playing and depositing until the given time, or for good (None).

    The player may still finish a match in progress. An exclusion cannot be shortened. Raises
    ExclusionTooShort if it is shorter than SHORTEST_EXCLUSION or ends before a running one.
    """
    with transaction.atomic():
        lock_player(user_id)
        running = find_exclusion(user_id)
        if until is not None:
            is_shorter = running is not None and (running.until is None or until < running.until)
            if is_shorter or until < timezone.now() + SHORTEST_EXCLUSION:
                raise ExclusionTooShort
        announce_barred(user_id)
        return SelfExclusion.objects.create(user_id=user_id, until=until)


@transaction.atomic
def refuse_if_barred(user_id: int) -> User | None:
    """Lock and return a player. Raises WALLET_CLOSED, ACCOUNT_FROZEN or SELF_EXCLUDED if the player may not play.

    Return None if no user has this id. The caller starts the play in the same transaction. A concurrent
    freeze or exclusion waits for that transaction, and so finds the play that it began.
    """
    player = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
    if player is not None:
        refuse_barred(player)
    return player


def refuse_barred(user: User) -> None:
    """Refuse a player who may not play. The caller holds a lock on the player's row.

    Raises WALLET_CLOSED, ACCOUNT_FROZEN or SELF_EXCLUDED.
    """
    _refuse_unless_open(user)
    if find_exclusion(user.pk) is not None:
        raise Refusal(SELF_EXCLUDED)


def refuse_deposit(user: User, amount: int, *, waiting: bool) -> None:
    """Refuse a deposit of `amount` paise that this player, locked by the caller, may not make now.

    With `waiting`, deposits that can still be paid are counted too. Raises WALLET_CLOSED, ACCOUNT_FROZEN,
    SELF_EXCLUDED or DEPOSIT_LIMIT_REACHED.
    """
    refuse_barred(user)
    for period, limit in deposit_limits(user.pk).items():
        if limit is None:
            continue
        if sum_of_deposits(user.pk, LENGTHS[period], waiting=waiting) + amount > limit:
            raise Refusal(DEPOSIT_LIMIT_REACHED, detail=f"{period}: {limit}")


def refuse_beyond_loss_limits(user_id: int, amount: int) -> None:
    """Refuse a stake beyond the loss limit.

    Losses within the period, current stakes and `amount` (paise) together may not exceed the limit. The
    caller stakes `amount` in the same transaction. Raises LOSS_LIMIT_REACHED.
    """
    limits = {
        period: limit for period, limit in get_loss_limits(user_id).items() if limit is not None
    }
    if not limits:
        return
    lock_player(user_id)
    lost = compute_net_losses(user_id, at=timezone.now())
    for period, limit in limits.items():
        if lost[period] + amount > limit:
            raise Refusal(LOSS_LIMIT_REACHED, detail=f"{period}: {limit}")


def refuse_unless_confirmed(user_id: int) -> None:
    """Refuse cash to a player who has entered an e-mail address and confirmed none. Raises ADDRESS_NOT_CONFIRMED."""
    if awaits_confirmation(user_id):
        raise Refusal(ADDRESS_NOT_CONFIRMED)


def refuse_by_region(user_id: int) -> None:
    """Refuse cash if the law of the player's region forbids it. Winnings are paid out everywhere.

    Raises RegionNotStated, REGION_REFUSES_CASH, AGE_NOT_PROVEN or TOO_YOUNG_FOR_CASH.
    """
    its = site()
    if not its.asks_region:
        return
    region = find_region(user_id)
    if region is None:
        raise RegionNotStated
    if region.cash_is_refused:
        raise Refusal(REGION_REFUSES_CASH)
    if region.least_age <= its.least_age:
        return
    age = compute_proven_age(user_id, today=timezone.localdate())
    if age is None:
        raise Refusal(AGE_NOT_PROVEN)
    if age < region.least_age:
        raise Refusal(TOO_YOUNG_FOR_CASH)


def lock_player(user_id: int) -> User:
    """Lock a player's account row, so that decisions about their limits are serialized."""
    return User.objects.select_for_update(no_key=True).get(pk=user_id)


def lock_open_account(user_id: int) -> User:
    """Lock a player's account and return the player. Raises WALLET_CLOSED or ACCOUNT_FROZEN.

    Until the transaction ends, the account can be neither closed nor frozen. Begin every movement of an
    account's money with this lock: closing takes the same lock before it looks for money.
    """
    user = lock_player(user_id)
    _refuse_unless_open(user)
    return user


def _refuse_unless_open(user: User) -> None:
    if user.closed_at is not None:
        raise Refusal(WALLET_CLOSED)
    if not user.is_active:
        raise Refusal(ACCOUNT_FROZEN)
