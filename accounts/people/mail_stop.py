"""The link in an e-mail with which its reader stops e-mails of this kind (RFC 8058).

One click is enough, in the mail program or on a page. No session is needed: the signed token in the link allows
stopping these e-mails and nothing else.
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
    """Return the link that stops e-mails about a player's absence from their tables."""
    path = reverse("accounts:stop_mails", args=[make_stop_token(user_id)])
    return f"{settings.SITE_URL}{path}"


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for confirmation, and stop the e-mails on a POST. Mail programs post without cookies, which is accepted."""
    try:
        user_id = int(_SIGNER.unsign(token))
    except BadSignature as error:
        raise Http404 from error
    if request.method == "POST":
        stop_absence_mails(user_id=user_id)
    return render(request, "accounts/stop_mails.html", {"is_stopped": request.method == "POST"})
