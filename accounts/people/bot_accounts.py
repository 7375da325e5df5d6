"""BOT accounts: played by their owners' programs, and marked in their names.

An account that has never played can become a BOT account, and stays one unless staff remove the mark. It plays only
with an API token, only without stakes, and only where BOTs are admitted (tables/seating/bot_accounts.py).
"""

from collections.abc import Iterator

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User, is_name_taken
from accounts.models.users import AbsenceNotice, PageShownTo
from accounts.names import BOT_MARK, NAME_LENGTHS
from accounts.refusals import NOT_ABOT_ACCOUNT, REASON_MISSING, NoBotAccount
from core.refusals import Refusal

# Sent with `user_id`: a receiver raises NoBotAccount for an account that has played or paid in.
becoming_bot = Signal()
# Sent with `user_id` in the transaction: a receiver deletes what the account has won among BOTs.
bot_mark_taken = Signal()


def may_become_bot(user: User) -> bool:
    """Return whether an account could become a BOT account now."""
    try:
        _refuse(user)
    except NoBotAccount:
        return False
    return True


def _refuse(user: User) -> None:
    """Raise NoBotAccount unless the account belongs to a person who has neither played nor paid in."""
    if not user.is_active or user.is_staff or user.is_guest or user.is_no_person:
        raise NoBotAccount
    becoming_bot.send(sender=None, user_id=user.pk)


@transaction.atomic
def become_bot(*, user_id: int) -> User:
    """Turn an account that has never played into a BOT account. Raises NoBotAccount, and then changes nothing.

    Everybody may see the page of a BOT account, and it gets no notifications about absence.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    _refuse(user)
    user.player_name = _find_free_name(user, BOT_MARK)
    user.became_bot_at = timezone.now()
    user.page_shown_to, user.absence_notice = PageShownTo.EVERYBODY, AbsenceNotice.NONE
    user.save(update_fields=["player_name", "became_bot_at", "page_shown_to", "absence_notice"])
    return user


@transaction.atomic
def take_bot_mark(*, user_id: int, reason: str) -> None:
    """Turn a BOT account back into an ordinary one, as staff decided. Raises REASON_MISSING or NOT_ABOT_ACCOUNT."""
    if not reason.strip():
        raise Refusal(REASON_MISSING)
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if not user.is_bot_account or user.closed_at is not None:
        raise Refusal(NOT_ABOT_ACCOUNT)
    user.player_name = user.player_name.removesuffix(BOT_MARK)
    user.player_name, user.became_bot_at = _find_free_name(user, ""), None
    user.save(update_fields=["player_name", "became_bot_at"])
    bot_mark_taken.send(sender=None, user_id=user_id)


def _find_free_name(user: User, ending: str) -> str:
    return next(
        name for name in _generate_names(user, ending) if not is_name_taken(name, but=user.pk)
    )


def _generate_names(user: User, ending: str) -> Iterator[str]:
    """Yield names to try: the account's name with this ending, then the same with the account's id.

    The account's name is shortened if necessary.
    """
    for number in ("", f" {user.pk}"):
        most = NAME_LENGTHS.stop - 1 - len(ending) - len(number)
        yield user.player_name[:most].rstrip(" ._-'") + number + ending
