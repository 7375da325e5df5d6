"""Recent proofs of identity by players who have no password: a code, or signing in at the other site again.

allauth asks for a password or a second factor before dangerous steps. It asks nothing of a player who has neither,
so the adapter asks for such a proof (accounts/people/adapter.py).
"""

import time
from typing import Final

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from django.http import HttpRequest

_KEY: Final = "proof"
# A fresh sign-in with a code or another site is as good as a proof by the same means.
_SIGN_IN: Final = "socialaccount"


def record_proof(request: HttpRequest) -> None:
    """Record that the player has just proved that the account is theirs."""
    request.session[_KEY] = {"user": request.user.pk, "at": time.time()}


def has_recent_proof(request: HttpRequest) -> bool:
    """Return whether the session's player has proved their identity within ACCOUNT_REAUTHENTICATION_TIMEOUT."""
    proof = request.session.get(_KEY) or {}
    moments = [proof["at"]] if proof and proof["user"] == request.user.pk else []
    signed_in = get_authentication_records(request, request.user)
    moments += [one["at"] for one in signed_in if one.get("method") == _SIGN_IN]
    lasts: int = app_settings.REAUTHENTICATION_TIMEOUT
    return any(time.time() - moment < lasts for moment in moments)
