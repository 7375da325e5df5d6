"""Campaigns: bonuses by code, and bonuses for players who invite friends."""

import logging
import string
import unicodedata
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.identity.services import build_approval_condition
from accounts.models import User
from core.database.each import act_on_each
from core.refusals import Refusal
from core.throttling import Rate, take
from core.values.typed import spell_digits
from wallet.bonuses.services import BonusGift, grant_bonus
from wallet.cash import cash_is_on, require_cash
from wallet.limits.services import lock_player, refuse_barred, refuse_by_region
from wallet.models import Bonus, Campaign, CampaignUse, Deposit
from wallet.refusals import (
    CAMPAIGN_IS_OVER,
    CAMPAIGN_UNKNOWN,
    CAMPAIGN_USED,
    NOT_FOR_THIS_ACCOUNT,
    TOO_MANY_CAMPAIGN_CODES,
)
from wallet.rules import ReleaseTerms

_DIGITS: Final = string.digits + string.ascii_uppercase
_SALT: Final = "wallet.campaigns"
_MARK_LENGTH: Final = 4
_LONGEST_NUMBER: Final = 12  # of 63 bits


def code_for_friends(code: str, user_id: int) -> str:
    """Return a player's own code for inviting friends: the campaign's code, the player's id and a keyed hash."""
    return f"{code}-{_write_digits(user_id)}{_mark(code, user_id)}"


def read_code(text: str) -> tuple[str, int | None]:
    """Return the campaign's code and the inviter's id. The id is None if the code has no valid hash."""
    # Phones and word processors write a dash for a hyphen.
    dashed = ("-" if unicodedata.category(one) == "Pd" else one for one in spell_digits(text))
    kept = "".join(one for one in "".join(dashed).upper() if one in _DIGITS or one == "-")
    code, _dash, rest = kept.partition("-")
    number, mark = rest[:-_MARK_LENGTH], rest[-_MARK_LENGTH:]
    if not number or len(number) > _LONGEST_NUMBER or "-" in rest:
        return code, None
    user_id = int(number, len(_DIGITS))
    return code, user_id if constant_time_compare(mark, _mark(code, user_id)) else None


def _mark(code: str, user_id: int) -> str:
    digest = salted_hmac(_SALT, f"{code}:{user_id}", algorithm="sha256").digest()
    return "".join(_DIGITS[byte % len(_DIGITS)] for byte in digest[:_MARK_LENGTH])


def _write_digits(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
        if not number:
            return digits


def list_codes_for_friends(user_id: int, *, now: datetime) -> list[tuple[Campaign, str]]:
    """Return the open campaigns for friends, each with this player's own code."""
    running = Campaign.objects.filter(is_open=True, inviter_amount__gt=0)
    open_now = running.filter(valid_from__lte=now, valid_until__gt=now).order_by("pk")
    return [(one, code_for_friends(one.code, user_id)) for one in open_now]


log = logging.getLogger(__name__)

# Rate limit against guessing codes.
CODES_AN_HOUR: Final = 10
# Inviters are paid for friends who deposit within this time.
FRIEND_HAS: Final = timedelta(days=90)
LOOKED_AT_ONCE: Final = 500


def use_code(*, user_id: int, text: str, now: datetime) -> CampaignUse:
    """Grant a campaign's bonus for its code, once for each player and while it has uses left.

    Raises CASH_IS_OFF, TOO_MANY_CAMPAIGN_CODES, CAMPAIGN_UNKNOWN, CAMPAIGN_IS_OVER, NOT_FOR_THIS_ACCOUNT or
    CAMPAIGN_USED, or what refuse_barred, refuse_by_region and grant_bonus raise.
    """
    require_cash()
    if not take(Rate(f"codes:{user_id}", CODES_AN_HOUR, 3_600)).is_allowed:
        raise Refusal(TOO_MANY_CAMPAIGN_CODES)
    code, inviter_id = read_code(text)
    with transaction.atomic():
        # Lock the player first, as every movement of money does, then the campaign for its count.
        user = lock_player(user_id)
        refuse_barred(user)
        refuse_by_region(user_id)
        campaign = Campaign.objects.select_for_update(no_key=True).filter(code=code).first()
        if campaign is None or not campaign.is_open:
            raise Refusal(CAMPAIGN_UNKNOWN)
        if campaign.uses.filter(user_id=user_id).exists():
            raise Refusal(CAMPAIGN_USED)
        _refuse_outside(campaign, user, now)
        inviter = _find_inviter(campaign, user, inviter_id) if campaign.is_for_friends else None
        bonus = grant_bonus(
            user_id=user_id, gift=_build_gift(campaign, user_id, campaign.amount, now)
        )
        return CampaignUse.objects.create(
            campaign=campaign, user=user, bonus=bonus, used_at=now, inviter=inviter
        )


def _refuse_outside(campaign: Campaign, user: User, now: datetime) -> None:
    if not campaign.valid_from <= now < campaign.valid_until:
        raise Refusal(CAMPAIGN_IS_OVER)
    if campaign.uses.count() >= campaign.most_uses:
        raise Refusal(CAMPAIGN_IS_OVER)
    days = campaign.new_within_days
    if user.is_guest or (days is not None and user.date_joined < now - timedelta(days=days)):
        raise Refusal(NOT_FOR_THIS_ACCOUNT)


def _find_inviter(campaign: Campaign, user: User, inviter_id: int | None) -> User:
    inviter = User.objects.filter(pk=inviter_id or 0, is_bot=False, is_guest=False).first()
    if inviter is None or inviter.pk == user.pk or inviter.date_joined >= user.date_joined:
        raise Refusal(CAMPAIGN_UNKNOWN)
    if CampaignUse.objects.filter(user=user, inviter__isnull=False).exists():
        raise Refusal(CAMPAIGN_USED)
    return inviter


def _build_gift(
    campaign: Campaign, user_id: int, amount: int, now: datetime, of: str = ""
) -> BonusGift:
    return BonusGift(
        reference=f"campaign:{campaign.pk}:{of}{user_id}",
        terms=ReleaseTerms(amount, campaign.chunks, campaign.play_multiple),
        expires_at=now + timedelta(days=campaign.bonus_days),
        reason=campaign.name,
    )


def pay_inviters(*, now: datetime) -> int:
    """Grant bonuses to inviters whose friends have deposited enough and have an approved identity.

    Return how many inviters were paid. Repeated runs pay nobody twice. An invitation lapses if
    the friend has not met both conditions within FRIEND_HAS of using the code.
    """
    if not cash_is_on():
        return 0
    waiting = CampaignUse.objects.filter(inviter__isnull=False, settled_at=None)
    waiting.filter(used_at__lt=now - FRIEND_HAS).update(settled_at=now)
    # Only friends who have deposited enough, so that those who never deposit block nobody.
    came = Deposit.objects.filter(user_id=OuterRef("user_id"), state=Deposit.State.PAID)
    total = came.order_by().values("user_id").annotate(total=Sum("amount")).values("total")
    due = waiting.filter(build_approval_condition("user_id")).annotate(
        paid_in=Coalesce(Subquery(total), 0)
    )
    due = due.filter(paid_in__gte=F("campaign__least_deposit")).order_by("used_at")
    ids = list(due.values_list("pk", flat=True)[:LOOKED_AT_ONCE])
    return act_on_each(ids, lambda use_id: _pay_inviter(use_id, now), doing="paying an inviter")


@transaction.atomic
def _pay_inviter(use_id: int, now: datetime) -> bool:
    """Pay the inviter's bonus. Return whether it was paid now.

    Inviters who have reached `most_invited`, or who may not receive a bonus, are not paid.
    """
    use = CampaignUse.objects.select_related("campaign").get(pk=use_id)
    lock_player(int(use.inviter_id or 0))
    use = (
        CampaignUse.objects.select_for_update(of=("self",))
        .select_related("campaign")
        .get(pk=use_id)
    )
    if use.settled_at is not None:
        return False
    use.settled_at = now
    use.inviter_bonus = _bonus_of_inviter(use, now)
    use.save(update_fields=["settled_at", "inviter_bonus"])
    return use.inviter_bonus is not None


def _bonus_of_inviter(use: CampaignUse, now: datetime) -> Bonus | None:
    campaign, inviter_id = use.campaign, int(use.inviter_id or 0)
    paid = campaign.uses.filter(inviter_id=inviter_id, inviter_bonus__isnull=False)
    if paid.count() >= campaign.most_invited:
        return None
    gift = _build_gift(campaign, use.user_id, campaign.inviter_amount, now, of="invited:")
    try:
        with transaction.atomic():
            return grant_bonus(user_id=inviter_id, gift=gift)
    except Refusal as refusal:
        log.info("campaign use %s pays nobody: %s", use.pk, refusal.code)
        return None
