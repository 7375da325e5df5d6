"""The limits that players set for themselves."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from accounts.identity.regions.selectors import proven_age, region_of
from accounts.models import User
from accounts.people.barring import tell_of_barred
from core.emails.sending import awaits_confirmation
from core.site.content import site
from wallet.limits.selectors import (
    LENGTHS,
    barred_among,
    deposit_limits,
    deposited,
    exclusion_of,
    limits_in_effect,
    loss_limits,
    net_losses,
)
from wallet.models import DepositLimit, LimitPeriod, LossLimit, SelfExclusion
from wallet.money import MAX_AMOUNT
from wallet.refusals import (
    AccountClosed,
    AccountFrozen,
    AddressNotConfirmed,
    AgeNotProven,
    DepositLimitReached,
    ExclusionTooShort,
    LossLimitReached,
    MalformedPosting,
    RegionNotStated,
    RegionRefusesCash,
    SelfExcluded,
    TooYoungForCash,
)

_Limit = TypeVar("_Limit", DepositLimit, LossLimit)
RAISED_AFTER = timedelta(hours=72)
SHORTEST_EXCLUSION = timedelta(hours=24)


def set_deposit_limit(*, user_id: int, period: LimitPeriod, amount: int | None) -> DepositLimit:
    """A lower limit counts at once, a higher one or None (no limit) RAISED_AFTER from now.

    Until then the old one counts; a limit that was to be raised is replaced. Raises
    MalformedPosting for a senseless amount.
    """
    return _set_limit(DepositLimit, user_id, period, amount)


def set_loss_limit(*, user_id: int, period: LimitPeriod, amount: int | None) -> LossLimit:
    """As set_deposit_limit."""
    return _set_limit(LossLimit, user_id, period, amount)


def _set_limit(
    model: type[_Limit], user_id: int, period: LimitPeriod, amount: int | None
) -> _Limit:
    if amount is not None and not 0 < amount <= MAX_AMOUNT:
        raise MalformedPosting(str(amount))
    with transaction.atomic():
        lock_player(user_id)
        now = timezone.now()
        model.objects.filter(user_id=user_id, period=period, effective_from__gt=now).delete()
        current = limits_in_effect(model, user_id).get(period)
        is_lower = amount is not None and (current is None or amount <= current)
        return model.objects.create(
            user_id=user_id,
            period=period,
            amount=amount,
            effective_from=now if is_lower or current is None else now + RAISED_AFTER,
        )


def exclude_oneself(*, user_id: int, until: datetime | None) -> SelfExclusion:
    """No playing and no deposits until then, or for good; a match that is being played is the last.
    Raises ExclusionTooShort: it takes SHORTEST_EXCLUSION at least, and there is no way back before
    the end."""
    with transaction.atomic():
        lock_player(user_id)
        running = exclusion_of(user_id)
        if until is not None:
            is_shorter = running is not None and (running.until is None or until < running.until)
            if is_shorter or until < timezone.now() + SHORTEST_EXCLUSION:
                raise ExclusionTooShort
        tell_of_barred(user_id)
        return SelfExclusion.objects.create(user_id=user_id, until=until)


@transaction.atomic
def refuse_if_barred(user_id: int) -> None:
    """Raises AccountClosed, AccountFrozen or SelfExcluded. The caller is in a transaction and lets
    the player play in it: barring them waits for its end, and finds what they have begun."""
    player = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
    if player is not None:  # the ledger's accounts have owners that are no people
        refuse_barred(player)


def refuse_barred(user: User) -> None:
    """The same of a player whom the caller has locked."""
    _refuse_unless_open(user)
    if exclusion_of(user.pk) is not None:
        raise SelfExcluded


def lock_and_find_barred(user_ids: Iterable[int]) -> frozenset[int]:
    """Those of these players who may not play, and nobody else is barred before the caller's
    transaction ends."""
    ids = sorted(user_ids)
    people = User.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    return barred_among(people.values_list("pk", flat=True)) if ids else frozenset()


def refuse_deposit(user: User, amount: int, *, waiting: bool) -> None:
    """Refuse a deposit that this player, locked by the caller, may not make now.

    `waiting` counts the deposits they have begun. Raises AccountClosed, AccountFrozen,
    SelfExcluded or DepositLimitReached.
    """
    refuse_barred(user)
    for period, limit in deposit_limits(user.pk).items():
        if limit is None:
            continue
        if deposited(user.pk, LENGTHS[period], waiting=waiting) + amount > limit:
            raise DepositLimitReached(f"{period}: {limit}")


def refuse_beyond_loss_limits(user_id: int, amount: int) -> None:
    """Refuse a stake beyond the loss limit.

    Losses within the period, stakes so far and `amount` together may not exceed the limit. The
    caller is in a transaction and stakes `amount` in it.
    """
    limits = {period: limit for period, limit in loss_limits(user_id).items() if limit is not None}
    if not limits:
        return
    lock_player(user_id)
    lost = net_losses(user_id, at=timezone.now())
    for period, limit in limits.items():
        if lost[period] + amount > limit:
            raise LossLimitReached(f"{period}: {limit}")


def refuse_unless_confirmed(user_id: int) -> None:
    """Cash waits for the confirmed e-mail address, chips do not. Raises AddressNotConfirmed."""
    if awaits_confirmation(user_id):
        raise AddressNotConfirmed


def refuse_by_region(user_id: int) -> None:
    """Refuse cash where the law of the player's region forbids it. Winnings are paid out everywhere.

    Raises RegionNotStated, RegionRefusesCash, AgeNotProven or TooYoungForCash.
    """
    its = site()
    if not its.asks_region:
        return
    region = region_of(user_id)
    if region is None:
        raise RegionNotStated
    if region.cash_is_refused:
        raise RegionRefusesCash
    if region.least_age <= its.least_age:
        return
    age = proven_age(user_id, today=timezone.localdate())
    if age is None:
        raise AgeNotProven
    if age < region.least_age:
        raise TooYoungForCash


def lock_player(user_id: int) -> User:
    """Two decisions about one player's limits are taken one after the other."""
    return User.objects.select_for_update(no_key=True).get(pk=user_id)


def lock_open_account(user_id: int) -> User:
    """The player, locked: until the end of the transaction the account is neither closed nor
    frozen. Everything that moves an account's money begins with it: an account is closed under the
    same lock, after a look for its money. Raises AccountClosed or AccountFrozen."""
    user = lock_player(user_id)
    _refuse_unless_open(user)
    return user


def _refuse_unless_open(user: User) -> None:
    if user.closed_at is not None:
        raise AccountClosed
    if not user.is_active:
        raise AccountFrozen
