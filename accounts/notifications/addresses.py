"""Confirmed e-mail addresses."""

from allauth.account.models import EmailAddress

from accounts.models import User


def awaits_confirmation(user_id: int) -> bool:
    """Return whether none of the player's addresses is confirmed.

    Accounts made by staff or by a command need no confirmation: their makers know the owners.
    """
    verified = EmailAddress.objects.filter(user_id=user_id).values_list("verified", flat=True)
    known = list(verified)
    return bool(known) and not any(known)


def may_be_written_to(user_id: int) -> bool:
    """An address that nobody has confirmed may be a stranger's, and a guest has none."""
    is_guest = User.objects.filter(pk=user_id, is_guest=True).exists()
    return not is_guest and not awaits_confirmation(user_id)
