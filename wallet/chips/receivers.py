from typing import Any

from allauth.account.models import EmailAddress

from wallet.chips.welcome import grant_welcome_chips


def greet(user_id: int, **_signal: Any) -> None:
    """A new account brings the welcome chips, in the transaction that opens it: there is none
    without them. They are for play alone, so they do not wait for the confirmed address."""
    grant_welcome_chips(user_id=user_id)


def greet_confirmed(email_address: EmailAddress, **_signal: Any) -> None:
    """For accounts that were opened in another way: each gets its chips once."""
    grant_welcome_chips(user_id=email_address.user_id)
