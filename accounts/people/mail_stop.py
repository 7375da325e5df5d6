"""The address in a mail that stops such mails in one press, of the mail program or of its page (RFC 8058).

It needs no session: the signed token in it is all that it proves, and all that it can do.
"""

from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.people.preferences import stop_absence_mails

_SIGNER: Final = Signer(salt="accounts.mail_stop")


def make_stop_token(user_id: int) -> str:
    return _SIGNER.sign(str(user_id))


def build_stop_url(user_id: int) -> str:
    """Return the address for the mails about a player's absence from their tables."""
    path = reverse("accounts:stop_mails", args=[make_stop_token(user_id)])
    return f"{settings.SITE_URL}{path}"


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """Ask before stopping the mails; a POST stops them, also one of a mail program without cookies."""
    try:
        user_id = int(_SIGNER.unsign(token))
    except BadSignature as error:
        raise Http404 from error
    if request.method == "POST":
        stop_absence_mails(user_id=user_id)
    return render(request, "accounts/stop_mails.html", {"is_stopped": request.method == "POST"})
