from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.http import HttpRequest

from accounts.throttling.origins import origin_of
from wallet.chips.welcome import grant_welcome_chips
from wallet.refusals import WalletRefusal


def greet(user_id: int, request: HttpRequest | None, **_signal: Any) -> None:
    """A new account brings the welcome chips, in the transaction that opens it, unless its place has
    had many. They are for play alone, so they do not wait for the confirmed address. An account that
    staff open has no place of its own."""
    if request is None:
        grant_welcome_chips(user_id=user_id)
    else:
        _give(user_id, request, is_confirmed=False)


def greet_confirmed(request: HttpRequest, email_address: EmailAddress, **_signal: Any) -> None:
    """For accounts that were opened in another way, and those that have not had them."""
    _give(email_address.user_id, request, is_confirmed=True)


def _give(user_id: int, request: HttpRequest, *, is_confirmed: bool) -> None:
    try:
        grant_welcome_chips(user_id=user_id, origin=origin_of(request), is_confirmed=is_confirmed)
    except WalletRefusal as refusal:
        messages.warning(request, str(refusal))
