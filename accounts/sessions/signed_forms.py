"""Signed forms: the server signs what a page has shown, so that the page's form cannot be replaced by another one.

A page that asks for the password signs its content, so that submitting its form needs no password. The signature is
therefore valid only for the player and the session that got the page, and for a limited time. Otherwise a thief
could fetch the form with an account of their own and submit it in a stolen session.
"""

from typing import Any, Final

from django.core import signing
from django.core.signing import BadSignature
from django.http import HttpRequest

from accounts.sessions.revocation import compute_sign

LASTS_SECONDS: Final = 600


def sign_form(request: HttpRequest, values: Any, *, salt: str) -> str:
    """Return these values, signed for the player and the session of the request."""
    return signing.dumps(values, salt=_bind(request, salt))


def read_form(request: HttpRequest, text: str, *, salt: str) -> Any:
    """Return the values of a signed form.

    Raises BadSignature, also for a form of another player or session, and SignatureExpired after `LASTS_SECONDS`.
    """
    return signing.loads(text, salt=_bind(request, salt), max_age=LASTS_SECONDS)


def _bind(request: HttpRequest, salt: str) -> str:
    key = request.session.session_key
    if not key or request.user.pk is None:
        raise BadSignature("nobody is signed in")
    return f"{salt}:{request.user.pk}:{compute_sign(key)}"
