from typing import Any

from allauth.account.models import EmailAddress

from wallet.chips.welcome import grant_welcome_chips


def greet(email_address: EmailAddress, **_signal: Any) -> None:
    """A confirmed address brings the welcome chips, in the transaction of the confirmation if there
    is one: confirmed without chips cannot be committed then."""
    grant_welcome_chips(user_id=email_address.user_id)
